"""What a model did and cost, over a set of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from bot.core.answer import Answer
from bot.core.chat_model import Usage
from bot.core.prices import PriceList
from bot.measure.evaluate import Asking


def model_figures(asked: Sequence[Asking], prices: PriceList) -> dict[str, Any] | None:
    """Claims that were shown and cut, by reason; what failed, by reason; tokens and dollars. None where no model wrote.

    ``asked`` counts answers that were asked for: a question is asked of up to two readers.
    """
    tried = [asking for asking in asked if asking.spent or asking.failed is not None]
    if not tried:
        return None
    written = [asking.outcome for asking in tried if asking.written]
    cut = sum((Counter(asking.cuts) for asking in tried), start=Counter())
    shown = sum(len(outcome.claims) for outcome in written if isinstance(outcome, Answer))
    used = [usage for asking in tried for usage in asking.spent]
    return {
        "asked": len(tried),
        "answered": sum(isinstance(outcome, Answer) for outcome in written),
        "refused": sum(not isinstance(outcome, Answer) for outcome in written),
        "failed": dict(sorted(Counter(a.failed.value for a in tried if a.failed is not None).items())),
        "claims": {
            "shown": shown,
            "cut": sum(cut.values()),
            "why": {reason.value: count for reason, count in sorted(cut.items(), key=lambda kept: (-kept[1], kept[0]))},
        },
        "cost": cost_value(used, len(tried), prices),
    }


def cost_value(used: Iterable[Usage], asked: int, prices: PriceList) -> dict[str, Any]:
    """Tokens by kind, and US dollars in all and for each answer that was asked for; requests of models without a price
    are in the tokens alone.
    """
    listed = list(used)
    dollars = sum((prices.known_cost(usage) for usage in listed), start=Decimal(0))
    return {
        "requests": len(listed),
        "without_price": sum(prices.price_of(usage.model) is None for usage in listed),
        "tokens": {
            "input": sum(usage.input for usage in listed),
            "cached": sum(usage.cached for usage in listed),
            "written_to_cache": sum(usage.written_to_cache for usage in listed),
            "output": sum(usage.output for usage in listed),
        },
        "dollars": round(float(dollars), 6),
        "dollars_each": round(float(dollars / asked), 6) if asked else None,
    }
