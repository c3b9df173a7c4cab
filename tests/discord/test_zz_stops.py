"""Stopping in the middle of an answer, at every place where it can be: nothing is left half, nothing hangs."""

from __future__ import annotations

import pytest

from tests.discord.wire import NAMES, Club, labels
from tests.peers.discord.faults import Fault
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import SEND, SEND_IN_THREADS

pytestmark = pytest.mark.asyncio(loop_scope="session")

SENT = r"/channels/\d+/messages"
EDITED = SENT + r"/\d+"


async def test_stop_takes_away_an_answer_whose_next_claim_is_on_its_way(club: Club, peer: FakeDiscord) -> None:
    question = "Who would never tell of the boards?"
    growing = peer.hold("PATCH", EDITED, question)
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await peer.until(lambda: growing.reached)
    (begun,) = club.said(has=question)
    assert labels(begun) == ["Stop"]
    assert NAMES[0] in begun["content"]
    press = await peer.click(club["Ana"], club.room, begun["id"], "Stop")
    assert "Stopping." in await club.answer(press)
    await peer.let_go(growing)
    assert "Stopped." in await club.answer(it)
    assert not club.said(has=question)


async def test_somebody_elses_stop_stops_nothing(club: Club, peer: FakeDiscord) -> None:
    question = "Who would ever tell of the boards?"
    growing = peer.hold("PATCH", EDITED, question)
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await peer.until(lambda: growing.reached)
    (begun,) = club.said(has=question)
    press = await peer.click(club["Bo"], club.room, begun["id"], "Stop")
    assert "That button is for somebody else" in await club.answer(press)
    await peer.let_go(growing)
    await club.answered(question)
    await club.gone(it)


async def test_stop_before_anything_stands_leaves_nothing(club: Club, peer: FakeDiscord) -> None:
    question = "Who told whom of the boards?"
    posting = peer.hold("POST", SENT, question)
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await peer.until(lambda: posting.reached)
    assert "Stopping." in await club.does("Ana", "stop")
    await peer.let_go(posting)
    assert "Stopped." in await club.answer(it)
    assert not club.said(has=question)


async def test_a_private_answer_is_stopped_where_it_stands(club: Club, peer: FakeDiscord) -> None:
    question = "Who told us all of the boards?"
    growing = peer.hold("PATCH", r"/webhooks/\d+/[^/]+/messages/@?\w+", NAMES[1])
    it = await peer.slash(club["Ana"], club.room, "ask", question=question, private=True)
    await peer.until(lambda: growing.reached)
    press = await peer.click(club["Ana"], club.room, it.original or "", "Stop")
    assert "Stopping." in await club.answer(press)
    await peer.let_go(growing)
    assert await club.answer(it, "Stopped.") == "Stopped."
    assert labels(peer.message(it)) == ["Ask again"]


async def test_an_answer_that_a_moderator_deletes_while_it_grows_ends_without_a_fault(
    club: Club, peer: FakeDiscord
) -> None:
    question = "Who told you of the boards?"
    growing = peer.hold("PATCH", EDITED, question)
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await peer.until(lambda: growing.reached)
    (begun,) = club.said(has=question)
    del peer.world.messages[club.room][begun["id"]]
    await peer.let_go(growing)
    told = await club.answer(it)
    assert "deleted" in told
    assert "reference" not in told
    assert not club.said(has=question)


@pytest.mark.parametrize("thread", [False, True])
async def test_where_the_right_to_write_is_missing_who_asked_is_told_alone(
    club: Club, peer: FakeDiscord, thread: bool
) -> None:
    room = await peer.add_thread(club.room, "quiet", [club["Ana"]]) if thread else club.room
    await peer.forbid(club.room, peer.world.app_id, SEND_IN_THREADS if thread else SEND)
    question = "Who was silent then?"
    it = await peer.slash(club["Ana"], room, "ask", question=question)
    assert "I may not write in this channel" in await club.answer(it)
    await peer.forbid(club.room, peer.world.app_id, 0)
    assert it.ephemeral
    assert not club.said(room, question)
    await club.asks("Ana", question, room)


async def test_an_answer_that_may_not_be_edited_any_more_is_told_to_who_asked_alone(
    club: Club, peer: FakeDiscord
) -> None:
    question = "Who counted the boats in vain?"
    peer.faults.coming.append(Fault("PATCH", EDITED, 403, code=50001))
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    assert "I may not write in this channel" in await club.answer(it)
    assert not [m for m in club.said(has=question) if "Stop" in labels(m)]


async def test_who_has_closed_direct_messages_is_answered_nowhere_else(club: Club, peer: FakeDiscord) -> None:
    rooms = [m["id"] for m in club.said()]
    peer.world.closed_to.add(club["Bo"])
    tried = len(peer.requests)
    direct = peer.world.direct(club["Bo"])["id"]
    await peer.wrote(club["Bo"], "Who is there?")
    await peer.until(lambda: [r for r in peer.requests[tried:] if r.path == f"/channels/{direct}/messages"])
    await club.does("Ana", "where")
    peer.world.closed_to.discard(club["Bo"])
    assert [m["id"] for m in club.said()] == rooms


async def test_stop_does_not_wait_until_discord_takes_edits_again(club: Club, peer: FakeDiscord) -> None:
    question = "Who told them of the boards?"
    room = await peer.add_thread(club.room, "stalled", [club["Ana"]])
    peer.faults.coming.append(Fault("PATCH", EDITED, 429, retry_after=40))
    it = await peer.slash(club["Ana"], room, "ask", question=question)
    limited, asked = peer.faults.limited, len(peer.requests)
    await peer.until(lambda: peer.faults.limited > limited)
    (begun,) = club.said(room, question)
    await peer.click(club["Ana"], room, begun["id"], "Stop")
    assert "Stopped." in await club.answer(it)
    edits = [r for r in peer.requests[asked:] if r.method == "PATCH" and r.path.endswith(begun["id"])]
    assert len(edits) == 1
    assert not club.said(room, question)
