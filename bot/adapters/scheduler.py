"""Decides when: APScheduler with its memory store. Clubs whose posts are due at the same times share their triggers.

A firing only notes that something is due (`bot.core.rounds`), so that one that comes twice (a clock that goes
back, two processes) is harmless; what is due is claimed from those notes, by whichever process comes first. Nothing is
kept here: at every start all triggers are made anew from the clubs' settings, and a post that was missed is noted then.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from bot.adapters.bulletins import Post, news_bulletin, weekly_bulletin
from bot.core import rounds
from bot.core.audience import See
from bot.core.ballots import Ballot
from bot.core.club import ClubId, Room
from bot.core.club_settings import WEEKDAYS, ClubSettings, settings_of
from bot.core.clubhouse import Clock, Clubhouse
from bot.core.errors import DogearError, Unavailable, trace_of
from bot.core.leading import Leading
from bot.core.life import ClubFinished
from bot.core.notices import Tell
from bot.core.rounds import DueNow, Send, Sending
from bot.core.timetable import Agenda, PostState
from bot.core.weekly import ROUND_AT, IsoWeek
from bot.core.weekly_post import WeeklyPost

WORK_EVERY: Final = 10.0
"""Seconds between two looks for work that is due."""
LOOK_EVERY: Final = 60.0
"""Seconds between two looks for clubs that are new or whose settings were changed."""
LOOK_AT_ALL: Final = timedelta(hours=1)
"""How often it is asked of every club whether what was due is noted, and not of those alone whose clock changed."""

NOTED_AT_ONCE: Final = 4
"""Clubs in which what was missed is noted at the same time: the disk writes several down as fast as one."""

logger = logging.getLogger(__name__)


def _as_it_is(language: str) -> str:
    return language


@dataclass(frozen=True, slots=True)
class Outlet:
    """How one club is reached: its ports, who sees a room, what posts in it, and what tells a member alone. ``spoken``
    is how its language is spoken there ("en" as "en@discord"): commands have other names on other platforms. ``again``
    says that it can tell when the same comes a second time, so that what may have been sent can be sent again.
    """

    house: Clubhouse
    see: See
    post: Post
    tell: Tell
    spoken: Callable[[str], str] = _as_it_is
    again: bool = False


OutletOf = Callable[[ClubId], Awaitable[Outlet | None]]
"""The outlet of a club, or None where nothing of this process reaches it."""


async def tick(outlet: Outlet, now: datetime) -> PostState | None:
    """Note what is due in a club at ``now``, and do it; what became of its weekly post, if one was due."""

    async def prepare(room: Room, post: WeeklyPost) -> Send:
        bulletin = await weekly_bulletin(room, post, await _language(outlet))

        async def send() -> bool:
            return await outlet.post.post(bulletin)

        return send

    async def announce(room: Room, news: ClubFinished | Ballot) -> bool:
        bulletin = news_bulletin(room, news, await _language(outlet))
        try:
            return await outlet.post.post(bulletin)
        except Unavailable:  # it may have arrived
            return False

    sending = Sending(prepare, outlet.again)
    return await rounds.tick(outlet.house, outlet.see, sending, outlet.tell, announce, now)


async def _settings(house: Clubhouse) -> ClubSettings:
    async with house.searching.doors.opened() as door:
        return settings_of(await door.settings())


async def _language(outlet: Outlet) -> str:
    return outlet.spoken((await _settings(outlet.house)).language)


def triggers(settings: ClubSettings) -> tuple[CronTrigger | None, CronTrigger]:
    """When a club's weekly post (None where it wants none) and its daily round are to be noted."""
    zone, at = settings.time_zone, settings.weekly_time
    daily = CronTrigger(hour=ROUND_AT.hour, minute=ROUND_AT.minute, timezone=zone)
    if not settings.weekly:
        return None, daily
    day = WEEKDAYS[settings.weekly_day][:3]
    return CronTrigger(day_of_week=day, hour=at.hour, minute=at.minute, timezone=zone), daily


def _names(settings: ClubSettings) -> tuple[str, str]:
    """What the triggers of a clock are called."""
    weekly = "" if settings.weekly else ", off"
    when = f"{WEEKDAYS[settings.weekly_day]} {settings.weekly_time:%H:%M} {settings.time_zone}{weekly}"
    return f"weekly: {when}", f"daily: {when}"


@dataclass
class Schedules:
    """The triggers of all clubs' clocks, and the looks for work. ``clock`` says what time it is."""

    agenda: Agenda
    leading: Leading
    outlet_of: OutletOf
    clock: Clock
    scheduler: AsyncIOScheduler = field(default_factory=lambda: AsyncIOScheduler(timezone="UTC"))
    _clocks: Mapping[ClubSettings, tuple[ClubId, ...]] = field(default_factory=dict)
    _settled: dict[ClubId, ClubSettings] = field(default_factory=dict)
    """By which clock what was due in a club was last found noted."""
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _working: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looked_at_all: datetime | None = None
    _ends: bool = False

    async def look(self) -> None:
        """Make the triggers of clocks that are new, and note what their clubs missed; drop those that are nobody's."""
        async with self._looking:
            now = self.clock()
            every = self._looked_at_all is None or now - self._looked_at_all >= LOOK_AT_ALL
            clocks = await self.agenda.club_clocks()
            self._follow(clocks)
            await self._note({s: c if every else self._unsettled(s, c) for s, c in clocks.items()}, now)
            self._looked_at_all = now if every else self._looked_at_all

    def _unsettled(self, settings: ClubSettings, clubs: Sequence[ClubId]) -> list[ClubId]:
        return [club for club in clubs if self._settled.get(club) != settings]

    def _follow(self, clocks: Mapping[ClubSettings, tuple[ClubId, ...]]) -> None:
        for settings in self._clocks.keys() - clocks.keys():
            for name in _names(settings):
                if self.scheduler.get_job(name) is not None:
                    self.scheduler.remove_job(name)
        for settings in clocks.keys() - self._clocks.keys():
            for name, trigger in zip(_names(settings), triggers(settings), strict=True):
                if trigger is not None:
                    self._add(name, trigger, partial(self._fired, settings))
        there = {club for clubs in clocks.values() for club in clubs}
        self._settled = {club: settings for club, settings in self._settled.items() if club in there}
        self._clocks = clocks

    async def _note(self, clocks: Mapping[ClubSettings, Sequence[ClubId]], now: datetime) -> None:
        """Note what is due in clubs, by the clocks of theirs that are given: those are opened that lack a note."""
        due = {settings: rounds.due_now(settings, now) for settings, clubs in clocks.items() if clubs}
        posts, days = await self._lacking(clocks, due)
        left: dict[ClubId, tuple[ClubSettings, DueNow]] = {}
        for settings, of in due.items():
            for club in clocks[settings]:
                lacks = DueNow(of.post if club in posts else None, of.round if club in days else None)
                self._settled[club] = settings
                if lacks != DueNow():
                    left[club] = settings, lacks
                    del self._settled[club]  # until it is noted
        todo = iter(left.items())

        async def some() -> None:
            for club, (settings, lacks) in todo:
                if self._ends:
                    return
                async with self._held(club):
                    outlet = await self.outlet_of(club)
                    if outlet is not None:
                        await rounds.note(outlet.house, lacks)
                        self._settled[club] = settings

        await asyncio.gather(*(some() for _ in range(NOTED_AT_ONCE)))

    async def _lacking(
        self, clocks: Mapping[ClubSettings, Sequence[ClubId]], due: Mapping[ClubSettings, DueNow]
    ) -> tuple[set[ClubId], set[ClubId]]:
        """The clubs of which the post that is due is not noted, and those of which the round is not."""
        weeks: defaultdict[IsoWeek, list[ClubId]] = defaultdict(list)
        days: defaultdict[date, list[ClubId]] = defaultdict(list)
        for settings, of in due.items():
            if of.post is not None:
                weeks[of.post.week] += clocks[settings]
            if of.round is not None:
                days[of.round[0]] += clocks[settings]
        posts: set[ClubId] = set()
        rounds_of_days: set[ClubId] = set()
        for week, clubs in weeks.items():
            posts.update(await self.agenda.clubs_without_post(clubs, week))
        for day, clubs in days.items():
            rounds_of_days.update(await self.agenda.clubs_without_round(clubs, day))
        return posts, rounds_of_days

    async def work(self) -> None:
        """Do what is due in every club, one after another. What fails in one holds up no other, and is tried again.

        A club for which another process works now is left to it.
        """
        async with self._working:
            for club in await self.agenda.clubs_due(self.clock()):
                if self._ends:
                    return
                async with self._held(club):
                    outlet = await self.outlet_of(club)
                    if outlet is not None:
                        async with self.leading.led(f"club {club}") as led:
                            if led is not None:
                                await tick(outlet, self.clock())

    @asynccontextmanager
    async def _held(self, club: ClubId) -> AsyncIterator[None]:
        """What fails in one club holds up no other: it is logged, and tried again another time."""
        try:
            yield
        except DogearError as error:
            logger.warning("club %s: what is due has to wait (%s)", club, type(error).__name__)
        except Exception as error:
            logger.error("club %s: what is due failed\n%s", club, trace_of(error))  # noqa: TRY400 - no message

    def _add(self, name: str, trigger: object, run: Callable[[], Awaitable[None]]) -> None:
        self.scheduler.add_job(
            run, trigger, id=name, replace_existing=True, coalesce=True, max_instances=1, misfire_grace_time=None
        )

    async def _fired(self, settings: ClubSettings) -> None:
        clubs = self._clocks.get(settings, ())
        for club in clubs:
            self._settled.pop(club, None)  # until it is noted: where it cannot be, by the next look
        await self.guarded(lambda: self._note({settings: clubs}, self.clock()))

    async def guarded(self, run: Callable[[], Awaitable[None]]) -> None:
        """Run it; an outage is logged, and it is run again another time."""
        try:
            await run()
        except DogearError as error:
            logger.warning("the scheduler has to wait (%s)", type(error).__name__)

    def start(self) -> None:
        """Start all triggers, in the running loop. At once, and then again and again, clubs are looked at and worked
        for.
        """

        async def look() -> None:
            await self.guarded(self.look)

        async def work() -> None:
            await self.guarded(self.work)

        self.scheduler.start()
        for name, run, seconds in (("look", look, LOOK_EVERY), ("work", work, WORK_EVERY)):
            self.scheduler.add_job(
                run, "interval", seconds=seconds, id=name, coalesce=True, max_instances=1, misfire_grace_time=None
            )

    async def end(self) -> None:
        """Fire no more, let finish what is being done in a club, and stop."""
        self._ends = True
        self.scheduler.pause()
        async with self._looking, self._working:  # else they would be cancelled
            self.scheduler.shutdown(wait=False)


async def run_scheduler(
    agenda: Agenda, leading: Leading, outlet_of: OutletOf, clock: Clock, ended: asyncio.Event
) -> None:
    """Keep every club's clock until ``ended``; what is being done then is let finish. Several processes may do so."""
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # it warns of each look that is not over by the next one
    schedules = Schedules(agenda, leading, outlet_of, clock)
    schedules.start()
    try:
        await schedules.guarded(schedules.look)
        await schedules.guarded(schedules.work)
        await ended.wait()
    finally:
        await schedules.end()
