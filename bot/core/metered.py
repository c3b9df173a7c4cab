"""A chat model within budgets: no request is made that the books have no room for, and each is settled."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from bot.core.chat_model import ChatModel, Failed, ModelFailed, ModelRequest, Spent, Usage
from bot.core.errors import Unavailable
from bot.core.prices import PriceList
from bot.core.spending import BookedUsage, Budget, Budgets, EntryId, Reservation, Settlement, Spending

T = TypeVar("T")

log = logging.getLogger("dogear.model")


class BoundedModel(ChatModel, Protocol):
    """A chat model that says beforehand how much a request can use."""

    def most(self, request: ModelRequest) -> Usage:
        """The most that a request can use, all its input taken for the dearest kind."""


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """`ChatModel` of one club within its budgets and the host's. What it says was spent is a `BookedUsage`."""

    model: BoundedModel
    spending: Spending
    prices: PriceList
    budgets: Budgets
    clock: Callable[[], datetime]

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        """The reply in pieces. Raises `ModelFailed`, with ``over_budget`` where the books have no room for it."""
        most = self.model.most(request)
        reservation = Reservation(request.purpose, most.model, self.prices.charge(most), self.clock())
        entry, cancelled = await _through(self.spending.reserved(reservation, self.budgets))
        if isinstance(entry, Budget):
            log.warning("event=model.over_budget budget=%s", entry.value)
            raise ModelFailed(Failed.OVER_BUDGET)
        used = Usage(most.model, 0, 0, 0, 0)
        if cancelled:
            await self._settled(entry, used)
            raise asyncio.CancelledError

        def told(usage: Usage) -> None:
            nonlocal used
            used = usage

        try:
            async with aclosing(self.model.written(request, told)) as pieces:
                async for piece in pieces:
                    yield piece
        finally:
            spent(BookedUsage(used.model, used.input, used.cached, used.written_to_cache, used.output, entry))
            await self._settled(entry, used)

    async def _settled(self, entry: EntryId, used: Usage) -> None:
        """Settle it, also where who waits is cancelled. Where that fails, what was reserved stays counted."""
        priced = self.prices.price_of(used.model) is not None
        settlement = Settlement(used, self.prices.charge(used), priced, self.clock())
        try:
            _, cancelled = await _through(self.spending.settled(entry, settlement))
        except Unavailable as error:
            log.warning("event=model.not_settled code=%s", error.code)
            return
        if cancelled:
            raise asyncio.CancelledError

    async def counted(self, request: ModelRequest) -> int | None:
        """How many tokens of input the request is, or None where it cannot be told. It costs nothing."""
        return await self.model.counted(request)


async def _through(work: Awaitable[T]) -> tuple[T, bool]:
    """What ``work`` comes to, done whatever is cancelled meanwhile, and whether who waits for it was."""
    task, cancelled = asyncio.ensure_future(work), False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            cancelled = True
    return task.result(), cancelled
