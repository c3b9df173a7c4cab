"""What is stopped in another process: it is told by PostgreSQL's NOTIFY, and says so in the same way.

    dogear_stop     KEY CLUB MEMBER ...
    dogear_stopped  KEY COUNT

Numbers alone, and a random key. Whatever else comes is left. What nobody hears is lost, and nothing hangs by it.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from asyncpg import InterfaceError, PostgresError
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import translated
from bot.core.club import ClubId, MemberId
from bot.core.errors import Unavailable

STOP: Final = "dogear_stop"
STOPPED: Final = "dogear_stopped"
AGAIN: Final = 2.0
"""Seconds after which it is listened again, where the connection was lost."""
ALIVE: Final = 60.0
"""Seconds between two looks whether the connection lives."""
_STOP: Final = re.compile(r"([0-9a-f]{16}) (\d{1,18})((?: \d{1,18})+)", re.ASCII)
_STOPPED: Final = re.compile(r"([0-9a-f]{16}) (\d{1,9})", re.ASCII)

Stop = Callable[[ClubId, Collection[MemberId]], int]
"""Stops the questions of members in this process; how many there were."""

logger = logging.getLogger(__name__)


@dataclass
class PostgresStopping:
    """One process among those that share a database: ``stop`` is what it does for the others."""

    engine: AsyncEngine
    stop: Stop
    listening: asyncio.Event = field(default_factory=asyncio.Event)
    _asked: dict[str, asyncio.Future[int]] = field(default_factory=dict)
    _saying: set[asyncio.Task[None]] = field(default_factory=set)

    def of(self, club: ClubId) -> ElsewhereIn:
        """The other processes, for one club."""
        return ElsewhereIn(self, club)

    async def stopped(self, club: ClubId, members: Collection[MemberId], patience: float) -> int:
        """Have the others stop; how many questions the first of them that had any says it stopped."""
        if not members:
            return 0
        key = secrets.token_hex(8)
        self._asked[key] = asyncio.get_running_loop().create_future()
        try:
            await self._notify(STOP, " ".join(map(str, (key, club, *members))))
            if not (patience and self.listening.is_set()):
                return 0
            return await asyncio.wait_for(self._asked[key], patience)
        except TimeoutError:
            return 0
        finally:
            del self._asked[key]

    async def heard(self, ended: asyncio.Event) -> None:
        """Do what the others ask for until ``ended``; a connection that is lost is made again."""
        while not ended.is_set():
            try:
                with translated():
                    await self._listened(ended)
            except (Unavailable, PostgresError, InterfaceError, OSError) as error:
                logger.warning("event=not-listening error=%s", type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), AGAIN)

    async def _listened(self, ended: asyncio.Event) -> None:
        async with self.engine.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            over = [asyncio.ensure_future(ended.wait()), asyncio.get_running_loop().create_future()]
            raw.add_termination_listener(lambda _: over[1].cancel())
            try:
                await raw.add_listener(STOP, self._on_stop)
                await raw.add_listener(STOPPED, self._on_stopped)
                self.listening.set()
                while not any(one.done() for one in over):
                    await asyncio.wait(over, timeout=ALIVE, return_when=asyncio.FIRST_COMPLETED)
                    await raw.execute("select")
            finally:
                over[0].cancel()
                self.listening.clear()
                await connection.invalidate()

    def _on_stop(self, connection: object, process: int, channel: str, payload: str) -> None:
        del connection, process, channel
        asked = _STOP.fullmatch(payload)
        if asked is None or asked[1] in self._asked:
            return
        count = self.stop(ClubId(int(asked[2])), [MemberId(int(number)) for number in asked[3].split()])
        if count:
            saying = asyncio.ensure_future(self._say(f"{asked[1]} {count}"))
            self._saying.add(saying)
            saying.add_done_callback(self._saying.discard)

    def _on_stopped(self, connection: object, process: int, channel: str, payload: str) -> None:
        del connection, process, channel
        told = _STOPPED.fullmatch(payload)
        waits = None if told is None else self._asked.get(told[1])
        if told is not None and waits is not None and not waits.done():
            waits.set_result(int(told[2]))

    async def _say(self, payload: str) -> None:
        try:
            await self._notify(STOPPED, payload)
        except Unavailable:
            logger.warning("event=stopped-unsaid")

    async def _notify(self, channel: str, payload: str) -> None:
        with translated():
            async with self.engine.begin() as connection:
                said = {"channel": channel, "payload": payload}
                await connection.execute(text("select pg_notify(:channel, :payload)"), said)


@dataclass(frozen=True, slots=True)
class ElsewhereIn:
    """`Elsewhere` of one club."""

    stopping: PostgresStopping
    club: ClubId

    async def stopped(self, members: Collection[MemberId], patience: float) -> int:
        """Have the other processes stop these members' questions."""
        return await self.stopping.stopped(self.club, members, patience)
