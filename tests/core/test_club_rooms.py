"""Rooms: their books, their limits, and when nothing is said there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.audience import everyone_in, limit_in
from bot.core.club import BookId, Member, Role, Room
from bot.core.club_rooms import (
    RoomLimit,
    add_room,
    book_read,
    duration,
    give_book,
    lift_limit,
    limit_room,
    limit_room_as_offered,
    limit_room_at,
    mute_room,
    pause_room,
    quiet_in,
    remove_room,
    resume_room,
    room_branched,
    rooms_listed,
)
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.places import NotLocated, Unclear
from bot.core.rights import Moderator
from bot.core.rooms import is_quiet
from bot.core.search import Asked, boundary_of
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter

HERON = book_of(chapter(1, "A heron stood in the mill race all that morning."), title="The Heron")
PARTS = book_of(
    *(chapter(n, "A cat sat on the mat.", "", (("", part),)) for part in (1, 2) for n in (1, 2)), title="Parts"
)


class Club:
    """A club in memory with the room `a`, an admin, and a member who is none."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.library: Library[FakeShelf, FakeRoster, FakeDoors] = in_memory()
        self.house: Clubhouse = house_of(self.library, self.clock)
        self.admin: Member
        self.other: Member

    async def opened(self) -> Club:
        """See to the room and the people."""
        await self.house.rooms.room_added("a", "lounge")
        self.other = await self.library.member("ben")
        await self.house.roster.role_given((await self.house.roster.member_known("ana")).id, Role.ADMIN)
        self.admin = await self.house.roster.member_known("ana")
        return self

    async def room(self) -> Room:
        room = await self.house.rooms.room("a")
        assert room is not None
        return room

    async def quiet(self, key: str = "a") -> bool:
        """Whether nothing may be said in a room now."""
        return await quiet_in(self.house, key)

    async def boundary(self, book: BookId) -> int:
        """The boundary of what is said in the room."""
        async with self.house.searching.doors.opened() as door:
            return (await boundary_of(door, Asked(book, "", everyone_in("a"), limit=limit_in("a")))).offset


@pytest.fixture
async def club() -> Club:
    return await Club().opened()


async def test_a_room_reads_its_own_book_else_the_clubs(club: Club) -> None:
    lantern = await club.library.add(LANTERN)
    heron = await club.library.add(HERON, file="heron")

    async def titles() -> list[str | None]:
        read = [await book_read(club.house, key) for key in ("a", "b", None)]
        return [None if book is None else book.title for book in read]

    await add_room(club.house, club.admin, "b", "annex")
    assert await titles() == ["The Lantern"] * 3
    given = await give_book(club.house, club.admin, "a", heron)
    assert given is not None
    assert given.id == heron
    assert await titles() == ["The Heron", "The Lantern", "The Lantern"]
    await club.house.roster.switch_book(heron)
    await give_book(club.house, club.admin, "b", lantern)
    assert await titles() == ["The Heron", "The Lantern", "The Heron"]
    await give_book(club.house, club.admin, "b", None)
    assert await titles() == ["The Heron"] * 3


async def test_a_book_of_another_club_is_none_of_the_rooms(club: Club) -> None:
    with pytest.raises(Refused, match=r"^The club has no such book: /book list shows those it has\.$"):
        await give_book(club.house, club.admin, "a", BookId(99))
    assert (await club.room()).book is None


async def test_a_book_that_is_not_announced_is_given_to_a_room_by_who_brought_it_alone(club: Club) -> None:
    heron = await club.library.add(HERON, file="heron")
    kept = club.library.shelf.of(heron)
    kept.record = replace(kept.record, announced=False, added_by=club.other.id)
    with pytest.raises(Refused, match=r"^The club has no such book: /book list shows those it has\.$"):
        await give_book(club.house, club.admin, "a", heron)
    kept.record = replace(kept.record, added_by=club.admin.id)
    given = await give_book(club.house, club.admin, "a", heron)
    assert given is not None
    assert given.announced


async def test_a_limit_is_said_like_a_place_and_a_plain_number_is_the_chapters_end(club: Club) -> None:
    book = await club.library.add(LANTERN)
    said = {"2": end_of(LANTERN, 2), "in 2": LANTERN.chapters[1].span.start, "finished": LANTERN.body_end, "none": 0}
    for words, offset in said.items():
        limited = await limit_room(club.house, club.admin, "a", words)
        assert isinstance(limited, RoomLimit)
        assert (limited.room, limited.book.id, limited.offset) == (await club.room(), book, offset)
        assert (await club.room()).limit == offset
    assert (await lift_limit(club.house, club.admin, "a")).limit is None


@pytest.mark.parametrize(
    "said",
    [
        "The Bell", "Marrable", "p. 3", "back to 1", '"short words"', "99", "same", "+1", "", "101%", "???",
        "Captain Marrable confessed before noon. He had poisoned the keeper for the sake of the gold.",
    ],
)  # fmt: skip
async def test_what_hangs_on_the_words_of_the_book_is_no_limit(club: Club, said: str) -> None:
    await club.library.add(LANTERN)
    assert isinstance(await limit_room(club.house, club.admin, "a", said), NotLocated)
    assert (await club.room()).limit is None


async def test_where_several_places_fit_a_limit_is_chosen_and_never_guessed(club: Club) -> None:
    await club.library.add(PARTS)
    unclear = await limit_room(club.house, club.admin, "a", "2")
    assert isinstance(unclear, Unclear)
    assert (await club.room()).limit is None
    chosen = await limit_room_at(club.house, club.admin, "a", unclear.candidates[1])
    assert chosen.room.limit == chosen.offset == unclear.candidates[1].offset == PARTS.chapters[3].span.end


async def test_a_limit_without_a_book_is_refused(club: Club) -> None:
    with pytest.raises(Refused, match=r"^The club has no book yet: /book add FILE\.$"):
        await limit_room(club.house, club.admin, "a", "1")


async def test_a_limit_is_gone_when_the_room_reads_another_book(club: Club) -> None:
    await club.library.add(LANTERN)
    heron = await club.library.add(HERON, file="heron")
    await limit_room(club.house, club.admin, "a", "1")
    await give_book(club.house, club.admin, "a", heron)
    assert (await club.room()).limit is None
    await limit_room(club.house, club.admin, "a", "none")
    assert await club.boundary(heron) == 0
    await give_book(club.house, club.admin, "a", None)
    assert (await club.room()).limit is None


@given(
    places=st.lists(st.integers(0, LANTERN.body_end), max_size=4),
    said=st.sampled_from(("1", "2", "3", "in 1", "in 3", "45%", "finished", "none")) | st.integers(0, 900),
)
async def test_a_rooms_limit_only_narrows(places: list[int], said: str | int) -> None:
    club = await Club().opened()
    book = await club.library.add(LANTERN)
    for number, offset in enumerate(places):
        await club.library.place(f"m{number}", book, offset)
    await club.house.roster.leave(club.other.id)
    before = await club.boundary(book)
    assert before == min(places, default=0)
    limited = await limit_room(
        club.house, club.admin, "a", said if isinstance(said, str) else f"offset:{min(said, len(LANTERN.text))}"
    )
    assert isinstance(limited, RoomLimit)
    assert await club.boundary(book) == min(before, limited.offset)
    await lift_limit(club.house, club.admin, "a")
    assert await club.boundary(book) == before


async def test_nothing_is_said_in_a_room_that_is_paused_until_it_is_resumed(club: Club) -> None:
    assert not await club.quiet()
    assert (await pause_room(club.house, club.admin, "a")).paused
    club.clock.passes(days=400)
    assert await club.quiet()
    assert not (await resume_room(club.house, club.admin, "a")).paused
    assert not await club.quiet()


async def test_nothing_is_said_in_a_room_that_is_muted_for_so_long(club: Club) -> None:
    muted = await mute_room(club.house, club.admin, "a", "2h")
    assert muted.muted_until == club.clock() + timedelta(hours=2)
    club.clock.passes(minutes=119)
    assert await club.quiet()
    club.clock.passes(minutes=1)
    assert not await club.quiet()
    await mute_room(club.house, club.admin, "a", "1d")
    await resume_room(club.house, club.admin, "a")
    assert not await club.quiet()


async def test_only_the_room_that_is_paused_is_quiet(club: Club) -> None:
    await add_room(club.house, club.admin, "b", "annex")
    await pause_room(club.house, club.admin, "a")
    assert not await club.quiet("b")
    assert not is_quiet(None, club.clock())


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ("30m", timedelta(minutes=30)), ("2h", timedelta(hours=2)), ("1d", timedelta(days=1)),
        (" 2 Weeks ", timedelta(days=14)), ("1 hour", timedelta(hours=1)), ("90 min", timedelta(minutes=90)),
        ("365d", timedelta(days=365)),
    ],
)  # fmt: skip
def test_a_length_of_time_is_said_as_people_say_it(said: str, length: timedelta) -> None:
    assert duration(said) == length


@pytest.mark.parametrize("said", ["", "0m", "soon", "-1h", "2", "366d", "999999w", "1h30", "٣h", "1.5h"])
def test_what_is_no_length_of_time_is_refused(said: str) -> None:
    with pytest.raises(Refused, match=r"^Say for how long: 30m, 2h, 1d or 2w, at most a year\.$"):
        duration(said)


async def test_only_an_admin_does_anything_to_a_room(club: Club) -> None:
    book = await club.library.add(LANTERN)
    before = await club.house.rooms.rooms()
    refused = 0
    for attempt in (
        add_room(club.house, club.other, "b", "annex"),
        remove_room(club.house, club.other, "a"),
        give_book(club.house, club.other, "a", book),
        limit_room(club.house, club.other, "a", "1"),
        lift_limit(club.house, club.other, "a"),
        pause_room(club.house, club.other, "a"),
        mute_room(club.house, club.other, "a", "2h"),
        resume_room(club.house, club.other, "a"),
    ):
        with pytest.raises(Refused, match="Only an admin"):
            await attempt
        refused += 1
    assert refused == 8
    assert await club.house.rooms.rooms() == before


async def test_who_moderates_a_room_quiets_it_and_lets_it_go_on(club: Club) -> None:
    moderator = Moderator("platform:moderator")
    assert (await pause_room(club.house, moderator, "a")).paused
    assert not (await resume_room(club.house, moderator, "a")).paused
    assert (await mute_room(club.house, moderator, "a", "2h")).muted_until == club.clock() + timedelta(hours=2)


async def test_what_is_done_to_a_room_that_is_none_of_the_clubs_is_refused(club: Club) -> None:
    assert (await remove_room(club.house, club.admin, "a")).name == "lounge"
    with pytest.raises(Refused, match=r"^The club is not set up in this room: an admin says /club room add\.$"):
        await pause_room(club.house, club.admin, "a")


@pytest.mark.parametrize("name", ["", " \n ", "x" * 61])
async def test_a_name_of_nothing_or_too_much_is_refused(club: Club, name: str) -> None:
    with pytest.raises(Refused, match=r"^A name has from 1 to 60 characters\.$"):
        await add_room(club.house, club.admin, "b", name)


async def test_a_limit_that_was_offered_counts_on_the_map_and_the_book_it_was_offered_on(club: Club) -> None:
    book, version = await club.library.add(LANTERN), (await club.library.roster.books())[0].map_version
    end = end_of(LANTERN, 1)
    made = await limit_room_as_offered(club.house, club.admin, "a", book, (end, version))
    assert (made.offset, (await club.room()).limit) == (end, end)
    for other in ((book, version + 1), (BookId(book + 1), version)):
        with pytest.raises(Refused, match="changed just now"):
            await limit_room_as_offered(club.house, club.admin, "a", other[0], (0, other[1]))


async def test_rooms_are_listed_with_what_each_reads(club: Club) -> None:
    assert [(room.name, book) for room, book in await rooms_listed(club.house)] == [("lounge", None)]
    await club.library.add(LANTERN)
    heron = await club.library.add(HERON, file="heron")
    await add_room(club.house, club.admin, "b", "annex")
    await give_book(club.house, club.admin, "b", heron)
    listed = [(room.name, book and book.title) for room, book in await rooms_listed(club.house)]
    assert listed == [("lounge", "The Lantern"), ("annex", "The Heron")]


async def test_what_branched_from_a_room_goes_with_it(club: Club) -> None:
    await add_room(club.house, club.admin, "b", "annex")
    await room_branched(club.house, "a", "thread", "about the end")
    await remove_room(club.house, club.admin, "a", ["thread", "elsewhere"])
    assert [room.key for room in await club.house.rooms.rooms()] == ["b"]
