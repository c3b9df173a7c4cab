"""Who leads what, kept in memory: fits the ``Leading`` port. Processes share ``taken``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class FakeLed:
    taken: set[str]
    what: str

    async def holds(self) -> bool:
        return self.what in self.taken


@dataclass
class FakeLeading:
    taken: set[str] = field(default_factory=set)

    @asynccontextmanager
    async def led(self, what: str) -> AsyncIterator[FakeLed | None]:
        if what in self.taken:
            yield None
            return
        self.taken.add(what)
        try:
            yield FakeLed(self.taken, what)
        finally:
            self.taken.discard(what)
