"""Settings of the model: read, and refused with one sentence."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bot.core.errors import Refused
from bot.core.prices import PRICES, price
from bot.model import budgets_for, claude_for, prices_for, switches_for
from bot.settings import read_settings


def test_without_a_key_or_a_server_no_model_is_made() -> None:
    assert claude_for(read_settings()) is None


@pytest.mark.parametrize(
    ("given", "model", "small"),
    [
        ({"ANTHROPIC_API_KEY": "k"}, "claude-sonnet-5-5", "claude-haiku-5-5"),
        ({"ANTHROPIC_API_KEY": "k", "DOGEAR_MODEL": "claude-opus-5-5"}, "claude-opus-5-5", "claude-haiku-5-5"),
        ({"ANTHROPIC_BASE_URL": "http://localhost:1", "DOGEAR_MODEL": "qwen"}, "qwen", "qwen"),
        ({"ANTHROPIC_API_KEY": "k", "DOGEAR_MODEL": "a", "DOGEAR_SMALL_MODEL": "b"}, "a", "b"),
    ],
)
def test_which_models_are_used(monkeypatch: pytest.MonkeyPatch, given: dict[str, str], model: str, small: str) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    claude = claude_for(read_settings())
    assert claude is not None
    assert (claude.settings.model, claude.settings.small) == (model, small)
    assert "'k'" not in repr(claude.settings)


def test_the_settings_of_the_model_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DOGEAR_PRICES": "qwen=0/0 claude-sonnet-5-5=1/2/3/4",
        "DOGEAR_CLUB_BUDGET_DAY": "0.5",
        "DOGEAR_HOST_BUDGET_MONTH": "none",
        "DOGEAR_SPLITTING": "off",
        "DOGEAR_MODEL_TOKENS": "1000",
    }.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    prices = prices_for(settings)
    assert prices.price_of("qwen") == price("0", "0")
    assert prices.price_of("claude-sonnet-5-5") == price("1", "2", "3", "4")
    assert prices.price_of("claude-haiku-4-5") == PRICES["claude-haiku-4-5"]
    assert budgets_for(settings).club_day == Decimal("0.5")
    assert budgets_for(settings).club_month == Decimal(20)
    assert budgets_for(settings).host_month is None
    assert not switches_for(settings).splitting
    assert switches_for(settings).support
    assert settings.model_tokens == 1000


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DOGEAR_PRICES", "qwen=1", "DOGEAR_PRICES is NAME=INPUT/OUTPUT"),
        ("DOGEAR_PRICES", "qwen=1/-1", "DOGEAR_PRICES is NAME=INPUT/OUTPUT"),
        ("DOGEAR_PRICES", "cheap", "DOGEAR_PRICES is NAME=INPUT/OUTPUT"),
        ("DOGEAR_CLUB_BUDGET_DAY", "much", "DOGEAR_CLUB_BUDGET_DAY is an amount in US dollars"),
        ("DOGEAR_HOST_BUDGET_DAY", "-1", "DOGEAR_HOST_BUDGET_DAY is an amount in US dollars"),
        ("DOGEAR_HOST_BUDGET_DAY", "nan", "DOGEAR_HOST_BUDGET_DAY is an amount in US dollars"),
        ("DOGEAR_MODEL_CALLS", "1", "DOGEAR_MODEL_CALLS is a number from 2 to 1000"),
        ("DOGEAR_MODEL_SECONDS", "soon", "DOGEAR_MODEL_SECONDS is a number from 1 to 3600"),
        ("DOGEAR_MODEL_TOKENS", "0", "DOGEAR_MODEL_TOKENS is a number from 500 to 900000"),
        ("DOGEAR_NAME_CHECK", "maybe", "DOGEAR_NAME_CHECK is on or off"),
        ("ANTHROPIC_BASE_URL", "localhost:80", "ANTHROPIC_BASE_URL is an address with http:// or https://"),
    ],
)
def test_a_value_that_cannot_be_used_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Refused) as refused:
        read_settings()
    assert refused.value.message.startswith(said)
    assert refused.value.message.count(". ") == 0
