"""Schedules, weekly posts, daily rounds and reminders kept in memory: fits the ``Timetable`` port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from bot.core.club import BookId, MemberId
from bot.core.schedule import Milestone
from bot.core.timetable import LONGEST, SENT_AGAIN, DailyRun, Noted, PostState, WeeklyRun, WeekRecord
from bot.core.weekly import IsoWeek, WeeklyDue


@dataclass(frozen=True)
class _Row:
    """One piece of work: when it was planned, how often it was claimed, until when, and what became of it."""

    planned: datetime
    state: PostState = PostState.DUE
    attempt: int = 0
    leased_until: datetime | None = None
    record: WeekRecord | None = None

    def free(self, now: datetime) -> bool:
        free = self.leased_until is None or not now < self.leased_until <= now + LONGEST
        return self.state is PostState.DUE and self.planned <= now and free

    def sending(self, now: datetime) -> bool:
        ended = self.leased_until
        return self.state is PostState.MADE and ended is not None and now - SENT_AGAIN < ended <= now


class FakeTimetable:
    """Everything of one club, in dictionaries."""

    def __init__(self) -> None:
        self._schedules: dict[BookId, tuple[Milestone, ...]] = {}
        self._weeks: dict[IsoWeek, _Row] = {}
        self._days: dict[date, _Row] = {}
        self._reminders: set[tuple[MemberId, BookId, Milestone]] = set()

    async def schedule(self, book: BookId) -> tuple[Milestone, ...]:
        return self._schedules.get(book, ())

    async def schedule_set(
        self, book: BookId, milestones: Sequence[Milestone], by: MemberId | None, now: datetime
    ) -> None:
        del by, now
        self._schedules[book] = tuple(sorted(milestones, key=lambda m: m.chapter))

    async def noted(self, week: IsoWeek, day: date, now: datetime, *, again: bool = False) -> Noted:
        posts = sum(row.free(now) or (again and row.sending(now)) for row in self._weeks.values())
        rounds = sum(row.free(now) for row in self._days.values())
        return Noted(week in self._weeks, day in self._days, posts, rounds)

    async def weekly_planned(self, due: WeeklyDue) -> bool:
        if due.week in self._weeks:
            return False
        self._weeks[due.week] = _Row(due.planned)
        return True

    async def weekly_claimed(self, now: datetime, lease: timedelta, *, again: bool = False) -> WeeklyRun | None:
        due = {week: row for week, row in self._weeks.items() if row.free(now) or (again and row.sending(now))}
        free = [(row.planned, week) for week, row in due.items()]
        if not free:
            return None
        planned, week = min(free)
        row = self._weeks[week]
        made = row.state is PostState.MADE
        leased_until = row.leased_until if made else now + lease
        self._weeks[week] = replace(row, attempt=row.attempt + 1, leased_until=leased_until)
        return WeeklyRun(week, planned, row.attempt + 1, made)

    def claim_again(self, week: IsoWeek) -> None:
        """As if another process had claimed the post, after the lease."""
        self._weeks[week] = replace(self._weeks[week], attempt=self._weeks[week].attempt + 1)

    def _changed(self, run: WeeklyRun, **changes: object) -> bool:
        row = self._weeks[run.week]
        if row.attempt != run.attempt or row.state not in {PostState.DUE, PostState.MADE}:
            return False
        self._weeks[run.week] = replace(row, **changes)  # type: ignore[arg-type]
        return True

    async def weekly_made(self, run: WeeklyRun, record: WeekRecord) -> bool:
        return self._changed(run, state=PostState.MADE, record=record)

    async def weekly_posted(self, run: WeeklyRun, now: datetime) -> None:
        del now
        self._changed(run, state=PostState.POSTED, leased_until=None)

    async def weekly_returned(self, run: WeeklyRun, until: datetime) -> None:
        self._changed(run, state=PostState.DUE, leased_until=until)

    async def weekly_skipped(self, run: WeeklyRun, now: datetime) -> None:
        del now
        self._changed(run, state=PostState.SKIPPED, leased_until=None)

    async def weeks(self, book: BookId) -> tuple[WeekRecord, ...]:
        rows = [row for _, row in sorted(self._weeks.items()) if row.state in {PostState.MADE, PostState.POSTED}]
        return tuple(row.record for row in rows if row.record is not None and row.record.book == book)

    async def day_planned(self, day: date, planned: datetime) -> bool:
        if day in self._days:
            return False
        self._days[day] = _Row(planned)
        return True

    async def day_claimed(self, now: datetime, lease: timedelta) -> DailyRun | None:
        free = [(row.planned, day) for day, row in self._days.items() if row.free(now)]
        if not free:
            return None
        planned, day = min(free)
        row = self._days[day]
        self._days[day] = replace(row, attempt=row.attempt + 1, leased_until=now + lease)
        return DailyRun(day, planned, row.attempt + 1)

    async def day_done(self, run: DailyRun, now: datetime) -> None:
        del now
        if self._days[run.day].attempt == run.attempt:
            self._days[run.day] = replace(self._days[run.day], state=PostState.POSTED, leased_until=None)

    async def reminder_kept(self, member: MemberId, book: BookId, milestone: Milestone, now: datetime) -> bool:
        del now
        key = (member, book, milestone)
        if key in self._reminders:
            return False
        self._reminders.add(key)
        return True
