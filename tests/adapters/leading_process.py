"""A process that keeps a club's clock, prints the key of every post that it sends, and may hang on the way there."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic

from sqlalchemy import make_url

from bot.adapters.bulletins import Bulletin
from bot.adapters.postgres.connect import engine_for
from bot.adapters.scheduler import Outlet, Schedules
from bot.app import App
from bot.core.audience import Sight, cannot_tell
from bot.core.club import ClubId
from bot.core.ports import Door
from bot.settings import Settings
from tests.adapters.racing_process import START
from tests.fakes.tell import FakeTell


async def hang(where: str) -> None:
    print(f"hangs {where}", flush=True)
    await asyncio.sleep(3600)


class Printing:
    """Prints what is posted, or hangs."""

    def __init__(self, hangs: str) -> None:
        self.hangs = hangs

    async def post(self, bulletin: Bulletin) -> bool:
        if self.hangs == "send":
            await hang("send")
        print(bulletin.key, flush=True)
        return True


class Telling(Schedules):
    """Says when it has looked for work."""

    async def work(self) -> None:
        await super().work()
        print("worked", flush=True)


async def main(url: str, hangs: str) -> None:
    """Keep the clubs' clocks; their time begins at `START`."""
    engine = engine_for(make_url(url), "dogear")
    app, began = App(Settings(), Path(), engine, engine), monotonic()

    async def see(door: Door) -> Sight:
        if hangs == "prepare":
            await hang("prepare")
        return await cannot_tell(door)

    async def outlet(club: ClubId) -> Outlet | None:
        return Outlet(app.clubhouse(club), see, Printing(hangs), FakeTell())

    def clock() -> datetime:
        return START + timedelta(seconds=monotonic() - began)

    schedules = Telling(app.agenda, app.leading, outlet, clock)
    schedules.start()
    await schedules.guarded(schedules.look)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
