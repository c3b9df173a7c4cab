"""The whole is looked through for garbage while nobody is answered, and stays as it was for whoever runs after."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest

from bot.cli.collecting import DUE, collected_between


@pytest.fixture
def whole() -> Iterator[list[int]]:
    """The generations that are collected."""
    seen: list[int] = []

    def told(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            seen.append(info["generation"])

    gc.callbacks.append(told)
    yield seen
    gc.callbacks.remove(told)
    gc.unfreeze()


async def _run(busy: bool, whole: list[int]) -> int:
    """How often the whole was looked through in some turns, after it had become due."""
    ended = asyncio.Event()
    running = asyncio.ensure_future(collected_between(lambda: busy, ended, every=0.001))
    await asyncio.sleep(0)
    for _ in range(DUE + 1):
        gc.collect(1)
    whole.clear()
    for _ in range(20):
        await asyncio.sleep(0.005)
    ended.set()
    await asyncio.wait_for(running, 30)
    return whole.count(2)


async def test_the_whole_is_looked_through_while_nothing_is_answered_and_never_while_something_is(
    whole: list[int],
) -> None:
    before = gc.get_threshold()
    assert await _run(True, whole) == 0
    assert await _run(False, whole) >= 1
    assert gc.get_threshold() == before


async def test_what_waits_too_long_is_looked_through_all_the_same(
    whole: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.collecting.LATEST", -1.0)
    assert await _run(True, whole) >= 1
