"""What writes answers where a model is set: the model, what may be switched off, and how much it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from bot.core.chat_model import ChatModel, Purpose, Usage

BUDGET: Final = 60_000
"""Tokens: where the whole read part is no more than that, the model is given all of it."""


@dataclass(frozen=True, slots=True)
class Switches:
    """What can be switched off, so that its worth can be measured. Quotes are checked always.

    ``support`` asks a second time whether the passage bears each sentence out; ``names`` checks that what a sentence
    names stands in what was read; ``splitting`` lets the small model split a question of several sides; ``reranking``
    uses the reranker, where there is one; ``whole_part`` gives the whole read part where it fits the budget.
    """

    support: bool = True
    names: bool = True
    splitting: bool = True
    reranking: bool = True
    whole_part: bool = True


def _unknown(_purpose: Purpose, _read: int, _written: int) -> Decimal | None:
    return None


def _free(_: Usage) -> Decimal:
    return Decimal(0)


def _uncounted(_: str) -> None:
    """Whoever does not count what is cut."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A model, as answers use it. ``budget`` is in tokens of evidence; ``price`` in US dollars. ``cost`` is what a
    request of a purpose would cost with so many tokens read and written, or None where that is not known;
    ``claim_cut`` is told why, each time that a claim is cut.

    Raises ``ValueError`` for a budget below 1.
    """

    model: ChatModel
    switches: Switches = field(default_factory=Switches)
    budget: int = BUDGET
    price: Callable[[Usage], Decimal] = _free
    cost: Callable[[Purpose, int, int], Decimal | None] = _unknown
    claim_cut: Callable[[str], None] = _uncounted

    def __post_init__(self) -> None:
        if self.budget < 1:
            raise ValueError("a budget is at least one token")
