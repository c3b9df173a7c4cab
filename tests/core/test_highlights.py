"""Highlights and questions to talk about: of the read part alone, and what reads well alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.core.boundary import Boundary, boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.highlights import HIGHLIGHTS, LONGEST, SHORTEST, highlights
from bot.core.offsets import Span
from bot.core.ports import NameMet
from bot.core.talk import About, Talk, talk_about
from bot.core.weekly import IsoWeek

READER = MemberId(1)

STORY = (
    "The ferry crossed the dark harbour while Ana Wren held the brass lantern for the keeper.",
    "He said nothing about the brass lantern and the ferry in the dark harbour of the town.",
    "Rain.",
    "“The keeper of the lantern never leaves the harbour before the ferry,” said Ana Wren.",
    "Nobody in the town had ever asked Mr. Fogg why the lantern burned over the harbour at noon.",
    "THE FERRY AND THE LANTERN OF THE DARK HARBOUR OF THE TOWN",
    "and the keeper of the dark harbour went home before the ferry with a brass lantern",
)


def reader_at(offset: int) -> Boundary:
    return boundary_for(BookId(1), private_to(READER), {READER: offset})


def read(*sentences: str, chapter: int = 1, start: int = 0, boundary: Boundary | None = None) -> Evidence:
    """One passage of these sentences, from ``start`` on."""
    made, at = [], start
    for sentence in sentences:
        made.append(ReadSentence(Span(at, at + len(sentence)), sentence, at + len(sentence)))
        at += len(sentence) + 1
    text = " ".join(sentences)
    passage = Passage(chapter, chapter, Span(start, start + len(text)), start + len(text), text, tuple(made))
    return Evidence(boundary or reader_at(10_000), passage)


def chosen(*evidence: Evidence, start: int = 0) -> list[str]:
    return [citation.quote for citation in highlights(evidence, start, "en", ["Ana Wren", "Mr. Fogg"])]


def test_highlights_are_whole_sentences_in_story_order_that_read_well_alone() -> None:
    assert chosen(read(*STORY)) == [STORY[0], STORY[3], STORY[4]]


def test_nothing_before_the_new_part_is_quoted_and_nothing_is_no_highlight() -> None:
    start = len(STORY[0]) + 1
    assert STORY[0] not in chosen(read(*STORY), start=start)
    assert chosen(read("Rain.", "Snow.")) == []
    assert chosen() == []


def test_highlights_come_from_different_chapters_where_they_can() -> None:
    first = read(STORY[0], STORY[3], STORY[4], chapter=1)
    second = read("The bell of the lighthouse rang twice over the empty causeway that evening.", chapter=2, start=500)
    assert any(quote.startswith("The bell") for quote in chosen(first, second))


def test_a_cut_speech_is_no_highlight() -> None:
    whole, cut = (
        "“I have kept the lantern of the harbour for thirty years,” he said.",
        "“I have kept the lantern of it.",
    )
    assert chosen(read(whole)) == [whole]
    assert chosen(read(cut + " The ferry came late again that night")) == []


@given(st.lists(st.sampled_from(STORY), max_size=12), st.integers(0, 400))
def test_every_highlight_stands_in_the_part_and_has_the_length_of_a_quote(parts: list[str], start: int) -> None:
    citations = highlights([read(*parts)] if parts else [], start, "en")
    assert len(citations) <= HIGHLIGHTS
    assert [c.n for c in citations] == list(range(1, len(citations) + 1))
    assert all(c.span.start >= start and SHORTEST <= len(c.quote) <= LONGEST for c in citations)
    assert [c.span for c in citations] == sorted(c.span for c in citations)


def met(*names: str, at: int = 0) -> list[NameMet]:
    return [NameMet(name, at) for name in names]


def asked(week: int, *evidence: Evidence, names: list[NameMet], start: int = 0) -> Talk:
    return talk_about(evidence, start, names, highlights(evidence, start, "en"), IsoWeek(2026, week))


CROWD = read(
    *["“Here I am,” said Ana Wren to Mr. Fogg, and Mr. Fogg laughed."] * 3,
    *["The Saltmouth ferry left Saltmouth for Saltmouth."] * 3,
)


def test_a_question_names_people_of_the_part_and_no_place() -> None:
    assert asked(3, CROWD, names=met("Ana Wren", "Mr. Fogg", "Saltmouth")) == Talk(
        About.TWO, ("Mr. Fogg", "Ana Wren"), variant=0
    )


def test_a_name_that_is_new_in_the_part_is_asked_about() -> None:
    names = [*met("Ana Wren"), *met("Mr. Fogg", at=50)]
    early = read("Ana Wren stood alone on the quay until the morning came.")
    later = read(*["“Here I am,” said Ana Wren to Mr. Fogg."] * 3, start=60)
    assert asked(1, early, later, names=names, start=45).about is About.NEW
    assert asked(1, early, later, names=names, start=45).names == ("Mr. Fogg",)


def test_a_word_that_is_no_name_in_the_part_is_not_asked_about() -> None:
    part = read(*["The keeper saw The keeper, and the other keeper of the harbour saw the ferry."] * 4)
    assert asked(3, part, names=met("The")).about is About.QUOTE


def test_without_names_a_highlight_is_asked_about_and_without_highlights_the_part() -> None:
    assert asked(3, read(STORY[0]), names=[]) == Talk(About.QUOTE, quote=1)
    assert asked(3, read("Rain."), names=[]) == Talk(About.PART)


def test_forms_of_one_name_are_one_person() -> None:
    part = read(*["“No,” said Mr. Fogg.", "“Yes,” said Oswin Fogg.", "“Why,” said Mr. Fogg."])
    assert asked(3, part, names=met("Mr. Fogg", "Oswin Fogg")).names == ("Mr. Fogg",)


def test_a_name_only_before_the_new_part_is_not_asked_about() -> None:
    old = read(*["“Here I am,” said Mr. Fogg."] * 4)
    new = read(STORY[0], start=400)
    assert "Mr. Fogg" not in asked(3, old, new, names=met("Mr. Fogg"), start=400).names
