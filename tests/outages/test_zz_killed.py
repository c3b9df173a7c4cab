"""The program killed right after it acknowledged something: nothing of that is lost."""

from __future__ import annotations

import pytest

from tests.outages.stand import Stand
from tests.stories.book import BOOK

VOTE = "Vote for the next book"

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def killed(clubs: Stand) -> None:
    assert await clubs.program.end(kill=True) != 0
    await clubs.program.start()


async def test_a_place_a_vote_and_a_file_that_were_acknowledged_outlive_a_kill(clubs: Stand) -> None:
    here, there = clubs.here, clubs.there
    await here.does("Ana", "nominate", title="Kim")
    (told,) = here.said(has="Ana nominated Kim")
    ballot = await here.peer.click(here["Ana"], here.room, told["id"], VOTE)
    await here.answer(ballot, "1: Kim")
    chosen = await here.peer.click(here["Ana"], here.room, ballot.original or "", "1: Kim")
    assert "Your vote: Kim (1)." in await here.answer(chosen, "Your vote")
    await there.does("Fay", "/progress finished 3", "finished chapter 3")
    begun = len(clubs.program.log)
    await here.peer.slash(here["Ana"], here.room, "book add", file=("harbour4.txt", f"{BOOK} And so it went.".encode()))
    await here.peer.until(lambda: here.said(has="A book is being added"))
    assert "finished chapter 3" in await here.does("Bo", "progress", place="finished 3")
    await killed(clubs)
    assert "You are at the end of chapter 3" in await here.does("Bo", "where")
    assert "You are at the end of chapter 3" in await there.does("Fay", "/where", "You are")
    again = await here.peer.click(here["Ana"], here.room, told["id"], VOTE)
    assert "Your vote: Kim (1)." in await here.answer(again, "Kim")
    await clubs.program.says("event=done", begun)
