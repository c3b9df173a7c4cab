"""The loopback Messages API in a thread of its own, for tests that start a program and wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from tests.peers.anthropic.peer import FakeAnthropic


@contextmanager
def apart(peer: FakeAnthropic) -> Iterator[FakeAnthropic]:
    """Serve ``peer`` until the end of the block."""
    up, loop = Event(), asyncio.new_event_loop()
    down = asyncio.Event()

    async def served() -> None:
        await peer.start()
        up.set()
        await down.wait()
        await peer.stop()

    def run() -> None:
        loop.run_until_complete(served())
        loop.close()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        if not up.wait(60):
            raise TimeoutError("the loopback Messages API did not start")
        yield peer
    finally:
        loop.call_soon_threadsafe(down.set)
        thread.join(60)
