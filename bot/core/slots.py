"""The slots of a host for requests to a model: what all processes on a database together may have out at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, Protocol

PATIENCE: Final = 1.0
"""Seconds for which a process keeps back for another that has fewer slots: one that is halted holds up nobody."""


class Slots(Protocol):
    """The slots, as one process takes them; one statement after another, by one task. Nothing here raises: where the
    database cannot be asked there is no slot to be had, what is out goes on, and the log says so.

    One slot is kept free of ``long`` requests, which may need short ones to end before they do.
    """

    async def taken(self, *, long: bool) -> int | None:
        """A slot, held until it is left or the process is gone; None where there is none to be had now."""

    async def left(self, slot: int) -> None:
        """Leave a slot that was taken."""

    async def waiting(self, *, long: bool, short: bool) -> None:
        """Tell the other processes what is waited for here from now on: whoever has more slots keeps back for it."""

    async def close(self) -> None:
        """Leave everything."""


def open_to(most: int, held: Collection[int], *, long: bool) -> list[int]:
    """Which of ``most`` slots a request may take, the best first: the first slot is for short ones alone."""
    return [slot for slot in range(1 if long else 0, most) if slot not in held]


def may_take(mine: int, waiting: Iterable[int], kept_back: float) -> bool:
    """Whether a process with ``mine`` slots may have one more, where others wait that have so many, and it has kept
    back for them for so many seconds: who has the fewest is first (max-min fairness, Bertsekas and Gallager 1992).
    """
    return kept_back >= PATIENCE or all(mine <= others for others in waiting)
