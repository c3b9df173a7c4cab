"""What a platform told a moment ago, so that it is not asked before everything that is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

HOLDS: Final = 60.0
"""Seconds for which what was told holds."""
_GROUPS: Final = 1000

T = TypeVar("T")


class Remembered:
    """Answers of a platform about its groups, each for a minute. What fails is not remembered."""

    def __init__(self) -> None:
        self._told: dict[int, tuple[float, dict[object, Any]]] = {}

    async def asked(self, group: int, what: object, ask: Callable[[], Awaitable[T]]) -> T:
        """What is known of a group, or what ``ask`` says now."""
        now = asyncio.get_running_loop().time()
        since, told = self._told.get(group, (-HOLDS, {}))
        if now - since >= HOLDS:
            since, told = now, {}
        if what not in told:
            told[what] = await ask()
            self._told[group] = (since, told)
            while len(self._told) > _GROUPS:
                self._told.pop(next(iter(self._told)))
        found: T = told[what]
        return found

    def forget(self, group: int) -> None:
        """Somebody came or went."""
        self._told.pop(group, None)
