"""What any timetable must do, the fake and the real one: subclassed with a `library` and a `timetable` fixture."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any

from bot.core.club import BookId, MemberId
from bot.core.schedule import Milestone
from bot.core.timetable import SENT_AGAIN, Noted, Timetable, WeekRecord
from bot.core.weekly import IsoWeek, WeeklyDue
from tests.fakes.library import LANTERN, Library

NOW = datetime(2026, 12, 6, 18, 0, tzinfo=UTC)
LEASE = timedelta(minutes=5)
WEEK = IsoWeek(2026, 49)
DUE = WeeklyDue(WEEK, NOW)
LATER = WeeklyDue(IsoWeek(2026, 50), NOW + timedelta(days=7))
FIRST, SECOND = Milestone(1, date(2026, 12, 6)), Milestone(3, date(2026, 12, 20))


def record(book: BookId, *members: MemberId, boundary: int = 40, week: IsoWeek = WEEK) -> WeekRecord:
    return WeekRecord(week, book, boundary, frozenset(members), dict.fromkeys(members, 1))


class TimetableSuite:
    """Every test starts with a club in which nothing is planned."""

    async def test_what_is_noted_and_can_be_claimed_is_counted(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        await library.add(LANTERN)
        day = NOW.date()
        assert await timetable.noted(DUE.week, day, NOW) == Noted(weekly=False, daily=False)
        await timetable.weekly_planned(DUE)
        await timetable.day_planned(day, NOW)
        assert await timetable.noted(DUE.week, day, NOW) == Noted(weekly=True, daily=True, posts=1, rounds=1)
        await timetable.weekly_claimed(NOW, LEASE)
        run = await timetable.day_claimed(NOW, LEASE)
        assert run is not None
        assert await timetable.noted(DUE.week, day, NOW) == Noted(weekly=True, daily=True)
        assert await timetable.noted(DUE.week, day, NOW + LEASE) == Noted(weekly=True, daily=True, posts=1, rounds=1)
        await timetable.day_done(run, NOW)
        assert await timetable.noted(DUE.week, day, NOW + LEASE) == Noted(weekly=True, daily=True, posts=1)

    async def test_a_schedule_is_kept_in_order_and_replaced_whole(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        member = await library.member("ana")
        assert await timetable.schedule(book) == ()
        await timetable.schedule_set(book, [SECOND, FIRST], member.id, NOW)
        assert await timetable.schedule(book) == (FIRST, SECOND)
        await timetable.schedule_set(book, [SECOND], None, NOW)
        assert await timetable.schedule(book) == (SECOND,)
        await timetable.schedule_set(book, [], member.id, NOW)
        assert await timetable.schedule(book) == ()

    async def test_a_week_is_planned_once(self, library: Library[Any, Any, Any], timetable: Timetable) -> None:
        await library.add(LANTERN)
        assert [await timetable.weekly_planned(DUE) for _ in range(2)] == [True, False]
        seen = [await timetable.noted(week, NOW.date(), NOW) for week in (WEEK, LATER.week)]
        assert [(noted.weekly, noted.posts) for noted in seen] == [(True, 1), (False, 1)]

    async def test_of_many_that_claim_at_once_one_gets_the_post(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        await library.add(LANTERN)
        await timetable.weekly_planned(DUE)
        runs = await asyncio.gather(*(timetable.weekly_claimed(NOW, LEASE) for _ in range(8)))
        (run,) = [run for run in runs if run is not None]
        assert (run.week, run.planned, run.attempt) == (WEEK, NOW, 1)

    async def test_a_claim_that_is_not_used_can_be_taken_again_and_is_then_lost(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        await timetable.weekly_planned(DUE)
        slow = await timetable.weekly_claimed(NOW, LEASE)
        assert slow is not None
        assert await timetable.weekly_claimed(NOW + LEASE - timedelta(seconds=1), LEASE) is None
        quick = await timetable.weekly_claimed(NOW + LEASE, LEASE)
        assert quick is not None and quick.attempt == 2
        assert not await timetable.weekly_made(slow, record(book))
        assert await timetable.weekly_made(quick, record(book))
        await timetable.weekly_posted(slow, NOW)
        assert await timetable.weekly_made(quick, record(book))
        await timetable.weekly_posted(quick, NOW)
        assert not await timetable.weekly_made(quick, record(book))

    async def test_what_was_about_to_be_sent_is_never_claimed_again(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        await timetable.weekly_planned(DUE)
        run = await timetable.weekly_claimed(NOW, LEASE)
        assert run is not None and await timetable.weekly_made(run, record(book))
        assert await timetable.weekly_claimed(NOW + 10 * LEASE, LEASE) is None

    async def test_what_was_being_sent_a_moment_ago_is_claimed_again_where_it_may_be_sent_again(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        await timetable.weekly_planned(DUE)
        run = await timetable.weekly_claimed(NOW, LEASE, again=True)
        assert run is not None and await timetable.weekly_made(run, record(book))
        assert await timetable.weekly_claimed(NOW + LEASE - timedelta(seconds=1), LEASE, again=True) is None
        assert (await timetable.noted(WEEK, NOW.date(), NOW + LEASE)).posts == 0
        assert (await timetable.noted(WEEK, NOW.date(), NOW + LEASE, again=True)).posts == 1
        assert await timetable.weekly_claimed(NOW + LEASE + SENT_AGAIN, LEASE, again=True) is None
        again = await timetable.weekly_claimed(NOW + LEASE, LEASE, again=True)
        assert again is not None and (again.attempt, run.may_stand, again.may_stand) == (2, False, True)
        late = NOW + LEASE + SENT_AGAIN
        assert await timetable.weekly_claimed(late, LEASE, again=True) is None
        again = await timetable.weekly_claimed(late - timedelta(seconds=1), LEASE, again=True)
        assert again is not None and again.attempt == 3
        assert await timetable.weekly_made(again, record(book))
        await timetable.weekly_posted(again, NOW)
        assert await timetable.weekly_claimed(NOW + 2 * LEASE, LEASE, again=True) is None

    async def test_a_post_that_could_not_be_sent_is_due_again_after_a_while(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        await timetable.weekly_planned(DUE)
        run = await timetable.weekly_claimed(NOW, LEASE)
        assert run is not None and await timetable.weekly_made(run, record(book))
        await timetable.weekly_returned(run, NOW + LEASE)
        assert await timetable.weekly_claimed(NOW, LEASE) is None
        assert await timetable.weeks(book) == ()
        again = await timetable.weekly_claimed(NOW + LEASE, LEASE)
        assert again is not None and again.attempt == 2

    async def test_the_oldest_post_is_claimed_first_and_a_skipped_one_never(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        await timetable.weekly_planned(LATER)
        await timetable.weekly_planned(DUE)
        first = await timetable.weekly_claimed(NOW, LEASE)
        assert first is not None and first.week == WEEK
        await timetable.weekly_skipped(first, NOW)
        assert await timetable.weekly_claimed(NOW, LEASE) is None  # the other is planned for later
        second = await timetable.weekly_claimed(LATER.planned, LEASE)
        assert second is not None and second.week == LATER.week
        assert await timetable.weekly_claimed(LATER.planned + 2 * LEASE, LEASE) is not None
        assert await timetable.weeks(book) == ()

    async def test_a_week_is_remembered_as_it_was_made_last(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        ana, ben = await library.member("ana"), await library.member("ben")
        for due in (LATER, DUE):
            await timetable.weekly_planned(due)
        for boundary in (40, 60):
            run = await timetable.weekly_claimed(LATER.planned, LEASE)
            assert run is not None
            await timetable.weekly_made(run, record(book, ana.id, boundary=7, week=run.week))
            made = record(book, ana.id, ben.id, boundary=boundary, week=run.week)
            assert await timetable.weekly_made(run, made)
        seen = await timetable.weeks(book)
        assert seen == tuple(
            record(book, ana.id, ben.id, boundary=boundary, week=week)
            for week, boundary in ((WEEK, 40), (LATER.week, 60))
        )
        other = await library.add(LANTERN, file="another")
        assert await timetable.weeks(other) == ()

    async def test_a_day_has_one_round_which_one_process_gets(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        await library.add(LANTERN)
        day = NOW.date()
        assert [await timetable.day_planned(day, NOW) for _ in range(2)] == [True, False]
        runs = [
            r for r in await asyncio.gather(*(timetable.day_claimed(NOW, LEASE) for _ in range(4))) if r is not None
        ]
        assert [(r.day, r.planned, r.attempt) for r in runs] == [(day, NOW, 1)]
        again = await timetable.day_claimed(NOW + LEASE, LEASE)
        assert again is not None
        await timetable.day_done(runs[0], NOW)
        assert await timetable.day_claimed(NOW + 2 * LEASE, LEASE) is not None
        await timetable.day_done(again, NOW)
        last = await timetable.day_claimed(NOW + 9 * LEASE, LEASE)
        assert last is not None and last.attempt == 4
        await timetable.day_done(last, NOW)
        assert await timetable.day_claimed(NOW + 99 * LEASE, LEASE) is None

    async def test_a_reminder_of_one_milestone_is_kept_once(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        book = await library.add(LANTERN)
        ana, ben = await library.member("ana"), await library.member("ben")
        kept = await asyncio.gather(*(timetable.reminder_kept(ana.id, book, FIRST, NOW) for _ in range(4)))
        assert sorted(kept) == [False, False, False, True]
        assert await timetable.reminder_kept(ana.id, book, SECOND, NOW)
        assert await timetable.reminder_kept(ben.id, book, FIRST, NOW)
        assert await timetable.reminder_kept(ana.id, book, Milestone(1, date(2026, 12, 13)), NOW)

    async def test_a_claim_of_a_clock_that_has_gone_back_since_is_over(
        self, library: Library[Any, Any, Any], timetable: Timetable
    ) -> None:
        await library.add(LANTERN)
        await timetable.weekly_planned(DUE)
        await timetable.day_planned(NOW.date(), NOW)
        ahead = NOW + timedelta(hours=3)
        assert await timetable.weekly_claimed(ahead, LEASE) is not None
        assert await timetable.day_claimed(ahead, LEASE) is not None
        assert (await timetable.noted(WEEK, NOW.date(), NOW)).posts == 1
        again = await timetable.weekly_claimed(NOW, LEASE)
        assert again is not None and again.attempt == 2
        assert await timetable.weekly_claimed(NOW, LEASE) is None
        assert await timetable.day_claimed(NOW, LEASE) is not None
