"""From an empty server to a private answer, over the wire."""

from __future__ import annotations

import itertools
from datetime import date, timedelta

import pytest

from tests.discord.wire import BOOK, TITLES, Club, Program, labels
from tests.peers.discord.peer import MANAGE_GUILD, FakeDiscord

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_club_is_set_up_only_by_who_may_manage_the_server(peer: FakeDiscord) -> None:
    ana = peer.world.add_user("Ana")
    guild, room = await peer.add_guild("Bare", [ana])
    club = Club(peer, guild, room, {"Ana": ana})
    assert "Whoever may manage this server" in await club.does("Ana", "club setup")
    assert "No club is set up in this channel" in await club.does("Ana", "join")
    assert "The club is set up in the room general" in await club.does("Ana", "club setup", rights=MANAGE_GUILD)
    (greeting,) = club.said(has="Hello.")
    assert labels(greeting) == ["Join", "Set my place", "What this bot keeps and never shows"]


async def test_a_file_is_refused_by_its_size_and_name_before_anything_of_it_is_fetched(
    club: Club, peer: FakeDiscord
) -> None:
    before = len(peer.requests)
    big = ("big.epub", b"x" * (11 << 20))
    assert "larger than the 10 MB" in await club.does("Ana", "book add", file=big)
    assert "no book that I can read" in await club.does("Ana", "book add", file=("song.mp3", b"la"))
    assert "Only an admin" in await club.does("Bo", "book add", file=("a.txt", BOOK.encode()))
    assert not [r for r in peer.requests[before:] if r.path.startswith("/cdn")]


async def test_the_room_is_told_how_far_a_file_is_without_its_title(club: Club, peer: FakeDiscord) -> None:
    told = [
        s.body["content"] for s in peer.world.shown if s.channel == club.room and "being added" in s.body["content"]
    ]
    assert told
    assert not [content for content in told if "harbour" in content.lower()]
    assert club.said(has="A book has been added")


async def test_a_question_is_acknowledged_in_time_and_for_who_asks_alone(club: Club, peer: FakeDiscord) -> None:
    question = "Who carried the lantern now?"
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await club.answered(question)
    await club.gone(it)
    assert it.ack_ms is not None
    assert it.ack_ms < 3000
    assert it.timeline[0][2] == {"flags": 64}


async def test_a_message_that_grows_is_edited_no_faster_than_discord_takes_it(club: Club, peer: FakeDiscord) -> None:
    question = "Who counted which boats?"
    states = len(peer.world.shown)
    await peer.slash(club["Bo"], club.room, "ask", question=question)
    message = await club.answered(question)
    grown = [s for s in peer.world.shown[states:] if s.message == message["id"]]
    assert len(grown) == 2
    assert all(len(a.body["content"]) < len(b.body["content"]) for a, b in itertools.pairwise(grown))
    assert all(b.at - a.at > 1.1 for a, b in itertools.pairwise(grown))


async def test_what_completes_a_place_holds_no_title_that_was_not_met(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "progress", focused="place", place="chapter")
    names = [choice["name"] for choice in await peer.until(lambda: it.choices)]
    assert f"Finished Chapter 3: {TITLES[2]}" in names
    assert "Finished chapter 5" in names
    assert not [name for name in names if TITLES[3] in name or TITLES[4] in name]


async def test_what_is_kept_can_be_read_taken_and_deleted(small: Club, peer: FakeDiscord) -> None:
    club = small
    assert "Kept of you" in await club.does("Una", "privacy")
    it = await peer.slash(club["Una"], club.room, "export")
    await club.answer(it)
    (file,) = peer.message(it)["attachments"]
    assert b'"dogear-export"' in peer.world.files[file["id"]]
    it = await peer.slash(club["Una"], club.room, "forget")
    await club.answer(it)
    assert it.original
    done = await peer.click(club["Una"], club.room, it.original, "Delete all of it")
    assert "Nothing is kept of Una" in await club.answer(done)
    assert "Only members can do that" in await club.does("Una", "where")


async def test_every_command_that_members_and_admins_have_answers(club: Club, program: Program) -> None:
    assert "The club is at the end of chapter 2" in await club.does("Ana", "where")
    assert "Untitled" in await club.does("Bo", "book list")
    assert f"Chapter 2: {TITLES[1]}" in await club.does("Bo", "book chapters")
    assert "Members:" in await club.does("Bo", "club members")
    assert "Only an admin" in await club.does("Bo", "club settings")
    assert "weekly_day" in await club.does("Ana", "club settings")
    assert "weekly_day" in await club.does("Bo", "club settings", rights=MANAGE_GUILD)
    assert "weekly_day is friday now" in await club.does("Ana", "club settings", name="weekly_day", value="friday")
    assert "has no schedule" in await club.does("Ana", "club schedule")
    assert "chapter 5 by" in await club.does("Ana", "club schedule", what=f"end by {date.today() + timedelta(days=60)}")
    assert "/ask - Ask about the book" in await club.does("Bo", "help")
    assert "Nothing is being answered for you" in await club.does("Bo", "stop")
    assert "The next post, as it would be posted now" in await club.does("Ana", "club preview")
    assert not [line for line in program.log if "event=fault" in line]


async def test_in_a_paused_room_nothing_is_answered_until_it_is_resumed(small: Club) -> None:
    club = small
    await club.does("Eve", "club pause")
    assert "Nothing is answered in this room" in await club.does("Eve", "ask", question="Who was awake?")
    await club.does("Eve", "club pause", resume=True)
    await club.asks("Eve", "Who was awake?")
