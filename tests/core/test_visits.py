"""How far a member had read when they were last here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.core.club import BookId, MemberId
from bot.core.ports import PositionRecord
from bot.core.visits import APART, place_before_visit

NOW = datetime(2026, 3, 8, 20, tzinfo=UTC)


def said(offset: int, *, days: float | None) -> PositionRecord:
    at = None if days is None else NOW - timedelta(days=days)
    return PositionRecord(MemberId(1), BookId(1), offset, "offset", "x", "x", at=at)


def test_who_was_never_here_before_has_read_nothing_before() -> None:
    assert place_before_visit(NOW, [], []) == 0
    assert place_before_visit(NOW, [said(90, days=0.01)], [NOW]) == 0


def test_what_was_said_in_this_visit_is_new() -> None:
    positions = [said(90, days=0.01), said(50, days=3), said(20, days=7)]
    assert place_before_visit(NOW, positions, []) == 50


def test_a_question_is_a_visit_too() -> None:
    asked = [NOW - timedelta(days=1)]
    assert place_before_visit(NOW, [said(90, days=0.01), said(50, days=3)], asked) == 50
    assert place_before_visit(NOW, [said(90, days=2), said(50, days=3)], asked) == 90
    assert place_before_visit(NOW, [said(90, days=0.5)], [NOW - timedelta(days=9)]) == 90


def test_a_visit_goes_on_while_nothing_is_silent_for_longer() -> None:
    chain = [NOW - APART * n for n in range(1, 4)]
    assert place_before_visit(NOW, [said(70, days=0.9), said(30, days=2)], chain) == 30


def test_a_place_without_a_time_is_from_long_ago() -> None:
    assert place_before_visit(NOW, [said(90, days=0.01), said(40, days=None)], []) == 40
