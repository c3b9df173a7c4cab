"""The database slow, silent, broken and away, beside people who use both platforms: each is told something, and what
was acknowledged stands.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.outages.link import Way
from tests.outages.stand import Stand

pytestmark = pytest.mark.asyncio(loop_scope="session")

ACKNOWLEDGED = 3000
"""Milliseconds in which Discord wants an interaction acknowledged."""


async def test_a_slow_database_makes_answers_late_and_nothing_else(clubs: Stand) -> None:
    clubs.links.database.delay = 0.1
    question = "Who was slow to carry the lantern?"
    it = await clubs.here.peer.slash(clubs.here["Ana"], clubs.here.room, "ask", question=question)
    await asyncio.gather(clubs.here.answered(question), clubs.there.asks("Dan", question))
    await clubs.here.gone(it)
    assert it.timeline[0][0] < ACKNOWLEDGED
    assert len(clubs.here.said(has=question)) == len(clubs.there.said(question)) == 1


@pytest.mark.parametrize("way", [Way.SILENT, Way.RESETS, Way.GONE])
async def test_without_a_database_everybody_is_told_so_in_time_and_goes_on_once_it_is_back(
    clubs: Stand, way: Way
) -> None:
    here, there, question = clubs.here, clubs.there, f"Who carried it while it was {way.value}?"
    assert "chapter 2" in await here.does("Bo", "where")
    await clubs.links.database.becomes(way)
    sent = await there.peer.writes(there["Fay"], there.group, "/progress finished 1")
    begun = [
        await here.peer.slash(here["Ana"], here.room, "ask", question=question),
        await here.peer.slash(here["Bo"], here.room, "progress", place="finished 1"),
    ]
    for it in begun:
        assert (await here.answer(it)).startswith("The database ")
        assert it.timeline[0][0] < ACKNOWLEDGED
    await clubs.ready(database=False, discord=True, telegram=True)
    await clubs.links.database.becomes(Way.OPEN)
    await clubs.ready(database=True)

    def told() -> str | None:
        """That it cannot be done now; or, where nobody asked for messages any more by then, that it is done now."""
        words = [m["text"] for m in there.own(there["Fay"]) if m["message_id"] > sent["message_id"]]
        return next((w for w in words if w.startswith(("The database ", "Noted"))), None)

    fay = "chapter 2" if (await there.peer.until(told)).startswith("The database ") else "chapter 1"
    await asyncio.gather(here.asks("Ana", question), there.asks_alone("Dan", question))
    assert len(here.said(has=question)) == len(there.own(there["Dan"], question)) == 1
    assert "chapter 2" in await here.does("Bo", "where")
    assert f"You are at the end of {fay}" in await there.does("Fay", "/where", "You are at")
    await there.does("Fay", "/progress finished 2", "chapter 2")
