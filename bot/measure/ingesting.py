"""How fast a long novel is read, indexed and embedded, and how much memory each process takes at most."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

import numpy as np
import psutil

from bot.adapters.models.minilm import minilm
from bot.core.club import BookId
from bot.core.ports import Embedder, Vectors
from bot.core.shelf import Shelf
from bot.ingest.worker import Upload, add_file, fill_vectors
from bot.measure.library import generated_novel
from bot.measure.shelving import CLUB

CHARACTERS: Final = 3_200_000
"""The length of War and Peace."""
EMBEDDING_SECONDS: Final = 20.0
"""How long the vectors of the long novel are filled in before the figure is taken."""
BATCH: Final = 32

_CHILD: Final = "bot.ingest.reading_child"
_EVERY: Final = 0.02


@dataclass(frozen=True, slots=True)
class Ingested:
    """A novel added by the real pipeline. ``seconds`` by stage; ``peaks`` in bytes by process; ``embedded`` characters
    in ``embedding`` seconds.
    """

    book: BookId
    characters: int
    passages: int
    seconds: Mapping[str, float]
    peaks: Mapping[str, int]
    embedded: int
    embedding: float


async def ingest_novel(
    shelf: Shelf, embedder: Embedder, characters: int, seconds: float = EMBEDDING_SECONDS
) -> Ingested:
    """Add a generated novel and fill in vectors for a while."""
    club = await shelf.club_named(CLUB)
    embedder.embed_question("warm")
    with tempfile.TemporaryDirectory(prefix="dogear-bench-") as folder:
        file = Path(folder) / "novel.txt"
        file.write_text(generated_novel(1, characters), "utf-8")
        with sampled_children() as child:
            added = await add_file(shelf, Upload(file, club))
    passages = await shelf.passage_count(added.book.id)
    peaks = {"reading": child[0], "indexing": own_peak()}
    done = [0.0]
    began = perf_counter()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(
            fill_vectors(shelf, embedder, added.book.id, lambda _, part: done.__setitem__(0, part)), seconds
        )
    spent = perf_counter() - began
    return Ingested(
        book=added.book.id,
        characters=added.book.characters,
        passages=passages,
        seconds=added.seconds,
        peaks=peaks | {"embedding": own_peak()},
        embedded=int(done[0] * added.book.characters),
        embedding=spent,
    )


@contextmanager
def sampled_children() -> Iterator[list[int]]:
    """The most resident memory, in bytes, that the reading child is seen with meanwhile."""
    peak = [0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_EVERY):
            for process in psutil.Process().children():
                with contextlib.suppress(psutil.Error):
                    if _CHILD in process.cmdline():
                        peak[0] = max(peak[0], process.memory_info().rss)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()


def own_peak() -> int:
    """The most resident memory of this process so far, in bytes; where the platform does not tell, that of now."""
    try:
        import resource
    except ImportError:
        return int(psutil.Process().memory_info().rss)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


class PlainRuntime:
    """The plain way to embed with the same weights: padded batches in ONNX Runtime's own default settings."""

    def __init__(self) -> None:
        import onnxruntime

        model = minilm()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(model.weights), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = model.tokenizer()
        self._tokenizer.enable_padding()
        self._tokenizer.enable_truncation(256)
        self._inputs = [each.name for each in self._session.get_inputs()]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors: the mean over the tokens that are no padding."""
        found = []
        for at in range(0, len(texts), BATCH):
            encoded = self._tokenizer.encode_batch(list(texts[at : at + BATCH]))
            ids = np.array([e.ids for e in encoded], dtype=np.int64)
            mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = self._session.run(None, {name: given[name] for name in self._inputs})[0]
            if states.ndim == 3:
                states = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            found.append(states / np.linalg.norm(states, axis=1, keepdims=True))
        return np.concatenate(found).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Throughput:
    """Windows a second, the median of rounds taken in turn. ``cosine`` is the least between both ways."""

    windows: int
    ours: float
    plain: float
    cosine: float


def throughput(embedder: Embedder, texts: Sequence[str], rounds: int = 3) -> Throughput:
    """Embed the windows of ``texts`` by ours and by the plain way, in turn."""
    windows = [window.of(text) for text in texts for window in embedder.windows(text)]
    plain = PlainRuntime()
    ours = embedder.embed_passages(windows)
    cosine = float((ours * plain.embed(windows)).sum(axis=1).min())
    spent: dict[str, list[float]] = {"ours": [], "plain": []}
    for _ in range(rounds):
        for name, embed in (("ours", embedder.embed_passages), ("plain", plain.embed)):
            began = perf_counter()
            embed(windows)
            spent[name].append(perf_counter() - began)
    ours_rate, plain_rate = (len(windows) / median(spent[name]) for name in ("ours", "plain"))
    return Throughput(len(windows), ours_rate, plain_rate, cosine)
