"""A stub embedder for tests that need vectors and not meaning.

Signed feature hashing (Weinberger et al. 2009) of lower-case words: two texts are near when they share words. It
is fast and the same on every machine, and no substitute for a model: it never leaves the tests.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bot.core.offsets import Span
from bot.core.ports import EmbeddingModel, Vectors

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Fits the ``Embedder`` port. ``window_words`` is the most words in one window, cut from the left."""

    def __init__(self, dimension: int = 384, window_words: int = 150) -> None:
        self._window_words = window_words
        self.model = EmbeddingModel("hash-stub", dimension, hashlib.sha256(f"hash {dimension}".encode()).hexdigest())
        self.embedded = 0
        """How many texts have been embedded, for tests that count."""

    def suits(self, language: str) -> bool:
        return True

    def windows(self, text: str) -> list[Span]:
        if not text:
            return []
        starts = [match.start() for match in _WORD.finditer(text)]
        cuts = [0, *starts[self._window_words :: self._window_words], len(text)]
        return [Span(start, end) for start, end in pairwise(cuts)]

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        vectors = [self._vector(text) for text in windows]
        return np.stack(vectors) if vectors else np.zeros((0, self.model.dimension), dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        return self._vector(question)

    def _vector(self, text: str) -> Vectors:
        self.embedded += 1
        vector = np.zeros(self.model.dimension, dtype=np.float32)
        vector[0] = 0.01  # a text without words has a direction too
        for word in _WORD.findall(text.lower()):
            number = int.from_bytes(hashlib.blake2b(word.encode(errors="replace"), digest_size=8).digest(), "big")
            vector[(number >> 1) % self.model.dimension] += 1.0 if number & 1 else -1.0
        unit: Vectors = vector / np.float32(np.linalg.norm(vector))
        return unit
