"""A question as a vector, alone or leaning on the one before it."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from bot.core.errors import Unavailable
from bot.core.ports import Embedder, EmbeddingModel, Vectors

EARLIER: Final = 0.5
"""How much the question before counts beside one that follows it (docs/retrieval.md)."""

logger = logging.getLogger(__name__)


def question_vector(embedder: Embedder | None, question: str) -> tuple[EmbeddingModel, Vectors] | None:
    """The question's vector and the model it is of, or None where there is no embedder that can be used."""
    if embedder is None:
        return None
    try:
        return embedder.model, _as_stored(embedder.embed_question(question))
    except Unavailable as error:
        logger.warning("the embedder cannot be used (%s): searching by text alone", error.code)
        return None


def leaning(question: Vectors, earlier: Vectors) -> Vectors:
    """The unit vector of a question that leans on an earlier one."""
    both = question + np.float32(EARLIER) * earlier
    size = np.linalg.norm(both)
    return question if size == 0 else _as_stored(both / size)


def _as_stored(vectors: Vectors) -> Vectors:
    """Vectors as the database keeps them, in half precision, so that live and stored ones compare alike."""
    return vectors.astype(np.float16).astype(np.float32)
