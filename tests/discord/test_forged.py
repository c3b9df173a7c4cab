"""Presses that no button means which that person had: made up, or of another club than the one that they come from."""

from __future__ import annotations

import pytest

from bot.adapters.chat.presses import OPEN, Action
from tests.discord.wire import Club, plain
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import Interaction

pytestmark = pytest.mark.asyncio(loop_scope="session")

NO_CLUB = "You are in no club"
ASKED_FOR_WORDS = {Action.SET_PLACE, Action.NOMINATE}
"""These open a form, and what is sent with it is said where it is sent."""


async def _number(club: Club) -> int:
    """The club's number, which stands in all its buttons."""
    (greeting,) = club.said(has="Hello.")
    return next(int(i["custom_id"].split(".")[2]) for row in greeting["components"] for i in row["components"])


async def _stranger(peer: FakeDiscord, name: str) -> tuple[str, dict[str, str]]:
    """Somebody on another server and in no club; a message of the bot's that they have there, and one directly."""
    user = peer.world.add_user(name)
    _, channel = await peer.add_guild("Elsewhere", [user])
    it = await peer.slash(user, channel, "help")
    await peer.until(lambda: it.original and not it.loading)
    await peer.wrote(user, "Who counted the boats?")
    direct = peer.world.direct(user)["id"]
    bot = peer.world.app_id
    (told,) = await peer.until(lambda: [m for m in peer.world.messages[direct].values() if m["author"]["id"] == bot])
    return user, {channel: it.original or "", direct: told["id"]}


def _told(it: Interaction) -> list[str]:
    """All that is said in answer to an interaction."""
    return [plain(body["content"]) for _, _, body in it.timeline if body and body.get("content")]


def _bearing(peer: FakeDiscord, channel: str, message: str, custom_id: str) -> None:
    """Let a message bear a button, as if Discord believed whatever a client says."""
    button = {"type": 2, "style": 2, "label": "Forged", "custom_id": custom_id}
    peer.world.messages[channel][message]["components"] = [{"type": 1, "components": [button]}]


async def test_what_no_component_of_the_message_bears_is_no_press(club: Club, peer: FakeDiscord) -> None:
    number, (mal, places) = await _number(club), await _stranger(peer, "Mal")
    custom_ids = (f"1.join.{number}.0.0.", f"1.people.{number}.0.{mal}.", f"1.dm-book.0.0.{mal}.{number}-1")
    made_up = [await peer.press(mal, *place, custom_id) for place in places.items() for custom_id in custom_ids]
    (channel, *_) = places
    after = await peer.slash(mal, channel, "help")
    await peer.until(lambda: after.original and not after.loading)
    assert [it.timeline for it in made_up] == [[]] * len(made_up)
    assert "Mal" not in await club.does("Ana", "members")


async def test_a_club_is_not_reached_by_its_number_from_another_server_or_a_direct_message(
    club: Club, peer: FakeDiscord
) -> None:
    number, (mal, places) = await _number(club), await _stranger(peer, "Mallory")
    before = await club.does("Ana", "members")
    for channel, message in places.items():
        for action in sorted(set(Action) - ASKED_FOR_WORDS - {Action.OPEN, Action.TIME_ZONE, Action.DM_BOOK}):
            person = 0 if action in OPEN else mal
            custom_id = f"1.{action.value}.{number}.1.{person}.1-1"
            _bearing(peer, channel, message, custom_id)
            it = await peer.press(mal, channel, message, custom_id)
            told = await peer.until(lambda it=it: _told(it))  # type: ignore[misc]
            assert all(NO_CLUB in one for one in told), (action, told)
    assert await club.does("Ana", "members") == before


async def test_who_left_the_server_joins_again_by_no_button_that_they_still_have(
    small: Club, peer: FakeDiscord
) -> None:
    number = await _number(small)
    zed = peer.world.add_user("Zed")
    peer.world.add_member(small.guild, zed)
    peer.world.guilds[small.guild]["member_count"] += 1
    await small.answer(await peer.slash(zed, small.room, "join"))
    await peer.member_left(small.guild, zed)
    await peer.wrote(zed, "Who counted the boats?")
    direct = peer.world.direct(zed)["id"]
    (told,) = await peer.until(lambda: small.said(direct, NO_CLUB))
    _bearing(peer, direct, told["id"], f"1.join.{number}.0.0.")
    it = await peer.click(zed, direct, told["id"], "Forged")
    assert "Say that in a room of the club" in await small.answer(it)
    assert "Zed" not in await small.does("Eve", "members")
