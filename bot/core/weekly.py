"""When the weekly club progress and the daily round are due: pure, and right across daylight saving.

A local time that does not exist is moved forward as the clock does; one that exists twice is the first of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.club_settings import ClubSettings

TOO_LATE: Final = timedelta(days=1)
"""A weekly post, or a daily round, that is older is skipped."""
ROUND_AT: Final = time(9, 0)
"""When reminders are sent and silent members looked for, in the club's zone."""


@dataclass(frozen=True, slots=True, order=True)
class IsoWeek:
    """A week of the ISO calendar, Monday to Sunday. Raises ``ValueError`` where the year has no such week."""

    year: int
    week: int

    def __post_init__(self) -> None:
        self.day(0)

    def day(self, weekday: int) -> date:
        """One of its days, counted from Monday, 0."""
        return date.fromisocalendar(self.year, self.week, weekday + 1)


def week_of(day: date) -> IsoWeek:
    """The ISO week in which ``day`` lies; around New Year its year may be another than the day's."""
    year, week, _ = day.isocalendar()
    return IsoWeek(year, week)


@dataclass(frozen=True, slots=True)
class WeeklyDue:
    """The week that a post is for, and the instant (UTC) for which it is planned."""

    week: IsoWeek
    planned: datetime


def instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    """The instant (UTC) at which a clock in ``zone`` first shows ``at`` on ``day``, or would have (PEP 495, fold 0)."""
    return datetime.combine(day, at, zone).astimezone(UTC)


def local_day(now: datetime, zone: ZoneInfo) -> date:
    """The date in ``zone`` at the instant ``now``."""
    return now.astimezone(zone).date()


def planned_in(week: IsoWeek, settings: ClubSettings) -> datetime:
    """The instant (UTC) for which the club's post of ``week`` is planned."""
    return instant(week.day(settings.weekly_day), settings.weekly_time, settings.time_zone)


def weekly_due(settings: ClubSettings, now: datetime) -> WeeklyDue:
    """The latest post that is planned for ``now`` or before."""
    today = local_day(now, settings.time_zone)
    week = week_of(today)
    planned = planned_in(week, settings)
    if planned > now:
        week = week_of(today - timedelta(days=7))
        planned = planned_in(week, settings)
    return WeeklyDue(week, planned)


def weekly_next(settings: ClubSettings, now: datetime) -> WeeklyDue:
    """The first post that is planned for later than ``now``."""
    week = week_of(weekly_due(settings, now).week.day(0) + timedelta(days=7))
    return WeeklyDue(week, planned_in(week, settings))


def daily_due(settings: ClubSettings, now: datetime) -> tuple[date, datetime]:
    """The day of the latest round that is planned for ``now`` or before, and its instant (UTC)."""
    day = local_day(now, settings.time_zone)
    planned = instant(day, ROUND_AT, settings.time_zone)
    if planned > now:
        day -= timedelta(days=1)
        planned = instant(day, ROUND_AT, settings.time_zone)
    return day, planned


def too_late(planned: datetime, now: datetime) -> bool:
    """Whether what was planned for ``planned`` is skipped."""
    return now - planned > TOO_LATE
