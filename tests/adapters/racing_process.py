"""A process that ticks in one club whenever it is told an hour, and prints the key of every post that it sends."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy.ext.asyncio import create_async_engine

from bot.adapters.bulletins import Bulletin
from bot.adapters.scheduler import Outlet, tick
from bot.app import App
from bot.core.audience import cannot_tell
from bot.core.club import BookId
from bot.settings import Settings
from tests.fakes.clubhouse import FakeClock
from tests.fakes.tell import FakeTell
from tests.made_books import CLUB

START = datetime(2026, 12, 6, 18, tzinfo=UTC)


class Printing:
    """Prints what is posted."""

    async def post(self, bulletin: Bulletin) -> bool:
        print(bulletin.key, flush=True)
        return True


async def main(url: str) -> None:
    """Tick at the hours after `START` that are read, one a line."""
    engine, clock = create_async_engine(url), FakeClock(START)
    house = replace(App(Settings(), Path(), engine, engine).clubhouse(CLUB), clock=clock)
    outlet = Outlet(house, cannot_tell, Printing(), FakeTell())
    await house.timetable.weeks(BookId(1))  # connected before the race begins
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        clock.now = START + timedelta(hours=int(line))
        await tick(outlet, clock.now)
        print("ticked", flush=True)
    await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
