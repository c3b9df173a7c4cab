"""Look ahead, Ask again, Useful and Not useful, over the wire: to one person, once, and after a restart too."""

from __future__ import annotations

import pytest

from tests.discord.wire import NAMES, Club, Program, labels
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import Interaction

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHOW = "Show it, I accept spoilers"
AHEAD = "Look ahead..."


async def privately(club: Club, name: str, question: str, has: str = "") -> Interaction:
    """A private question, once its answer is whole."""
    it = await club.peer.slash(club[name], club.room, "ask", question=question, private=True)
    await club.answer(it, has)
    await club.peer.until(lambda: AHEAD in labels(club.peer.message(it)))
    return it


async def pressed(club: Club, name: str, under: Interaction, label: str, has: str = "") -> tuple[Interaction, str]:
    it = await club.peer.click(club[name], club.room, under.original or "", label)
    return it, await club.answer(it, has)


async def test_nobody_else_looks_ahead_and_no_room_does(club: Club, peer: FakeDiscord) -> None:
    asked = await privately(club, "Bo", "Who counted the boats once more?")
    _, told = await pressed(club, "Ana", asked, AHEAD)
    assert "for somebody else" in told
    message = await club.asks("Bo", "Who counted the boats in the end?")
    assert AHEAD not in labels(message)


async def test_what_was_refused_is_asked_again_by_who_asked_once_they_have_read_on(
    small: Club, peer: FakeDiscord
) -> None:
    club = small
    await club.does("Cy", "progress", place="none")
    asked = await privately(club, "Cy", "Who mended a rope?", "Nothing in what you have read so far")
    assert labels(peer.message(asked)) == ["Share with the room", AHEAD, "Ask again"]
    _, told = await pressed(club, "Cy", asked, "Ask again")
    assert "Nothing more has been read since" in told
    await club.does("Cy", "progress", place="finished 2")
    again, _ = await pressed(club, "Cy", asked, "Ask again", NAMES[1])
    assert again.ephemeral
    _, told = await pressed(club, "Cy", asked, "Ask again")
    assert told == "That was done already."


async def test_a_look_ahead_that_was_offered_is_open_after_a_restart(
    club: Club, peer: FakeDiscord, program: Program
) -> None:
    asked = await privately(club, "Bo", "Who carried the lantern along the wall again?")
    first, _ = await pressed(club, "Bo", asked, AHEAD, "further on")
    assert await program.end() == 0
    await program.start()
    await pressed(club, "Bo", first, SHOW, "past where you are")
    _, told = await pressed(club, "Bo", asked, AHEAD)
    assert told == "That was done already."
