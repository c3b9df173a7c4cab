"""A worker that remembers, as a process of its own, to be killed: its model is scripted and writes down what it reads.

``python -m tests.ingest.memory_process APP_URL INGEST_URL HOME`` works until it is killed; chapters that the model was
asked for are lines of ``HOME/asked``.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.spending import PostgresSpending
from bot.app import utc_now
from bot.core.chat_model import ModelRequest, Purpose, Spent, Usage
from bot.core.club import ClubId
from bot.core.metered import MeteredModel
from bot.core.prices import price, price_list
from bot.core.spending import Budgets
from bot.core.writing import Writing
from bot.ingest.remembering import Remembering
from bot.ingest.working import Pace, Worker
from tests.fakes.chat_model import FakeModel, agreeing, notes_reply
from tests.hostile.scene import passages_of

LEASE = timedelta(seconds=0.8)
PACE = Pace(beat=0.1, poll=0.02, look=0.1)


def first_sentence(request: ModelRequest) -> str:
    sentence = passages_of(request)[0].split("\n\n")[-1].split(". ")[0].strip().rstrip(".")
    return notes_reply((f"{sentence}.", 1, sentence, "", ""))


@dataclass
class Writes:
    """A scripted model that takes its time, and says beforehand how much it may use."""

    asked: Path

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        if request.purpose is Purpose.MEMORY:
            with self.asked.open("a") as lines:
                lines.write(re.findall(r'chapter="(\d+)"', request.question)[0] + "\n")
        await asyncio.sleep(0.08)
        async for piece in FakeModel(first_sentence, agreeing).written(request, spent):
            yield piece

    def most(self, request: ModelRequest) -> Usage:
        del request
        return Usage("fake", 1000, 0, 0, 0)

    async def counted(self, request: ModelRequest) -> int | None:
        del request
        return None


def remembering(app: AsyncEngine, home: Path, club: ClubId) -> Remembering:
    spending = PostgresSpending(app, club)
    prices = price_list({"fake": price("1", "1")})
    model = MeteredModel(Writes(home / "asked"), spending, prices, Budgets(), utc_now)
    return Remembering(PostgresDoors(app, club), Writing(model), spending)


async def work(app_url: str, ingest_url: str, home: Path) -> None:
    app, ingest = create_async_engine(make_url(app_url)), create_async_engine(make_url(ingest_url))
    worker = Worker(PostgresJobQueue(ingest), PostgresShelf(ingest), None, home, utc_now, lease=LEASE, pace=PACE)
    worker.remembering = lambda club: remembering(app, home, club)
    await worker.run()


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
