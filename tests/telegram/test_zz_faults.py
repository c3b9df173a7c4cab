"""What goes wrong between the bot and Telegram: nothing is said twice, nothing is lost, nothing is left half."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.peers.telegram.peer import FakeTelegram, Fault
from tests.peers.telegram.people import button_of
from tests.stories.book import NAMES
from tests.telegram.wire import Club, Program, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_update_that_comes_twice_is_acted_on_once(club: Club, peer: FakeTelegram) -> None:
    question = "Who carried the lantern, again?"
    await peer.writes(club["Bo"], club["Bo"], question)
    await club.answered_alone("Bo", question)
    update = next(u for u in reversed(peer.told) if (u.get("message") or {}).get("text") == question)
    await peer.again(update)
    await club.does("Bo", "/where", "The club is")
    assert len([m for m in club.own(club["Bo"], question) if m["text"].startswith(question)]) == 1


async def test_retry_after_is_obeyed_and_the_answer_comes_whole_and_once(club: Club, peer: FakeTelegram) -> None:
    question = "Who came along the wall?"
    peer.faults += [
        Fault("sendMessage", 429, retry_after=1, chat=club.group),
        Fault("editMessageText", 429, retry_after=1, chat=club.group),
    ]
    calls = len(peer.calls)
    await club.asks("Ana", question)
    refused = [c for c in peer.calls[calls:] if c.answered == 429]
    assert len(refused) >= 2
    for one in refused:
        later = [c for c in peer.calls[calls:] if c.parameters.get("chat_id") == club.group and c.at > one.at]
        assert all(c.at - one.at >= 1 for c in later if c.method in ("sendMessage", "editMessageText"))
    assert len(club.said(question)) == 1


async def test_a_send_that_was_not_confirmed_is_not_repeated(club: Club, peer: FakeTelegram) -> None:
    question = "Who carried it along the wall?"
    await club.does("Bo", "/where", "The club is")
    peer.faults.append(Fault("sendMessage", 502, after=True, chat=club.group))
    asked = await peer.writes(club["Bo"], club.group, f"/ask {question}")
    await club.tells(club["Bo"], "Something went wrong", asked["message_id"])
    shown = [s for s in peer.world.shown if s.chat == club.group and question in s.text]
    assert [s.kind for s in shown] == ["message"]


async def test_a_message_that_is_not_modified_is_no_error(club: Club, peer: FakeTelegram, program: Program) -> None:
    begun = len(program.log)
    peer.faults.append(
        Fault("editMessageText", 400, says="Bad Request: message is not modified: the same", chat=club.group)
    )
    await peer.writes(club["Ana"], club.group, "/ask Who counted the boats?")
    await club.does("Ana", "/where", "The club is")
    await asyncio.sleep(0)
    assert not [line for line in program.log[begun:] if "event=fault" in line]


async def test_a_blocked_bot_marks_the_member_and_carries_on(club: Club, peer: FakeTelegram, program: Program) -> None:
    begun = len(program.log)
    await peer.blocks(club["Bo"])
    await program.says("event=reachable value=False", begun)
    written = await peer.writes(club["Bo"], club.group, "/where")
    shown = await club.tells(club.group, "Bo, that is for you alone", written["message_id"])
    await peer.follows(club["Bo"], button_of(shown, "Open the private chat")["url"])
    await club.tells(club["Bo"], "The club is")
    assert not [line for line in program.log[begun:] if "event=fault" in line]


async def test_a_second_poller_is_explained_and_outlived(club: Club, peer: FakeTelegram, program: Program) -> None:
    begun = len(program.log)
    await peer.polls()
    line = await program.says("Another program asks Telegram", begun)
    assert peer.token not in line
    assert "The club is" in await club.does("Ana", "/where", "The club is")


async def test_what_nobody_foresaw_gives_a_reference_and_no_words_in_the_log(
    club: Club, peer: FakeTelegram, program: Program
) -> None:
    begun = len(program.log)
    peer.faults.append(Fault("sendMessage", 400, says="Bad Request: unheard of", chat=club.group))
    asked = await peer.writes(club["Ana"], club.group, "/ask Who was so very early?")
    told = await club.tells(club["Ana"], "Something went wrong", asked["message_id"])
    reference = told["text"].rsplit(" ", 1)[1].rstrip(".")
    await program.says(f"reference={reference}", begun)
    assert not [entry for entry in program.log[begun:] if "early" in entry or any(n in entry for n in NAMES)]


async def test_what_failed_is_asked_again_by_the_button_under_what_is_told_of_it(
    club: Club, peer: FakeTelegram
) -> None:
    question = "Who was awake so early?"
    peer.faults.append(Fault("sendMessage", 400, says="Bad Request: unheard of", chat=club.group))
    asked = await peer.writes(club["Ana"], club.group, f"/ask {question}")
    told = await club.tells(club["Ana"], "Something went wrong", asked["message_id"])
    assert labels(told) == ["Ask again"]
    await club.presses("Ana", told, "Ask again")
    assert "to the end of chapter 2" in (await club.answered(question))["text"]
    await club.presses("Ana", told, "Ask again")
    await club.tells(club["Ana"], "That was done already", told["message_id"])


async def test_a_group_that_the_bot_may_not_write_in_is_told_of_to_who_asked_alone(
    club: Club, peer: FakeTelegram
) -> None:
    peer.faults.append(Fault("sendMessage", 403, says="Forbidden: bot was kicked", chat=club.group))
    asked = await peer.writes(club["Ana"], club.group, "/ask Who was awake first?")
    await club.tells(club["Ana"], "I may not write", asked["message_id"])


async def test_who_leaves_the_group_has_left_the_club_at_once_where_the_bot_is_told(
    club: Club, peer: FakeTelegram
) -> None:
    await peer.makes("administrator", club.group, club["Ana"])
    quinn = peer.world.user("Quinn")
    peer.world.members[club.group, quinn] = "member"
    club.people["Quinn"] = quinn
    await peer.writes(quinn, quinn, "/start")
    await club.does("Quinn", "/join", "You joined")
    await peer.leaves(quinn, club.group)
    await asyncio.sleep(0.2)
    assert "Quinn" not in await club.does("Ana", "/members", "Bo")
    sent = await peer.writes(quinn, quinn, "Who counted the boats?")
    await club.tells(quinn, "You are in no club", sent["message_id"])
    await peer.makes("member", club.group, club["Ana"])
    await club.tells(club.group, "nobody tells me who leaves")


async def test_who_left_unseen_is_noticed_when_they_write_in_private(club: Club, peer: FakeTelegram) -> None:
    rae = peer.world.user("Rae")
    peer.world.members[club.group, rae] = "member"
    club.people["Rae"] = rae
    await peer.writes(rae, rae, "/start")
    await club.does("Rae", "/join", "You joined")
    await peer.leaves(rae, club.group, "kicked")
    sent = await peer.writes(rae, rae, "Who counted the boats?")
    await club.tells(rae, "You are in no club", sent["message_id"])


async def test_a_group_that_becomes_a_supergroup_stays_the_clubs(peer: FakeTelegram, program: Program) -> None:
    max_ = peer.world.user("Max")
    club = Club(peer, peer.world.group("Small", [max_], kind="group"), {"Max": max_})
    await peer.writes(max_, max_, "/start")
    await peer.writes(max_, club.group, "/club setup")
    await club.tells(club.group, "The club is set up")
    await club.tells(max_, "Which time zone")
    begun = len(program.log)
    club.group = await peer.migrates(club.group)
    await program.says("event=moved rooms=0", begun)
    assert "You joined" in await club.does("Max", "/join", "You joined")


async def test_ending_stops_answers_with_a_word_and_buttons_and_links_work_after_a_restart(
    club: Club, peer: FakeTelegram, program: Program
) -> None:
    asked = "Who had carried the lantern?"
    message = await club.asks("Bo", asked)
    question = "Who had counted them twice?"
    await peer.writes(club["Ana"], club.group, f"/ask {question}")
    await peer.until(lambda: [s for s in peer.world.shown if s.chat == club.group and question in s.text])
    began = time.monotonic()
    assert await program.end() == 0
    assert time.monotonic() - began < 10
    held = list(peer.told[-3:])
    await program.start()
    for update in held:
        await peer.again(update)  # as after a crash
    started = await peer.follows(club["Ana"], button_of(message, "Answer me privately")["url"])
    alone = await club.answered_alone("Ana", asked, started["message_id"])
    assert NAMES[2] in alone["text"]
    assert len(club.said(question)) <= 1
    press = await club.presses("Bo", message, "This spoiled me")
    assert press.answer
