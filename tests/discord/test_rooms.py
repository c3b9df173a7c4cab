"""Rooms, threads, buttons, mentions and direct messages, over the wire."""

from __future__ import annotations

import asyncio

import pytest

from tests.discord.wire import NAMES, Club, plain
from tests.peers.discord.peer import FakeDiscord

pytestmark = pytest.mark.asyncio(loop_scope="session")

WHO = "Who counted the boats in the evening?"


async def test_a_private_thread_is_a_room_whose_audience_is_who_is_in_it(club: Club, peer: FakeDiscord) -> None:
    thread = await peer.add_thread(club.room, "ahead", [club["Ana"]], private=True)
    message = await club.asks("Ana", WHO, thread)
    assert "to the end of chapter 3" in plain(message["content"])
    assert not club.said(has="to the end of chapter 3")


async def test_a_public_thread_has_the_audience_of_its_room(club: Club, peer: FakeDiscord) -> None:
    thread = await peer.add_thread(club.room, "all", [club["Ana"]])
    assert "to the end of chapter 2" in plain((await club.asks("Ana", WHO, thread))["content"])


async def test_who_cannot_see_a_channel_holds_nobody_back_there(club: Club, peer: FakeDiscord) -> None:
    hidden = peer.world.add_channel(club.guild, "ahead", only=[club["Ana"]])
    await peer.gateway.dispatch("CHANNEL_CREATE", peer.world.channels[hidden])
    await club.does("Ana", "club setup", room=hidden)
    assert "to the end of chapter 3" in plain((await club.asks("Ana", WHO, hidden))["content"])
    assert "to the end of chapter 2" in plain((await club.asks("Ana", WHO))["content"])


async def test_a_button_for_one_person_does_nothing_for_another(club: Club, peer: FakeDiscord) -> None:
    it = await peer.slash(club["Ana"], club.room, "progress", place="finished 3")
    await club.answer(it)
    assert it.original
    press = await peer.click(club["Bo"], club.room, it.original, "Undo")
    assert "That button is for somebody else" in await club.answer(press)
    assert "chapter 3" in await club.does("Ana", "progress")


async def test_plain_words_in_a_direct_message_are_a_question(club: Club, peer: FakeDiscord) -> None:
    await peer.wrote(club["Ana"], WHO)
    direct = peer.world.direct(club["Ana"])["id"]
    await peer.until(lambda: club.said(direct, NAMES[2]))
    it = await peer.slash(club["Ana"], direct, "progress")
    assert "chapter 3" in await club.answer(it)


async def test_who_is_in_two_clubs_is_asked_which_is_meant_in_a_direct_message(small: Club, peer: FakeDiscord) -> None:
    first, cy = small, small["Cy"]
    guild, room = await peer.add_guild("Others", [cy])
    second = Club(peer, guild, room, {"Cy": cy})
    await second.does("Cy", "club setup", rights=1 << 5)
    await second.does("Cy", "join")
    await peer.wrote(cy, WHO)
    direct = peer.world.direct(cy)["id"]
    (asked,) = await peer.until(lambda: first.said(direct, "About which book?"))
    it = await peer.choose(cy, direct, asked["id"], "Untitled")
    await first.answer(it, has=NAMES[1])
    again = "Who was asked to mend the rope of the ferry?"
    await peer.wrote(cy, again)
    await peer.until(lambda: first.said(direct, NAMES[1]))
    assert len(first.said(direct, "About which book?")) == 1
    told = await first.answer(await peer.slash(cy, direct, "progress"))
    assert "chapter 2" in told


async def test_a_mention_is_answered_with_a_button_that_leads_to_a_private_answer(
    club: Club, peer: FakeDiscord
) -> None:
    bot = peer.world.app_id
    await peer.said(club["Ana"], club.room, f"<@{bot}> {WHO}", mentions=[bot])
    (reply,) = await peer.until(lambda: club.said(has="Ask with /ask"))
    it = await peer.click(club["Ana"], club.room, reply["id"], "Answer me privately")
    await club.answer(it, has=NAMES[2])
    assert it.ephemeral


async def test_what_is_said_to_others_is_not_heard(club: Club, peer: FakeDiscord) -> None:
    before = len(peer.requests)
    await peer.said(club["Ana"], club.room, "Shall we meet on Friday?")
    await club.does("Ana", "progress")
    assert not [r for r in peer.requests[before:] if r.path.startswith("/channels/")]


async def test_the_menu_under_a_message_asks_about_it(club: Club, peer: FakeDiscord) -> None:
    said = await peer.said(club["Bo"], club.room, "Who was awake before anybody else?")
    it = await peer.menu(club["Ana"], club.room, "Ask about this", said["id"])
    modal = await peer.until(lambda: it.modal)
    assert modal["components"][0]["components"][0]["value"] == "Who was awake before anybody else?"
    await peer.submit(club["Ana"], it, question="Who was awake before anybody else?")
    await club.answered("Who was awake before anybody else?")


async def test_a_place_is_said_in_the_form_behind_its_button(club: Club, peer: FakeDiscord) -> None:
    (greeting,) = club.said(has="Hello.")
    it = await peer.click(club["Bo"], club.room, greeting["id"], "Set my place")
    await peer.until(lambda: it.modal)
    done = await peer.submit(club["Bo"], it, place="finished 2")
    assert "finished chapter 2" in await club.answer(done)


async def test_two_members_are_answered_at_the_same_time(club: Club, peer: FakeDiscord) -> None:
    asked = ("Who carried the lantern first?", "Who mended the rope first?")
    await asyncio.gather(
        *(peer.slash(club[who], club.room, "ask", question=q) for who, q in zip(("Ana", "Bo"), asked, strict=True))
    )
    answers = [await club.answered(question) for question in asked]
    assert [plain(m["content"]).split()[0] for m in answers] == ["Ana", "Bo"]


async def test_an_answer_that_is_stopped_leaves_nothing_in_the_room(club: Club, peer: FakeDiscord) -> None:
    question = "Who would tell nothing of the boards?"
    it = await peer.slash(club["Ana"], club.room, "ask", question=question)
    (begun,) = await peer.until(lambda: club.said(has=question))
    press = await peer.click(club["Ana"], club.room, begun["id"], "Stop")
    assert "Stopping." in await club.answer(press)
    assert "Stopped." in await club.answer(it)
    assert not club.said(has=question)


async def test_who_leaves_the_server_has_left_the_club(small: Club, peer: FakeDiscord) -> None:
    club = small
    await peer.member_left(club.guild, club["Quinn"])
    await club.comes_to("Cy", "club members", lambda said: "Quinn" not in said)
    await peer.wrote(club["Quinn"], WHO)
    await peer.until(lambda: club.said(peer.world.direct(club["Quinn"])["id"], "You are in no club"))
