"""The schedule by buttons: what is offered, seen before it is set, and told to the room; from a private chat too."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.chat import rooms, schedule, weekly
from bot.adapters.chat.parts import Content
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said
from bot.adapters.chat.scene import Scene
from bot.adapters.chat.schedule import Meant
from bot.adapters.telegram.callbacks import LONGEST, Callbacks
from bot.core.audience import See, cannot_tell
from bot.core.club import BookId, Role
from bot.core.errors import Refused
from bot.core.paces import Pace
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf

ROOM = "telegram:-1"


@dataclass
class Platform:
    """A platform that keeps what rooms are told."""

    told: list[tuple[str, list[str]]] = field(default_factory=list)

    async def announce(self, room: str, content: Content, key: str) -> bool:
        self.told.append((room, [str(part.text) for part in content.parts]))
        return True

    async def see_in(self, room: str) -> See:
        return cannot_tell


@dataclass
class Admin:
    """An admin who has not joined, in the private chat with the bot, of a club with one room."""

    scene: Scene
    platform: Platform
    library: Library[FakeShelf, FakeRoster, FakeDoors]

    async def said(self, what: str | None = None) -> Said:
        return await schedule.schedule(self.scene, what)

    async def presses(self, under: Said, label: str) -> Said:
        press = next(button.press for button in under.buttons if button.label == label)
        run = {Action.SCHEDULE: schedule.offered, Action.SET_SCHEDULE: schedule.chosen, Action.WEEKLY: weekly.weekly}
        return await run[press.action](self.scene, press)


async def admin() -> Admin:
    library, platform = in_memory(), Platform()
    house = house_of(library, FakeClock())  # a Sunday
    await library.add(LANTERN)
    await house.rooms.room_added(ROOM, "Readers")
    member = replace(await house.roster.member_known("telegram:7", "Ana"), role=Role.ADMIN)
    return Admin(Scene(cast(Any, platform), house, member, "en@telegram"), platform, library)


def labels(said: Said) -> list[str]:
    return [button.label for button in said.buttons]


async def test_a_pace_is_shown_before_it_is_set_and_setting_it_tells_the_room() -> None:
    ana = await admin()
    begun = await ana.said()
    assert "has no schedule" in begun.lines[0]
    assert labels(begun) == [
        "1 chapter a week", "2 chapters a week", "3 chapters a week", "over 2 weeks", "over 3 weeks", "The weekly post",
    ]  # fmt: skip
    draft = await ana.presses(begun, "1 chapter a week")
    assert draft.lines[:2] == ("This would be the schedule of “The Lantern”:", "· chapter 1 by Saturday 7 March")
    assert "✓ Saturday" in labels(draft)
    other = await ana.presses(draft, "Wednesday")
    assert other.lines[1] == "· chapter 1 by Wednesday 11 March"
    assert not ana.platform.told
    assert "has no schedule" in (await ana.said()).lines[0]
    now = await ana.presses(other, "Set it")
    assert now.lines[:3] == ("It is set.", "The schedule of “The Lantern”:", "· chapter 1 by Wednesday 11 March")
    ((room, told),) = ana.platform.told
    assert (room, told[1]) == (ROOM, "· chapter 1 by Wednesday 11 March")
    again = await ana.presses(now, "Change it")
    assert again.lines[1] == "· chapter 1 by Wednesday 11 March"
    assert "No schedule" in labels(again)
    gone = await ana.presses(await ana.presses(again, "No schedule"), "No schedule")
    assert "“The Lantern” has no schedule any more." in gone.lines
    assert len(ana.platform.told) == 2


async def test_a_button_for_a_book_that_is_read_no_more_sets_nothing() -> None:
    ana = await admin()
    draft = await ana.presses(await ana.said(), "over 2 weeks")
    (setting,) = [button.press for button in draft.buttons if button.press.action is Action.SET_SCHEDULE]
    found = Meant.of(setting.value)
    assert found is not None
    other = replace(setting, value=replace(found, book=BookId(found.book + 1)).value)
    assert "has no schedule" in (await schedule.chosen(ana.scene, other)).lines[0]
    assert "has no schedule" in (await schedule.offered(ana.scene, other)).lines[0]
    with pytest.raises(Refused, match="room of the club"):
        await schedule.chosen(ana.scene, replace(setting, subject=99))
    assert not ana.platform.told


async def test_who_is_no_admin_is_offered_nothing_and_sets_nothing() -> None:
    ana = await admin()
    draft = await ana.presses(await ana.said(), "over 2 weeks")
    setting = next(button.press for button in draft.buttons if button.press.action is Action.SET_SCHEDULE)
    await ana.scene.house.roster.join(ana.scene.member.id, ana.scene.house.clock())
    (member,) = await ana.scene.house.roster.members()
    plain = replace(ana.scene, member=replace(member, role=Role.MEMBER))
    assert (await schedule.schedule(plain, None)).buttons == ()
    for run, press in ((schedule.chosen, setting), (schedule.offered, replace(setting, action=Action.SCHEDULE))):
        with pytest.raises(Refused, match="admin"):
            await run(plain, press)
    with pytest.raises(Refused, match="admin"):
        await weekly.weekly(plain, replace(setting, action=Action.WEEKLY, value="day-1"))
    stranger = replace(ana.scene, member=replace(member, role=Role.MEMBER, joined=False))
    with pytest.raises(Refused, match="join"):
        await schedule.schedule(stranger, None)


async def test_outside_a_room_the_words_are_for_the_only_book_and_of_several_one_is_chosen() -> None:
    ana = await admin()
    house = ana.scene.house
    said = await ana.said("3 chapters a week from 2026-03-04")
    assert said.lines[1] == "· chapter 3 by Tuesday 10 March"
    other = await ana.library.add(replace(LANTERN, title="The Harbour"), file="other")
    await house.books.book_announced(other, house.clock())
    second = await house.rooms.room_added("telegram:-1/5", "Ahead")
    await house.rooms.room_reads(second.id, other)
    which = await ana.said()
    assert which.lines == ("The schedule of which book?",)
    assert labels(which) == ["The Lantern", "The Harbour"]
    assert "“The Harbour” has no schedule" in (await ana.presses(which, "The Harbour")).lines[0]
    with pytest.raises(Refused, match="room of the club"):
        await ana.said("off")
    there = replace(ana, scene=replace(ana.scene, room=ROOM))
    assert (await there.said("off")).lines == ("“The Lantern” has no schedule any more.",)


async def test_the_weekly_post_gets_its_day_time_and_zone_or_ends() -> None:
    ana = await admin()
    shown = await ana.presses(await ana.said(), "The weekly post")
    assert shown.lines[0] == "The club's progress is posted every week: Sunday, 18:00 (UTC)."
    for label, told in (("Friday", "Friday, 18:00 (UTC)"), ("20:00", "Friday, 20:00 (UTC)")):
        shown = await ana.presses(shown, label)
        assert told in shown.lines[0]
    shown = await ana.presses(await ana.presses(shown, "Time zone"), "Europe/Berlin")
    assert shown.lines[0] == "The club's progress is posted every week: Friday, 20:00 (Europe/Berlin)."
    shown = await ana.presses(shown, "No weekly post")
    assert shown.lines == ("The club's progress is not posted.",)
    shown = await ana.presses(shown, "Post it every week")
    assert "Friday, 20:00" in shown.lines[0]
    assert "has no schedule" in (await ana.presses(shown, "The schedule")).lines[0]


async def test_a_limit_that_may_be_meant_in_several_ways_is_chosen_in_the_private_chat_too() -> None:
    ana = await admin()
    offset = LANTERN.chapters[0].span.end
    (room,) = await ana.scene.house.rooms.rooms()
    (book,) = await ana.scene.house.roster.books()
    press = Press(Action.LIMIT, 1, book.id, 7, f"{offset}-{book.map_version}-{room.id}")
    assert "up to" in (await rooms.limit_chosen(ana.scene, press)).lines[0]
    with pytest.raises(Refused, match="room of the club"):
        await rooms.limit_chosen(ana.scene, replace(press, value=f"{offset}-{book.map_version}"))


@given(
    pace=st.none() | st.builds(Pace, weeks=st.integers(1, 999), weekday=st.none() | st.integers(0, 6)),
    book=st.integers(1, 10**9),
)
def test_what_a_button_means_comes_back_and_fits_a_callback(pace: Pace | None, book: int) -> None:
    meant = Meant(pace, BookId(book))
    assert Meant.of(meant.value) == meant
    press = Press(Action.SET_SCHEDULE, 100_000, 10**6, 10**10, meant.value)
    assert len(Callbacks.of("7:secret").data_of(press)) <= LONGEST


@pytest.mark.parametrize("value", ["", "c0-x-1", "c3-7-1", "off", "off-", "c3-4", "w2-x-", "x3-4-1", "c3-4-1-1"])
def test_anything_else_means_nothing(value: str) -> None:
    assert Meant.of(value) is None
