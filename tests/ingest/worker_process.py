"""A worker as a process of its own, to be killed: the real queue, shelf, reading child and scratch folder.

``python -m tests.ingest.worker_process URL HOME`` works until it is killed. Its embedder is the stub, and takes its
time, so that a moment may fall into every stage.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.shelf import PostgresShelf
from bot.app import utc_now
from bot.core.ports import Vectors
from bot.ingest.scratch import scratch_folder
from bot.ingest.working import Pace, Worker
from tests.fakes.embedder import HashEmbedder

LEASE = timedelta(seconds=0.8)
PACE = Pace(beat=0.1, poll=0.05, look=0.1)


class Unhurried(HashEmbedder):
    """The stub, at a pace."""

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        time.sleep(0.05)
        return super().embed_passages(windows)


async def work(ingest_url: str, home: Path) -> None:
    engine = create_async_engine(make_url(ingest_url))
    queue = PostgresJobQueue(engine)
    with scratch_folder(home) as folder:
        worker = Worker(queue, PostgresShelf(engine), Unhurried(32), folder, utc_now, lease=LEASE, pace=PACE)
        await worker.run()


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2])))
