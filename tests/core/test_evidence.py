"""Holding evidence is the proof that it was admitted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.boundary import Boundary, boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.errors import SpoilerLeak
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.offsets import Span

READER = private_to(MemberId(1))
SECRET = "Marrable did it."


def passage(revealed_at: int, *sentences: int) -> Passage:
    """A passage of ``SECRET`` with sentences revealed at ``sentences``."""
    span = Span(0, len(SECRET))
    return Passage(3, 1, span, revealed_at, SECRET, tuple(ReadSentence(span, SECRET, at) for at in sentences))


def boundary(offset: int) -> Boundary:
    return boundary_for(BookId(1), READER, {MemberId(1): offset})


@given(st.integers(0, 50), st.integers(0, 50), st.lists(st.integers(0, 50), max_size=3))
def test_evidence_holds_exactly_what_is_revealed_by_its_boundary(offset: int, whole: int, parts: list[int]) -> None:
    made = passage(whole, *parts)
    if max([whole, *parts]) <= offset:
        assert Evidence(boundary(offset), made).passage is made
    else:
        with pytest.raises(SpoilerLeak):
            Evidence(boundary(offset), made)


def test_one_unread_sentence_is_enough_to_raise() -> None:
    with pytest.raises(SpoilerLeak):
        Evidence(boundary(20), passage(20, 10, 21))


def test_evidence_cannot_be_moved_to_what_was_not_admitted() -> None:
    held = Evidence(boundary(20), passage(20, 20))
    with pytest.raises(SpoilerLeak):
        replace(held, passage=passage(21, 20))
    with pytest.raises(SpoilerLeak):
        replace(held, boundary=boundary(19))


def test_a_tripped_guard_tells_offsets_and_no_text() -> None:
    with pytest.raises(SpoilerLeak) as raised:
        Evidence(boundary(20), passage(99, 20))
    assert "99" in str(raised.value)
    assert "20" in str(raised.value)
    assert "Marrable" not in str(raised.value)
