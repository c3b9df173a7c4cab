"""How often one person is heard: whoever is too quick is told so, and nothing else is done for them, until they pause.

It is counted in this process, by the number that somebody has on the platform, whether they are anybody's member or
not. Telegram is asked by one process at a time, and a server of Discord's is one process's: so it is counted once for
each bot, unless several processes are called by Telegram (`TELEGRAM_WEBHOOK`): then once for each of them.
"""

from __future__ import annotations

import enum
import logging
from collections import OrderedDict
from typing import Final

from aiolimiter import AsyncLimiter

MINUTE: Final = 60.0
TELL_EVERY: Final = 20.0
"""Seconds between two times that somebody is told that they are too quick."""
_REMEMBERED: Final = 10_000
"""People who are counted: those who were quick longest ago are forgotten first."""

logger = logging.getLogger("dogear.chat")


class Heard(enum.Enum):
    """What becomes of something that somebody did."""

    YES = enum.auto()
    TOLD = enum.auto()
    """Nothing, and they are to be told so."""
    NO = enum.auto()


class Rates:
    """At most ``most`` in a minute by one person, all at once or spread (a leaky bucket); without end where it is 0."""

    def __init__(self, most: int = 0) -> None:
        self.most = most
        self._people: OrderedDict[int, tuple[AsyncLimiter, AsyncLimiter]] = OrderedDict()

    async def heard(self, person: int) -> Heard:
        """Count one thing that somebody does; what they are not heard with is not counted."""
        if not self.most:
            return Heard.YES
        if person not in self._people:
            self._people[person] = AsyncLimiter(self.most, MINUTE), AsyncLimiter(1, TELL_EVERY)
        self._people.move_to_end(person)
        doing, telling = self._people[person]
        if len(self._people) > _REMEMBERED:
            self._people.popitem(last=False)
        if doing.has_capacity():
            await doing.acquire()
            return Heard.YES
        if not telling.has_capacity():
            return Heard.NO
        await telling.acquire()
        logger.info("event=too-quick most=%d", self.most)
        return Heard.TOLD
