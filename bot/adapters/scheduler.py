"""Decides when: APScheduler with its memory store, a trigger a club for its weekly post and one for its daily round.

A firing only notes that something is due (`bot.core.rounds.note_due`), so that one that comes twice (a clock that goes
back, two processes) is harmless; what is due is claimed from those notes, by whichever process comes first. Nothing is
kept here: at every start all triggers are made anew from the clubs' settings, and a post that was missed is noted then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
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
from bot.core.errors import DogearError, trace_of
from bot.core.leading import Leading
from bot.core.life import ClubFinished
from bot.core.notices import Tell
from bot.core.rounds import Send
from bot.core.timetable import Agenda, PostState
from bot.core.weekly import ROUND_AT
from bot.core.weekly_post import WeeklyPost

WORK_EVERY: Final = 10.0
"""Seconds between two looks for work that is due."""
LOOK_EVERY: Final = 60.0
"""Seconds between two looks for clubs that are new or whose settings were changed."""
LOOK_AT_ALL: Final = timedelta(hours=1)
"""How often the settings of every club are read, whether or not they are said to have changed."""

logger = logging.getLogger(__name__)


def _as_it_is(language: str) -> str:
    return language


@dataclass(frozen=True, slots=True)
class Outlet:
    """How one club is reached: its ports, who sees a room, what posts in it, and what tells a member alone. ``spoken``
    is how its language is spoken there ("en" as "en@discord"): commands have other names on other platforms.
    """

    house: Clubhouse
    see: See
    post: Post
    tell: Tell
    spoken: Callable[[str], str] = _as_it_is


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
        return await outlet.post.post(news_bulletin(room, news, await _language(outlet)))

    return await rounds.tick(outlet.house, outlet.see, prepare, outlet.tell, announce, now)


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


@dataclass
class Schedules:
    """The triggers of all clubs, and the looks for work. ``clock`` says what time it is."""

    agenda: Agenda
    leading: Leading
    outlet_of: OutletOf
    clock: Clock
    scheduler: AsyncIOScheduler = field(default_factory=lambda: AsyncIOScheduler(timezone="UTC"))
    _known: dict[ClubId, ClubSettings] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looked: datetime | None = None
    _looked_at_all: datetime | None = None

    async def look(self) -> None:
        """Make the triggers of clubs that are new or have changed, and note what they missed; drop those of clubs that
        are gone.
        """
        now = self.clock()
        clubs = await self.agenda.clubs()
        every = self._looked_at_all is None or now - self._looked_at_all >= LOOK_AT_ALL
        changed = set(clubs) if every or self._looked is None else set(await self.agenda.clubs_changed(self._looked))
        settled = True
        for club in clubs:
            if club in changed or club not in self._known:
                done = False
                async with self._held(club):
                    await self._settle(club, now)
                    done = True
                settled = settled and done
        for club in self._known.keys() - set(clubs):
            self._drop(club)
        if settled:  # else all that were changed since are looked at again
            self._looked = now - timedelta(minutes=5)  # what other processes were about to write then
            self._looked_at_all = now if every else self._looked_at_all

    async def work(self) -> None:
        """Do what is due in every club, one after another. What fails in one holds up no other, and is tried again.

        A club for which another process works now is left to it.
        """
        now = self.clock()
        for club in await self.agenda.clubs_due(now):
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

    async def _settle(self, club: ClubId, now: datetime) -> None:
        outlet = await self.outlet_of(club)
        if outlet is None:
            return
        settings = await _settings(outlet.house)
        if self._known.get(club) != settings:
            self._drop(club)
            for kind, trigger in zip(("weekly", "daily"), triggers(settings), strict=True):
                if trigger is not None:
                    self._add(f"{kind}:{club}", trigger, partial(self._fired, club))
            self._known[club] = settings
        await rounds.note_due(outlet.house, now, settings)

    def _add(self, name: str, trigger: object, run: Callable[[], Awaitable[None]]) -> None:
        self.scheduler.add_job(
            run, trigger, id=name, replace_existing=True, coalesce=True, max_instances=1, misfire_grace_time=None
        )

    def _drop(self, club: ClubId) -> None:
        self._known.pop(club, None)
        for kind in ("weekly", "daily"):
            if self.scheduler.get_job(f"{kind}:{club}") is not None:
                self.scheduler.remove_job(f"{kind}:{club}")

    async def _fired(self, club: ClubId) -> None:
        try:
            outlet = await self.outlet_of(club)
            if outlet is not None:
                await rounds.note_due(outlet.house, self.clock())
        except DogearError as error:  # the next look notes it
            logger.warning("club %s: a firing was not noted (%s)", club, type(error).__name__)

    async def guarded(self, run: Callable[[], Awaitable[None]]) -> None:
        """Run it, in its turn; an outage is logged, and it is run again another time."""
        try:
            async with self._turn:
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
        """Fire no more, let finish what is being done, and stop."""
        self.scheduler.pause()
        async with self._turn:  # else it would be cancelled
            self.scheduler.shutdown(wait=False)


async def run_scheduler(
    agenda: Agenda, leading: Leading, outlet_of: OutletOf, clock: Clock, ended: asyncio.Event
) -> None:
    """Keep every club's clock until ``ended``; what is being done then is let finish. Several processes may do so."""
    schedules = Schedules(agenda, leading, outlet_of, clock)
    schedules.start()
    try:
        await schedules.guarded(schedules.look)
        await schedules.guarded(schedules.work)
        await ended.wait()
    finally:
        await schedules.end()
