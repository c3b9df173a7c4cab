"""What a member does besides asking, over the wire."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.discord.wire import BOOK, Club, Program, chapter_text, founded
from tests.peers.discord.peer import MANAGE_GUILD, FakeDiscord

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def circle(program: Program) -> Club:
    """Lou set it up and has finished chapter 2, Mo chapter 3."""
    return await founded(program.peer, Lou=2, Mo=3)


async def test_a_member_is_reminded_or_not(circle: Club) -> None:
    assert "two days before a chapter is due" in await circle.does("Mo", "remind", on=True)
    assert "reminded of nothing" in await circle.does("Mo", "remind", on=False)


async def test_pages_of_ones_own_edition_count_once_one_of_them_was_named(circle: Club) -> None:
    begins = " ".join(chapter_text(2).split()[:9])
    told = await circle.does("Mo", "pages", page=40, begins=begins)
    assert told
    assert "fewer stand in too many places" in await circle.does("Mo", "pages", page=40, begins="too few words")


async def test_help_tells_a_member_of_no_command_of_admins(circle: Club) -> None:
    told = await circle.does("Mo", "help")
    assert "/shelf - " in told
    assert "/club" not in told
    every = await circle.does("Lou", "help")
    assert "/club vote close - " in every
    assert "/book uploads - " in every


async def test_a_finished_book_can_be_asked_about_with_what_is_read_now(circle: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(circle["Mo"], circle.room, "ask", focused="book", question="Who?", book="")
    names = [choice["name"] for choice in await peer.until(lambda: it.choices)]
    assert names == ["Untitled"]


async def test_a_command_in_a_direct_message_of_somebody_in_two_clubs_is_asked_which_is_meant(
    circle: Club, peer: FakeDiscord
) -> None:
    mo = circle["Mo"]
    guild, room = await peer.add_guild("Others", [mo])
    second = Club(peer, guild, room, {"Mo": mo})
    await second.does("Mo", "club setup", rights=MANAGE_GUILD)
    it = await peer.slash(mo, room, "book add", file=("harbour.txt", BOOK.encode()))
    await second.answer(it)
    await second.answer(await peer.click(mo, room, it.original or "", "Announce it to the club"))
    await second.does("Mo", "join")
    await second.does("Mo", "progress", place="finished 1")
    direct = peer.world.direct(mo)["id"]
    it = await peer.slash(mo, direct, "progress")
    assert "About which book?" in await circle.answer(it)
    chosen = await peer.choose(mo, direct, it.original or "", "Untitled (Others)")
    assert "Your private questions are about “Untitled” now" in await circle.answer(chosen)
    assert "chapter 1" in await circle.answer(await peer.slash(mo, direct, "progress"))
    it = await peer.slash(mo, direct, "shelf")
    await circle.answer(it)
    await circle.answer(await peer.choose(mo, direct, it.original or "", "Untitled (Readers)"))
    assert "chapter 3" in await circle.answer(await peer.slash(mo, direct, "progress"))
