"""The program killed right after it acknowledged something, and while it posts: nothing is lost, or posted twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.outages.stand import Stand
from tests.outages.test_clock_jumps import HOUR, WEEK, posts
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
    assert "finished chapter 3" in await here.does("Bo", "where")
    assert "finished chapter 3" in await there.does("Fay", "/where", "You are")
    again = await here.peer.click(here["Ana"], here.room, told["id"], VOTE)
    assert "Your vote: Kim (1)." in await here.answer(again, "Kim")
    await clubs.program.says("event=done", begun)


async def test_a_post_during_which_the_program_is_killed_is_not_posted_twice(clubs: Stand) -> None:
    here = clubs.here
    due = datetime.now(UTC) + timedelta(hours=3)
    await here.does("Ana", "club settings", name="weekly_day", value=f"{due:%A}".lower())
    await here.does("Ana", "club settings", name="weekly_time", value=f"{due:%H:%M}")
    before = posts(clubs)[0]
    posting = here.peer.hold("POST", r"/channels/\d+/messages", "The club's week in")
    clubs.ahead(2 * WEEK + 4 * HOUR)
    await here.peer.until(lambda: posting.reached)
    await killed(clubs)
    await here.peer.let_go(posting)
    await here.peer.until(lambda: posts(clubs)[0] > before)
    await clubs.there.peer.until(lambda: posts(clubs)[1])  # what is due has been looked for
    await here.does("Ana", "where")
    assert posts(clubs)[0] == before + 1
