"""What goes wrong between the bot and Discord: nothing is said twice, nothing is lost, nothing is left half."""

from __future__ import annotations

import pytest

from tests.discord.wire import NAMES, Club, Program, labels
from tests.peers.discord.faults import Fault
from tests.peers.discord.peer import FakeDiscord

pytestmark = pytest.mark.asyncio(loop_scope="session")

SENT = r"/channels/\d+/messages"


async def test_what_was_missed_while_the_gateway_was_gone_is_answered_once(club: Club, peer: FakeDiscord) -> None:
    question, resumes = "Who had not been asked to mend anything?", peer.gateway.resumes
    peer.gateway.lost = True
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    await peer.gateway.drop()
    await peer.until(lambda: peer.gateway.resumes > resumes)
    await club.answered(question)
    await peer.gateway.again("INTERACTION_CREATE")
    assert "chapter" in await club.does("Ana", "where")
    await club.gone(it)
    assert len(club.said(has=question)) == 1


async def test_a_direct_message_that_comes_twice_is_answered_once(club: Club, peer: FakeDiscord) -> None:
    direct, question = peer.world.direct(club["Bo"])["id"], "Who carried the lantern, again?"
    await peer.wrote(club["Bo"], question)
    await peer.gateway.again("MESSAGE_CREATE")
    await peer.until(lambda: [m for m in club.said(direct, question) if "Share with the room" in labels(m)])
    await club.does("Bo", "where")
    assert len(club.said(direct, question)) == 1


async def test_a_message_whose_answer_is_lost_is_not_posted_twice(club: Club, peer: FakeDiscord) -> None:
    question = "Who carried it along the wall?"
    peer.faults.coming.append(Fault("POST", SENT, 502, after=True))
    await club.asks("Ana", question)
    assert len(club.said(has=question)) == 1


async def test_a_limit_of_discords_is_waited_for(club: Club, peer: FakeDiscord) -> None:
    question, limited = "Who came along the wall?", peer.faults.limited
    peer.faults.coming.append(Fault("POST", SENT, 429, times=2))
    peer.faults.coming.append(Fault("PATCH", SENT + r"/\d+", 429))
    await club.asks("Ana", question)
    assert peer.faults.limited == limited + 3
    assert len(club.said(has=question)) == 1


async def test_the_limit_on_all_requests_and_that_of_a_route_are_waited_for(club: Club, peer: FakeDiscord) -> None:
    question, limited = "Who came along the harbour?", peer.faults.limited
    peer.faults.coming.append(Fault("POST", SENT, 429, everywhere=True))
    peer.faults.buckets[rf"/channels/{club.room}/messages"] = (1, 1.5)
    await club.asks("Ana", question)
    await club.asks("Bo", "Who came along the harbour wall?")
    peer.faults.buckets.clear()
    assert peer.faults.limited > limited
    assert len(club.said(has=question)) == 1
    assert len(club.said(has="Who came along the harbour wall?")) == 1


async def test_a_session_that_discord_has_forgotten_is_begun_anew_and_nothing_is_said_twice(
    club: Club, peer: FakeDiscord
) -> None:
    question, identified = "Who came along with the lantern?", peer.gateway.identifies
    await club.asks("Ana", question)
    await peer.gateway.invalidate()
    await peer.until(lambda: peer.gateway.identifies > identified and peer.gateway.shards)
    await club.asks("Bo", "Who came along without it?")
    assert len(club.said(has=question)) == 1


async def test_a_press_that_comes_twice_does_one_thing(club: Club, peer: FakeDiscord) -> None:
    message = await club.asks("Bo", "Who had counted the boats at all?")
    it = await peer.click(club["Ana"], club.room, message["id"], "Answer me privately")
    await peer.gateway.again("INTERACTION_CREATE")
    await club.answer(it, has=NAMES[2])
    await club.does("Ana", "where")
    assert len([what for _, what, _ in it.timeline if what.startswith("callback")]) == 1
    assert NAMES[2] in peer.message(it)["content"]


async def test_an_edit_that_fails_at_discord_is_tried_again(club: Club, peer: FakeDiscord) -> None:
    question = "Who had counted all of the boats?"
    peer.faults.coming.append(Fault("PATCH", SENT + r"/\d+", 502, after=True))
    await club.asks("Ana", question)
    assert len(club.said(has=question)) == 1


async def test_a_room_that_the_bot_may_not_write_in_is_told_to_who_asked_alone(club: Club, peer: FakeDiscord) -> None:
    peer.faults.coming.append(Fault("POST", SENT, 403))
    it = await peer.slash(club["Ana"], club.room, "ask", question="Who was early?")
    assert "I may not write in this channel" in await club.answer(it)


async def test_what_nobody_foresaw_gives_a_reference_and_no_words_in_the_log(
    club: Club, peer: FakeDiscord, program: Program
) -> None:
    begun = len(program.log)
    peer.faults.coming.append(Fault("POST", SENT, 400))
    it = await peer.slash(club["Ana"], club.room, "ask", question="Who was so very early?")
    told = await club.answer(it)
    assert "Something went wrong" in told
    reference = told.rsplit(" ", 1)[1].rstrip(".")
    line = await program.says(f"event=fault reference={reference}", begun)
    assert "HTTPException(400/0)" in line
    assert not [entry for entry in program.log[begun:] if "early" in entry or any(n in entry for n in NAMES)]


CALLBACK = r"/interactions/\d+/[^/]+/callback"


async def test_an_acknowledgement_that_discord_took_and_called_an_error_is_gone_on_from(
    club: Club, peer: FakeDiscord
) -> None:
    question = "Who was awake, and who was not?"
    peer.faults.coming.append(Fault("POST", CALLBACK, 502, after=True))
    await club.asks("Ana", question)
    peer.faults.coming.append(Fault("POST", CALLBACK, 500, after=True))
    assert "chapter" in await club.does("Ana", "where")
    it = await peer.slash(club["Ana"], club.room, "progress", place="finished 3")
    await club.answer(it)
    peer.faults.coming.append(Fault("POST", CALLBACK, 503, after=True))
    assert "Undone" in await club.answer(await peer.click(club["Ana"], club.room, it.original or "", "Undo"))
    assert len(club.said(has=question)) == 1


async def test_an_acknowledgement_that_discord_did_not_take_is_tried_again(club: Club, peer: FakeDiscord) -> None:
    peer.faults.coming.append(Fault("POST", CALLBACK, 502))
    assert "chapter" in await club.does("Ana", "where")


async def test_an_interaction_that_another_has_acknowledged_is_left_to_them(club: Club, peer: FakeDiscord) -> None:
    peer.faults.coming.append(Fault("POST", CALLBACK, 400, code=40060))
    it = await peer.slash(club["Ana"], club.room, "ask", question="Who was awake for others?")
    await peer.until(lambda: not peer.faults.coming)
    assert "chapter" in await club.does("Ana", "where")
    assert it.timeline == []
    assert not club.said(has="Who was awake for others?")


async def test_an_interaction_that_is_acknowledged_too_late_posts_nothing(club: Club, peer: FakeDiscord) -> None:
    peer.rest.interactions.ack_deadline = -1
    it = await peer.slash(club["Ana"], club.room, "ask", question="Who was late?")
    await peer.until(lambda: [r for r in peer.requests if it.token in r.path])
    peer.rest.interactions.ack_deadline = 3.0
    await club.does("Ana", "where")
    assert not club.said(has="Who was late?")


async def test_a_private_answer_whose_time_is_over_is_said_nowhere_else(club: Club, peer: FakeDiscord) -> None:
    rooms = len(club.said())
    peer.rest.interactions.token_life = 0.0
    it = await peer.slash(club["Ana"], club.room, "ask", question="Who counted the boats twice?", private=True)
    await peer.until(lambda: [r for r in peer.requests if it.token in r.path and r.path.startswith("/webhooks")])
    peer.rest.interactions.token_life = 900.0
    await club.does("Ana", "where")
    assert len(club.said()) == rooms
    assert peer.message(it)["content"] == ""


async def test_a_members_closed_direct_messages_are_no_fault(club: Club, peer: FakeDiscord, program: Program) -> None:
    peer.world.closed_to.add(club["Bo"])
    begun = len(program.log)
    await peer.wrote(club["Bo"], "Who is there?")
    await club.does("Ana", "where")
    peer.world.closed_to.discard(club["Bo"])
    assert not [line for line in program.log[begun:] if "event=fault" in line]
