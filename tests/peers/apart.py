"""An event loop in a thread of its own: what runs in it goes on while tests do something else."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Apart:
    """The loop. It ends with the process, or when it is told to."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="apart", daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run ``work`` there, and wait for it here."""
        if asyncio.get_running_loop() is self.loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.loop))

    def end(self) -> None:
        """Stop; what is not done yet is left."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class _Has(Protocol):
    @property
    def apart(self) -> Apart: ...


H = TypeVar("H", bound=_Has)


def run_apart(
    method: Callable[Concatenate[H, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[H, P], Coroutine[Any, Any, T]]:
    """A method that runs in the loop of its object, whoever calls it."""

    @functools.wraps(method)
    async def run(self: H, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.apart.run(method(self, *args, **more))

    return run
