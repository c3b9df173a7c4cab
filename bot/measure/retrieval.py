"""How fast and how exact retrieval is in a generated library, for readers early and late in their books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.core.boundary import boundary_for
from bot.core.club import MemberId, private_to
from bot.core.ports import Doors, Vectors
from bot.core.search import Searching, find
from bot.measure.evaluate import reader_at
from bot.measure.library import PASSAGE, generated_question
from bot.measure.shelving import Library, Shelved

READERS: Final = (2, 10, 50, 95)
"""Percent of the book."""
TOP: Final = 16
WARM_UP: Final = 8

_READER: Final = private_to(MemberId(-1))
_CLOSE: Final = 1e-4
"""Similarities nearer than this to the last of the best are taken for ties."""


@dataclass(frozen=True, slots=True)
class Timed:
    """One whole `find`: its seconds and those of its stages."""

    seconds: float
    stages: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ReaderFigures:
    """Questions of readers at one place: ``mid`` where the percentage falls, never asked from before; ``again`` from
    there a second time, or when the place has been prepared; ``chapter_end`` at the end of the chapter before it.
    """

    percent: int
    mid: tuple[Timed, ...]
    again: tuple[Timed, ...]
    chapter_end: tuple[Timed, ...]


def place(book: Shelved, percent: int, rng: np.random.Generator) -> int:
    """An offset at so many percent of the body, give or take a passage, so that no two readers share a place."""
    indexed = book.made.indexed
    exact = indexed.body_start + (indexed.book.body_end - indexed.body_start) * percent // 100
    return min(max(indexed.body_start, exact + int(rng.integers(-PASSAGE, PASSAGE))), indexed.book.body_end)


def chapter_end_before(book: Shelved, offset: int) -> int:
    """The end of the last chapter finished at ``offset``, or of the first chapter where none is."""
    ends = [chapter.span.end for chapter in book.made.indexed.book.chapters]
    return max((end for end in ends if end <= offset), default=ends[0])


async def timed(searching: Searching, book: Shelved, question: str, offset: int) -> Timed:
    """Time one whole `find`, the embedding of the question included."""
    began = perf_counter()
    found = await find(searching, reader_at(book.id, question, offset), TOP)
    seconds = perf_counter() - began
    return Timed(seconds, {name: spent for name, spent in found.seconds.items() if name != "total"})


async def time_readers(
    searching: Searching, books: Sequence[Shelved], percent: int, questions: int, seed: int
) -> ReaderFigures:
    """Time ``questions`` questions of each sort, each in a book drawn anew."""
    rng = np.random.default_rng((seed, percent))
    kept: tuple[list[Timed], ...] = ([], [], [])
    for number in range(-WARM_UP, questions):
        book = books[int(rng.integers(len(books)))]
        asked = [generated_question(rng, book.made.names) for _ in range(3)]
        offset = place(book, percent, rng)
        three = (
            await timed(searching, book, asked[0], offset),
            await timed(searching, book, asked[1], offset),
            await timed(searching, book, asked[2], chapter_end_before(book, offset)),
        )
        if number >= 0:
            for own, one in zip(kept, three, strict=True):
                own.append(one)
    return ReaderFigures(percent, *map(tuple, kept))


async def vector_recall(
    doors: Doors, searching: Searching, library: Library, questions: int, seed: int
) -> tuple[int, int]:
    """How many of the true `TOP` under the boundary the vector search has among its own, and how many there are."""
    assert searching.embedder is not None
    rng = np.random.default_rng((seed, 1))
    found = wanted = 0
    for number in range(questions):
        book = library.long if number % 8 == 0 else library.books[int(rng.integers(len(library.books)))]
        offset = place(book, READERS[number % len(READERS)], rng)
        vector = searching.embedder.embed_question(generated_question(rng, book.made.names))
        boundary = boundary_for(book.id, _READER, dict.fromkeys(_READER.members, offset))
        async with doors.opened() as door:
            nearest = await door.passages_nearest(boundary, vector)
        truth = brute_force(book, vector, offset)
        best = nearest.ordinals[np.argsort(-nearest.values, kind="stable")[:TOP]]
        hits, of = hits_of(best.tolist(), truth)
        found, wanted = found + hits, wanted + of
    return found, wanted


def brute_force(book: Shelved, question: Vectors, boundary: int) -> NDArray[np.float64]:
    """The similarity of every passage, that of its closest piece; minus infinity past the boundary."""
    vectors = book.made.vectors.astype(np.float64)
    similarity = (vectors @ question.astype(np.float16).astype(np.float64)).max(axis=1)
    revealed = np.array([p.cut.revealed_at for p in book.made.indexed.passages])
    return np.where(revealed <= boundary, similarity, -np.inf)


def hits_of(best: Sequence[int], truth: NDArray[np.float64]) -> tuple[int, int]:
    """How many of ``best`` belong to the true `TOP` (ties counted in), and how many there could be."""
    admitted = int(np.isfinite(truth).sum())
    of = min(TOP, admitted)
    if not of:
        return 0, 0
    least = np.sort(truth)[::-1][of - 1]
    return sum(bool(truth[ordinal] >= least - _CLOSE) for ordinal in best[:of]), of
