"""Files that become no book, and books that are taken back, over the wire."""

from __future__ import annotations

import pytest

from tests.discord.wire import BOOK, Club, labels
from tests.peers.discord.peer import MANAGE_GUILD, FakeDiscord

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _bare(peer: FakeDiscord) -> Club:
    max_ = peer.world.add_user("Max")
    guild, room = await peer.add_guild("Bare", [max_])
    club = Club(peer, guild, room, {"Max": max_})
    await club.does("Max", "club setup", rights=MANAGE_GUILD)
    return club


async def test_who_brought_a_file_may_cancel_it_in_the_room_while_it_is_being_read(peer: FakeDiscord) -> None:
    club = await _bare(peer)
    it = await peer.slash(club["Max"], club.room, "book add", file=("slow.txt", BOOK.encode()))
    await club.answer(it)
    states = [s.body for s in peer.world.shown if s.channel == club.room and "being added" in s.body["content"]]
    assert states
    assert all(labels(state) == ["Cancel"] for state in states)
    (ended,) = club.said(has="A book has been added")
    assert labels(ended) == []
