"""Slots kept in memory: fits the ``Slots`` port. Processes share ``host``."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.core.slots import may_take, open_to


@dataclass
class FakeHost:
    """What each process holds, by the slot, and which processes wait for which kind of it."""

    held: dict[int, FakeSlots] = field(default_factory=dict)
    waiting: dict[bool, list[FakeSlots]] = field(default_factory=lambda: {True: [], False: []})


@dataclass(eq=False)
class FakeSlots:
    most: int
    host: FakeHost = field(default_factory=FakeHost)
    kept_back: dict[bool, float] = field(default_factory=dict)

    def mine(self) -> list[int]:
        return [slot for slot, holder in self.host.held.items() if holder is self]

    async def taken(self, *, long: bool) -> int | None:
        free = open_to(self.most, self.host.held, long=long)
        if not free:
            self.kept_back.pop(long, None)
            return None
        now = asyncio.get_running_loop().time()
        others = [len(other.mine()) for other in self.host.waiting[long] if other is not self]
        if not may_take(len(self.mine()), others, now - self.kept_back.setdefault(long, now)):
            return None
        self.host.held[free[0]] = self
        self.kept_back.pop(long, None)
        return free[0]

    async def left(self, slot: int) -> None:
        self.host.held.pop(slot, None)

    async def waiting(self, *, long: bool, short: bool) -> None:
        for kind, waits in ((True, long), (False, short)):
            if not waits:
                self.kept_back.pop(kind, None)
            if self in self.host.waiting[kind]:
                self.host.waiting[kind].remove(self)
            if waits:
                self.host.waiting[kind].append(self)

    async def close(self) -> None:
        for slot in self.mine():
            await self.left(slot)
        await self.waiting(long=False, short=False)
