"""What `dogear doctor` says of the model, from the cheapest call that its server has."""

from __future__ import annotations

import pytest

from bot.cli.doctor import label
from bot.cli.outside import discord_checks, model_check, telegram_checks
from bot.settings import Settings
from tests.peers.anthropic.peer import KEY, LOCAL, Dialect, FakeAnthropic
from tests.peers.anthropic.replies import text


async def told(monkeypatch: pytest.MonkeyPatch, peer: FakeAnthropic | None = None, **given: str) -> tuple[bool, str]:
    """Whether it works, and what is said of it."""
    if peer is not None:
        await peer.start()
        given = {"ANTHROPIC_BASE_URL": peer.origin} | given
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    check = await model_check(Settings())
    if peer is not None:
        await peer.stop()
    assert KEY not in check.message
    return check.ok, check.message


async def test_without_a_key_answers_are_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await told(monkeypatch) == (
        True, "Neither ANTHROPIC_API_KEY nor ANTHROPIC_BASE_URL is set: answers are quotes."
    )  # fmt: skip


async def test_what_is_not_set_up_is_off_and_neither_works_nor_is_broken() -> None:
    off = [await model_check(Settings()), *await telegram_checks(Settings()), *await discord_checks(Settings(), {})]
    assert [(check.name, label(check).strip()) for check in off] == [
        ("model", "off"), ("telegram", "off"), ("discord", "off")
    ]  # fmt: skip


async def test_a_key_that_is_taken_is_said_with_the_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = FakeAnthropic()
    ok, said = await told(monkeypatch, peer, ANTHROPIC_API_KEY=KEY)
    assert ok
    assert "has claude-sonnet-5-5 and claude-haiku-5-5; at most 2 USD a club a day" in said
    assert peer.requests == []


async def test_a_key_that_is_not_taken_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    ok, said = await told(monkeypatch, FakeAnthropic(), ANTHROPIC_API_KEY="wrong")
    assert not ok
    assert "does not take ANTHROPIC_API_KEY" in said


async def test_a_model_that_nobody_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = FakeAnthropic(dialect=Dialect(counts=False))
    peer.script(*[text("", status=404, error="not_found_error")] * 2)
    ok, said = await told(monkeypatch, peer, ANTHROPIC_API_KEY=KEY, DOGEAR_SMALL_MODEL="tiny")
    assert not ok
    assert "does not know tiny" in said


async def test_a_local_server_works_and_what_its_model_costs_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = FakeAnthropic(dialect=LOCAL)
    peer.script(text("Hi"))
    ok, said = await told(monkeypatch, peer, DOGEAR_MODEL="qwen")
    assert ok
    assert "DOGEAR_PRICES=qwen=INPUT/OUTPUT" in said
    assert [sent["max_tokens"] for sent in peer.requests] == [1]


async def test_a_server_that_is_not_there_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    ok, said = await told(monkeypatch, ANTHROPIC_BASE_URL="http://me:s3cret@127.0.0.1:9")
    assert not ok
    assert said.startswith("http://127.0.0.1:9 cannot be reached")
    assert "s3cret" not in said
