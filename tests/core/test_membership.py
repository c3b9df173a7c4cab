"""Who counts for what is shown in a room."""

from __future__ import annotations

from bot.core.audience import everyone_in
from bot.core.club import Audience, BookId
from bot.core.membership import joined, pending
from bot.core.search import Asked, boundary_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf

Fake = Library[FakeShelf, FakeRoster, FakeDoors]


async def room_of(library: Fake, book: BookId) -> tuple[Audience, int, int]:
    """The audience of the room, how many are pending, and the room's boundary."""
    async with library.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book, "", everyone_in("room")))
        return boundary.audience, await pending(door, boundary), boundary.offset


async def test_only_who_joined_is_in_a_rooms_audience() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    ana = await library.place("ana", book, 300)
    await library.roster.member_known("ben")
    audience, waiting, offset = await room_of(library, book)
    assert audience == Audience(frozenset({ana.id}), "room")
    assert not audience.private
    assert (waiting, offset) == (0, 300)


async def test_who_joined_and_has_not_said_where_they_are_counts_as_nothing_read() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    ana = await library.place("ana", book, end_of(LANTERN, 2))
    assert await room_of(library, book) == (Audience(frozenset({ana.id}), "room"), 0, end_of(LANTERN, 2))
    ben = await library.member("ben")
    assert await room_of(library, book) == (Audience(frozenset({ana.id, ben.id}), "room"), 1, 0)
    await library.place("ben", book, 100)
    assert (await room_of(library, book))[1:] == (0, 100)


async def test_saying_that_one_has_read_nothing_is_a_place() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    await library.place("ana", book, 0)
    assert (await room_of(library, book))[1:] == (0, 0)


async def test_who_leaves_counts_no_longer() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    await library.place("ana", book, 300)
    ben = await library.place("ben", book, 100)
    await library.roster.leave(ben.id)
    assert (await room_of(library, book))[2] == 300


async def test_a_place_in_one_book_is_none_in_another() -> None:
    library = in_memory()
    first = await library.add(LANTERN, file="first")
    second = await library.add(LANTERN, file="second")
    await library.place("ana", first, 300)
    assert (await room_of(library, second))[1:] == (1, 0)


async def test_joining_twice_is_joining_once() -> None:
    library = in_memory()
    ana, new = await joined(library.roster, "ana")
    assert (ana.joined, new) == (True, True)
    assert await joined(library.roster, "ana") == (ana, False)
