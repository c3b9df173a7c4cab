"""What is done again while a platform is away."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, TypeVar

TELLING: Final = 180.0
"""Seconds for which somebody is tried to be told what went wrong."""
WRITING: Final = 60.0
"""Seconds for which a message of an answer is tried to be written, or to be taken away."""
AGAIN: Final = 3.0
"""Seconds between two tries."""

T = TypeVar("T")


async def patiently(do: Callable[[], Awaitable[T]], away: Callable[[Exception], bool], seconds: float = TELLING) -> T:
    """Do what may be done twice, again and again where the platform is ``away`` by what it raises.

    Raises what ``do`` does, where that is something else, or has lasted so many ``seconds``.
    """
    until = monotonic() + seconds
    while True:
        try:
            return await do()
        except Exception as error:
            if not away(error) or monotonic() > until:
                raise
        await asyncio.sleep(AGAIN)
