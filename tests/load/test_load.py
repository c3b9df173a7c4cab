"""Many questions at once on both platforms: each is answered once; a slow model holds nothing up, and Stop is quick.

A few in an ordinary run; `make bench-load` asks hundreds and prints what it took.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio

from bot.measure.intervals import percentile
from tests.load.stand import Room, Seen, Stand, stand
from tests.peers.anthropic.apart import apart
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.anthropic.reading import checks, honest, passage_with
from tests.peers.anthropic.replies import Json, Reply, claims

ROOMS = int(os.environ.get("LOAD_ROOMS", "6"))
QUESTIONS = int(os.environ.get("LOAD_QUESTIONS", "15"))
SLOW = int(os.environ.get("LOAD_SLOW", "4"))
MEASURED = "LOAD_ROOMS" in os.environ
PATIENCE = 180 + 2 * (QUESTIONS + SLOW)
CLAIM = 3.0 if MEASURED else 1.0
"""Seconds that the slow model takes for a claim."""
CHUNK = 16

pytestmark = pytest.mark.asyncio(loop_scope="module")

TOLD = tuple(
    (f"{quote}.", quote)
    for quote in (
        "Aldous Wren carried the lantern along the harbour wall before anybody else was awake",
        "Nobody had asked Aldous Wren to mend the rope that held the ferry to its post",
        "In the evening Bettina Marsh counted the boats twice and came to a different number",
        "The keeper would not tell Bettina Marsh what lay under the boards of the boathouse",
    )
)
"""Whole sentences of the book, each of which is shown as soon as it is told."""


def slowly(body: Json) -> Reply:
    """A model that tells four things, `CLAIM` seconds for each."""
    if checks(body):
        return honest(body)
    said = [(text, passage_with(body, quote), quote) for text, quote in TOLD]
    size = len(json.dumps({"text": TOLD[0][0], "passage": 1, "quote": TOLD[0][1]}))
    return claims(*said, chunk=CHUNK, gap=CLAIM * CHUNK / size)


@pytest.fixture(scope="module")
def model() -> Iterator[FakeAnthropic]:
    with apart(FakeAnthropic(handler=slowly)) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clubs() -> AsyncIterator[Stand]:
    async with stand() as made:
        await made.add_rooms(ROOMS)
        yield made


def figures(seen: list[Seen]) -> dict[str, Any]:
    """How long it took until each question was first and wholly answered, by platform."""
    told: dict[str, Any] = {}
    for platform in ("discord", "telegram"):
        own = [one for one in seen if one.room.platform == platform]
        for name, times in (("shown", [s.shown - s.asked for s in own]), ("whole", [s.whole - s.asked for s in own])):
            told[f"{platform} {name}"] = {f"p{p}": round(percentile(times, p), 2) for p in (50, 95, 100)}
    return told


def longest(held: list[Json]) -> Json:
    """How long the loop was held up: in all, without what the machine gave to others, and what it computed then."""
    return {
        "holds": len(held),
        "longest": max((h["held"] for h in held), default=0),
        "longest_own": max((h["own"] for h in held), default=0),
        "longest_cpu": max((h["cpu"] for h in held), default=0),
        "own_over_100_ms": sum(h["own"] > 0.1 for h in held),
    }


def tell(what: str, **value: Any) -> None:
    print(json.dumps({"measured": what} | value))


async def asked_at_once(clubs: Stand, numbers: range) -> None:
    rooms: list[Room] = clubs.rooms
    await asyncio.gather(*(clubs.ask(n, rooms[n % len(rooms)], n // len(rooms)) for n in numbers))


async def test_many_questions_at_once_are_each_answered_once(clubs: Stand) -> None:
    await clubs.program.start()
    before = clubs.program.rss()
    clubs.program.probe.unlink(missing_ok=True)
    began = time.monotonic()
    await asked_at_once(clubs, range(QUESTIONS))
    in_time = await clubs.until(lambda: not clubs.open(), PATIENCE)
    took = time.monotonic() - began
    await asyncio.sleep(2)  # a second answer to any would come now
    clubs.look()
    seen, held = list(clubs.seen.values()), clubs.program.held
    acknowledged = [it.timeline[0][0] / 1000 for it in clubs.discord.world.interactions.values() if it.timeline]
    tell(
        "questions at once", rooms=len(clubs.rooms), questions=len(seen), seconds=round(took, 1),
        unanswered=len(clubs.open()), twice=sum(len(s.wholes) > 1 for s in seen), loop=longest(held),
        acknowledged={f"p{p}": round(percentile(acknowledged, p), 2) for p in (50, 95, 100)},
        over_3_s=sum(a > 3 for a in acknowledged),
        megabytes=[before >> 20, clubs.program.rss() >> 20], **(figures(seen) if in_time else {}),
    )  # fmt: skip
    for hold in sorted(held, key=lambda h: -h["own"])[:5] if MEASURED else ():
        print(hold)
    if not in_time:
        print(clubs.open()[:50], clubs.program.log.read_text()[-3000:])
    assert in_time
    assert all(len(s.wholes) == 1 for s in seen)
    assert await clubs.program.end() == 0


async def test_a_slow_model_holds_nothing_up_and_stop_is_quick(clubs: Stand, model: FakeAnthropic) -> None:
    clubs.program.settings |= {
        "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": model.origin, "DOGEAR_MODEL_CALLS": str(2 * SLOW + 2),
    }  # fmt: skip
    await clubs.program.start()
    clubs.program.probe.unlink(missing_ok=True)
    clubs.seen.clear()
    began = time.monotonic()
    await asked_at_once(clubs, range(1000, 1000 + SLOW))
    stopped = list(clubs.seen)[: max(2, SLOW // 4)]
    stopping = asyncio.gather(*(stopped_within(clubs, number) for number in stopped))
    left = set(clubs.seen) - set(stopped)
    in_time = await clubs.until(lambda: stopping.done() and not left & set(clubs.open()), PATIENCE)
    assert in_time, (clubs.open(), clubs.program.log.read_text()[-3000:])
    waits = await stopping
    took = time.monotonic() - began
    held = clubs.program.held
    tell(
        "a slow model", questions=SLOW, seconds=round(took, 1), most_at_once=model.most_running, loop=longest(held),
        stopped=len(waits), stop={f"p{p}": round(percentile(waits, p), 2) for p in (50, 95, 100)},
        **figures([clubs.seen[number] for number in left]),
    )  # fmt: skip
    for hold in sorted(held, key=lambda h: -h["own"])[:5] if MEASURED else ():
        print(hold)
    assert not any(clubs.seen[n].wholes for n in stopped)
    assert took < PATIENCE
    assert max(waits) < (1 if MEASURED else 30)
    assert longest(held)["longest_own"] < (0.1 if MEASURED else 1)
    assert await clubs.program.end() == 0


async def stopped_within(clubs: Stand, number: int) -> float:
    """Press Stop under an answer as soon as something of it stands; seconds until nothing does."""
    seen = clubs.seen[number]
    while not seen.shown or not standing(clubs, number):  # noqa: ASYNC110 - the stand is looked at from outside
        await asyncio.sleep(0.02)
    assert not seen.whole
    (begun,) = standing(clubs, number)
    began = time.monotonic()
    if seen.room.platform == "discord":
        await clubs.discord.click(asker(clubs, number), seen.room.place, begun["id"], "Stop")
    else:
        await clubs.telegram.presses(int(asker(clubs, number)), int(seen.room.place), begun["message_id"], "Stop")
    while standing(clubs, number):
        await asyncio.sleep(0.02)
        assert time.monotonic() - began < PATIENCE
    return time.monotonic() - began


def asker(clubs: Stand, number: int) -> str:
    room = clubs.seen[number].room
    return room.people[number // len(clubs.rooms) % len(room.people)]


def standing(clubs: Stand, number: int) -> list[Json]:
    """The messages of a room that hold an answer which is being written."""
    room, words = clubs.seen[number].room, f"day {number}"
    if room.platform == "discord":
        there = list(clubs.discord.world.messages[room.place].values())
        return [m for m in there if words in m["content"] and m["author"]["id"] == clubs.discord.world.app_id]
    return [m for m in clubs.telegram.world.own(int(room.place)) if words in m.get("text", "")]
