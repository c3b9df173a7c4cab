"""What the core needs from outside, by name. One name all the way down: port method = SQL function = test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.core.offsets import Span

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """What is stored with every vector; vectors of two models are never mixed."""

    name: str
    dimension: int
    sha256: str


class Embedder(Protocol):
    """Text to vectors. Each vector is a function of its own text alone: never of what else was in the batch."""

    @property
    def model(self) -> EmbeddingModel: ...

    def windows(self, text: str) -> list[Span]:
        """Spans of ``text`` (code points, half-open, in order, covering all of it) that the model reads whole."""

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        """Unit vectors, shape ``(len(windows), dimension)``, one for each window of a passage."""

    def embed_question(self, question: str) -> Vectors:
        """The unit vector of a question, shape ``(dimension,)``."""


class Reranker(Protocol):
    """Scores passages against a question by reading both together (a cross-encoder)."""

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, higher is closer."""
