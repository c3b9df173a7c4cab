"""How fast Telegram is sent to: 30 messages a second in all, 20 a minute to a group, and where it says "retry after",
that chat waits so long, and no other.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from aiolimiter import AsyncLimiter
from telegram.error import InvalidToken, RetryAfter
from telegram.ext import BaseRateLimiter

from bot.adapters.telegram.troubles import Troubles

OVERALL: Final = 30.0
"""Messages a second."""
IN_GROUP: Final = 20.0
"""Messages a minute."""
SPARE: Final = 6.0
"""So many of a group's messages are kept for what is whole."""
TRIES: Final = 8
_REMEMBERED: Final = 1000
_COUNTED: Final = frozenset(
    ("sendMessage", "editMessageText", "editMessageReplyMarkup", "sendDocument", "sendPhoto", "sendMessageDraft")
)
"""What counts: messages and edits."""

logger = logging.getLogger("dogear.telegram")


class Pace(BaseRateLimiter[int]):
    """Keeps to Telegram's limits. Group messages beyond the limit wait; nothing is dropped."""

    def __init__(self, overall: float = OVERALL, in_group: float = IN_GROUP, troubles: Troubles | None = None) -> None:
        self.troubles = troubles or Troubles()
        self._in_group = in_group
        self._overall = AsyncLimiter(overall, 1)
        self._groups: OrderedDict[int, AsyncLimiter] = OrderedDict()
        self._until: dict[int, float] = {}
        self._claimed = Counter[int]()

    async def initialize(self) -> None:
        """Nothing to do."""

    async def shutdown(self) -> None:
        """Nothing to do."""

    def spare(self, chat: int) -> bool:
        """Whether a chat can be sent what is not whole, and soon replaced."""
        if self._until.get(chat, 0.0) > asyncio.get_running_loop().time():
            return False
        return chat > 0 or self._group(chat).has_capacity(SPARE + self._claimed[chat])

    @contextmanager
    def claimed(self, chat: int) -> Iterator[bool]:
        """Whether a chat can be sent one message more that could be done without, and is meanwhile."""
        free = self.spare(chat)
        self._claimed[chat] += free
        try:
            yield free
        finally:
            self._claimed[chat] -= free
            if not self._claimed[chat]:
                del self._claimed[chat]

    def _group(self, chat: int) -> AsyncLimiter:
        limiter = self._groups.pop(chat, None) or AsyncLimiter(self._in_group, 60)
        self._groups[chat] = limiter
        while len(self._groups) > _REMEMBERED:
            self._groups.popitem(last=False)
        return limiter

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Any:
        """Do it when it may be done. Raises what it fails with, `RetryAfter` too when that comes too often."""
        chat = data.get("chat_id")
        for attempt in range(TRIES):
            if endpoint in _COUNTED and isinstance(chat, int):
                await self._waited(chat)
            try:
                return await callback(*args, **kwargs)
            except InvalidToken as error:
                self.troubles.told(error)
                raise
            except RetryAfter as error:
                seconds = _seconds(error)
                logger.info("event=retry-after endpoint=%s seconds=%d", endpoint, seconds)
                if attempt == TRIES - 1 or rate_limit_args == 0:
                    raise
                if isinstance(chat, int):
                    self._held(chat, seconds)
                await asyncio.sleep(seconds)
        raise AssertionError("unreachable")

    def _held(self, chat: int, seconds: float) -> None:
        """A chat waits so long from now on; those whose time is over are forgotten, written to again or not."""
        now = asyncio.get_running_loop().time()
        until = max(self._until.get(chat, 0.0), now + seconds)
        self._until = {other: over for other, over in self._until.items() if over > now} | {chat: until}

    async def _waited(self, chat: int) -> None:
        held = self._until.get(chat, 0.0) - asyncio.get_running_loop().time()
        if held > 0:
            await asyncio.sleep(held)
            return await self._waited(chat)
        self._until.pop(chat, None)
        if chat < 0:
            await self._group(chat).acquire()
        return await self._overall.acquire()


def _seconds(error: RetryAfter) -> float:
    after = error._retry_after  # the public one changes its type with an environment variable
    return after.total_seconds() + 0.1
