"""Vectors that are made while a question waits: of what has been read of the passage that straddles the boundary."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from bot.core.club import BookId
from bot.core.ports import Embedder, Vectors

KEPT: Final = 512

_Key = tuple[BookId, str, bytes]


def as_stored(vectors: Vectors) -> Vectors:
    """Vectors as the database keeps them, in half precision, so that live and stored ones compare alike."""
    return vectors.astype(np.float16).astype(np.float32)


class LiveVectors:
    """Remembers the last `KEPT` vectors, so that a second question from the same place need not make them again.

    A vector is found again by its book, its model and a hash of its own text, and by nothing else: so it tells of
    nothing that stands behind that text, and no book is quicker for another's sake. Safe to use from many threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[_Key, Vectors] = OrderedDict()

    def embedded(self, embedder: Embedder, book: BookId, windows: Sequence[str]) -> Vectors:
        """Unit vectors of ``windows`` as they would be stored, shape ``(len(windows), dimension)``."""
        model = embedder.model.sha256
        keys = [(book, model, blake2b(window.encode(errors="replace")).digest()) for window in windows]
        with self._lock:
            known = {key: self._kept[key] for key in keys if key in self._kept}
        missing = {key: window for key, window in zip(keys, windows, strict=True) if key not in known}
        if missing:
            known |= zip(missing, as_stored(embedder.embed_passages(list(missing.values()))), strict=True)
        with self._lock:
            for key in keys:
                self._kept[key] = known[key]
                self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return np.stack([known[key] for key in keys])
