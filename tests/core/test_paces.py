"""The paces that are offered for what is left of a book, and what each says."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.paces import LONGEST, MOST_RATES, MOST_SPANS, Pace, paces
from bot.core.schedule import Spread, schedule_said
from tests.core.test_schedule import TODAY, book

PACES = st.builds(
    lambda kind, number, weekday: Pace(**{kind: number}, weekday=weekday),
    st.sampled_from(("chapters", "weeks")),
    st.integers(1, 30),
    st.none() | st.integers(0, 6),
)


def test_rates_come_to_different_numbers_of_weeks_and_spans_hold_a_chapter_a_week() -> None:
    offered = paces(12)
    assert [p.chapters for p in offered if p.chapters] == [1, 2, 3, 4, 7, 15]
    assert [p.weeks for p in offered if p.weeks] == [4, 6, 8, 10, 12]
    assert paces(0) == ()
    assert paces(1) == (Pace(chapters=1),)


@given(st.integers(1, 3000))
def test_every_number_of_chapters_has_a_pace_and_few_enough_for_the_buttons_of_a_message(left: int) -> None:
    offered = paces(left)
    rates = [pace.chapters for pace in offered if pace.chapters]
    assert 1 <= len(rates) <= MOST_RATES
    assert len(offered) - len(rates) <= MOST_SPANS
    assert all(-(-left // rate) <= LONGEST for rate in rates if left <= 999 * LONGEST)


@given(pace=PACES, day=st.dates(date(2026, 1, 1), date(2030, 1, 1)))
def test_what_a_pace_says_is_understood_and_due_on_its_day_of_the_week_in_whole_weeks(pace: Pace, day: date) -> None:
    milestones = schedule_said(pace.said(day), book(*[100] * 30), day).milestones
    weekday = (day - timedelta(days=1)).weekday() if pace.weekday is None else pace.weekday
    assert {one.due.weekday() for one in milestones} == {weekday}
    assert day + timedelta(days=6) <= milestones[0].due <= day + timedelta(days=12)
    assert milestones[-1].chapter == 30
    if pace.weeks:
        assert len(milestones) == pace.weeks
    else:
        assert [one.chapter for one in milestones[:-1]] == list(range(pace.chapters, 30, pace.chapters))


def test_a_span_of_weeks_is_spread_by_length() -> None:
    assert schedule_said(Pace(weeks=4).said(TODAY), book(*[100] * 12), TODAY).spread is Spread.LENGTH


@pytest.mark.parametrize("wrong", [{}, {"chapters": 2, "weeks": 2}, {"chapters": -1}, {"weeks": 4, "weekday": 7}])
def test_what_is_no_pace_is_none(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"pace|weekday"):
        Pace(**wrong)
