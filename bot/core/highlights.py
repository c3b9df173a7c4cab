"""The few most telling sentences of a stretch that has been read. Pure: a function of that stretch alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bot.core.answer import Citation
from bot.core.evidence import Evidence
from bot.core.names import NAME_WORD
from bot.core.telling import LONGEST, SHORTEST, Scored, best_of, cited_in_order, scored, told_from

__all__ = ["HIGHLIGHTS", "LONGEST", "SHORTEST", "highlights"]

HIGHLIGHTS: Final = 3


def highlights(
    evidence: Sequence[Evidence], start: int, language: str | None, names: Collection[str] = (), most: int = HIGHLIGHTS
) -> tuple[Citation, ...]:
    """At most ``most`` sentences of ``evidence`` that begin at ``start`` (code points) or later, in story order, in
    different chapters where they can be.

    ``names`` are names met. Nothing but the sentences of ``evidence`` has a say.
    """
    named = frozenset(word for name in names for word in NAME_WORD.findall(name))
    left = scored(told_from(evidence, start), language, named)
    chosen: list[Scored] = []
    while left and len(chosen) < most:
        best = best_of(left, chosen, evidence)
        chosen.append(best)
        left = [s for s in left if s is not best]
    return cited_in_order(chosen, evidence)
