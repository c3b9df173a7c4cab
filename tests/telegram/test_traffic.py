"""The watch over the traffic sees what it is there for: each thing that may not happen is done to it once."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.peers.telegram.entities import Json, read
from tests.peers.telegram.peer import Call
from tests.peers.telegram.world import Press, Shown, World
from tests.stories.book import NAMES, TITLES, chapter_text
from tests.telegram.traffic import hurried, unguarded


class Made:
    """A group with two people: Ana has finished chapter 3, Bo chapter 2. All that was long ago."""

    def __init__(self) -> None:
        self.world = World({"id": 7, "is_bot": True, "first_name": "Dogear", "username": "Bot"})
        self.ana, self.bo = self.world.user("Ana"), self.world.user("Bo")
        self.group = self.world.group("Readers", [self.ana, self.bo])
        self.long_ago = time.monotonic() - 1000
        for user, chapter in ((self.ana, 3), (self.bo, 2)):
            self.writes(user, "/join", self.group)
            self.shows(user, "You joined the club.", at=self.long_ago)
            self.writes(user, f"/progress finished {chapter}")

    def writes(self, user: int, text: str, chat: int = 0) -> None:
        where = chat or user
        message: Json = {"from": {"id": user}, "chat": {"id": where}, "text": text, "message_id": self.world.next()}
        self.world.messages[where][message["message_id"]] = message
        self.world.heard.append((self.long_ago, {"message": message}))

    def shows(self, chat: int, html: str, kind: str = "message", at: float | None = None, **body: Any) -> None:
        text, entities = read(html, "HTML")
        when = time.monotonic() if at is None else at
        self.world.shown.append(Shown(chat, self.world.next(), kind, chat < 0, text, entities, body, at=when))

    def presses(self, user: int, data: str) -> None:
        press = Press(str(self.world.next()), user, data)
        self.world.presses[press.id] = press


@pytest.fixture
def made() -> Made:
    return Made()


def covered(chapter: int) -> str:
    return f"Ana asked\n<tg-spoiler>Who? {chapter_text(chapter)[:90]}</tg-spoiler>"


def test_what_all_have_read_under_a_cover_and_what_one_has_read_in_private_are_well(made: Made) -> None:
    made.shows(made.group, covered(2))
    made.shows(made.ana, chapter_text(3)[:90])
    made.shows(made.group, "Ana 🦊𝔄 asked\n<tg-spoiler>𝔏ong ago 🏮 " + chapter_text(1)[:90] + "</tg-spoiler>", "edit")
    assert unguarded(made.world) == []


@pytest.mark.parametrize("kind", ["message", "edit", "photo"])
def test_words_of_the_book_in_clear_in_a_group_are_seen(made: Made, kind: str) -> None:
    made.shows(made.group, f"Ana asked about {NAMES[0]}", kind)
    (wrong,) = unguarded(made.world)
    assert wrong.startswith("in clear")


def test_a_cover_that_begins_a_character_too_late_or_parts_one_is_seen(made: Made) -> None:
    made.shows(made.group, covered(1))
    state = made.world.shown[-1]
    late = [{**e, "offset": e["offset"] + len("Who? Aldous "), "length": 20} for e in state.entities]
    made.world.shown[-1] = Shown(made.group, 1, "message", True, state.text, late, {})
    assert [w.split(":")[0] for w in unguarded(made.world)] == ["in clear"]
    parted = [{"type": "spoiler", "offset": 1, "length": 2}]
    made.world.shown[-1] = Shown(made.group, 1, "message", True, "🦊𝔄", parted, {})
    assert [w.split(":")[0] for w in unguarded(made.world)] == ["parts a character"]


@pytest.mark.parametrize(("who", "chapter"), [("group", 3), ("bo", 3), ("ana", 4)])
def test_what_is_beyond_an_audience_is_seen_covered_or_not(made: Made, who: str, chapter: int) -> None:
    made.shows(getattr(made, who), covered(chapter))
    found = unguarded(made.world)
    assert found
    assert all(wrong.startswith("unread") for wrong in found)


def test_what_is_beyond_an_audience_is_seen_on_buttons_in_drafts_and_in_pop_ups(made: Made) -> None:
    button = {"inline_keyboard": [[{"text": TITLES[3], "callback_data": "x"}]]}
    made.shows(made.bo, "Which?", reply_markup=button)
    made.shows(made.bo, chapter_text(4)[:90], "draft")
    made.shows(made.bo, TITLES[4], "alert")
    assert {wrong.split(", ")[1].split(" ")[0] for wrong in unguarded(made.world)} == {"message", "draft", "alert"}


def test_who_went_back_is_shown_no_more_than_that(made: Made) -> None:
    made.writes(made.ana, "/progress back to 1")
    made.shows(made.ana, chapter_text(2)[:90])
    assert unguarded(made.world)


def test_looking_ahead_is_for_the_one_reply_to_who_pressed(made: Made) -> None:
    ahead = f"<b>Who?</b>\nFrom past where you are: {chapter_text(5)[:90]}"
    made.shows(made.bo, ahead)
    assert len(unguarded(made.world)) > 0
    before = len(made.world.shown)
    made.presses(made.bo, "ahead-answer.1.1.1..mac")
    made.shows(made.bo, ahead)
    assert unguarded(made.world, before) == []
    made.shows(made.bo, ahead)
    made.shows(made.ana, ahead)
    made.shows(made.group, f"From past where you are\n<tg-spoiler>{chapter_text(5)[:90]}</tg-spoiler>")
    told = {wrong.split(" in ")[1].split(":")[0] for wrong in unguarded(made.world, before)}
    assert told == {str(made.bo), str(made.ana), str(made.group)}


def test_a_message_that_is_edited_too_often_in_a_group_is_seen(made: Made) -> None:
    now = time.monotonic()
    made.world.shown += [
        Shown(chat, 1, "edit", chat < 0, "more and more", [], {}, at=now + seconds)
        for chat, seconds in ((made.group, 0), (made.ana, 0.5), (made.ana, 1), (made.group, 3), (made.group, 5))
    ]
    (wrong,) = hurried(made.world, 0, len(made.world.shown))
    assert wrong.startswith("edited after 2.00 s")


def test_words_of_the_book_in_any_other_call_are_seen(made: Made) -> None:
    assert unguarded(made.world, calls=[Call("setMyCommands", {"commands": [{"description": TITLES[0]}]})])
