"""`make soak MINUTES=30`: mixed traffic on both platforms while a process is killed every minute."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from typing import Any, Final

from tests.load.stand import stand
from tests.soak.checks import came_to, to_be_stopped, violations
from tests.soak.deeds import Deeds
from tests.soak.processes import Level, Processes, level, over_time
from tests.soak.seen import STOP, Sight
from tests.soak.traffic import Traffic

MINUTES: Final = float(os.environ.get("SOAK_MINUTES", "3"))
SEED: Final = int(os.environ.get("SOAK_SEED", "1"))
EVERY: Final = float(os.environ.get("SOAK_KILL_EVERY", "60"))
"""Seconds between two ends of a process."""
RESTS: Final = 240.0
"""Seconds in which everything has come to rest at the end."""
FIRST_CLUBS: Final = 12


def say(what: str, **more: Any) -> None:
    print(f"soak: {what}", json.dumps(more, default=str) if more else "", flush=True)


async def test_nothing_is_lost_nothing_comes_twice_and_nothing_leaks_while_processes_are_killed() -> None:
    async with stand() as here:
        here.discord.rest.interactions.ack_deadline = 3.0
        deeds = Deeds(here, Sight(here.discord, here.telegram))
        traffic = Traffic(here, deeds, random.Random(f"traffic {SEED}"))
        processes = Processes(here, random.Random(f"killer {SEED}"), traffic.now)
        await traffic.found(FIRST_CLUBS)
        try:
            await processes.start()
            traffic.began = time.monotonic()
            say("begins", seed=SEED, minutes=MINUTES, clubs=len(traffic.clubs), processes=list(processes.programs))
            measuring = asyncio.ensure_future(processes.measuring())
            await asyncio.gather(traffic.run(60 * MINUTES), processes.killing(EVERY, 60 * MINUTES))
            found, stopped = await come_to_rest(traffic)
            measuring.cancel()
            levels = levels_of(processes)
        finally:
            await processes.stop()
        say("stopped by who asked, since it hung after a kill", times=stopped)
        report(traffic, processes, levels, found)
        assert not found
        assert stopped <= sum(ended.name.startswith("run") for ended in processes.ended)
        assert all(one.levelled for one in levels)


async def come_to_rest(traffic: Traffic) -> tuple[list[tuple[float, str]], int]:
    """What is still wrong once everything was done, or nothing more is waited for; and how much who asked had to stop,
    by hand, on Telegram: what came a moment before its process was killed. It has to be gone then.
    """
    ends, stopped = traffic.now() + RESTS, 0
    while True:
        traffic.look()
        found = await violations(traffic.stand, traffic.deeds, traffic.clubs)
        if not found or traffic.now() > ends:
            break
        if not stopped and traffic.now() > ends - RESTS / 2:
            for club, person, message in to_be_stopped(traffic.deeds, traffic.clubs):
                room = int(club.room.place)
                await traffic.stand.telegram.presses(int(person), room, message.body["message_id"], STOP)
                stopped += 1
        await asyncio.sleep(5)
    await asyncio.sleep(15)  # what comes twice would come now
    return await violations(traffic.stand, traffic.deeds, traffic.clubs), stopped


def levels_of(processes: Processes) -> list[Level]:
    """Memory in megabytes of the processes that lived from the beginning, and connections of the database."""
    found = [
        level(f"{name}, MB", [(at, size / (1 << 20)) for at, size in measured], share=0.1, more=8)
        for name, measured in processes.memory.items()
    ]
    counted = [(at, float(count)) for at, count in processes.connections]
    return [*found, level("connections", counted, share=0.1, more=3)]


def report(traffic: Traffic, processes: Processes, levels: list[Level], found: list[tuple[float, str]]) -> None:
    """Say what there was and what was wrong, each with its seed, its time, and what was ended just before and after."""
    for ended in processes.ended:
        say(f"ended: {ended}")
    for kind, counts in came_to(traffic.deeds).items():
        say(kind, **counts)
    told = {deed.said for deed in traffic.deeds.made if deed.came == "told"}
    for words in sorted(told)[:40]:
        say(f"told: {words[:160]!r}")
    for name, measured in processes.memory.items():
        say(f"{name}, MB each five minutes", medians=over_time([(at, size / (1 << 20)) for at, size in measured]))
    for one in levels:
        say(f"{'level' if one.levelled else 'NOT LEVEL'}: {one}")
    for at, what in found:
        near = [str(ended) for ended in processes.ended if -15 < ended.at - at < 60]
        say(f"VIOLATION, seed {SEED}, at {at:.1f} s: {what}", near=near)
    done = len(traffic.deeds.made)
    say("ends", deeds=done, clubs=len(traffic.clubs), ended=len(processes.ended), violations=len(found))
