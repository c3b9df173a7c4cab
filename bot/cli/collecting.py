"""When garbage is looked for: a look through everything that a process holds keeps all who ask in it waiting meanwhile.

So the whole is looked through while nobody is answered; what is short-lived is looked for as ever.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

EVERY: Final = 5.0
"""Seconds between two looks whether it is time."""
LATEST: Final = 1800.0
"""Seconds after which it is done whoever waits."""
DUE: Final = 10
"""So many looks at what is short-lived are worth one at the whole (as Python has it)."""
_NEVER: Final = 1_000_000_000


async def collected_between(busy: Callable[[], bool], ended: asyncio.Event, every: float = EVERY) -> None:
    """Until ``ended``, collect all generations only while nothing is ``busy``, or after `LATEST` seconds.

    What there is by now stays, and is looked through no more. ``every`` is in seconds.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*before[:2], _NEVER)
    last = monotonic()
    try:
        while not ended.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), every)
            if gc.get_count()[2] >= DUE and (not busy() or monotonic() - last > LATEST):
                gc.collect()
                last = monotonic()
    finally:
        gc.set_threshold(*before)
