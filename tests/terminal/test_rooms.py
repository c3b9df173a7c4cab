"""The club at the keyboard: rooms, settings, pausing and admins."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.completions import completions
from bot.adapters.terminal.desk import ROOM
from bot.adapters.terminal.replies import Reply, clear
from bot.adapters.terminal.rooms import hushed
from bot.core.club import ClubId, Role
from bot.core.club_settings import SETTINGS
from bot.ingest.pipeline import index_book
from tests.databases import Databases
from tests.fakes.library import LANTERN, end_of
from tests.made_books import book_of, chapter
from tests.noninterference.world import World, world_of

HERON = book_of(chapter(1, "A heron stood in the mill race all that morning."), title="The Heron")
ADMINS_ALONE = "Only an admin of the club can do that: ask one of them."
MODERATORS_ALONE = "Only an admin of the club or a moderator of the room can do that."
QUIET = "(for {} alone)\nNothing is answered in this room for now: ask privately with /dm QUESTION."


@pytest.fixture
async def world(databases: Databases) -> AsyncIterator[World]:
    async with world_of(databases, LANTERN, None) as made:
        yield made


async def typed(world: World, *lines: str) -> list[str]:
    return [await world.typed(line) for line in lines]


async def heron(world: World) -> int:
    """A second book of the club."""
    book, _ = await world.shelf.store_book(world.club.desk.club, index_book(HERON), "heron", HERON.title)
    return book


async def admins(world: World) -> list[str]:
    return [m.name for m in await world.club.desk.roster.members() if m.admin]


async def test_whoever_speaks_first_is_the_clubs_admin_and_the_room_is_made(world: World) -> None:
    await typed(world, "/help", "/as ana", "/join")
    assert await admins(world) == ["you"]
    assert [(r.key, r.name) for r in await world.club.desk.house.rooms.rooms()] == [(ROOM, "main")]


async def test_a_club_that_has_an_admin_already_keeps_its_own(world: World) -> None:
    await world.made_admin("ana")
    await typed(world, "/help")
    assert await admins(world) == ["ana"]


async def test_two_clubs_at_one_keyboard_have_a_room_each(world: World) -> None:
    other = ClubId(await world.shelf.club_named("other"))
    await PostgresRooms(world.app, other).room_added(ROOM, "theirs")
    await typed(world, "/room")
    assert world.club.room == f"{ROOM}:{world.club.desk.club}"
    assert await world.typed("/room") == "* main"
    again = TerminalClub(world.club.desk)
    await again.handle("/help")
    assert again.room == world.club.room


async def test_setting_up_names_the_room_and_says_what_comes_next(world: World) -> None:
    seen = await world.typed("/club setup Night Readers")
    assert "The club is set up in the room Night Readers; an admin of it: you." in seen
    assert "/join" in seen
    assert "/book add FILE" not in seen
    assert await world.typed("/room") == "* Night Readers"
    await world.shelf.remove_book(world.book)
    assert "Next comes the book: /book add FILE." in await world.typed("/club setup")


async def test_every_setting_is_listed_with_what_it_does_and_changed_by_one_command(world: World) -> None:
    seen = await typed(
        world, "/club settings", "/club settings weekly_day Monday", "/club settings weekly_day",
        "/club settings colour", "/club settings colour red", "/club settings weekly_day default",
        "/club settings WEEKLY_DAY",
    )  # fmt: skip
    assert [line.partition(":")[0] for line in seen[0].splitlines()[:-1]] == list(SETTINGS)
    assert "weekly: on - Whether the club's progress is posted every week. One of on, off." in seen[0]
    assert seen[1] == "weekly_day is monday now."
    assert seen[2].startswith("weekly_day: monday (else sunday) - The day on which it is posted.")
    assert seen[3] == "Change one with /club settings NAME VALUE; the value default sets it back."
    assert seen[4].startswith("There is no setting colour: settings are language,")
    assert seen[6].startswith("weekly_day: sunday - ")


async def test_two_books_are_read_at_once_in_a_room_each(world: World) -> None:
    second = await heron(world)
    await world.place("you", end_of(LANTERN, 1))
    seen = await typed(
        world, "/club room add reading nook", "/room Reading Nook", f"/club room book {second}",
        "/progress finished 1", "/ask Where did the heron stand?", "/where", "/room main", "/where",
    )  # fmt: skip
    assert seen[0] == "The club has the room reading nook now: /room reading nook goes there."
    assert seen[1] == "In the room reading nook."
    assert seen[2] == "The room reading nook reads “The Heron” now."
    assert "finished" in seen[3]
    assert "about The Heron" in seen[4]
    assert "A heron stood in the mill race" in seen[4]
    assert "the end of the book" in seen[5]
    assert "The club is at the end of chapter 1." in seen[7]


async def test_a_rooms_limit_narrows_what_is_answered_there_and_ends_with_the_book(world: World) -> None:
    second = await heron(world)
    await world.place("you", LANTERN.body_end)
    before = await world.typed("/ask What had Captain Marrable confessed?")
    assert "Captain Marrable" in before.partition("\n")[2]
    seen = await typed(
        world, "/club room limit 2", "/where", "/ask What happened in the morning?", "/dm Who confessed?",
        "/club room limit off", "/where", "/club room limit 1", f"/club room book {second}", "/club room book off",
        "/where",
    )  # fmt: skip
    assert seen[0] == "The room main is told of “The Lantern” up to the end of chapter 2 at most."
    assert seen[1].startswith("The club is at the end of chapter 2.")
    assert "for everyone who has read to the end of chapter 2" in seen[2]
    assert "confessed" not in seen[2]
    assert "confessed before noon" in seen[3]
    assert seen[4] == "The room main has no limit of its own any more."
    for lifted in (seen[5], seen[9]):
        assert lifted.startswith("The club is at the end of the book.")


async def test_a_limit_that_is_no_place_is_asked_for_again(world: World) -> None:
    wanted = "A room's limit is a chapter or a percentage: 12, in 12, part 2 ch 3 or 45%."
    seen = await typed(world, "/club room limit The Bell", "/club room limit p. 9", "/club room limit 9")
    assert seen[:2] == [wanted, wanted]
    assert "chapter 3" in seen[2]
    assert await world.typed("/club room limit none") == "The room main is told nothing of “The Lantern”."
    await world.typed("/club room limit off")
    room = await world.club.desk.house.rooms.room(world.club.room)
    assert room is not None
    assert room.limit is None


async def test_a_paused_room_hears_nothing_and_private_use_goes_on(world: World) -> None:
    await world.place("you", end_of(LANTERN, 1))
    seen = await typed(
        world, "/club pause", "/ask Who came?", "/where", "/book list", "/club welcome", "/dm /where",
        "/progress in 2", "/nonsense", "/club resume", "/where",
    )  # fmt: skip
    assert seen[0].startswith("Paused: nothing is answered or posted in the room main until")
    assert seen[1:5] == [QUIET.format("you")] * 4
    assert all(line.startswith("(for you alone)") for line in seen[5:7])
    assert seen[7] == QUIET.format("you")
    assert seen[8] == "The room main is answered again."
    assert "The club is at" in seen[9]


async def test_a_room_is_muted_for_so_long_and_another_room_is_not(world: World) -> None:
    await world.place("you", end_of(LANTERN, 1))
    seen = await typed(
        world, "/club settings time_zone Europe/Berlin", "/club mute", "/club mute soon", "/club mute 2h", "/where",
        "/club room add annex", "/room annex", "/where",
    )  # fmt: skip
    assert seen[1] == "Say for how long: /club mute 2h."
    assert seen[2] == "Say for how long: 30m, 2h, 1d or 2w, at most a year."
    assert seen[3].startswith("Muted until 2031-03-01 15:00 Europe/Berlin: until then nothing is answered")
    assert seen[4] == QUIET.format("you")
    assert seen[5].startswith("(for you alone)\n")
    assert "The club is at" in seen[7]


async def test_an_answer_that_was_under_way_when_the_room_was_paused_is_not_said_there(world: World) -> None:
    await world.place("you", end_of(LANTERN, 1))
    await world.typed("/help")
    house = world.club.desk.house
    room = await house.rooms.room(world.club.room)
    assert room is not None

    async def answer() -> list[Reply]:
        await house.rooms.room_paused(room.id, house.clock())
        return [clear("The ferry came."), clear("Your place.", only="you")]

    replies = await hushed(world.club, "/ask Who came?", answer)
    assert ["\n".join(s.text for s in reply.plain) for reply in replies] == [QUIET.format("you")]


async def test_who_is_no_admin_is_told_so_and_changes_nothing(world: World) -> None:
    await typed(world, "/help", "/as ana", "/join")
    for line in (
        "/club setup mine", "/club settings names on", "/club room add annex", "/club room book 1",
        "/club room limit 1", "/club room limit off", "/club pause", "/club resume", "/club mute 2h",
        "/club admin ana", "/club admin you off", "/book remove 1", "/book switch 1", "/book add x.txt",
    ):  # fmt: skip
        quiets = line in {"/club pause", "/club resume", "/club mute 2h"}
        assert await world.typed(line) == (MODERATORS_ALONE if quiets else ADMINS_ALONE), line
    assert await admins(world) == ["you"]
    assert await world.club.desk.house.rooms.settings() == {}
    assert [r.name for r in await world.club.desk.house.rooms.rooms()] == ["main"]
    assert len(await world.club.desk.roster.books()) == 1


async def test_an_admin_makes_another_and_the_last_one_stays(world: World) -> None:
    await typed(world, "/join", "/as ana", "/join", "/as you")
    seen = await typed(world, "/club admin you off", "/club admin @Ana", "/club admin you off", "/club pause")
    assert seen == [
        "A club has at least one admin: make somebody else one first.",
        "ana: an admin of the club now.",
        "you: no admin of the club any more.",
        MODERATORS_ALONE,
    ]
    assert (await typed(world, "/club admin", "/as ana", "/club admin nobody"))[::2] == [
        "Admins: ana.\nSay who: /club admin NAME, or /club admin NAME off.",
        "The club knows nobody called nobody.",
    ]


async def test_an_admin_who_leaves_hands_over_and_the_new_one_is_told_alone(world: World) -> None:
    seen = await typed(world, "/join", "/as ana", "/join", "/as ben", "/join", "/as you", "/leave")
    assert "(for ana alone)\nana, you are an admin of the club now" in seen[-1]
    assert await admins(world) == ["ana"]
    await typed(world, "/as ana", "/forget me", "1")
    assert await admins(world) == ["ben"]


async def test_where_nobody_is_left_the_keyboards_first_member_is_admin_again(world: World) -> None:
    await typed(world, "/join", "/leave", "/help")
    assert await admins(world) == ["you"]
    member = await world.club.member()
    assert (member.joined, member.role) == (False, Role.ADMIN)


async def test_a_room_is_added_once_and_the_last_one_stays(world: World) -> None:
    seen = await typed(
        world, "/club room remove", "/club room add annex", "/club room add Annex", "/room nowhere", "/room",
        "/room annex", "/club room remove", "/room",
    )  # fmt: skip
    assert seen[0] == "A club at a keyboard has one room at least: /club room add NAME makes another."
    assert seen[2] == "The club has the room annex already: /room annex goes there."
    assert seen[3] == "The club has no such room: /room shows those it has."
    assert seen[4].splitlines() == ["* main", "  annex"]
    assert seen[6] == "The room annex is the club's no more. Now in the room main."
    assert seen[7] == "* main"


@pytest.mark.parametrize("rest", ["", "add", "book", "limit", "nonsense", "remove it"])
async def test_half_a_command_says_how_it_is_said(world: World, rest: str) -> None:
    assert (await world.typed(f"/club room {rest}")).startswith("Say /club room add NAME, remove, book N")


async def test_help_says_what_admins_alone_use(world: World) -> None:
    last = (await world.typed("/help")).splitlines()[-1]
    assert last.startswith("Admins alone use ")
    assert {"/book add", "/club pause", "/club admin"} <= set(
        last.removeprefix("Admins alone use ").rstrip(".").split(", ")
    )


async def test_the_words_that_follow_are_completed(world: World) -> None:
    await typed(world, "/join", "/as ana", "/join", "/as spectator", "/as you", "/club room add annex")
    wanted = {
        "/club se": ["setup", "settings "],
        "/club settings weekly_": ["weekly_day ", "weekly_time "],
        "/club settings names ": ["on", "off", "default"],
        "/club settings time_zone ": ["default"],
        "/club settings colour ": [],
        "/club room ": ["add ", "remove", "book ", "limit "],
        "/club room book ": ["1", "off"],
        "/club room limit ": ["off"],
        "/club room add ": [],
        "/club admin ": ["ana", "you"],
        "/club admin ana ": ["off"],
        "/club mute ": ["30m", "2h", "1d"],
        "/room ": ["main", "annex"],
        "/room a": ["annex"],
    }
    seen = {line: [c.text for c in await completions(world.club, line)] for line in wanted}
    assert seen == wanted
