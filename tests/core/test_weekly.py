"""When weekly posts and daily rounds are due: every zone, both changes of the clock, the turn of the year."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.club_settings import ClubSettings
from bot.core.weekly import (
    TOO_LATE,
    IsoWeek,
    daily_due,
    instant,
    planned_in,
    too_late,
    week_of,
    weekly_due,
    weekly_next,
)

ZONES = (
    "UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu", "Asia/Beirut",
    "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Africa/Casablanca",
    "America/St_Johns", "Asia/Tehran",
)  # fmt: skip

clubs = st.builds(
    ClubSettings,
    time_zone=st.sampled_from(ZONES).map(ZoneInfo),
    weekly_day=st.integers(0, 6),
    weekly_time=st.builds(time, st.integers(0, 23), st.integers(0, 59)),
)
moments = st.datetimes(datetime(2005, 1, 10), datetime(2034, 12, 20)).map(lambda m: m.replace(tzinfo=UTC))


def club(zone: str, day: int, at: str) -> ClubSettings:
    return ClubSettings(time_zone=ZoneInfo(zone), weekly_day=day, weekly_time=time.fromisoformat(at))


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def test_a_post_is_planned_in_the_clubs_own_time_in_summer_and_in_winter() -> None:
    berlin = club("Europe/Berlin", 6, "18:00")
    assert planned_in(IsoWeek(2026, 27), berlin) == at("2026-07-05T16:00+00:00")
    assert planned_in(IsoWeek(2026, 49), berlin) == at("2026-12-06T17:00+00:00")


def test_a_time_that_does_not_exist_is_moved_forward_as_the_clock_does() -> None:
    new_york = club("America/New_York", 6, "02:30")
    planned = planned_in(week_of(date(2026, 3, 8)), new_york)
    assert planned.astimezone(new_york.time_zone).isoformat() == "2026-03-08T03:30:00-04:00"


def test_a_time_that_exists_twice_is_the_first_and_is_due_once() -> None:
    new_york = club("America/New_York", 6, "01:30")
    week = week_of(date(2026, 11, 1))
    assert planned_in(week, new_york) == at("2026-11-01T01:30-04:00")
    assert {weekly_due(new_york, at(f"2026-11-01T01:{m}-0{z}:00")).week for m in (30, 59) for z in (4, 5)} == {week}


def test_a_post_of_sunday_night_is_still_that_weeks_on_monday() -> None:
    late = club("Europe/Berlin", 6, "23:30")
    due = weekly_due(late, at("2026-12-07T09:00+01:00"))
    assert due.week == IsoWeek(2026, 49)
    assert not too_late(due.planned, at("2026-12-07T09:00+01:00"))
    assert too_late(due.planned, at("2026-12-08T09:00+01:00"))


def test_the_turn_of_the_year_belongs_to_the_week_of_the_iso_calendar() -> None:
    friday = club("UTC", 4, "12:00")
    assert weekly_due(friday, at("2027-01-01T12:00+00:00")).week == IsoWeek(2026, 53)
    assert weekly_due(friday, at("2027-01-08T12:00+00:00")).week == IsoWeek(2027, 1)
    with pytest.raises(ValueError, match="Invalid week"):
        IsoWeek(2027, 53)


def test_a_week_in_which_a_zone_skipped_the_day_is_posted_once_all_the_same() -> None:
    apia = club("Pacific/Apia", 4, "18:00")  # there was no 30 December 2011
    planned = planned_in(IsoWeek(2011, 52), apia)
    assert planned.astimezone(apia.time_zone).date() == date(2011, 12, 31)
    assert weekly_due(apia, planned).week == IsoWeek(2011, 52)


@settings(max_examples=200)
@given(clubs, moments)
def test_what_is_due_is_past_and_what_is_next_is_to_come(own: ClubSettings, now: datetime) -> None:
    due, coming = weekly_due(own, now), weekly_next(own, now)
    assert due.planned <= now < coming.planned
    assert week_of(due.week.day(0) + timedelta(days=7)) == coming.week
    assert due.planned == planned_in(due.week, own)
    assert timedelta(days=5) < coming.planned - due.planned < timedelta(days=9)


@settings(max_examples=200)
@given(clubs, moments)
def test_every_week_is_due_at_its_instant_and_not_a_moment_before(own: ClubSettings, now: datetime) -> None:
    week = week_of(now.date())
    planned = planned_in(week, own)
    assert weekly_due(own, planned).week == week
    assert weekly_due(own, planned - timedelta(seconds=1)).week < week


@settings(max_examples=30)
@given(clubs, moments, st.lists(st.integers(1, 60 * 30), min_size=20, max_size=60))
def test_ticks_at_any_moments_post_each_week_at_most_once_and_miss_none_for_a_day(
    own: ClubSettings, now: datetime, steps: list[int]
) -> None:
    posted: list[IsoWeek] = []
    for minutes in steps:
        before, now = now, now + timedelta(minutes=minutes)
        due = weekly_due(own, now)
        if due.week not in posted and not too_late(due.planned, now):
            posted.append(due.week)
        if before < due.planned and now - due.planned <= TOO_LATE:
            assert due.week in posted
    assert posted == sorted(set(posted))


@given(st.sampled_from(ZONES).map(ZoneInfo), st.dates(date(2005, 1, 1), date(2034, 1, 1)), st.times())
def test_an_instant_is_the_local_time_or_the_clock_jumped_over_it(zone: ZoneInfo, day: date, when: time) -> None:
    found = instant(day, when, zone).astimezone(zone).replace(tzinfo=None)
    wanted = datetime.combine(day, when)
    assert found >= wanted
    jumped = wanted.replace(tzinfo=zone).utcoffset() != wanted.replace(tzinfo=zone, fold=1).utcoffset()
    assert found == wanted or jumped


@given(clubs, moments)
def test_a_day_has_one_round(own: ClubSettings, now: datetime) -> None:
    day, planned = daily_due(own, now)
    assert planned <= now
    assert daily_due(own, planned) == (day, planned)
    assert daily_due(own, planned - timedelta(seconds=1))[0] < day
