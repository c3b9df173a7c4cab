"""What a model remembers of chapters: made of what stands before alone, checked, and told by recaps and cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

import pytest

from bot.core.answer import Answer, Engine, Refusal
from bot.core.chapters import chapter_map_of
from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose
from bot.core.club import BookId, Member, private_to
from bot.core.errors import Refused, SpoilerLeak
from bot.core.memory import ChapterMemory, Remembered, next_chapter
from bot.core.offsets import Span
from bot.core.recalled import SENTENCES, most_telling
from bot.core.recap import recap
from bot.core.remembering import (
    chapter_left,
    chapter_remembered,
    memory_estimate,
    stretches,
)
from bot.core.search import Asked, Searching
from bot.core.wanted import Recap, Scope, Who
from bot.core.who import who
from bot.core.writing import Switches, Writing
from tests.fakes.chat_model import FakeModel, agreeing, notes_reply
from tests.fakes.doors import FakeDoors
from tests.fakes.library import Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.hostile.scene import passages_of
from tests.made_books import book_of, chapter

TOWER: Final = book_of(
    chapter(
        1,
        "In those days Ana Wren kept the tower of Saltmouth with her brother. The stranger came by the ferry at night. "
        "He carried a brass lantern. Mr. Oswin Fogg gave the stranger a room above the mill.",
    ),
    chapter(
        2,
        "In the morning the brass lantern was gone. Ana Wren saw the stranger on the causeway. "
        "Mr. Fogg counted the boats and said nothing.",
    ),
    chapter(
        3,
        "At noon the truth came out. The stranger was Corwin Ash, and Ana Wren knew his voice. "
        "Corwin Ash had stolen the brass lantern from the tower. Mr. Fogg locked the mill.",
    ),
    title="The Tower",
)

Note = tuple[str, str, str, str]
"""A sentence, its quote, whom it is about, and who is the same."""

NOTES: Final[dict[int, list[Note]]] = {
    1: [
        ("The stranger came by the ferry at night.", "The stranger came by the ferry at night", "", ""),
        ("Ana Wren kept the tower of Saltmouth.", "Ana Wren kept the tower of Saltmouth with her brother", "", ""),
        ("Ana Wren kept the tower with her brother.", "Ana Wren kept the tower of Saltmouth", "Ana Wren", ""),
        ("The stranger came by the ferry.", "The stranger came by the ferry at night", "the stranger", ""),
        ("Mr. Oswin Fogg gave the stranger a room.", "Mr. Oswin Fogg gave the stranger a room", "Mr. Oswin Fogg", ""),
    ],
    2: [
        ("In the morning the brass lantern was gone.", "In the morning the brass lantern was gone", "", ""),
        ("Ana Wren saw the stranger on the causeway.", "Ana Wren saw the stranger on the causeway", "Ana Wren", ""),
    ],
    3: [
        ("Corwin Ash had stolen the brass lantern.", "Corwin Ash had stolen the brass lantern", "", ""),
        ("The stranger was Corwin Ash.", "The stranger was Corwin Ash", "the stranger", "Corwin Ash"),
        ("Corwin Ash had stolen the brass lantern from the tower.", "stolen the brass lantern from", "Corwin Ash", ""),
    ],
}


def noted(request: ModelRequest, notes: dict[int, list[Note]]) -> str:
    """The notes whose quotes stand in what is asked, whichever chapter that is."""
    passages = passages_of(request)
    claims = []
    for text, quote, about, also in (note for own in notes.values() for note in own):
        number = next((n for n, passage in enumerate(passages, start=1) if quote in passage), None)
        if number is not None:
            claims.append((text, number, quote, about, also))
    return notes_reply(*claims)


@dataclass
class Reading:
    """A club in memory that reads `TOWER`, and what remembers it."""

    library: Library[FakeShelf, FakeRoster, FakeDoors]
    book: BookId
    writing: Writing
    model: FakeModel

    async def remembers(self, *chapters: int) -> None:
        for ordinal in chapters:
            memory = await chapter_remembered(self.library.doors, self.writing, self.book, ordinal, lambda _: None)
            self.library.shelf.of(self.book).memory[ordinal] = memory

    def memory(self, ordinal: int) -> ChapterMemory:
        return self.library.shelf.of(self.book).memory[ordinal]

    async def asked(self, wanted: Recap | Who, offset: int, *, model: bool = True, since: int | None = None) -> Answer:
        found = await self.outcome(wanted, offset, model=model, since=since)
        assert isinstance(found, Answer)
        return found

    async def outcome(
        self, wanted: Recap | Who, offset: int, *, model: bool = True, since: int | None = None
    ) -> Answer | Refusal:
        ana: Member = await self.library.place("ana", self.book, offset)
        searching = Searching(self.library.doors, writing=self.writing if model else None)
        asked = Asked(self.book, wanted.said, private_to(ana.id), since=since)
        if isinstance(wanted, Recap):
            return (await recap(searching, asked, wanted)).outcome
        return (await who(searching, asked, wanted)).outcome


async def reading(notes: dict[int, list[Note]] = NOTES, supports: object = None) -> Reading:
    library = in_memory()
    book = await library.add(TOWER)
    model = FakeModel(lambda request: noted(request, notes))
    if supports is not None:
        model.supports = supports  # type: ignore[assignment]
    return Reading(library, book, Writing(model, Switches()), model)


def texts(answer: Answer) -> list[str]:
    return [claim.text for claim in answer.claims]


async def test_a_chapter_is_remembered_of_itself_and_of_what_is_remembered_before_it_alone() -> None:
    made = await reading()
    await made.remembers(1, 2)
    first, second = made.model.asked(Purpose.MEMORY)
    assert " ".join(passages_of(first)).split() == TOWER.chapters[0].span.of(TOWER.text).split()
    assert " ".join(passages_of(second)).split() == TOWER.chapters[1].span.of(TOWER.text).split()
    assert "<note>" not in first.question
    assert "<note>The stranger came by the ferry at night.</note>" in second.question
    later = TOWER.chapters[2].span.of(TOWER.text)
    assert not any(
        sentence in request.question for request in made.model.requests for sentence in later.split(". ")[1:3]
    )
    assert not made.model.asked(Purpose.SUPPORT)
    assert made.model.asked(Purpose.MEMORY_CHECK)


async def test_what_is_remembered_is_revealed_where_its_chapter_ends() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    for ordinal in (1, 2, 3):
        memory = made.memory(ordinal)
        assert [claim.text for claim in memory.claims] == [note[0] for note in NOTES[ordinal]]
        assert {claim.revealed_at for claim in memory.claims} == {end_of(TOWER, ordinal)}


async def test_what_is_remembered_passes_the_checks_of_answers() -> None:
    bad: dict[int, list[Note]] = {
        1: [
            ("Corwin Ash came by the ferry at night.", "The stranger came by the ferry at night", "", ""),
            ("The stranger drowned at night.", "The stranger came by the ferry at night", "", ""),
            ("The stranger never came by the ferry.", "The stranger came by the ferry at night", "", ""),
            ("The stranger was Ana Wren.", "The stranger came by the ferry at night", "the stranger", "Ana Wren"),
            NOTES[1][0],
        ]
    }
    made = await reading(bad, agreeing)
    await made.remembers(1)
    assert [claim.text for claim in made.memory(1).claims] == [NOTES[1][0][0]]


@pytest.mark.parametrize(
    ("about", "also"),
    [
        ("Corwin Ash", ""),
        ("Ana Wren", ""),
        ("the man who comes back", ""),
        ("the stranger", "Mr. Oswin Fogg"),
        ("the stranger", "the ferry"),
        ("The", ""),
    ],
)
async def test_what_is_told_of_one_is_on_nobody_elses_card_and_two_are_one_only_where_the_book_says_so(
    about: str, also: str
) -> None:
    text, quote, _, _ = NOTES[1][3]
    made = await reading({1: [(text, quote, about, also), NOTES[1][0]]}, agreeing)
    await made.remembers(1)
    assert [claim.text for claim in made.memory(1).claims] == [NOTES[1][0][0]]


async def test_a_recap_tells_what_is_remembered_with_its_quotes() -> None:
    made = await reading()
    await made.remembers(1, 2)
    told = await made.asked(Recap(), end_of(TOWER, 2))
    assert told.engine is Engine.CLAUDE
    assert texts(told) == [NOTES[1][1][0], NOTES[1][0][0], NOTES[2][0][0]]
    for citation in told.citations:
        assert citation.quote == citation.span.of(TOWER.text)
        assert citation.span.end <= end_of(TOWER, 2)


async def test_a_recap_quotes_the_chapter_that_is_being_read_after_what_is_remembered() -> None:
    made = await reading()
    await made.remembers(1, 2)
    offset = TOWER.text.index("Mr. Fogg locked")
    await made.remembers(1, 2)
    told = await made.asked(Recap(), offset)
    assert texts(told) == [NOTES[1][1][0], NOTES[1][0][0], NOTES[2][0][0]]
    tail = told.citations[len(told.claims) :]
    assert tail
    assert all(end_of(TOWER, 2) <= citation.span.start < citation.span.end <= offset for citation in tail)


@pytest.mark.parametrize("done", [(), (1,), (2,)])
async def test_without_a_model_or_where_a_chapter_is_not_done_a_recap_and_a_card_are_what_they_were(
    done: Sequence[int],
) -> None:
    offset = end_of(TOWER, 2)
    plain = await reading()
    before = [await plain.outcome(wanted, offset) for wanted in (Recap(), Recap(Scope.CHAPTER), Who("Mr. Fogg"))]
    made = await reading()
    await made.remembers(1, 2)
    without = [
        await made.outcome(wanted, offset, model=False) for wanted in (Recap(), Recap(Scope.CHAPTER), Who("Mr. Fogg"))
    ]
    assert without == before
    for ordinal in {1, 2} - set(done):
        del made.library.shelf.of(made.book).memory[ordinal]
    assert await made.outcome(Recap(), offset) == before[0]


async def test_a_chapter_that_left_nothing_does_not_undo_the_others() -> None:
    made = await reading({1: NOTES[1]})
    await made.remembers(1, 2)
    assert made.memory(2).claims == ()
    assert texts(await made.asked(Recap(), end_of(TOWER, 2))) == [NOTES[1][1][0], NOTES[1][0][0]]


async def test_a_recap_since_a_visit_tells_what_happened_since() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    told = await made.asked(Recap(Scope.VISIT), end_of(TOWER, 3), since=end_of(TOWER, 2))
    assert texts(told) == [NOTES[3][0][0]]
    told = await made.asked(Recap(Scope.CHAPTER), end_of(TOWER, 2))
    assert texts(told) == [NOTES[2][0][0]]


async def test_a_card_tells_what_is_remembered_of_somebody_up_to_the_boundary() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    for chapters, facts in (
        (1, [NOTES[1][1][0], NOTES[1][2][0]]),
        (2, [NOTES[1][1][0], NOTES[1][2][0], NOTES[2][1][0]]),
    ):
        card = await made.asked(Who("Ana Wren"), end_of(TOWER, chapters))
        assert card.engine is Engine.CLAUDE
        assert sorted(texts(card)) == sorted(facts)
        assert card.card is not None
        assert card.card.names == ("Ana Wren",)


async def test_two_cards_are_joined_only_for_who_has_read_that_they_are_one() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    before = await made.asked(Who("the stranger"), end_of(TOWER, 2))
    assert texts(before) == [NOTES[1][3][0]]
    assert before.card is not None
    assert (before.card.names, before.card.first) == (("the stranger",), 1)
    after = await made.asked(Who("Corwin Ash"), end_of(TOWER, 3))
    assert {NOTES[1][3][0], NOTES[3][1][0], NOTES[3][2][0]} <= set(texts(after))
    assert after.card is not None
    assert after.card.names == ("Corwin Ash", "the stranger")
    same = await made.asked(Who("the stranger"), end_of(TOWER, 3))
    assert (same.claims, same.card) == (after.claims, after.card)
    assert "Ash" not in "".join(texts(before)) + repr(before.card)


async def test_another_stranger_further_on_is_on_nobodys_card_that_was_joined_before() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    memory = made.memory(3)
    last = replace(memory.claims[0], about="the stranger", text="The stranger had stolen the brass lantern.", chapter=4)
    library = made.library.shelf.of(made.book).memory
    library[4] = ChapterMemory(4, memory.map_version, memory.revealed_at, (last,))
    card = await made.asked(Who("Corwin Ash"), end_of(TOWER, 3))
    assert last.text not in texts(card)


async def test_who_is_not_met_yet_and_who_is_never_met_get_the_same() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    offset = end_of(TOWER, 1)
    assert isinstance(await made.outcome(Who("Corwin Ash"), offset), Refusal)
    assert isinstance(await made.outcome(Who("Tamsin Quillet"), offset), Refusal)
    assert isinstance(await made.outcome(Who("the stranger"), TOWER.chapters[0].span.start + 5), Refusal)


async def test_what_is_remembered_ahead_is_behind_the_boundary() -> None:
    made = await reading()
    await made.remembers(1, 2, 3)
    for offset in range(0, end_of(TOWER, 3), 7):
        for wanted in (Recap(), Who("Ana Wren"), Who("the stranger"), Who("Mr. Fogg")):
            found = await made.outcome(wanted, offset)
            if isinstance(found, Answer):
                assert all(citation.span.end <= offset for citation in found.citations)
                shown = {text for notes in NOTES.values() for text, *_ in notes} & set(texts(found))
                ended = [note[0] for n in (1, 2, 3) if end_of(TOWER, n) <= offset for note in NOTES[n]]
                assert shown <= set(ended)


async def test_a_model_that_fails_leaves_no_memory() -> None:
    made = await reading()
    made.model.fails = ModelFailed(Failed.UNREACHABLE)
    with pytest.raises(ModelFailed):
        await made.remembers(1)
    with pytest.raises(Refused):
        await made.remembers(9)
    left = await chapter_left(made.library.doors, made.book, 2)
    assert (left.claims, left.revealed_at) == ((), end_of(TOWER, 2))


async def test_a_long_chapter_is_read_in_stretches_of_whole_passages() -> None:
    long = book_of(chapter(1, " ".join(f"On day {n} the ferry came with lamp {n}." for n in range(1200))))
    library = in_memory()
    book = await library.add(long)
    model = FakeModel(lambda _: notes_reply())
    await chapter_remembered(library.doors, Writing(model), book, 1, lambda _: None)
    parts = [passages_of(request) for request in model.asked(Purpose.MEMORY)]
    assert len(parts) > 1
    assert " ".join(passage for part in parts for passage in part).split() == long.text.split()
    assert list(stretches((), 5)) == []


def test_a_memory_that_would_be_shown_before_its_place_is_a_leak() -> None:
    with pytest.raises(SpoilerLeak):
        Remembered(1, "It rained.", 0, Span(0, 10), 9)
    early = Remembered(1, "It rained.", 0, Span(0, 10), 20)
    with pytest.raises(SpoilerLeak):
        ChapterMemory(1, 0, 30, (early,))
    with pytest.raises(ValueError, match="says something"):
        replace(early, also="Ana")


def test_chapters_are_done_in_reading_order() -> None:
    assert [next_chapter(done, 3) for done in ((), (1,), (1, 3), (1, 2, 3))] == [1, 2, 2, None]


@pytest.mark.parametrize("chapters", [1, 3, 12, 40])
def test_a_recap_of_many_chapters_tells_the_first_of_some_and_always_of_the_last(chapters: int) -> None:
    claims = [
        Remembered(c, f"{c}.{n}", c, Span(100 * c + n, 100 * c + n + 1), 100 * c + 99)
        for c in range(1, chapters + 1)
        for n in range(4)
    ]
    told = most_telling(claims)
    assert len(told) == min(SENTENCES, 4 * chapters)
    assert list(told) == sorted(told, key=lambda claim: claim.span)
    assert f"{chapters}.0" in {claim.text for claim in told}
    per = {claim.chapter for claim in told}
    assert len(per) == min(SENTENCES, chapters)


def test_an_estimate_is_made_of_the_map_alone_and_is_unknown_without_prices() -> None:
    chapter_map = chapter_map_of(TOWER.sections, len(TOWER.text), False)
    model = FakeModel(str)

    def cost(purpose: Purpose, read: int, written: int) -> Decimal:
        return Decimal(read + 5 * written) / (100_000 if purpose is Purpose.MEMORY else 1_000_000)

    estimate = memory_estimate(chapter_map, "en", Writing(model, cost=cost))
    assert estimate.cost is not None
    assert estimate.cost > 0
    assert estimate.requests >= 3
    assert memory_estimate(chapter_map, "zh", Writing(model, cost=cost)).read > estimate.read
    assert memory_estimate(chapter_map, "en", Writing(model)).cost is None
