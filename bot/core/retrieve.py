"""Rank the admitted passages of one book for a question: pure functions over what came through the door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.core.fusion import best_first, bm25, reciprocal_ranks, smoothed, standardised
from bot.core.names import about_now
from bot.core.ports import AdmittedPassages, Similarities, TermCounts
from bot.core.related import RELATED_WEIGHT, related_terms
from bot.core.terms import question_terms, term_id

VECTOR, TEXT, NAME, LATEST = "vector", "text", "name", "latest"

EARLIER: Final = 0.5
"""How much the words of the question before count beside those of one that follows it; half of that for the one before
that, and so on (docs/retrieval.md)."""

_FOUND_WITHIN: Final = 50
"""A search is said to have found a passage that stands among its own first 50."""


class Fusion(StrEnum):
    """How the vector search and the text search are made one."""

    ZSCORE = "zscore"
    RRF = "rrf"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The constants of a ranking; their defaults are measured (docs/retrieval.md)."""

    fusion: Fusion = Fusion.ZSCORE
    neighbour_weight: float = 0.3
    latest: int = 3


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for. ``terms`` maps each term's id to its weight; ``names`` are the ids that came from a
    corrected name; ``latest`` says that the question is about now.
    """

    question: str
    terms: dict[int, float]
    names: frozenset[int] = frozenset()
    latest: bool = False


def query_for(question: str, language: str | None, names: Sequence[str] = (), earlier: Sequence[str] = ()) -> Query:
    """The query of a question in a book of ``language``; ``names`` are what its unmet words were meant for, ``earlier``
    the questions that it follows, the newest first.
    """
    before: dict[int, float] = {}
    for number, said in reversed(list(enumerate(earlier, start=1))):
        before |= {term_id(term): EARLIER**number for term in question_terms(said, language)}
    asked = {term_id(term): float(count) for term, count in question_terms(question, language).items()}
    named = {term_id(term) for name in names for term in question_terms(name, language)}
    related = {term_id(term) for term in related_terms(question, language)}
    return Query(
        question,
        before | dict.fromkeys(sorted(related), RELATED_WEIGHT) | dict.fromkeys(sorted(named), 1.0) | asked,
        frozenset(named),
        about_now(question),
    )


@dataclass(frozen=True, slots=True)
class Straddling:
    """The read part of the passage that straddles the boundary: its words are counted live, its read sentences alone.

    ``counts`` maps term ids to counts, ``length`` is in terms. It is as similar as its pieces that are wholly read.
    """

    ordinal: int
    counts: dict[int, int]
    length: int


@dataclass(frozen=True, slots=True)
class ReadPart:
    """Every admitted passage of one book, in text order, as arrays of one length.

    ``similarity`` is NaN where no vector is stored yet; ``counts`` is ``(passages, terms)`` in the order of the query's
    terms; ``lengths`` are in terms; ``follows[i]`` says that passage ``i`` directly follows ``i - 1`` in the body.
    Raises ``ValueError`` when the arrays do not fit together.
    """

    ordinals: NDArray[np.int32]
    bodies: NDArray[np.bool_]
    similarity: NDArray[np.float64]
    counts: NDArray[np.float64]
    lengths: NDArray[np.float64]

    def __post_init__(self) -> None:
        rows = {len(self.ordinals), len(self.bodies), len(self.similarity), len(self.counts), len(self.lengths)}
        if len(rows) != 1 or self.counts.ndim != 2:
            raise ValueError("a read part whose arrays do not fit together")
        if np.any(np.diff(self.ordinals) <= 0):
            raise ValueError("a read part that is not in text order")

    def __len__(self) -> int:
        return len(self.ordinals)

    @property
    def follows(self) -> NDArray[np.bool_]:
        joined = np.zeros(len(self), dtype=np.bool_)
        joined[1:] = (np.diff(self.ordinals) == 1) & self.bodies[1:] & self.bodies[:-1]
        return joined


def read_part(
    query: Query,
    admitted: AdmittedPassages,
    nearest: Similarities | None,
    matching: Sequence[TermCounts],
    straddling: Straddling | None = None,
) -> ReadPart:
    """The rows of the door's functions, made one; ``nearest`` is None where there is no embedder.

    ``nearest`` may hold pieces of the straddling passage, which is not admitted itself.
    """
    ordinals = admitted.ordinals
    similarity = np.full(len(ordinals), np.nan)
    partly = np.nan
    if nearest is not None:
        whole = np.isin(nearest.ordinals, ordinals)
        similarity[np.searchsorted(ordinals, nearest.ordinals[whole])] = nearest.values[whole]
        if straddling is not None:
            partly = float(max(nearest.values[nearest.ordinals == straddling.ordinal], default=np.nan))
    counts = np.zeros((len(ordinals), len(query.terms)))
    column = {term: index for index, term in enumerate(query.terms)}
    for found in matching:
        counts[np.searchsorted(ordinals, found.ordinals), column[found.term]] = found.counts
    part = ReadPart(ordinals, admitted.bodies, similarity, counts, admitted.lengths.astype(np.float64))
    return part if straddling is None else _with_straddling(part, query, straddling, partly)


def _with_straddling(part: ReadPart, query: Query, more: Straddling, similarity: float) -> ReadPart:
    at = int(np.searchsorted(part.ordinals, more.ordinal))
    own = np.array([[float(more.counts.get(term, 0)) for term in query.terms]])
    return ReadPart(
        np.insert(part.ordinals, at, more.ordinal),
        np.insert(part.bodies, at, True),
        np.insert(part.similarity, at, similarity),
        np.concatenate((part.counts[:at], own.reshape(1, len(query.terms)), part.counts[at:])),
        np.insert(part.lengths, at, float(more.length)),
    )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with its score and what found it: ``vector``, ``text``, ``name``, ``latest``.

    ``score`` is fused, or, where a reranker ran, the reranker's own, standardised over the passages it read.
    ``similarity`` (-1 where it has no vector) and ``text`` (BM25) are its own, before any neighbour was looked at.
    """

    ordinal: int
    score: float
    found_by: tuple[str, ...]
    similarity: float = -1.0
    text: float = 0.0


def rank(part: ReadPart, query: Query, limit: int, ranking: Ranking = Ranking()) -> tuple[Candidate, ...]:
    """At most ``limit`` passages, the closest first; of equal ones the earlier. Nothing read gives nothing.

    For a question about now the last passages of the read body come before all others, the newest first.
    """
    if not len(part):
        return ()
    vector = part.similarity
    text = bm25(part.counts, part.lengths, np.fromiter(query.terms.values(), dtype=np.float64))
    scores = fused(part, vector, text, ranking)
    order = [int(row) for row in best_first(scores)]
    newest = [int(row) for row in np.flatnonzero(part.bodies)[::-1][: ranking.latest]] if query.latest else []
    order = [*newest, *(row for row in order if row not in newest)][:limit]
    found = _found_by(part, query, vector, text)
    return tuple(
        Candidate(
            ordinal=int(part.ordinals[row]),
            score=float(scores[row]),
            found_by=(*found(row), *((LATEST,) if row in newest else ())),
            similarity=-1.0 if np.isnan(vector[row]) else float(vector[row]),
            text=float(text[row]),
        )
        for row in order
    )


def fused(
    part: ReadPart, vector: NDArray[np.float64], text: NDArray[np.float64], ranking: Ranking
) -> NDArray[np.float64]:
    """One score for each passage out of both searches; a search that found nothing anywhere has no say."""
    if ranking.fusion is Fusion.RRF:
        return reciprocal_ranks(vector) + reciprocal_ranks(np.where(text > 0, text, np.nan))
    follows = part.follows
    return sum(
        (smoothed(standardised(scores), follows, ranking.neighbour_weight) for scores in (vector, text)),
        start=np.zeros(len(part)),
    )


def _found_by(
    part: ReadPart, query: Query, vector: NDArray[np.float64], text: NDArray[np.float64]
) -> Callable[[int], tuple[str, ...]]:
    near = set(best_first(np.nan_to_num(vector, nan=-np.inf))[:_FOUND_WITHIN].tolist()) - set(
        np.flatnonzero(np.isnan(vector)).tolist()
    )
    matched = set(best_first(text)[:_FOUND_WITHIN].tolist()) & set(np.flatnonzero(text > 0).tolist())
    columns = [index for index, term in enumerate(query.terms) if term in query.names]
    named = set(np.flatnonzero(part.counts[:, columns].sum(axis=1) > 0).tolist())
    searches = ((VECTOR, near), (TEXT, matched), (NAME, named))
    return lambda row: tuple(name for name, rows in searches if row in rows)
