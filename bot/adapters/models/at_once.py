"""How many requests are out at once, and whose is next: fair between clubs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from bot.core.club import ClubId
from bot.core.slots import Slots

POLL: Final = 0.1
"""Seconds at most between two looks for a slot that another process has left."""


@dataclass(eq=False)
class _Waiting:
    """One request that waits; it is of a later ``round`` than any other of its club."""

    club: ClubId
    long: bool
    round: int
    free: asyncio.Event = field(default_factory=asyncio.Event)
    slot: int | None = None


class AtOnce:
    """At most ``most`` requests at once, in the order of start-time fair queueing (Goyal, Vin and Cheng 1996, with
    requests of equal length): many of one club keep a single one of another's waiting for one of theirs. With
    ``slots`` each has one of the host's besides, which is asked for when it is a request's turn.

    A ``long`` request may need others to end before it does (an answer has its sentences checked while it is written):
    one place is kept free of those. Raises ``ValueError`` for less than two.
    """

    def __init__(self, most: int, slots: Slots | None = None) -> None:
        if most < 2:
            raise ValueError("at least two requests at once: an answer, and what checks it")
        self._most = most
        self._slots = slots
        self._running = 0
        self._long = 0
        self._round = 0
        self._last: dict[ClubId, int] = {}
        self._waiting: list[_Waiting] = []
        self._left: list[int] = []
        self._news = asyncio.Event()
        self._asking: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def place(self, club: ClubId, *, long: bool) -> AsyncIterator[None]:
        """Wait for a place, and hold it."""
        mine = _Waiting(club, long, max(self._round, self._last.get(club, -1) + 1))
        self._last[club] = mine.round
        self._waiting.append(mine)
        self._admit()
        try:
            await mine.free.wait()
        except asyncio.CancelledError:
            if mine.free.is_set():
                self._ended(mine)
            else:
                self._waiting.remove(mine)
                self._news.set()
            raise
        try:
            yield
        finally:
            self._ended(mine)

    async def close(self) -> None:
        """Leave the host's slots."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)
        if self._slots is not None:
            await self._slots.close()

    def _ended(self, one: _Waiting) -> None:
        self._running -= 1
        self._long -= one.long
        if one.slot is not None:
            self._left.append(one.slot)
        self._admit()
        if not self._waiting and not self._running:
            self._last.clear()

    def _admit(self) -> None:
        if self._slots is None:
            while (one := next(self._admissible(), None)) is not None:
                self._admitted(one)
            return
        self._news.set()
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._asked(self._slots))

    def _admissible(self) -> Iterator[_Waiting]:
        """Those that may have a place now, as far as this process goes, in the order of their turns."""
        if self._running < self._most:
            for one in sorted(self._waiting, key=lambda waiting: waiting.round):
                if not one.long or self._long < self._most - 1:
                    yield one

    def _admitted(self, one: _Waiting, slot: int | None = None) -> None:
        self._waiting.remove(one)
        self._running += 1
        self._long += one.long
        self._round = max(self._round, one.round)
        one.slot = slot
        one.free.set()

    async def _asked(self, slots: Slots) -> None:
        """Leave and take slots of the host until nobody waits for any."""
        while self._waiting or self._left or self._news.is_set():
            self._news.clear()
            while self._left:
                await slots.left(self._left.pop())
            await self._taken(slots)
            kinds = {one.long for one in self._admissible()}
            await slots.waiting(long=True in kinds, short=False in kinds)
            if self._waiting:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), random.uniform(POLL / 2, POLL))  # noqa: S311

    async def _taken(self, slots: Slots) -> None:
        """Admit who is next, for as long as there are slots: who that is, is seen once there is one."""
        full: set[bool] = set()
        while (one := next((one for one in self._admissible() if one.long not in full), None)) is not None:
            if (slot := await slots.taken(long=one.long)) is None:
                full.add(one.long)
            elif (heir := next((other for other in self._admissible() if other.long is one.long), None)) is not None:
                self._admitted(heir, slot)
            else:
                await slots.left(slot)
