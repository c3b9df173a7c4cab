"""The whole is looked through for garbage while nobody is answered or it is little, and memory is given back."""

from __future__ import annotations

import asyncio
import gc
import os
import platform
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli.collecting import DUE, collected_between, given_back, trimmed


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


async def test_what_is_little_is_looked_through_though_somebody_is_answered(
    whole: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.collecting.BUSY", -1.0)
    assert await _run(True, whole) >= 1


async def test_what_is_much_waits_while_somebody_is_answered(whole: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.collecting.BUSY", -1.0)
    monkeypatch.setattr("bot.cli.collecting.LITTLE", -1)
    assert await _run(True, whole) == 0


async def test_what_waits_too_long_is_looked_through_all_the_same(
    whole: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.collecting.LATEST", -1.0)
    assert await _run(True, whole) >= 1


async def _given_back(times: int) -> None:
    """Until memory was given back so many times."""
    ended, done = asyncio.Event(), 0

    def trim(keep: int) -> None:
        nonlocal done
        assert keep == 0
        done += 1
        if done == times:
            loop.call_soon_threadsafe(ended.set)

    loop = asyncio.get_running_loop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.cli.collecting.trimmed", lambda: trim)
        await asyncio.wait_for(given_back(ended, every=0.001), 30)


async def test_memory_is_given_back_again_and_again_until_the_end() -> None:
    await _given_back(3)


async def test_where_the_library_cannot_give_back_nothing_ends_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.collecting.trimmed", lambda: None)
    ended = asyncio.Event()
    running = asyncio.ensure_future(given_back(ended, every=0.001))
    done, _ = await asyncio.wait({running}, timeout=0.05)
    assert not done
    ended.set()
    await asyncio.wait_for(running, 30)


def test_glibc_gives_back_what_lies_free_below_what_is_held() -> None:
    trim = trimmed()
    assert (trim is None) == (platform.libc_ver()[0] != "glibc")
    if trim is not None:
        trim(0)
        before = _resident()
        held = [bytes([number % 256]) * 60_000 for number in range(800)]
        most = _resident()
        del held[:-1]
        trim(0)
        assert most - before > 30 << 20
        assert _resident() - before < 10 << 20


def _resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
