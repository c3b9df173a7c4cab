"""Groups, topics, links, buttons and private chats, over the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.chat.presses import Action, Press
from bot.adapters.telegram.links import Links
from tests.peers.telegram.peer import FakeTelegram, Fault
from tests.peers.telegram.people import button_of
from tests.stories.book import NAMES, TITLES, chapter_text
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, Program, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")

WHO = "Who counted the boats in the evening?"


async def test_a_rooms_answer_is_asked_again_in_private_once_by_each_who_follows_its_link(
    club: Club, peer: FakeTelegram
) -> None:
    question = "Who mended the rope of the ferry?"
    message = await club.asks("Bo", question)
    url = button_of(message, "Answer me privately")["url"]
    assert url.startswith(f"https://t.me/{peer.world.bot['username']}?start=")
    started = await peer.follows(club["Ana"], url)
    alone = await club.answered_alone("Ana", question, started["message_id"])
    assert NAMES[2] in alone["text"]
    again = await peer.follows(club["Ana"], url)
    await club.tells(club["Ana"], "That link was used already", again["message_id"])
    other = await peer.follows(club["Bo"], url)
    await club.answered_alone("Bo", question, other["message_id"])


async def test_a_link_that_is_too_old_or_somebody_elses_or_none_of_ours_opens_nothing(
    club: Club, peer: FakeTelegram
) -> None:
    links, now = Links.of(peer.world.bot["username"], peer.token), datetime.now(UTC)
    press = Press(Action.PRIVATE, 1, 1)
    old = links.url(press, now - timedelta(minutes=2))
    others = links.url(Press(Action.OPEN, 1, person=club["Bo"]), now + timedelta(hours=1))
    foreign = Links.of("x", "7:other").url(press, now + timedelta(hours=1))
    for url, told in ((old, "too old"), (others, "too old, or somebody else's"), (foreign, "none of mine")):
        sent = await peer.follows(club["Ana"], url)
        await club.tells(club["Ana"], told, sent["message_id"])


async def test_who_never_wrote_to_the_bot_is_shown_the_way_and_told_there(club: Club, peer: FakeTelegram) -> None:
    eve = peer.world.user("Eve")
    peer.world.members[club.group, eve] = "member"
    club.people["Eve"] = eve
    written = await peer.writes(eve, club.group, "/join")
    shown = await club.tells(club.group, "Eve, that is for you alone", written["message_id"])
    assert not club.own(eve)
    await peer.follows(eve, button_of(shown, "Open the private chat")["url"])
    await club.tells(eve, "You are a member already")
    await club.does("Eve", "/progress finished 3", "Noted", private=True)


async def test_a_reply_to_an_answer_is_a_question_and_to_others_it_is_not_heard(club: Club, peer: FakeTelegram) -> None:
    message = await club.asks("Bo", "Who carried the lantern along?")
    calls = len(peer.calls)
    await peer.writes(club["Ana"], club.group, "Shall we meet on Friday?")
    await peer.writes(club["Ana"], club.group, "And who counted the boats twice?", reply_to=message["message_id"])
    await club.answered("And who counted the boats twice?")
    assert "Friday" not in str([c.parameters for c in peer.calls[calls:]])


async def test_a_button_for_one_person_does_nothing_for_another_and_is_answered_once(
    club: Club, peer: FakeTelegram
) -> None:
    told = await club.told("Ana", "/progress finished 3", "Noted")
    peer.world.messages[club["Bo"]][told["message_id"]] = told  # as if it were forwarded with its buttons
    press = await peer.presses(club["Bo"], club["Bo"], told["message_id"], "Undo")
    await peer.until(lambda: press.answer)
    assert press.answer
    assert "somebody else" in press.answer["text"]
    assert "chapter 3" in await club.does("Ana", "/progress", "You")


async def test_where_a_number_restarts_the_place_is_chosen_by_a_button_and_once(peer: FakeTelegram) -> None:
    parts = ((1, "One", (1, 2, 3)), (2, "Two", (1, 2)))
    told = [
        f"Part {name}\n\n" + "\n\n".join(f"Chapter {n}\n\n{chapter_text(3 * (part - 1) + n)}" for n in numbers)
        for part, name, numbers in parts
    ]
    club = await founded(peer, book="\n\n".join(told), Hal=None)
    asked = await club.told("Hal", "/progress finished 1", "Which one?")
    first, second = [label for label in labels(asked) if "chapter 1" in label.lower()]
    assert "part 1, chapter 1" in await club.does("Hal", "/progress", "You", private=True)  # the earlier, until chosen
    await club.presses("Hal", asked, second)
    await club.tells(club["Hal"], "finished part 2, chapter 1")
    assert "part 2, chapter 1" in await club.does("Hal", "/progress", "You", private=True)
    assert first != second


async def test_the_greetings_buttons_answer_who_presses_alone(club: Club, peer: FakeTelegram) -> None:
    (greeting,) = club.said("Hello. Ask about the book")
    assert labels(greeting) == ["Join", "Set my place", "What this bot keeps and never shows"]
    press = await club.presses("Bo", greeting, "Set my place")
    assert press.answer
    started = await peer.follows(club["Bo"], press.answer["url"])
    prompt = await club.tells(club["Bo"], "Where are you?", started["message_id"])
    await peer.writes(club["Bo"], club["Bo"], "finished 2", reply_to=prompt["message_id"])
    await club.tells(club["Bo"], "finished chapter 2", prompt["message_id"])


async def test_an_answer_that_is_too_old_to_be_deleted_says_nothing_any_more_or_that_it_still_stands(
    club: Club, peer: FakeTelegram
) -> None:
    question = "Who mended what held the ferry?"
    message = await club.asks("Bo", question)
    peer.world.ahead += 49 * 3600
    try:
        peer.faults.append(Fault("editMessageText", 400, says="Bad Request: message can't be edited", chat=club.group))
        press = await club.presses("Bo", message, "This spoiled me")
        assert press.answer
        assert "1 message still stands" in press.answer["text"]
        assert club.said(question)
        press = await club.presses("Bo", message, "This spoiled me")
    finally:
        peer.world.ahead = 0.0
    assert press.answer
    assert "the answer is hidden" in press.answer["text"]
    assert not club.said(question)
    standing = peer.world.messages[club.group][message["message_id"]]
    assert standing["text"] == "This does not stand any more."
    assert labels(standing) == []


async def test_topics_are_rooms_of_their_own_under_one_club(program: Program, peer: FakeTelegram) -> None:
    club = await founded(peer, forum=True, Max=2)
    topic = await peer.topic(club["Max"], club.group, "Ahead")
    question = "Who was awake before anybody?"
    message = await club.asks("Max", question, topic)
    assert message["message_thread_id"] == topic
    assert "to the end of chapter 2" in message["text"]
    assert "in the room Ahead" in await club.does("Max", "/club pause", "Paused", topic=topic)
    asked = await peer.writes(club["Max"], club.group, "/ask Who is awake?", topic=topic)
    await club.tells(club["Max"], "Nothing is answered in this room", asked["message_id"])
    await club.asks("Max", "Who is awake now?")


async def test_who_writes_as_the_group_or_as_a_channel_is_nobody_that_can_be_known(
    club: Club, peer: FakeTelegram
) -> None:
    for sender in ("group", "channel"):
        written = await peer.writes(club["Ana"], club.group, "/join", sender=sender)
        await club.tells(club.group, "I answer people", written["message_id"])


async def test_an_admin_looks_over_the_map_by_buttons_and_sees_no_title_that_they_have_not_met(
    club: Club, peer: FakeTelegram
) -> None:
    shown = await club.told("Ana", "/book chapters", "story")
    assert TITLES[2] in words_of(shown)
    assert TITLES[3] not in words_of(shown)

    def replaced() -> bool:
        return "How it begins" in labels(peer.world.messages[club["Ana"]][shown["message_id"]])

    await club.presses("Ana", shown, next(label for label in labels(shown) if label.startswith("4:")))
    await peer.until(replaced)
    section = peer.world.messages[club["Ana"]][shown["message_id"]]
    assert TITLES[3] not in words_of(section)
    press = await club.presses("Ana", section, "How it begins")
    sure = await club.tells(club["Ana"], "lies past where you are", shown["message_id"])
    assert press.answers == 1
    assert TITLES[3] not in words_of(sure)
    await club.presses("Ana", sure, "Do not show it")
    await peer.until(lambda: club.own(club["Ana"], "Nothing was shown"))


async def test_a_book_is_removed_once_that_is_said_twice(peer: FakeTelegram) -> None:
    club = await founded(peer, Cy=1)
    number = (await club.does("Cy", "/book list", "Untitled")).partition(":")[0].split()[-1]
    asked = await club.told("Cy", f"/book remove {number}", "It cannot be undone")
    await club.presses("Cy", asked, "Keep it")
    await peer.until(lambda: club.own(club["Cy"], "Nothing was removed"))
    asked = await club.told("Cy", f"/book remove {number}", "It cannot be undone")
    await club.presses("Cy", asked, "Remove it")
    await peer.until(lambda: club.own(club["Cy"], "everything made from it is gone"))


async def test_admin_commands_need_an_administrator_as_telegram_says_now(club: Club, peer: FakeTelegram) -> None:
    assert "Only an administrator" in await club.does("Bo", "/club settings", "Only an administrator")
    assert "weekly_day" in await club.does("Ana", "/club settings", "weekly_day")
    peer.world.members[club.group, club["Bo"]] = "administrator"
    assert "weekly_day" in await club.does("Bo", "/club settings", "weekly_day")
    peer.world.members[club.group, club["Bo"]] = "member"
    assert "Only an administrator" in await club.does("Bo", "/club settings", "Only an administrator")


async def test_the_time_zone_is_asked_with_the_weekly_post(club: Club) -> None:
    told = await club.told("Ana", "/club settings weekly_day friday", "Which time zone")
    assert "weekly_day is friday now" in words_of(told)
    await club.presses("Ana", told, "Europe/Berlin")
    await club.tells(club["Ana"], "time_zone is Europe/Berlin now", told["message_id"])
    assert "Which time zone" not in await club.does("Ana", "/club settings weekly_day sunday", "weekly_day is")


async def test_who_is_in_two_clubs_is_asked_which_is_meant(club: Club, peer: FakeTelegram) -> None:
    second = await founded(peer, Cy=1)
    peer.world.members[club.group, second["Cy"]] = "member"
    club.people["Cy"] = second["Cy"]
    await club.does("Cy", "/join", "You joined")
    await club.does("Cy", "/progress finished 3", "Noted")
    asked = await peer.writes(second["Cy"], second["Cy"], WHO)
    which = await club.tells(second["Cy"], "About which book", asked["message_id"])
    assert len(labels(which)) == 2
    await club.presses("Cy", which, labels(which)[0])
    await club.answered_alone("Cy", WHO)


async def test_every_command_that_members_and_admins_have_answers(club: Club, program: Program) -> None:
    for command, told in (
        ("/shelf", "Untitled"), ("/chapters", "The Lantern"), ("/members", "Ana"), ("/vote", "Nothing is nominated"),
        ("/schedule", "no schedule"), ("/privacy", "Kept of you"), ("/club preview", "The next post"),
        ("/club room list", "Readers"), ("/book chapters", "Untitled"), ("/stop", "Nothing is being answered"),
        ("/book", "Administrators of the group say"), ("/club reports", "question"), ("/export", "file"),
    ):  # fmt: skip
        assert told in await club.does("Ana", command, told), command
    assert "/ask - Ask about the book" in words_of(await club.tells(club.group, "", (await _help(club))))
    assert not [line for line in program.log if "event=fault" in line]


async def _help(club: Club) -> int:
    written = await club.peer.writes(club["Ana"], club.group, f"/help@{club.peer.world.bot['username']}")
    return int(written["message_id"])


async def test_commands_are_told_to_telegram_for_private_chats_groups_and_administrators(
    program: Program, peer: FakeTelegram
) -> None:
    assert set(peer.world.commands) == {"all_private_chats", "all_group_chats", "all_chat_administrators"}
    every = {
        "ask", "progress", "where", "recap", "who", "join", "leave", "stop", "book", "club", "privacy", "export",
        "forget", "help",
    }  # fmt: skip
    told = {scope: {c["command"] for c in commands} for scope, commands in peer.world.commands.items()}
    assert every <= told["all_private_chats"] & told["all_chat_administrators"]
    assert every - {"export", "forget"} <= told["all_group_chats"]


async def test_a_command_may_name_the_bot_and_one_that_names_another_is_not_heard(
    club: Club, peer: FakeTelegram
) -> None:
    peer.world.members[club.group, peer.world.bot["id"]] = "administrator"  # who is told everything
    question, before = "Who carried it along, by name?", len(club.said())
    await peer.writes(club["Ana"], club.group, "/ask@SomeOtherBot Who carried it along, by another's?")
    await peer.writes(club["Ana"], club.group, f"/ask@{peer.world.bot['username'].upper()} {question}")
    await club.answered(question)
    peer.world.members[club.group, peer.world.bot["id"]] = "member"
    assert len(club.said()) == before + 1
