"""What a club's schedule and weekly posts are kept in, and how the work that is due is found and claimed.

Work is claimed by lease: of several processes exactly one gets it. Everything takes its times from the caller, and a
lease that is longer than any can be was made by a clock that has gone back since: it is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol

from bot.core.club import BookId, ClubId, MemberId
from bot.core.club_settings import ClubSettings
from bot.core.schedule import Milestone
from bot.core.weekly import IsoWeek, WeeklyDue

LONGEST: Final = timedelta(minutes=15)
"""No claim holds longer, and nothing is put off for longer."""
SENT_AGAIN: Final = timedelta(minutes=2)
"""How long after its claim is over a post is sent again that was being sent when its process died, where the platform
can tell that it comes twice: Discord does for "a few minutes".
"""


class PostState(StrEnum):
    """A weekly post is due, then made (about to be sent), then posted; or skipped, because it would come too late."""

    DUE = "due"
    MADE = "made"
    POSTED = "posted"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class WeeklyRun:
    """A claim on one weekly post; ``attempt`` tells it from the claims before it. One that ``may_stand`` was being sent
    before.
    """

    week: IsoWeek
    planned: datetime
    attempt: int
    may_stand: bool = False


@dataclass(frozen=True, slots=True)
class DailyRun:
    """A claim on one daily round."""

    day: date
    planned: datetime
    attempt: int


@dataclass(frozen=True, slots=True)
class Noted:
    """Whether a week's post and a day's round are noted, in whatever state, and how much there is to claim."""

    weekly: bool
    daily: bool
    posts: int = 0
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class WeekRecord:
    """Where a club stood when its post was made: the boundary's offset in ``book``, its audience, and of each member
    whose place was shown the number of chapters they had finished.
    """

    week: IsoWeek
    book: BookId
    boundary: int
    audience: frozenset[MemberId]
    chapters: Mapping[MemberId, int] = field(default_factory=dict)


class Timetable(Protocol):
    """The schedule, the weekly posts, the daily rounds and the reminders of one club."""

    async def schedule(self, book: BookId) -> tuple[Milestone, ...]:
        """The milestones of a book in order; none where it has no schedule."""

    async def schedule_set(
        self, book: BookId, milestones: Sequence[Milestone], by: MemberId | None, now: datetime
    ) -> None:
        """Put ``milestones`` in the place of those there were; none at all ends the schedule."""

    async def noted(self, week: IsoWeek, day: date, now: datetime, *, again: bool = False) -> Noted:
        """What is noted already, and what can be claimed at ``now`` (and ``again``)."""

    async def weekly_planned(self, due: WeeklyDue) -> bool:
        """Note that a post is due; false where its week has one already, in whatever state."""

    async def weekly_claimed(self, now: datetime, lease: timedelta, *, again: bool = False) -> WeeklyRun | None:
        """Claim the oldest post that is due and that nobody holds, until ``now + lease``.

        With ``again`` one counts as due too that is made, and whose claim ended within `SENT_AGAIN`: of the claim
        under which it was first sent, however often that is tried again.
        """

    async def weekly_made(self, run: WeeklyRun, record: WeekRecord) -> bool:
        """Note what is about to be sent, or what it was made into again; false where the claim was lost meanwhile."""

    async def weekly_posted(self, run: WeeklyRun, now: datetime) -> None: ...

    async def weekly_returned(self, run: WeeklyRun, until: datetime) -> None:
        """Give a post back that could not be sent; nobody claims it before ``until``."""

    async def weekly_skipped(self, run: WeeklyRun, now: datetime) -> None: ...

    async def weeks(self, book: BookId) -> tuple[WeekRecord, ...]:
        """Every week whose post was made or posted while the club read ``book``, in order."""

    async def day_planned(self, day: date, planned: datetime) -> bool:
        """Note that a daily round is due; false where the day has one already."""

    async def day_claimed(self, now: datetime, lease: timedelta) -> DailyRun | None: ...

    async def day_done(self, run: DailyRun, now: datetime) -> None: ...

    async def reminder_kept(self, member: MemberId, book: BookId, milestone: Milestone, now: datetime) -> bool:
        """Note that a member is reminded of a milestone: true the first time alone."""


class Agenda(Protocol):
    """Which clubs have something to do, before one of them is open: ids, and when each club's posts are due."""

    async def club_clocks(self) -> Mapping[ClubSettings, tuple[ClubId, ...]]:
        """Every club, by when its posts are due: settings that say nothing of that are at their defaults."""

    async def clubs_without_post(self, clubs: Sequence[ClubId], week: IsoWeek) -> tuple[ClubId, ...]:
        """Those of ``clubs`` that have no post of ``week`` noted, in whatever state."""

    async def clubs_without_round(self, clubs: Sequence[ClubId], day: date) -> tuple[ClubId, ...]:
        """Those of ``clubs`` that have no round of ``day`` noted, in whatever state."""

    async def clubs_due(self, now: datetime) -> tuple[ClubId, ...]:
        """The clubs with a weekly post or a daily round that is due and that nobody holds."""
