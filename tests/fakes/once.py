"""What was done, kept in memory: fits the ``Once`` port."""

from __future__ import annotations

from datetime import datetime


class FakeOnce:
    def __init__(self) -> None:
        self.keys: dict[str, datetime] = {}

    async def first(self, key: str, until: datetime, now: datetime) -> bool:
        self.keys = {known: ends for known, ends in self.keys.items() if ends >= now}
        new = key not in self.keys
        self.keys.setdefault(key, until)
        return new
