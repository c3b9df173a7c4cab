"""The end of what is being answered, when the program is to end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from time import monotonic
from typing import Any, Final

LOOK: Final = 0.2
"""Seconds between two looks for what has begun to be answered since."""

Tasks = Collection[asyncio.Task[Any]]


async def ended(tasks: Tasks, stop_all: Callable[[], None], seconds: float, last_word: float) -> None:
    """Stop what is being answered by ``tasks``, and what they begin to answer meanwhile, and wait for them so many
    ``seconds``; what has not ended by then is cancelled, and has a ``last_word`` (seconds) to tell who waits for it.
    """
    until, left = monotonic() + seconds, set(tasks)
    stop_all()
    while left and monotonic() < until:
        _, left = await asyncio.wait(left, timeout=LOOK)
        stop_all()
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=last_word)
