"""Schedules and dates: what an admin says, and what it says on a day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.chapters import Chapter, ChapterMap
from bot.core.dates import date_said
from bot.core.errors import Refused
from bot.core.schedule import Due, Milestone, Schedule, Spread, due_on, schedule_said
from tests.strategies import chapter_maps

TODAY = date(2026, 11, 30)
"""A Monday."""


def book(*lengths: int, parts: int = 0) -> ChapterMap:
    """Chapters of these lengths, numbered through, or from 1 again after the first ``parts``."""
    chapters, at = [], 10
    for ordinal, length in enumerate(lengths, start=1):
        second = 0 < parts < ordinal
        part = () if not parts else (2,) if second else (1,)
        chapters.append(Chapter(ordinal, ordinal - parts if second else ordinal, part, at, at + length))
        at += length
    return ChapterMap(at + 20, 10, at, tuple(chapters))


EVEN = book(*[100] * 14)
PARTS = book(*[100] * 14, parts=7)


def said(words: str, chapter_map: ChapterMap = EVEN, done: int = 0) -> list[tuple[int, str]]:
    return [(m.chapter, m.due.isoformat()) for m in schedule_said(words, chapter_map, TODAY, done).milestones]


def refused(words: str, chapter_map: ChapterMap = EVEN, done: int = 0) -> Refused:
    with pytest.raises(Refused) as raised:
        schedule_said(words, chapter_map, TODAY, done)
    return raised.value


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2026-12-20", "2026-12-20"),
        ("20 December", "2026-12-20"),
        ("the 20th of December", "2026-12-20"),
        ("December 20th, 2027", "2027-12-20"),
        ("20. Dec. 2026", "2026-12-20"),
        ("20.12.", "2026-12-20"),
        ("20.12.2027", "2027-12-20"),
        ("Sunday, 20 December", "2026-12-20"),
        ("5 March", "2027-03-05"),
        ("29 Feb", "2028-02-29"),
        ("20 November", "2026-11-20"),
        ("today", "2026-11-30"),
        ("tomorrow", "2026-12-01"),
        ("Monday", "2026-12-07"),
        ("next sunday", "2026-12-06"),
        ("thu", "2026-12-03"),
        ("in 3 weeks", "2026-12-21"),
    ],
)
def test_dates_are_read_as_people_say_them(words: str, expected: str) -> None:
    assert date_said(words, TODAY) == date.fromisoformat(expected)


@pytest.mark.parametrize("words", ["", "12/20/2026", "31 June", "2026-13-01", "Christmas", "20", "May", "week 50"])
def test_what_is_no_date_or_reads_two_ways_is_none(words: str) -> None:
    assert date_said(words, TODAY) is None


@given(st.dates(TODAY, TODAY + timedelta(days=300)))
def test_a_date_without_its_year_is_the_next_one(day: date) -> None:
    assert date_said(f"{day.day} {day:%B}", TODAY) == day


def test_a_chapter_and_a_date_are_one_milestone() -> None:
    assert said("12 by 2026-12-20") == [(12, "2026-12-20")]
    assert said("finished chapter twelve by 20 December.") == [(12, "2026-12-20")]
    assert said("#9 by Sunday", PARTS) == [(9, "2026-12-06")]
    assert said("part 2 ch 3 by 20 December", PARTS) == [(10, "2026-12-20")]


def test_several_are_a_list_in_any_order_of_dates() -> None:
    expected = [(6, "2026-12-06"), (10, "2026-12-20"), (12, "2027-01-03")]
    assert said("6 by 6 December, 10 by December 20, 2026; 12 by 2027-01-03") == expected
    assert said("12 by 2027-01-03 and 6 by 6 Dec. and 10 by Sunday, 20 December") == expected
    assert said("#6 by 6 Dec, part 2, chapter 3 by 20 Dec", PARTS) == [(6, "2026-12-06"), (10, "2026-12-20")]


def test_chapters_a_week_go_on_after_what_everyone_has_finished() -> None:
    weekly = said("3 chapters a week from 2026-12-01")
    assert weekly == [(3, "2026-12-07"), (6, "2026-12-14"), (9, "2026-12-21"), (12, "2026-12-28"), (14, "2027-01-04")]
    assert said("five chapters per week", done=4) == [(9, "2026-12-06"), (14, "2026-12-13")]
    assert schedule_said("3 a week", EVEN, TODAY).spread is Spread.CHAPTERS


def test_an_end_spreads_the_rest_by_length() -> None:
    lopsided = book(100, 100, 100, 300, 600)
    schedule = schedule_said("end by 2026-12-27", lopsided, TODAY)
    assert [(m.chapter, m.due.day) for m in schedule.milestones] == [(3, 6), (4, 13), (5, 27)]
    assert schedule.spread is Spread.LENGTH
    assert said("end by 2026-12-20 from 2026-12-07") == [(7, "2026-12-13"), (14, "2026-12-20")]


def test_an_end_after_named_chapters_spreads_what_is_left() -> None:
    assert said("6 by 2026-12-06, the end by 2026-12-20") == [(6, "2026-12-06"), (10, "2026-12-13"), (14, "2026-12-20")]


def test_off_is_a_schedule_without_milestones() -> None:
    assert schedule_said("off", EVEN, TODAY) == Schedule(())
    assert schedule_said(" OFF. ", EVEN, TODAY) == Schedule(())


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("hello", "schedule_not_understood"),
        ("", "schedule_not_understood"),
        ("12", "schedule_not_understood"),
        ("12 by Christmas", "schedule_date"),
        ("12 by 12/20/2026", "schedule_date"),
        ("12 by 2026-11-29", "schedule_past"),
        ("chapter 3 by 20 November", "schedule_past"),
        ("3 chapters a week from 2026-11-01", "schedule_past"),
        ("12 by 3026-12-20", "schedule_far"),
        ("p. 143 by 20 December", "schedule_only_chapters"),
        ("the murderer by 20 December", "schedule_only_chapters"),
        ("45% by 20 December", "schedule_only_chapters"),
        ("0 chapters a week", "schedule_rate"),
        ("0 by 20 December", "schedule_no_such_chapter"),
        ("6 by 20 Dec, 12 by 6 Dec", "schedule_order"),
        ("6 by 20 Dec, 7 by 20 Dec", "schedule_order"),
        ("end by 2026-12-06 from 2026-12-20", "schedule_order"),
        ("6 by 20 Dec, end by 2027-01-31 from 2026-12-10", "schedule_order"),
        ("end by 2027-01-31, 12 by 2026-12-20", "schedule_two_spreads"),
        ("3 a week, end by 2027-01-31", "schedule_two_spreads"),
    ],
)
def test_what_cannot_be_a_schedule_is_refused_in_one_sentence(words: str, code: str) -> None:
    error = refused(words)
    assert error.code == code
    assert error.message.endswith(".") and "\n" not in error.message


def test_a_chapter_past_the_end_is_refused_and_the_last_is_named() -> None:
    assert refused("20 by 2026-12-20").message == "The book ends before that: its last is chapter 14."
    assert refused("20 by 2026-12-20", PARTS).message == "The book ends before that: its last is part 2, chapter 7."


def test_a_number_that_restarts_is_asked_about_and_never_guessed() -> None:
    error = refused("3 by 2026-12-20", PARTS)
    assert error.code == "schedule_unclear"
    assert "part 1, chapter 3 or part 2, chapter 3" in error.message


def test_a_book_without_chapters_and_one_that_is_read_have_nothing_to_schedule() -> None:
    assert refused("end by 2026-12-20", ChapterMap(100, 0, 90, ())).code == "schedule_no_chapters"
    assert refused("end by 2026-12-20", done=14).code == "schedule_all_read"


def test_milestones_out_of_order_are_no_schedule() -> None:
    first, second = Milestone(1, TODAY), Milestone(2, TODAY + timedelta(days=1))
    for wrong in ((second, first), (first, first), (first, Milestone(2, TODAY))):
        with pytest.raises(ValueError, match="in order"):
            Schedule(wrong)


@given(
    chapter_maps(),
    st.one_of(
        st.integers(1, 9).map(lambda n: f"{n} chapters a week"),
        st.dates(TODAY, TODAY + timedelta(days=200)).map(lambda day: f"end by {day.isoformat()}"),
    ),
)
def test_a_computed_schedule_is_in_order_and_ends_with_the_last_chapter(chapter_map: ChapterMap, words: str) -> None:
    schedule = schedule_said(words, chapter_map, TODAY)
    assert schedule.milestones[-1].chapter == len(chapter_map.chapters)
    assert schedule.milestones[0].due >= TODAY
    if words.startswith("end"):
        assert words.endswith(schedule.milestones[-1].due.isoformat())


@given(st.text(max_size=60))
def test_whatever_is_said_gives_a_schedule_or_one_sentence(words: str) -> None:
    try:
        schedule_said(words, PARTS, TODAY)
    except Refused as error:
        assert error.message


MILESTONES = [Milestone(3, date(2026, 12, 6)), Milestone(6, date(2026, 12, 13)), Milestone(9, date(2026, 12, 27))]


def test_what_is_due_on_a_day_counts_that_day_as_its_end() -> None:
    third, sixth, ninth = MILESTONES
    assert due_on(MILESTONES, date(2026, 11, 28)) == Due(None, (), third)
    assert due_on(MILESTONES, date(2026, 12, 5)) == Due(None, (third,), sixth)
    assert due_on(MILESTONES, date(2026, 12, 6)) == Due(third, (sixth,), ninth)
    assert due_on(MILESTONES, date(2026, 12, 13)) == Due(sixth, (), ninth)
    assert due_on(MILESTONES, date(2026, 12, 28)) == Due(ninth, (), None)
    assert due_on([], TODAY) == Due()
