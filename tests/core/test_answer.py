"""An answer stands on evidence of its own boundary, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.answer import Answer, Citation, Claim, Engine
from bot.core.boundary import Boundary, boundary_for, narrowed
from bot.core.club import Audience, BookId, MemberId, private_to
from bot.core.errors import SpoilerLeak
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.offsets import Span

TEXT = "The lamp was cold. The kettle was warm."


def boundary(offset: int = 200, member: int = 1) -> Boundary:
    return boundary_for(BookId(1), private_to(MemberId(member)), {MemberId(member): offset})


def evidence(under: Boundary, start: int = 100) -> Evidence:
    span = Span(start, start + len(TEXT))
    return Evidence(under, Passage(4, 6, span, span.end, TEXT, (ReadSentence(span, TEXT, span.end),)))


def citation(under: Boundary, n: int = 1) -> Citation:
    return Citation(n, Span(119, 139), "The kettle was warm.", evidence(under))


def answer(under: Boundary, *cited: Citation) -> Answer:
    return Answer(under, "What was warm?", Engine.QUOTES, (Claim("The kettle.", (1,)),), cited)


def test_a_citation_names_the_chapter_of_its_passage() -> None:
    assert citation(boundary()).chapter == 6


@pytest.mark.parametrize(
    ("span", "quote"),
    [
        (Span(119, 139), "The kettle was cold."),
        (Span(118, 138), "The kettle was warm."),
        (Span(119, 140), "The kettle was warm. "),
        (Span(99, 119), "The kettle was warm."),
        (Span(119, 139), "the kettle was warm."),
        (Span(500, 520), "The kettle was warm."),
    ],
)
def test_a_quote_that_does_not_stand_there_is_refused(span: Span, quote: str) -> None:
    with pytest.raises(SpoilerLeak) as raised:
        Citation(1, span, quote, evidence(boundary()))
    assert "kettle" not in str(raised.value)


def test_an_answer_keeps_its_claims_and_citations() -> None:
    under = boundary()
    made = answer(under, citation(under))
    assert [c.quote for c in made.citations] == ["The kettle was warm."]


@pytest.mark.parametrize("other", [boundary(201), boundary(199), boundary(200, member=2), narrowed(boundary(), 150)])
def test_evidence_of_another_boundary_is_refused(other: Boundary) -> None:
    with pytest.raises(SpoilerLeak):
        answer(boundary(), citation(other))


def test_evidence_found_for_a_room_is_refused_in_a_private_answer() -> None:
    room = boundary_for(BookId(1), Audience(frozenset({MemberId(1)}), "room"), {MemberId(1): 200})
    with pytest.raises(SpoilerLeak):
        answer(boundary(), citation(room))


@pytest.mark.parametrize("cited", [(), (2,), (1, 2)])
def test_a_claim_without_its_citation_is_refused(cited: tuple[int, ...]) -> None:
    under = boundary()
    with pytest.raises(SpoilerLeak):
        Answer(under, "?", Engine.QUOTES, (Claim("The kettle.", cited),), (citation(under),))


def test_an_answer_without_claims_is_a_refusal() -> None:
    with pytest.raises(ValueError, match="refusal"):
        Answer(boundary(), "?", Engine.QUOTES, (), ())


def test_an_answer_cannot_be_moved_to_another_boundary() -> None:
    under = boundary()
    with pytest.raises(SpoilerLeak):
        replace(answer(under, citation(under)), boundary=boundary(250))
