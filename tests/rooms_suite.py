"""What keeps rooms and settings must do this, the fake and the real one: subclassed with a `library` fixture."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.club import Room
from bot.core.errors import Refused
from bot.core.rooms import Rooms
from tests.doors_suite import Any_
from tests.fakes.library import LANTERN
from tests.made_books import book_of, chapter

NOW = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)
OTHER_BOOK = book_of(chapter(1, "A heron stood in the mill race all that morning."), title="The Heron")


@dataclass
class Kept:
    """The rooms of a club with a library, and those of another club that shares its keys."""

    library: Any_
    rooms: Rooms
    others: Rooms


class RoomsSuite:
    """Every test uses rooms of the fixture `kept`: two clubs without any."""

    async def seen(self, kept: Kept, key: str) -> Room | None:
        """A room as the port shows it, which is as the door shows it."""
        room = await kept.rooms.room(key)
        async with kept.library.doors.opened() as door:
            assert await door.room(key) == room
        return room

    async def test_a_room_is_of_one_club_alone(self, kept: Kept) -> None:
        lounge = await kept.rooms.room_added("chat:1", "lounge")
        assert await self.seen(kept, "chat:1") == lounge == Room(lounge.id, "chat:1", "lounge")
        with pytest.raises(Refused, match=r"^That room belongs to another club: choose a room that has none yet\.$"):
            await kept.others.room_added("chat:1", "lounge")
        assert await kept.others.room("chat:1") is None
        assert await kept.others.rooms() == ()
        await kept.others.room_added("chat:2", "theirs")
        assert await kept.rooms.rooms() == (lounge,)

    async def test_a_room_added_again_has_its_new_name_and_stays_what_it_is(self, kept: Kept) -> None:
        first = await kept.rooms.room_added("b", "lounge")
        second = await kept.rooms.room_added("a", "annex")
        await kept.rooms.room_paused(first.id, NOW)
        again = await kept.rooms.room_added("b", "parlour")
        assert again == Room(first.id, "b", "parlour", paused=True)
        assert await kept.rooms.rooms() == (again, second)

    async def test_a_room_that_was_removed_is_free_for_another_club(self, kept: Kept) -> None:
        room = await kept.rooms.room_added("chat:1", "lounge")
        await kept.others.room_removed(room.id)
        assert await self.seen(kept, "chat:1") == room
        await kept.rooms.room_removed(room.id)
        assert await self.seen(kept, "chat:1") is None
        assert (await kept.others.room_added("chat:1", "lounge")).name == "lounge"

    async def test_who_has_no_place_in_a_rooms_own_book_is_set_aside_until_they_say_one(self, kept: Kept) -> None:
        book, own = await kept.library.add(LANTERN), await kept.library.add(OTHER_BOOK, file="other")
        roster, ben = kept.library.roster, await kept.library.place("ben", book, 10)
        assert not await roster.set_aside(ben.id, NOW)
        room = await kept.rooms.room_added("a", "lounge")
        await kept.rooms.room_reads(room.id, own)
        assert await roster.set_aside(ben.id, NOW)
        await kept.library.place("ben", book, 20)  # a later one in a book in which they count all the same
        assert (await roster.member_known("ben")).aside
        await kept.library.place("ben", own, 0)
        assert not (await roster.member_known("ben")).aside
        assert not await roster.set_aside(ben.id, NOW)

    async def test_a_room_has_a_book_of_its_own_or_the_clubs(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        room = await kept.rooms.room_added("a", "lounge")
        for given in (book, None):
            await kept.rooms.room_reads(room.id, given)
            assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge", book=given)

    async def test_a_limit_is_given_and_lifted(self, kept: Kept) -> None:
        await kept.library.add(LANTERN)
        room = await kept.rooms.room_added("a", "lounge")
        for limit in (40, 0, None):
            await kept.rooms.room_limited(room.id, limit)
            assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge", limit=limit)

    async def test_a_limit_is_gone_when_the_room_reads_another_book(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        other = await kept.library.add(OTHER_BOOK, file="other")
        room = await kept.rooms.room_added("a", "lounge")
        await kept.rooms.room_limited(room.id, 40)
        await kept.rooms.room_reads(room.id, book)  # its own book is the club's: nothing changed
        assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge", book, 40)
        for reads in (other, book):
            await kept.rooms.room_reads(room.id, reads)
            assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge", reads)

    async def test_a_limit_is_gone_when_the_club_reads_another_book(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        other = await kept.library.add(OTHER_BOOK, file="other")
        follows, own = await kept.rooms.room_added("a", "lounge"), await kept.rooms.room_added("b", "annex")
        await kept.rooms.room_reads(own.id, book)
        for room in (follows, own):
            await kept.rooms.room_limited(room.id, 40)
        await kept.library.roster.switch_book(book)
        assert [room.limit for room in await kept.rooms.rooms()] == [40, 40]
        for current in (other, book):
            await kept.library.roster.switch_book(current)
            assert [room.limit for room in await kept.rooms.rooms()] == [None, 40]

    async def test_a_limit_is_gone_with_its_book(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        other = await kept.library.add(OTHER_BOOK, file="other")
        room = await kept.rooms.room_added("a", "lounge")
        await kept.rooms.room_reads(room.id, other)
        await kept.rooms.room_limited(room.id, 9)
        await kept.library.shelf.remove_book(other)
        assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge")
        await kept.rooms.room_limited(room.id, 9)
        await kept.library.shelf.remove_book(book)
        assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge")

    async def test_a_room_is_paused_and_muted_until_it_is_not(self, kept: Kept) -> None:
        room = await kept.rooms.room_added("a", "lounge")
        until = NOW + timedelta(hours=2)
        await kept.rooms.room_paused(room.id, NOW)
        await kept.rooms.room_muted(room.id, until)
        assert (await self.seen(kept, "a")) == Room(room.id, "a", "lounge", paused=True, muted_until=until)
        await kept.rooms.room_paused(room.id, None)
        await kept.rooms.room_muted(room.id, None)
        assert await self.seen(kept, "a") == room

    async def test_a_setting_is_changed_in_one_club_alone(self, kept: Kept) -> None:
        ana = await kept.library.member("ana")
        assert await kept.rooms.settings() == {}
        for value in ("strict", "covered"):
            await kept.rooms.setting_changed("spectators", value, ana.id, NOW)
            assert await kept.rooms.settings() == {"spectators": value}
        async with kept.library.doors.opened() as door:
            assert await door.settings() == {"spectators": "covered"}
        assert await kept.others.settings() == {}
