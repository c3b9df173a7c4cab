"""What tokens cost, by model, in US dollars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Final

from bot.core.chat_model import Usage

MILLION: Final = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens of each kind: ``cached`` are read from the cache, ``written`` to it.

    A prompt of more than ``long_over`` tokens costs ``long`` instead. Raises ``ValueError`` for a negative price.
    """

    input: Decimal
    cached: Decimal
    written: Decimal
    output: Decimal
    long_over: int | None = None
    long: Price | None = None

    def __post_init__(self) -> None:
        if min(self.input, self.cached, self.written, self.output) < 0:
            raise ValueError("a price is not negative")

    def of(self, usage: Usage) -> Decimal:
        """US dollars."""
        prompt = usage.input + usage.cached + usage.written_to_cache
        if self.long is not None and self.long_over is not None and prompt > self.long_over:
            return self.long.of(usage)
        return (
            usage.input * self.input
            + usage.cached * self.cached
            + usage.written_to_cache * self.written
            + usage.output * self.output
        ) / MILLION


def price(*dollars: str) -> Price:
    """Input, output, read from the cache, written to it; without the last two a tenth and five quarters of input.

    Raises ``ValueError`` for another number of them, and ``InvalidOperation`` for what is no number.
    """
    read, out, *cache = map(Decimal, dollars)
    cached, written = cache or (read / 10, read * Decimal("1.25"))
    return Price(read, cached, written, out)


AS_OF: Final = date(2026, 11, 30)
"""The day on which `PRICES` were those of https://platform.claude.com/docs/en/about-claude/pricing."""

_FABLE: Final = price("10", "50")
_FABLE_LATER: Final = price("10", "50", "0.25", "12.5")
_OPUS: Final = price("5", "25")
_HAIKU: Final = price("0.1", "0.5")

PRICES: Final[Mapping[str, Price]] = {
    "claude-fable-5": _FABLE,
    "claude-fable-5-1": _FABLE_LATER,
    "claude-mythos-5": _FABLE,
    "claude-mythos-5-1": _FABLE_LATER,
    "claude-opus-5-5": price("4", "20", "0.2", "5"),
    "claude-opus-5": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-5": _OPUS,
    "claude-sonnet-5-5": price("2", "10", "0.1", "2.5"),
    "claude-sonnet-5": price("2", "10"),
    "claude-sonnet-4-6": price("3", "15"),
    "claude-sonnet-4-5": price("3", "15"),
    "claude-haiku-5-5": Price(_HAIKU.input, _HAIKU.cached, _HAIKU.written, _HAIKU.output, 100_000, price("0.5", "2.5")),
    "claude-haiku-4-5": price("1", "5"),
}
"""List prices, with the cache kept for five minutes."""
_MINUTES: Final = Decimal("1.25")
_HOUR: Final = Decimal(2)
"""Times the price of input: what is written to a cache of five minutes, and of an hour, costs."""


@dataclass(frozen=True, slots=True)
class PriceList:
    """The prices that hold for a host: the list prices, and those that it set itself."""

    prices: Mapping[str, Price]

    def price_of(self, model: str) -> Price | None:
        """The price of a model, also under its name with a date; None where it is not known."""
        name, _, day = model.rpartition("-")
        known = self.prices.get(model)
        return self.prices.get(name) if known is None and len(day) == 8 and day.isdigit() else known

    def cost(self, usage: Usage) -> Decimal | None:
        """US dollars, or None where the model's price is not known."""
        found = self.price_of(usage.model)
        return None if found is None else found.of(usage)

    def hourly(self) -> PriceList:
        """The same with the cache kept for an hour: all but a price of its own for what is written to it."""
        return PriceList({model: _hourly(found) for model, found in self.prices.items()})

    def known_cost(self, usage: Usage) -> Decimal:
        """US dollars, of a model without a price 0: what is told as its cost, beside its tokens."""
        return self.cost(usage) or Decimal(0)

    def charge(self, usage: Usage) -> Decimal:
        """What budgets count, in US dollars: a model without a price is taken for the dearest one."""
        found = self.price_of(usage.model)
        return found.of(usage) if found is not None else max(p.of(usage) for p in (*self.prices.values(), _FABLE))


def _hourly(found: Price) -> Price:
    written = found.input * _HOUR if found.written == found.input * _MINUTES else found.written
    return replace(found, written=written, long=None if found.long is None else _hourly(found.long))


def price_list(own: Mapping[str, Price] | None = None) -> PriceList:
    """The list prices, overruled by a host's own."""
    return PriceList({**PRICES, **(own or {})})
