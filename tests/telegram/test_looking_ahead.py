"""Look ahead, Ask again, Useful and Not useful, over the wire: in the private chat, once, and never in a group."""

from __future__ import annotations

import pytest

from bot.adapters.chat.presses import Action
from tests.peers.telegram.entities import Json
from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import NAMES
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOW = "Show it, I accept spoilers"
AHEAD = "Look ahead..."


async def pressed(club: Club, name: str, under: Json, label: str, has: str = "") -> Json:
    """What is said in the private chat to who pressed there."""
    latest = max(m["message_id"] for m in club.own(club[name]))
    await club.presses(name, under, label)
    return await club.tells(club[name], has, latest)


async def test_nobody_looks_ahead_for_somebody_else_or_in_a_group(club: Club, peer: FakeTelegram) -> None:
    shared = await club.asks("Bo", "Who counted the boats in the end?")
    assert not {AHEAD, SHOW}.intersection(labels(shared))
    asked = await club.asks_alone("Bo", "Who counted the boats once more?")
    first = await pressed(club, "Bo", asked, AHEAD, "further on")
    told = len(club.own(club["Bo"]))
    for message, label in ((asked, AHEAD), (first, SHOW)):
        peer.world.messages[club.group][message["message_id"]] = {**message, "chat": peer.world.chats[club.group]}
        for name, words in (("Ana", "somebody else"), ("Bo", "private chat alone")):
            press = await peer.presses(club[name], club.group, message["message_id"], label)
            await peer.until(lambda press=press: press.answers)  # type: ignore[misc]
            assert press.answer
            assert words in press.answer["text"]
        del peer.world.messages[club.group][message["message_id"]]
    await club.does("Bo", "/where", "The club is")
    assert len(club.own(club["Bo"])) == told + 1
    shown = str([s.body for s in peer.world.shown if s.room])
    assert f"{Action.LOOK_AHEAD.value}." not in shown
    assert f"{Action.LOOK_ANSWER.value}." not in shown
    assert await pressed(club, "Bo", first, SHOW, "past where you are")  # it was not used up


async def test_what_was_refused_is_asked_again_in_private_once_more_is_read(peer: FakeTelegram) -> None:
    club = await founded(peer, Cy=0)
    question = "Who mended a rope?"
    asked = await club.asks_alone("Cy", question)
    assert "Nothing in what you have read so far" in words_of(asked)
    assert labels(asked) == ["Share with the room", AHEAD, "Ask again"]
    await pressed(club, "Cy", asked, "Ask again", "Nothing more has been read since")
    await club.does("Cy", "/progress finished 2", "Noted", private=True)
    again = await pressed(club, "Cy", asked, "Ask again", NAMES[1])
    assert words_of(again).startswith(question)
    assert words_of(await pressed(club, "Cy", asked, "Ask again")) == "That was done already."
