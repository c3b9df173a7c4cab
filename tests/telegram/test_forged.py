"""Presses that no button of ours means: made up, or of another club than the one that they come from."""

from __future__ import annotations

import pytest

from tests.peers.telegram.peer import FakeTelegram
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOT_ANY_MORE = "That button does nothing in this version."
NO_CLUB = "You are in no club"


async def stranger(peer: FakeTelegram, name: str) -> int:
    """Somebody in no club, who has opened the private chat and has a message of the bot's there."""
    user = peer.world.user(name)
    await peer.writes(user, user, "/start")
    await peer.until(lambda: peer.world.own(user))
    return user


def joining(club: Club) -> str:
    """What the button means under which the club's people join."""
    rows = [row for m in club.said() if "Join" in labels(m) for row in m["reply_markup"]["inline_keyboard"]]
    return next(str(button["callback_data"]) for row in rows for button in row if button["text"] == "Join")


async def forged(peer: FakeTelegram, user: int, chat: int, data: str) -> str:
    """What somebody is told who sends that under the bot's last message in a chat."""
    last = peer.world.own(chat)[-1]
    known = len(peer.world.own(user))
    press = await peer.forges(user, chat, last["message_id"], data)
    await peer.until(lambda: press.answers)
    assert press.answer is not None
    return str(press.answer.get("text") or "") or words_of(
        await peer.until(lambda: next(iter(peer.world.own(user)[known:]), None))
    )


async def test_what_is_not_under_our_hash_is_no_press(club: Club, peer: FakeTelegram) -> None:
    mal = await stranger(peer, "Mal")
    data = joining(club)
    number = data.split(".")[1]
    meant, _, mac = data.rpartition(".")
    for made_up in (f"join.{number}.0.0.", f"{meant}.AAAAAAAA", f"ask.{number}.0.0..{mac}", f"join.1000.0.0..{mac}"):
        assert await forged(peer, mal, mal, made_up) == NOT_ANY_MORE
    await peer.writes(mal, mal, "Who counted the boats?")
    assert await peer.until(lambda: [m for m in peer.world.own(mal) if NO_CLUB in words_of(m)])


async def test_nobody_joins_a_club_by_its_button_from_anywhere_but_its_group(club: Club, peer: FakeTelegram) -> None:
    mal = await stranger(peer, "Mallory")
    group = peer.world.group("Elsewhere", [mal])
    await peer.writes(mal, group, "/help")
    await peer.until(lambda: peer.world.own(group))
    for chat in (mal, group):
        assert NO_CLUB in await forged(peer, mal, chat, joining(club))
    assert NO_CLUB in await forged(peer, mal, mal, joining(club))
    assert "Mallory" not in await club.does("Ana", "/members", "Ana")


async def test_who_left_the_group_does_not_join_again_by_its_button(club: Club, peer: FakeTelegram) -> None:
    una = await stranger(peer, "Una")
    peer.world.members[club.group, una] = "member"
    club.people["Una"] = una
    await club.does("Una", "/join", "You joined the club")
    await peer.leaves(una, club.group)
    assert NO_CLUB in await forged(peer, una, una, joining(club))
    del club.people["Una"]
    assert "Una" not in await club.does("Ana", "/members", "Ana")
