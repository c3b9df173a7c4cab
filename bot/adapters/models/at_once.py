"""How many requests are out at once, and whose is next: fair between clubs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.core.club import ClubId


@dataclass(eq=False)
class _Waiting:
    """One request that waits; it is of a later ``round`` than any other of its club."""

    club: ClubId
    long: bool
    round: int
    free: asyncio.Event = field(default_factory=asyncio.Event)


class AtOnce:
    """At most ``most`` requests at once, in one process, in the order of start-time fair queueing (Goyal, Vin and Cheng
    1996, with requests of equal length): many of one club keep a single one of another's waiting for one of theirs.

    A ``long`` request may need others to end before it does (an answer has its sentences checked while it is written):
    one place is kept free of those. Raises ``ValueError`` for less than two.
    """

    def __init__(self, most: int) -> None:
        if most < 2:
            raise ValueError("at least two requests at once: an answer, and what checks it")
        self._most = most
        self._running = 0
        self._long = 0
        self._round = 0
        self._last: dict[ClubId, int] = {}
        self._waiting: list[_Waiting] = []

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
            raise
        try:
            yield
        finally:
            self._ended(mine)

    def _ended(self, one: _Waiting) -> None:
        self._running -= 1
        self._long -= one.long
        self._admit()
        if not self._waiting and not self._running:
            self._last.clear()

    def _admit(self) -> None:
        for one in sorted(self._waiting, key=lambda waiting: waiting.round):
            if self._running >= self._most:
                return
            if one.long and self._long >= self._most - 1:
                continue
            self._waiting.remove(one)
            self._running += 1
            self._long += one.long
            self._round = max(self._round, one.round)
            one.free.set()
