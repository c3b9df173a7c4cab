"""A worker that works until a test has seen enough."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.ingest.working import Worker


@asynccontextmanager
async def at_work(worker: Worker) -> AsyncIterator[None]:
    """It runs meanwhile; however it ends, it is ended."""
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
