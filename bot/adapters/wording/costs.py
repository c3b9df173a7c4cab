"""What a club has spent on models, as lines."""

from __future__ import annotations

from decimal import ROUND_UP, Decimal
from typing import Final

from bot.adapters.wording import line
from bot.adapters.wording.english import ENGLISH
from bot.core.chat_model import Purpose
from bot.core.costs import ClubCosts
from bot.core.spending import Spent

OF_WHOLE_BOOKS: Final = frozenset((Purpose.MEMORY.value, Purpose.MEMORY_CHECK.value))


def dollars(amount: Decimal) -> str:
    """An amount in US dollars, rounded up to cents; less than a cent is said to a hundredth of one."""
    places = Decimal("0.01") if amount >= Decimal("0.01") or not amount else Decimal("0.0001")
    return f"{amount.quantize(places, ROUND_UP):f}"


def club_costs(costs: ClubCosts, language: str = "en") -> list[str]:
    """What was spent today and this month, and on what."""
    if not costs.used and not costs.month:
        return [line("spent_nothing", language), *_bounds(costs, language)]
    return [*_bounds(costs, language), *(_spent(used, language) for used in costs.used)]


def _bounds(costs: ClubCosts, language: str) -> list[str]:
    told = [
        _bound("spent_today", costs.today, costs.most_today, language),
        _bound("spent_month", costs.month, costs.most_month, language),
    ]
    bounded = costs.most_today is not None or costs.most_month is not None
    return [*told, *([line("spent_then", language)] if bounded else [])]


def _bound(key: str, amount: Decimal, most: Decimal | None, language: str) -> str:
    if most is None:
        return line(f"{key}_unbounded", language, amount=_amount(amount, language))
    return line(key, language, amount=dollars(amount), most=_amount(most, language))


def _spent(used: Spent, language: str) -> str:
    """One model and purpose, for a club. Of what read a whole book its cost alone: how many words there are ahead, and
    of what kind, is nobody's to know.
    """
    if used.purpose not in OF_WHOLE_BOOKS:
        return spent(used, language)
    cost = "spent_cost" if not used.unpriced else "spent_cost_unknown"
    amount = dollars(used.cost.quantize(Decimal("0.01"), ROUND_UP))
    purpose = line(f"spent_for_{used.purpose}", language)
    return line("spent_by_job", language, model=used.model, purpose=purpose, cost=line(cost, language, amount=amount))


def spent(used: Spent, language: str = "en") -> str:
    """One model and purpose."""
    purpose = f"spent_for_{used.purpose}"
    known = used.requests - used.unpriced
    cost = "spent_cost" if not used.unpriced else "spent_cost_partly" if known else "spent_cost_unknown"
    return line(
        "spent_by",
        language,
        model=used.model,
        purpose=line(purpose if purpose in ENGLISH else "spent_for_other", language),
        count=used.requests,
        input=f"{used.input + used.cached + used.written_to_cache:,}",
        cached=f"{used.cached:,}",
        output=f"{used.output:,}",
        cost=line(cost, language, amount=dollars(used.cost)),
    )


def _amount(amount: Decimal, language: str) -> str:
    return line("spent_amount", language, amount=dollars(amount))
