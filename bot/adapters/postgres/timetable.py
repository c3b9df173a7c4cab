"""Schedules, weekly posts, daily rounds and reminders, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.types import ARRAY, BigInteger, Date, Integer

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import run_alone, translated
from bot.core.club import BookId, ClubId, MemberId
from bot.core.club_settings import CLOCK, ClubSettings, settings_of
from bot.core.schedule import Milestone
from bot.core.timetable import LONGEST, SENT_AGAIN, DailyRun, Noted, PostState, WeeklyRun, WeekRecord
from bot.core.weekly import IsoWeek, WeeklyDue

_THIS_WEEK: Final = "iso_year = :year and iso_week = :week"
_MILESTONES: Final = text(
    "insert into dogear.milestone (club_id, book_id, chapter, due, set_by, set_at) "
    "select :club, :book, chapter, due, :by, :now from unnest(:chapters, :dues) as m (chapter, due)"
).bindparams(bindparam("chapters", type_=ARRAY(Integer)), bindparam("dues", type_=ARRAY(Date)))
_MADE: Final = text(
    "update dogear.weekly_post set state = 'made', book_id = :book, \"boundary\" = :boundary, audience = :audience "  # noqa: S608 - of constants alone
    f"where {_THIS_WEEK} and attempt = :attempt and state in ('due', 'made') returning attempt"
).bindparams(bindparam("audience", type_=ARRAY(BigInteger)))
_PLACES: Final = text(
    "insert into dogear.weekly_place (club_id, iso_year, iso_week, member_id, chapters) "
    "select :club, :year, :week, p.member, p.chapters from unnest(:members, :chapters) as p (member, chapters) "
    "join dogear.member m on m.id = p.member"  # who was forgotten meanwhile has no row
).bindparams(bindparam("members", type_=ARRAY(BigInteger)), bindparam("chapters", type_=ARRAY(Integer)))
_SENDING: Final = (
    "(:again and state = 'made' and leased_until <= :now and leased_until > :ended and planned_at <= :now)"
)
"""A post whose process died while it was being sent, a moment ago."""
_FREE: Final = "planned_at <= :now and coalesce(leased_until <= :now or leased_until > :believed, true)"
_CLAIMED: Final = (  # materialized: as a subquery a plan may run it more than once, and more than one is claimed
    "with c as materialized (select {key} from dogear.{table} "  # noqa: S608 - of constants alone
    f"where ({{open}} and {_FREE}){{more}} order by planned_at limit 1 for update skip locked) "
    "update dogear.{table} w set attempt = w.attempt + 1, leased_until = {until} from c "
    "where {same} returning {returned}, w.planned_at, w.attempt"
)
_NOTED: Final = (
    f"select exists (select from dogear.weekly_post where {_THIS_WEEK}) as weekly, "  # noqa: S608 - of constants alone
    "exists (select from dogear.daily_round where day = :day) as daily, "
    f"(select count(*) from dogear.weekly_post where (state = 'due' and {_FREE}) or {_SENDING}) as posts, "
    f"(select count(*) from dogear.daily_round where done_at is null and {_FREE}) as rounds"
)
_WEEKLY_CLAIMED: Final = _CLAIMED.format(
    table="weekly_post",
    key="iso_year, iso_week",
    open="state = 'due'",
    more=f" or {_SENDING}",
    same="(w.iso_year, w.iso_week) = (c.iso_year, c.iso_week)",
    until="case w.state when 'made' then w.leased_until else :until end",
    returned="w.iso_year, w.iso_week, w.state = 'made' as may_stand",
)
_DAY_CLAIMED: Final = _CLAIMED.format(
    table="daily_round", key="day", open="done_at is null", more="", same="w.day = c.day", until=":until",
    returned="w.day",
)  # fmt: skip
_CLOCKS: Final = text("select time_zone, weekly, weekly_day, weekly_time, clubs from dogear.club_clocks_v1()")
_WITHOUT_POST: Final = text("select * from dogear.clubs_without_post_v1(:clubs, :year, :week) as club").bindparams(
    bindparam("clubs", type_=ARRAY(BigInteger))
)
_WITHOUT_ROUND: Final = text("select * from dogear.clubs_without_round_v1(:clubs, :day) as club").bindparams(
    bindparam("clubs", type_=ARRAY(BigInteger))
)
_DUE: Final = text("select * from dogear.clubs_due_v2(:now) as club")


class PostgresTimetable:
    """`Timetable` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def _run(self, statement: str, **values: object) -> Sequence[Any]:
        return await self._club.run(statement, **values)

    async def schedule(self, book: BookId) -> tuple[Milestone, ...]:
        """The milestones of a book in order."""
        rows = await self._run("select chapter, due from dogear.milestone where book_id = :book order by 1", book=book)
        return tuple(Milestone(row.chapter, row.due) for row in rows)

    async def schedule_set(
        self, book: BookId, milestones: Sequence[Milestone], by: MemberId | None, now: datetime
    ) -> None:
        """Put ``milestones`` in the place of those there were; of two at once the later holds."""
        with translated():
            async with self._club.begun() as connection:
                await connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": -book})
                await connection.execute(text("delete from dogear.milestone where book_id = :book"), {"book": book})
                if milestones:
                    values = {
                        "club": self._club.club,
                        "book": book,
                        "by": by,
                        "now": now,
                        "chapters": [m.chapter for m in milestones],
                        "dues": [m.due for m in milestones],
                    }
                    await connection.execute(_MILESTONES, values)

    async def noted(self, week: IsoWeek, day: date, now: datetime, *, again: bool = False) -> Noted:
        """What is noted already, and what can be claimed."""
        times = {"now": now, "believed": now + LONGEST, "ended": now - SENT_AGAIN}
        (row,) = await self._run(_NOTED, year=week.year, week=week.week, day=day, again=again, **times)
        return Noted(row.weekly, row.daily, row.posts, row.rounds)

    async def weekly_planned(self, due: WeeklyDue) -> bool:
        """Note that a post is due."""
        rows = await self._run(
            "insert into dogear.weekly_post (club_id, iso_year, iso_week, planned_at, state) "
            "values (:club, :year, :week, :planned, 'due') on conflict do nothing returning state",
            year=due.week.year,
            week=due.week.week,
            planned=due.planned,
        )
        return bool(rows)

    async def weekly_claimed(self, now: datetime, lease: timedelta, *, again: bool = False) -> WeeklyRun | None:
        """Claim the oldest post that is due and that nobody holds."""
        times = {"now": now, "until": now + lease, "believed": now + LONGEST, "ended": now - SENT_AGAIN}
        rows = await self._run(_WEEKLY_CLAIMED, again=again, **times)
        if not rows:
            return None
        (row,) = rows
        return WeeklyRun(IsoWeek(row.iso_year, row.iso_week), row.planned_at, row.attempt, row.may_stand)

    async def weekly_made(self, run: WeeklyRun, record: WeekRecord) -> bool:
        """Note what is about to be sent, with the places that it shows."""
        week = {"year": run.week.year, "week": run.week.week}
        made = {"book": record.book, "boundary": record.boundary, "audience": sorted(record.audience)}
        with translated():
            async with self._club.begun() as connection:
                held = await connection.execute(_MADE, {**week, **made, "attempt": run.attempt})
                if not held.all():
                    return False
                await connection.execute(text(f"delete from dogear.weekly_place where {_THIS_WEEK}"), week)  # noqa: S608
                places = {"members": list(record.chapters), "chapters": list(record.chapters.values())}
                await connection.execute(_PLACES, {"club": self._club.club, **week, **places})
                return True

    async def weekly_posted(self, run: WeeklyRun, now: datetime) -> None:
        """Note that a post was delivered."""
        await self._settled(run, PostState.POSTED, now)

    async def weekly_skipped(self, run: WeeklyRun, now: datetime) -> None:
        """Note that a post comes too late, or has nothing to tell."""
        await self._settled(run, PostState.SKIPPED, now)

    async def _settled(self, run: WeeklyRun, state: PostState, now: datetime) -> None:
        await self._run(
            f"update dogear.weekly_post set state = :state, settled_at = :now, leased_until = null "  # noqa: S608
            f"where {_THIS_WEEK} and attempt = :attempt and state in ('due', 'made')",
            year=run.week.year,
            week=run.week.week,
            attempt=run.attempt,
            state=state.value,
            now=now,
        )

    async def weekly_returned(self, run: WeeklyRun, until: datetime) -> None:
        """Give a post back that could not be sent."""
        await self._run(
            f"update dogear.weekly_post set state = 'due', leased_until = :until "  # noqa: S608
            f"where {_THIS_WEEK} and attempt = :attempt and state in ('due', 'made')",
            year=run.week.year,
            week=run.week.week,
            attempt=run.attempt,
            until=until,
        )

    async def weeks(self, book: BookId) -> tuple[WeekRecord, ...]:
        """Every week whose post was made or posted while the club read ``book``, in order."""
        rows = await self._run(
            'select w.iso_year, w.iso_week, w."boundary", w.audience, array_agg(p.member_id) as members, '
            "array_agg(p.chapters) as chapters from dogear.weekly_post w left join dogear.weekly_place p "
            "using (club_id, iso_year, iso_week) where w.book_id = :book and w.state in ('made', 'posted') "
            'group by w.iso_year, w.iso_week, w."boundary", w.audience order by w.iso_year, w.iso_week',
            book=book,
        )
        return tuple(
            WeekRecord(
                IsoWeek(row.iso_year, row.iso_week),
                book,
                row.boundary,
                frozenset(map(MemberId, row.audience)),
                {MemberId(m): n for m, n in zip(row.members, row.chapters, strict=True) if m is not None},
            )
            for row in rows
        )

    async def day_planned(self, day: date, planned: datetime) -> bool:
        """Note that a daily round is due."""
        rows = await self._run(
            "insert into dogear.daily_round (club_id, day, planned_at) values (:club, :day, :planned) "
            "on conflict do nothing returning day",
            day=day,
            planned=planned,
        )
        return bool(rows)

    async def day_claimed(self, now: datetime, lease: timedelta) -> DailyRun | None:
        """Claim the oldest round that is due and that nobody holds."""
        rows = await self._run(_DAY_CLAIMED, now=now, until=now + lease, believed=now + LONGEST)
        return DailyRun(rows[0].day, rows[0].planned_at, rows[0].attempt) if rows else None

    async def day_done(self, run: DailyRun, now: datetime) -> None:
        """Note that a round was made."""
        await self._run(
            "update dogear.daily_round set done_at = :now, leased_until = null where day = :day and attempt = :attempt",
            now=now,
            day=run.day,
            attempt=run.attempt,
        )

    async def reminder_kept(self, member: MemberId, book: BookId, milestone: Milestone, now: datetime) -> bool:
        """Note that a member is reminded of a milestone: true the first time alone."""
        rows = await self._run(
            "insert into dogear.reminder (club_id, member_id, book_id, chapter, due, sent_at) "
            "values (:club, :member, :book, :chapter, :due, :now) on conflict do nothing returning chapter",
            member=member,
            book=book,
            chapter=milestone.chapter,
            due=milestone.due,
            now=now,
        )
        return bool(rows)


class PostgresAgenda:
    """`Agenda` over the answering role's engine: no club is open here."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._run = partial(run_alone, engine)

    async def club_clocks(self) -> Mapping[ClubSettings, tuple[ClubId, ...]]:
        """Every club, by when its posts are due."""
        found: dict[ClubSettings, tuple[ClubId, ...]] = {}
        for *values, clubs in await self._run(_CLOCKS):
            said = {name: value for name, value in zip(CLOCK, values, strict=True) if value is not None}
            settings = settings_of(said)
            found[settings] = (*found.get(settings, ()), *map(ClubId, clubs))
        return found

    async def clubs_without_post(self, clubs: Sequence[ClubId], week: IsoWeek) -> tuple[ClubId, ...]:
        """Those of ``clubs`` that have no post of ``week`` noted."""
        rows = await self._run(_WITHOUT_POST, clubs=list(clubs), year=week.year, week=week.week)
        return tuple(ClubId(row.club) for row in rows)

    async def clubs_without_round(self, clubs: Sequence[ClubId], day: date) -> tuple[ClubId, ...]:
        """Those of ``clubs`` that have no round of ``day`` noted."""
        rows = await self._run(_WITHOUT_ROUND, clubs=list(clubs), day=day)
        return tuple(ClubId(row.club) for row in rows)

    async def clubs_due(self, now: datetime) -> tuple[ClubId, ...]:
        """The clubs with a weekly post or a daily round that is due and that nobody holds."""
        return tuple(ClubId(row.club) for row in await self._run(_DUE, now=now))
