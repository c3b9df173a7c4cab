"""Files that become books, and files that do not, over the wire."""

from __future__ import annotations

import pytest

from tests.peers.telegram.peer import FakeTelegram
from tests.stories.book import BOOK
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _bare(peer: FakeTelegram) -> Club:
    people = {"Max": peer.world.user("Max"), "Moe": peer.world.user("Moe")}
    club = Club(peer, peer.world.group("Bare", list(people.values())), people)
    for user in people.values():
        await peer.writes(user, user, "/start")
    await peer.writes(club["Max"], club.group, "/club setup")
    await club.tells(club.group, "The club is set up")
    return club


async def test_a_club_is_set_up_only_by_an_administrator_and_told_what_the_bot_sees(peer: FakeTelegram) -> None:
    club = await _bare(peer)
    told = words_of(await club.tells(club.group, "The club is set up"))
    assert "I see commands and replies to me" in told
    assert "nobody tells me who leaves" in told
    bare = peer.world.group("Other", [club["Max"], club["Moe"]])
    await peer.writes(club["Moe"], bare, "/club setup")
    await club.tells(bare, "An administrator of this group can set up a club")


async def test_a_bot_that_administers_the_group_says_that_it_is_told_everything(peer: FakeTelegram) -> None:
    max_ = peer.world.user("Max")
    club = Club(peer, peer.world.group("Bare", [max_]), {"Max": max_})
    await peer.writes(max_, max_, "/start")
    await peer.makes("administrator", club.group, max_)
    await peer.writes(max_, club.group, "/club setup")
    told = words_of(await club.tells(club.group, "The club is set up"))
    assert "Telegram tells me all that is said here" in told
    assert "I see commands and replies to me" not in told
    assert "nobody tells me who leaves" not in told


async def test_a_file_is_refused_by_size_name_and_who_sends_it_before_anything_is_fetched(peer: FakeTelegram) -> None:
    club = await _bare(peer)
    calls = len(peer.calls)
    for who, name, size, told in (
        ("Max", "big.epub", 20_000_001, "larger than the 20 MB"),
        ("Max", "song.mp3", 3, "no book that I can read"),
        ("Moe", "a.txt", 3, "comes from an administrator"),
    ):
        sent = await peer.writes(club[who], club[who], document=(name, b"x" * size))
        await club.tells(club[who], told, sent["message_id"])
    assert not [c for c in peer.calls[calls:] if c.method in ("getFile", "file")]


async def test_a_file_in_the_group_shows_there_how_far_it_is_and_its_title_to_its_admin_alone(
    peer: FakeTelegram,
) -> None:
    club = await _bare(peer)
    await peer.writes(club["Max"], club.group, "/book add", document=("wrong.txt", BOOK.encode()))
    added = await club.tells(club["Max"], "Nobody else has been told of it")
    assert club.said("A book has been added")
    assert not [s for s in peer.world.shown if s.chat == club.group and ("Untitled" in s.text or "wrong" in s.text)]
    await club.presses("Max", added, "Not this one: take it back")
    await club.tells(club["Max"], "is taken back", added["message_id"])


async def test_who_administers_two_clubs_is_asked_which_a_file_is_for(peer: FakeTelegram) -> None:
    club = await _bare(peer)
    other = peer.world.group("Others", [club["Max"]])
    await peer.writes(club["Max"], other, "/club setup")
    await club.tells(other, "The club is set up")
    sent = await peer.writes(club["Max"], club["Max"], document=("harbour.txt", BOOK.encode()))
    which = await club.tells(club["Max"], "For which club?", sent["message_id"])
    await club.presses("Max", which, "Others")
    await club.tells(club["Max"], "can be asked about: 5 chapters", which["message_id"])
