"""Discord or Telegram silent, broken or gone for a while, over the wire: an answer comes once, or who asked is told;
the other platform goes on, and the process says what does not work.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.discord.wire import labels
from tests.outages.link import Way
from tests.outages.stand import Stand
from tests.telegram.wire import labels as labels_there

pytestmark = pytest.mark.asyncio(loop_scope="session")

AWAY = (Way.SILENT, Way.RESETS, Way.GONE)


@pytest.mark.parametrize("way", AWAY)
async def test_an_answer_that_discord_was_away_for_comes_whole_and_once(clubs: Stand, way: Way) -> None:
    here, question = clubs.here, f"Who carried it while the way was {way.value} here?"
    growing = here.peer.hold("PATCH", r"/channels/\d+/messages/\d+", question)
    it = await here.peer.slash(here["Ana"], here.room, "ask", question=question)
    await here.peer.until(lambda: growing.reached)
    await clubs.links.discord.becomes(way)
    await here.peer.let_go(growing)
    await clubs.there.asks("Dan", question)
    if way is Way.SILENT:  # the gateway is missed only when heartbeats are
        assert (await clubs.page("healthz"))[0] == 200
    else:
        await clubs.ready(database=True, discord=False, telegram=True)
    await clubs.links.discord.becomes(Way.OPEN)
    await here.answered(question)
    await here.gone(it)
    await clubs.ready(discord=True)
    assert "chapter 3" in await here.does("Ana", "where")
    assert len(here.said(has=question)) == 1


async def test_who_asks_is_told_where_discord_was_away_for_too_long_and_nothing_half_is_left(clubs: Stand) -> None:
    here, question = clubs.here, "Who carried it while nobody was there?"
    posting = here.peer.hold("POST", r"/channels/\d+/messages", question)
    it = await here.peer.slash(here["Bo"], here.room, "ask", question=question)
    await here.peer.until(lambda: posting.reached)
    await clubs.links.discord.becomes(Way.GONE)
    await here.peer.let_go(posting)
    await asyncio.sleep(8)  # longer than the program tries here
    await clubs.links.discord.becomes(Way.OPEN)
    assert "Something went wrong" in await here.answer(it)
    assert labels(here.peer.message(it)) == ["Ask again"]
    await clubs.ready(discord=True)


@pytest.mark.parametrize("way", AWAY)
async def test_while_telegram_is_away_an_answer_comes_once_or_who_asked_is_told(clubs: Stand, way: Way) -> None:
    there, question = clubs.there, f"Who carried it while the way was {way.value} there?"
    sent = await there.peer.writes(there["Dan"], there.group, f"/ask {question}")
    await there.peer.until(lambda: there.said(question))
    await clubs.links.telegram.becomes(way)
    await clubs.here.asks("Ana", question)
    await clubs.ready(database=True, discord=True, telegram=False)
    later = await there.peer.writes(there["Dan"], there["Dan"], f"{question} Again?")
    await clubs.links.telegram.becomes(Way.OPEN)
    await clubs.ready(telegram=True)
    await there.answered_alone("Dan", f"{question} Again?", later["message_id"])

    def ended() -> bool:
        told = there.own(there["Dan"], "Something went wrong")
        whole = [m for m in there.said(question) if "Answer me privately" in labels_there(m)]
        return len(whole) == 1 or any(m["message_id"] > sent["message_id"] for m in told)

    await there.peer.until(ended)
    assert len(there.said(question)) == 1
    assert len([m for m in there.own(there["Dan"], f"{question} Again?") if labels_there(m)]) == 1
