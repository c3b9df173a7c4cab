"""The exact sign test, and what it says in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Final

LEVEL: Final = 0.05


@dataclass(frozen=True, slots=True)
class Signs:
    """Pairs of which the first was better, worse, or neither. Raises ``ValueError`` for a negative count."""

    better: int
    worse: int
    same: int = 0

    def __post_init__(self) -> None:
        if min(self.better, self.worse, self.same) < 0:
            raise ValueError("counts are not negative")

    @property
    def decided(self) -> int:
        return self.better + self.worse

    @property
    def p(self) -> float:
        """The two-sided p-value under a fair coin (Dixon and Mood, 1946); ties are left out."""
        return two_sided(min(self.better, self.worse), self.decided)

    @property
    def needed(self) -> int | None:
        """The least number of better ones among those decided that would be significant; None where not even all."""
        n = self.decided
        return next((k for k in range((n + 1) // 2, n + 1) if two_sided(n - k, n) < LEVEL), None)


def two_sided(fewer: int, n: int) -> float:
    """The chance that a fair coin, thrown ``n`` times, falls at least as unevenly as ``fewer`` to the rest."""
    return min(1.0, 2 * sum(comb(n, k) for k in range(fewer + 1)) / (1 << n))


def verdict(name: str, signs: Signs) -> str:
    """What the test says of switching ``name`` on, in a sentence or two."""
    counts = f"{signs.better} better, {signs.worse} worse, {signs.same} the same"
    if not signs.decided and not signs.same:
        return f"Nothing can be said of {name}: no answers could be graded."
    if not signs.decided:
        return f"{name} made no difference: all {signs.same} answers were graded the same."
    told = f"{counts}; exact sign test, p = {signs.p:.2g}" if signs.p < LEVEL else f"{counts}; p = {signs.p:.2g}"
    if signs.p < LEVEL:
        which = "better" if signs.better > signs.worse else "worse"
        return f"Answers are {which} with {name} on ({told})."
    if signs.needed is None:
        return f"Whether {name} makes answers better is not shown ({told}): too few answers differ for any result."
    return (
        f"Whether {name} makes answers better is not shown ({told}): of {signs.decided} answers that differ, "
        f"{signs.needed} would have to point one way."
    )
