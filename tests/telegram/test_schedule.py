"""`/club schedule` by buttons, over the wire: in the private chat, where the reply to a group goes."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.peers.telegram.entities import Json
from tests.peers.telegram.people import button_of
from tests.stories.book import NAMES, TITLES
from tests.telegram.traffic import words_of
from tests.telegram.wire import Club, Program, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def readers(program: Program) -> Club:
    """Pia set it up and has finished chapter 1, Ned nothing."""
    return await founded(program.peer, Pia=1, Ned=0)


async def turned(club: Club, name: str, message: Json, label: str, to: str) -> Json:
    """Press a button; its message once it says this."""
    press = await club.presses(name, message, label)
    assert press.answers == 1

    def found() -> Json | None:
        now = club.peer.world.messages[club[name]][message["message_id"]]
        return now if to in words_of(now) else None

    return await club.peer.until(found)


def first_of_rows(message: Json) -> set[str]:
    return {row[0]["text"] for row in message["reply_markup"]["inline_keyboard"]}


async def test_the_buttons_of_the_schedule_tell_chapters_by_number_and_no_title(readers: Club) -> None:
    club = readers
    shown = await club.told("Pia", "/club schedule", "no schedule")
    assert labels(shown)[:3] == ["1 chapter a week", "2 chapters a week", "3 chapters a week"]
    seen = await turned(club, "Pia", shown, "2 chapters a week", "This would be")
    day = next(label for label in labels(seen) if label.endswith("day") and "✓" not in label)
    seen = await turned(club, "Pia", seen, day, f"chapter 2 by {day}")
    assert not club.said("The schedule of")
    assert "Set it" in first_of_rows(seen)
    now = await turned(club, "Pia", seen, "Set it", "It is set.")
    told = await club.tells(club.group, "The schedule of")
    assert f"chapter 2 by {day}" in words_of(told)
    assert words_of(told) in words_of(now)
    assert not any(title in words_of(now) + words_of(told) for title in (*TITLES, *NAMES))
    for label, to in (
        ("Change it", "A pace"), ("The weekly post", "every week:"), ("Friday", "Friday, 18:00"),
        ("Time zone", "Which time zone"), ("Europe/Berlin", "Friday, 18:00 (Europe/Berlin)"),
    ):  # fmt: skip
        now = await turned(club, "Pia", now, label, to)
    assert {"08:00", "Time zone"} <= first_of_rows(now)


async def test_set_it_that_is_pressed_several_times_is_told_to_the_room_once(readers: Club) -> None:
    club, peer, told = readers, readers.peer, len(readers.said("The schedule of"))
    shown = await club.told("Pia", "/club schedule", "schedule", private=True)
    seen = await turned(club, "Pia", shown, "1 chapter a week", "This would be")
    data = button_of(seen, "Set it")["callback_data"]
    presses = [await peer.forges(club["Pia"], club["Pia"], seen["message_id"], data) for _ in range(3)]
    await peer.until(lambda: all(press.answers for press in presses))
    await club.does("Pia", "/help", "/progress", private=True)
    assert len(club.said("The schedule of")) == told + 1
    assert [press.answers for press in presses] == [1, 1, 1]


async def test_who_is_no_administrator_any_more_sets_no_schedule_with_a_button_that_they_have(readers: Club) -> None:
    club, world, told = readers, readers.peer.world, len(readers.said("The schedule of"))
    world.members[club.group, club["Ned"]] = "administrator"
    seen = await turned(club, "Ned", await club.told("Ned", "/club schedule"), "over 2 weeks", "This would be")
    world.members[club.group, club["Ned"]] = "member"
    press = await club.presses("Ned", seen, "Set it")
    await club.tells(club["Ned"], "Only an administrator", seen["message_id"])
    assert press.answers == 1
    assert len(club.said("The schedule of")) == told
    assert labels(await club.told("Ned", "/club schedule", "schedule")) == []
    assert "schedule" in await club.does("Ned", "/schedule", private=True)


async def test_the_schedule_in_the_private_chat_is_of_the_book_that_the_club_reads(readers: Club) -> None:
    club = readers
    assert "1 chapter a week" in labels(await club.told("Pia", "/club schedule", "schedule", private=True))
    assert "chapter 1 by" in await club.does("Pia", "/club schedule 1 chapter a week", "The schedule", private=True)
    await club.peer.until(lambda: club.said("chapter 1 by"))
