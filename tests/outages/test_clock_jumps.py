"""The clock of the shipped program jumping ahead and back by hours and days: each week is posted once, in both clubs,
and whoever asks meanwhile is answered.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from tests.discord.wire import plain
from tests.outages.stand import Stand

pytestmark = pytest.mark.asyncio(loop_scope="session")

HOUR = 3600.0
WEEK = 7 * 24 * HOUR


def posts(clubs: Stand) -> tuple[int, int]:
    """How many weekly posts either club has been sent."""
    begins, (here, there) = "The club's week in", (clubs.here, clubs.there)
    told = [s for s in here.peer.world.shown if s.channel == here.room and not s.private]
    return (
        len([s for s in told if begins in plain(s.body["content"])]),
        len([s for s in there.peer.world.shown if s.chat == there.group and s.text.startswith(begins)]),
    )


async def asked(clubs: Stand, question: str) -> None:
    await asyncio.gather(clubs.here.asks("Ana", question), clubs.there.asks("Dan", question))
    assert len(clubs.here.said(has=question)) == len(clubs.there.said(question)) == 1


async def test_a_clock_that_jumps_ahead_and_back_posts_each_week_once_and_answers_everybody(clubs: Stand) -> None:
    due, begun = datetime.now(UTC) + timedelta(hours=3), len(clubs.program.log)
    for name, value in (("weekly_day", f"{due:%A}".lower()), ("weekly_time", f"{due:%H:%M}")):
        await clubs.here.does("Ana", "club settings", name=name, value=value)
        await clubs.there.does("Dan", f"/club settings {name} {value}", f"{name} is")
    before = posts(clubs)
    first, second = ((before[0] + n, before[1] + n) for n in (1, 2))
    clubs.ahead(4 * HOUR)
    await clubs.here.peer.until(lambda: posts(clubs)[0] > before[0])
    await clubs.there.peer.until(lambda: posts(clubs)[1] > before[1])
    await asked(clubs, "Who carried the lantern four hours ahead?")
    clubs.ahead(-10 * HOUR)
    await asked(clubs, "Who carried the lantern ten hours ago?")
    assert "finished chapter 2" in await clubs.here.does("Bo", "progress", place="finished 2")
    assert posts(clubs) == first
    clubs.ahead(4 * HOUR)
    await asked(clubs, "Who carried the lantern four hours ahead again?")
    assert posts(clubs) == first
    clubs.ahead(WEEK + 4 * HOUR)
    await clubs.here.peer.until(lambda: posts(clubs)[0] > first[0])
    await clubs.there.peer.until(lambda: posts(clubs)[1] > first[1])
    clubs.ahead(0)
    await asked(clubs, "Who carried the lantern after all?")
    assert posts(clubs) == second
    assert not [line for line in clubs.program.log[begun:] if "what is due failed" in line or "event=fault" in line]
