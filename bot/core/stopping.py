"""Stopping what another process answers: each of a club's processes answers what it heard itself."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Protocol

from bot.core.club import MemberId

PATIENCE: Final = 1.0
"""Seconds in which other processes say what they stopped, to who has nothing to stop in this one."""


class Elsewhere(Protocol):
    """The other processes in which a club's questions are answered."""

    async def stopped(self, members: Collection[MemberId], patience: float) -> int:
        """Have them stop the questions of these members, running and waiting; how many there were, as far as that is
        said within ``patience`` seconds. Raises `Unavailable`.
        """


class Nowhere:
    """There is no other process."""

    async def stopped(self, members: Collection[MemberId], patience: float) -> int:
        """Nothing."""
        del members, patience
        return 0
