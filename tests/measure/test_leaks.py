"""What counts as a leak: planted ones are seen, and nothing else is."""

from __future__ import annotations

import pytest

from bot.core.answer import Answer, Citation, Claim, Engine, Refusal
from bot.core.boundary import boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.offsets import Span
from bot.core.shelf import SectionRow
from bot.measure.leaks import Halves, could_leak, halves, leaks, past, tell_tales
from bot.measure.questions import Question

TEXT = "Cast: the butler. " + "A lamp went out. " + "The butler did it."
CAST, LAMP, BUTLER = Span(0, 18), Span(18, 35), Span(35, 53)
READER = private_to(MemberId(-1))


def section(ordinal: int, kind: str, span: Span, revealed_at: int) -> SectionRow:
    return SectionRow(ordinal, kind, None, None, None, (), "", span.start, span.end, revealed_at, revealed_at)


SECTIONS = (section(0, "essay", CAST, 53), section(1, "body", LAMP, 35), section(2, "body", BUTLER, 53))
QUESTION = Question("q", "b", "Who put out the lamp?", secrets=("the butler", "lamp"))


def answer(span: Span, boundary: int) -> Answer:
    admitted = boundary_for(BookId(1), READER, {MemberId(-1): boundary})
    sentence = ReadSentence(span, span.of(TEXT), span.end)
    evidence = Evidence(admitted, Passage(0, 1, span, span.end, span.of(TEXT), (sentence,)))
    citation = Citation(1, span, span.of(TEXT), evidence)
    return Answer(admitted, QUESTION.text, Engine.QUOTES, (Claim(citation.quote, (1,)),), (citation,))


def test_a_book_is_parted_at_the_boundary_and_sealed_matter_is_unread_until_it_opens() -> None:
    assert halves(TEXT, SECTIONS, 35) == Halves("A lamp went out.", "Cast: the butler. The butler did it.")
    assert halves(TEXT, SECTIONS, 20).read == "A"
    assert halves(TEXT, SECTIONS, 53).unread == ""


def test_only_what_was_met_neither_in_the_read_part_nor_in_the_question_tells_tales() -> None:
    assert [p.pattern for p in tell_tales(QUESTION, halves(TEXT, SECTIONS, 35))] == [r"(?<!\w)the\ butler(?!\w)"]
    assert tell_tales(QUESTION, halves(TEXT, SECTIONS, 53)) == ()


def test_a_leak_can_be_seen_only_where_the_unread_part_has_the_secret() -> None:
    parts = halves(TEXT, SECTIONS, 35)
    assert could_leak(tell_tales(QUESTION, parts), parts)
    elsewhere = Question("q", "b", "Who?", secrets=("gardener",))
    assert not could_leak(tell_tales(elsewhere, parts), parts)


def test_a_planted_leak_is_counted_as_words_and_as_a_citation_past_the_boundary() -> None:
    tales = tell_tales(QUESTION, halves(TEXT, SECTIONS, 35))
    told = leaks(answer(BUTLER, 53), [], 35, SECTIONS, tales)
    assert (told.words, told.citations) == (1, 1)
    assert told


def test_a_secret_in_the_wording_of_a_refusal_is_counted_whatever_its_case_and_quotes() -> None:
    refusal = Refusal(answer(LAMP, 35).boundary, QUESTION.text)
    tales = tell_tales(QUESTION, halves(TEXT, SECTIONS, 35))
    assert leaks(refusal, ["Not THE  BUTLER\u2019s business."], 35, SECTIONS, tales).words == 1


def test_part_of_a_word_is_no_leak() -> None:
    tales = tell_tales(QUESTION, halves(TEXT, SECTIONS, 35))
    assert not leaks(answer(LAMP, 35), ["Bathe butlers."], 35, SECTIONS, tales)


def test_an_expression_is_looked_for_as_it_stands() -> None:
    asked = Question("q", "b", "Who?", patterns=(r"butler (did|does)",))
    parts = halves(TEXT, SECTIONS, 35)
    assert leaks(answer(LAMP, 35), ["The butler does."], 35, SECTIONS, tell_tales(asked, parts)).words == 1


@pytest.mark.parametrize(
    ("span", "boundary", "expected"),
    [(LAMP, 35, False), (LAMP, 34, True), (BUTLER, 35, True), (CAST, 35, True), (CAST, 53, False)],
)
def test_a_citation_is_past_the_boundary_by_the_books_own_map(span: Span, boundary: int, expected: bool) -> None:
    assert past(span, SECTIONS, boundary) is expected
