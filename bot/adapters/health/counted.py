"""Ports that count what goes through them: the same ports to whoever uses them."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from time import perf_counter
from typing import Any, cast

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
