"""What came, kept in memory: fits the ``Inbox`` port."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.core.inbox import KEPT
from tests.fakes.once import FakeOnce


class FakeInbox:
    def __init__(self) -> None:
        self.once = FakeOnce()
        self.kept: dict[str, tuple[str, datetime]] = {}

    async def came(self, key: str, body: str, now: datetime) -> bool:
        self.kept = {known: (its, at) for known, (its, at) in self.kept.items() if at >= now - KEPT}
        new = key not in self.kept and key not in self.once.keys
        if new:
            self.kept[key] = (body, now)
        return new

    async def begun(self, key: str, until: datetime, now: datetime) -> bool:
        self.kept.pop(key, None)
        return await self.once.first(key, until, now)

    async def waiting(self, prefix: str, now: datetime, age: timedelta = timedelta(0)) -> tuple[tuple[str, str], ...]:
        before = now - age if age else now + KEPT
        return tuple(
            (key, body)
            for key, (body, at) in self.kept.items()
            if key.startswith(prefix) and now - KEPT <= at <= before and key not in self.once.keys
        )
