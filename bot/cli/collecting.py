"""When garbage is looked for: a look through everything that a process holds keeps all who ask in it waiting meanwhile.

So the whole is looked through while nobody is answered, or while it is so little that nobody notices; what is
short-lived is looked for as ever. And what is free is given back to the machine.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Final

EVERY: Final = 5.0
"""Seconds between two looks whether it is time."""
BUSY: Final = 60.0
"""Seconds after which the whole is looked through while somebody is answered, where it is little."""
LITTLE: Final = 40_000
"""So many objects are little: a look through as many takes 16 ms, and 50 ms where others use the machine too (0.4 and
1.3 µs for each, measured).
"""
LATEST: Final = 1800.0
"""Seconds after which it is done whoever waits, and however much it is."""
DUE: Final = 10
"""So many looks at what is short-lived are worth one at the whole (as Python has it)."""
GIVEN_BACK: Final = 60.0
"""Seconds after which memory that is free is given back again."""
_NEVER: Final = 1_000_000_000
_OLDEST: Final = 2


async def collected_between(busy: Callable[[], bool], ended: asyncio.Event, every: float = EVERY) -> None:
    """Until ``ended``, collect all generations: while nothing is ``busy``, after `BUSY` seconds where it is little that
    has to be looked through, else after `LATEST`.

    What there is by now stays, and is looked through no more. ``every`` is in seconds.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*before[:2], _NEVER)
    last = monotonic()
    try:
        while not ended.is_set():
            await _passed(every, ended)
            if gc.get_count()[_OLDEST] >= DUE and (not busy() or _noticed_by_nobody(monotonic() - last)):
                gc.collect()
                last = monotonic()
    finally:
        gc.set_threshold(*before)


async def given_back(ended: asyncio.Event, every: float = GIVEN_BACK) -> None:
    """Until ``ended``, give memory that is free back to the machine, where its C library can: glibc keeps what each
    thread has freed, and in a process that answers in threads that adds up. ``every`` is in seconds.
    """
    trim = trimmed()
    if trim is None:
        await ended.wait()
    while trim is not None and not ended.is_set():
        await _passed(every, ended)
        await asyncio.to_thread(trim, 0)  # it takes milliseconds, without Python's lock


@cache
def trimmed() -> Callable[[int], object] | None:
    """glibc's `malloc_trim` (malloc_trim(3)), told how many bytes to keep; None where the C library has none."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    trim.argtypes = (ctypes.c_size_t,)
    found: Callable[[int], object] = trim
    return found


def _noticed_by_nobody(since: float) -> bool:
    """Whether the whole may be looked through while somebody is answered, so many seconds after it was."""
    return since > LATEST or (since > BUSY and len(gc.get_objects(_OLDEST)) <= LITTLE)


async def _passed(seconds: float, ended: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), seconds)
