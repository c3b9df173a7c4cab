"""What tokens cost."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bot.adapters.models.claude import MODEL, SMALL_MODEL
from bot.core.chat_model import Usage
from bot.core.prices import MILLION, Price, price, price_list

M = int(MILLION)

MILLION_TOKENS = 1_000_000


def test_each_kind_of_token_has_its_price() -> None:
    each = Price(Decimal(1), Decimal(10), Decimal(100), Decimal(1000))
    assert each.of(Usage("m", M, M, M, M)) == Decimal(1111)


def test_without_cache_prices_reading_is_a_tenth_and_writing_five_quarters() -> None:
    assert price("2", "10") == Price(Decimal(2), Decimal("0.2"), Decimal("2.50"), Decimal(10))


def test_a_long_prompt_may_cost_more_with_all_its_output() -> None:
    prices = price_list()
    assert prices.cost(Usage(SMALL_MODEL, 100_000, 0, 0, 1_000)) == Decimal("0.0105")
    assert prices.cost(Usage(SMALL_MODEL, 100_000, 1, 0, 1_000)) == Decimal("0.05250005")


def test_the_models_that_are_used_unless_others_are_set_have_a_price() -> None:
    assert price_list().price_of(MODEL)
    assert price_list().price_of(SMALL_MODEL)


def test_a_model_is_known_by_its_dated_name_too() -> None:
    prices = price_list()
    assert prices.price_of("claude-haiku-4-5-20251001") == prices.price_of("claude-haiku-4-5")
    assert prices.price_of("claude-haiku-4-5-latest") is None


def test_an_unknown_model_has_no_cost_and_is_charged_as_the_dearest() -> None:
    used = Usage("llama", M, 0, 0, M)
    assert price_list().cost(used) is None
    assert price_list().charge(used) == 60
    assert price_list({"dear": price("70", "70")}).charge(used) == 140


def test_a_cache_of_an_hour_costs_twice_the_input_to_write_and_no_more_to_read() -> None:
    own = price_list({"llama": price("1", "5"), "other": price("1", "5", "0.5", "7")})
    hourly = own.hourly()
    written = Usage("llama", 0, 0, MILLION_TOKENS, 0)
    assert own.cost(written) == Decimal("1.25")
    assert hourly.cost(written) == 2
    assert hourly.cost(Usage("other", 0, 0, MILLION_TOKENS, 0)) == 7
    assert hourly.cost(Usage(MODEL, 0, 0, MILLION_TOKENS, 0)) == 4
    assert hourly.cost(Usage(SMALL_MODEL, 0, 0, MILLION_TOKENS, 0)) == 1
    read = Usage("llama", MILLION_TOKENS, MILLION_TOKENS, 0, 0)
    assert hourly.cost(read) == own.cost(read)


def test_a_hosts_own_prices_overrule_the_list() -> None:
    prices = price_list({"llama": price("0", "0"), MODEL: price("1", "1")})
    assert prices.charge(Usage("llama", M, M, M, M)) == 0
    assert prices.cost(Usage(MODEL, M, 0, 0, M)) == 2


def test_a_price_is_not_negative() -> None:
    with pytest.raises(ValueError, match="not negative"):
        price("1", "-1")
