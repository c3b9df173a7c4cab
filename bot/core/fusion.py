"""Scores of the admitted passages of one book, out of numbers alone.

Every statistic (document frequency, average length, mean, deviation, rank) is of the read part. Arrays have one row for
each admitted passage, in text order; sums are taken in that order, so that equal read parts give equal scores.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Flags = NDArray[np.bool_]

K1: Final = 1.2
B: Final = 0.75
"""BM25's usual constants (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009)."""
RRF_K: Final = 60
"""Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion", 2009."""


def bm25(counts: Scores, lengths: Scores, weights: Scores, k1: float = K1, b: float = B) -> Scores:
    """BM25 of each passage; ``counts`` is ``(passages, terms)``, ``lengths`` in terms, ``weights`` one a term.

    idf is ``ln(1 + (N - df + 0.5) / (df + 0.5))``, never negative, over the read part.
    """
    if counts.size == 0:
        return np.zeros(len(lengths))
    found = np.count_nonzero(counts, axis=0)
    idf = np.log1p((len(lengths) - found + 0.5) / (found + 0.5))
    share = lengths / max(float(lengths.mean()), 1.0)
    saturated: Scores = counts * (k1 + 1) / (counts + k1 * (1 - b + b * share)[:, None])
    return np.asarray((saturated * (idf * weights)).sum(axis=1), dtype=np.float64)


def standardised(scores: Scores) -> Scores:
    """``(score - mean) / deviation`` over the passages that have one; 0 where it is missing (NaN) or all are equal."""
    known = scores[~np.isnan(scores)]
    if len(known) < 2 or (deviation := float(known.std())) < 1e-9:
        return np.zeros_like(scores)
    return np.where(np.isnan(scores), 0.0, (scores - known.mean()) / deviation)


def smoothed(scores: Scores, follows: Flags, weight: float) -> Scores:
    """Each score plus ``weight`` times that of each admitted neighbour.

    ``follows[i]`` says that passage ``i`` stands directly after passage ``i - 1`` in the body.
    """
    near = np.zeros_like(scores)
    joined = np.flatnonzero(follows)
    near[joined] += scores[joined - 1]
    near[joined - 1] += scores[joined]
    return scores + weight * near


def reciprocal_ranks(scores: Scores, k: int = RRF_K) -> Scores:
    """``1 / (k + rank)`` of each passage that has a score (is not NaN), 0 of the others."""
    ranks = np.zeros_like(scores)
    order = best_first(np.nan_to_num(scores, nan=-np.inf))
    order = order[~np.isnan(scores[order])]
    ranks[order] = 1.0 / (k + 1 + np.arange(len(order)))
    return ranks


def best_first(scores: Scores) -> NDArray[np.int64]:
    """Row numbers by falling score, rounded to nine places; ties in text order."""
    return np.argsort(-np.round(scores, 9), kind="stable")
