"""Ports that count what goes through them: the same ports to whoever uses them."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from time import perf_counter
from typing import Any, cast

from bot.core.chat_model import ChatModel, ModelFailed, ModelRequest, Spent, Usage
from bot.core.club import QuestionId
from bot.core.figures import Figures, Stage
from bot.core.ledger import Ledger, QuestionRecord, Status
from bot.core.offsets import Span
from bot.core.ports import Door, Doors, Embedder, EmbeddingModel, Vectors

Timer = Callable[[], float]
"""Seconds from any fixed moment."""

logger = logging.getLogger("dogear.questions")


@dataclass(frozen=True, slots=True)
class CountedDoors:
    """`Doors` that say how long each transaction was open."""

    inner: Doors
    figures: Figures
    timer: Timer = perf_counter

    def opened(self) -> AbstractAsyncContextManager[Door]:
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Door]:
        began = self.timer()
        try:
            async with self.inner.opened() as door:
                yield door
        finally:
            self.figures.took(Stage.DOOR, self.timer() - began)


@dataclass(frozen=True, slots=True)
class CountedEmbedder:
    """An `Embedder` that says how long each question took."""

    inner: Embedder
    figures: Figures
    timer: Timer = perf_counter

    @property
    def model(self) -> EmbeddingModel:
        return self.inner.model

    def windows(self, text: str) -> list[Span]:
        return self.inner.windows(text)

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        return self.inner.embed_passages(windows)

    def embed_question(self, question: str) -> Vectors:
        began = self.timer()
        try:
            return self.inner.embed_question(question)
        finally:
            self.figures.took(Stage.EMBED, self.timer() - began)


@dataclass(frozen=True, slots=True)
class CountedModel:
    """A `ChatModel` that says how long each request took, how it ended, and what it cost by ``price``."""

    inner: ChatModel
    figures: Figures
    price: Callable[[Usage], Decimal]
    timer: Timer = perf_counter

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        began, outcome, used = self.timer(), "stopped", Usage("none", 0, 0, 0, 0)

        def told(usage: Usage) -> None:
            nonlocal used
            used = usage
            spent(usage)

        try:
            async with aclosing(self.inner.written(request, told)) as pieces:
                async for piece in pieces:
                    yield piece
            outcome = "written"
        except ModelFailed as failed:
            outcome = failed.failed.value
            raise
        finally:
            self.figures.took(Stage.MODEL, self.timer() - began)
            read = used.input + used.cached + used.written_to_cache
            self.figures.model_called(
                used.model, outcome, tokens_in=read, tokens_out=used.output, cost=self.price(used)
            )

    async def counted(self, request: ModelRequest) -> int | None:
        return await self.inner.counted(request)


def counted_ledger(inner: Ledger, figures: Figures) -> Ledger:
    """A `Ledger` that counts and logs every question that ends, by number."""
    return cast("Ledger", _CountedLedger(inner, figures))


@dataclass(frozen=True, slots=True)
class _CountedLedger:
    inner: Ledger
    figures: Figures

    def __getattr__(self, name: str) -> Any:
        """Everything that is not counted."""
        return getattr(self.inner, name)

    async def asked(self, record: QuestionRecord) -> QuestionId:
        question = await self.inner.asked(record)
        if not record.audience:  # it ended before it had a boundary, and is written down once
            self._ended(question, record.status, record.seconds, record.cost)
        return question

    async def ended(self, question: QuestionId, status: Status, seconds: float, cost: Decimal = Decimal(0)) -> None:
        await self.inner.ended(question, status, seconds, cost)
        self._ended(question, status, seconds, cost)

    def _ended(self, question: QuestionId, status: Status, seconds: float, cost: Decimal) -> None:
        self.figures.question_ended(status.value, seconds, cost)
        logger.info("event=question question=%d status=%s seconds=%.3f", question, status.value, seconds)
