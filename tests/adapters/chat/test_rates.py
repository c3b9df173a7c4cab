"""One person is heard so often in a minute, told once that they are too quick, and heard again after a while."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from bot.adapters.chat.rates import Heard, Rates


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Seconds that have passed for the event loop."""
    passed = [0.0]
    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.time", lambda _: 1000.0 + passed[0])
    yield passed


async def several(rates: Rates, person: int, many: int) -> list[Heard]:
    return [await rates.heard(person) for _ in range(many)]


async def test_who_is_too_quick_is_told_once_and_heard_again_after_a_while(later: list[float]) -> None:
    rates = Rates(3)
    assert await several(rates, 1, 5) == [Heard.YES] * 3 + [Heard.TOLD, Heard.NO]
    later[0] = 20
    assert await several(rates, 1, 3) == [Heard.YES, Heard.TOLD, Heard.NO]
    later[0] = 80
    assert await several(rates, 1, 4) == [Heard.YES] * 3 + [Heard.TOLD]


async def test_nobody_is_held_up_by_who_is_too_quick() -> None:
    rates = Rates(1)
    await several(rates, 1, 100)
    assert await rates.heard(2) is Heard.YES


async def test_without_a_limit_everything_is_heard() -> None:
    assert set(await several(Rates(), 1, 500)) == {Heard.YES}


async def test_of_many_people_those_are_counted_who_came_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.adapters.chat.rates._REMEMBERED", 2)
    rates = Rates(1)
    for person in (1, 2, 3):
        await rates.heard(person)
    assert [await rates.heard(person) for person in (3, 2, 1)] == [Heard.TOLD, Heard.TOLD, Heard.YES]
    await asyncio.sleep(0)
