"""Shares, differences and percentiles, with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

Z: Final = 1.959963984540054
"""The 97.5th percentile of the normal distribution."""
DRAWS: Final = 10_000
SEED: Final = 20_240_601


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval ``[low, high]``."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Share:
    """``hits`` of ``n``. Raises ``ValueError`` unless ``0 <= hits <= n``."""

    hits: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            raise ValueError(f"no share: {self.hits} of {self.n}")

    @property
    def value(self) -> float:
        """``hits / n``; NaN of nothing."""
        return self.hits / self.n if self.n else math.nan

    @property
    def interval(self) -> Interval:
        """Wilson's score interval (E. B. Wilson, 1927); of nothing it is ``[0, 1]``."""
        if not self.n:
            return Interval(0.0, 1.0)
        p, spread = self.value, Z * Z / self.n
        centre = (p + spread / 2) / (1 + spread)
        half = Z / (1 + spread) * math.sqrt(p * (1 - p) / self.n + spread / (4 * self.n))
        return Interval(max(0.0, centre - half), min(1.0, centre + half))


def share(flags: Sequence[bool]) -> Share:
    """How many of ``flags`` are set."""
    return Share(sum(flags), len(flags))


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of ``ours - theirs`` over the same ``n`` questions, with its interval."""

    value: float
    interval: Interval
    n: int


def paired_difference(
    ours: Sequence[float], theirs: Sequence[float], draws: int = DRAWS, seed: int = SEED
) -> Difference:
    """The percentile bootstrap over questions (Efron and Tibshirani, 1993, chapter 13), with a fixed seed.

    Raises ``ValueError`` where the two do not pair.
    """
    if len(ours) != len(theirs):
        raise ValueError("a paired difference needs both figures of every question")
    differences = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    if not len(differences):
        return Difference(math.nan, Interval(math.nan, math.nan), 0)
    drawn = np.random.default_rng(seed).integers(0, len(differences), size=(draws, len(differences)))
    low, high = np.percentile(differences[drawn].mean(axis=1), (2.5, 97.5))
    return Difference(float(differences.mean()), Interval(float(low), float(high)), len(differences))


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile with linear interpolation; NaN of nothing."""
    return float(np.percentile(np.asarray(values, dtype=np.float64), percent)) if len(values) else math.nan
