"""The rooms of a club: what is read in each, under what limit, and whether anything is said there."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.core.chapters import ChapterMap
from bot.core.club import BookId, Member, Room
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.places import Candidate, Found, Located, NotLocated, Unclear, host_standing
from bot.core.ports import BookRecord
from bot.core.reading import locate, parse
from bot.core.rebuilding import map_changed
from bot.core.rights import Moderator, require_admin, require_moderator
from bot.core.rooms import is_quiet
from bot.core.statements import ChapterSaid, NotStarted, OffsetSaid, PartSaid, PercentSaid, Whole

LONGEST_NAME: Final = 60
"""Code points in the name of a room or a club."""

LONGEST_MUTE: Final = timedelta(days=365)

_MINUTES: Final = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}
_DURATION: Final = re.compile(r"(\d{1,6}) ?(m|mins?|minutes?|h|hours?|d|days?|w|weeks?)", re.ASCII | re.IGNORECASE)
_NO_LIMIT_PLACE: Final = NotLocated(
    "limit_how", "A room's limit is a chapter or a percentage: 12, in 12, part 2 ch 3 or 45%."
)


@dataclass(frozen=True, slots=True)
class RoomLimit:
    """A limit that was given to a room, in the book that is read there."""

    room: Room
    book: BookRecord
    offset: int
    chapter_map: ChapterMap


def name_of(said: str) -> str:
    """The name of a club or a room, in one line. Raises `Refused` where it is none or too long."""
    name = " ".join("".join(c if c.isprintable() else " " for c in said).split())
    if not name or len(name) > LONGEST_NAME:
        raise Refused("bad_name", f"A name has from 1 to {LONGEST_NAME} characters.")
    return name


async def book_read(house: Clubhouse, key: str | None) -> BookRecord | None:
    """The book that is read in a room: its own, else the club's current one. Outside a room it is the latter."""
    room = None if key is None else await house.rooms.room(key)
    if room is not None and room.book is not None:
        return await _book(house, room.book)
    return await house.roster.current_book()


async def books_read(house: Clubhouse) -> tuple[BookRecord, ...]:
    """Every book that is read in the club now: its current one, then what rooms read of their own; each once."""
    current = await house.roster.current_book()
    own = {room.book for room in await house.rooms.rooms()} - {None if current is None else current.id}
    others = [book for book in await house.roster.books() if book.id in own]
    return (*([] if current is None else [current]), *others)


async def add_room(house: Clubhouse, by: Member, key: str, name: str) -> Room:
    """Make a room the club's. Raises `Refused` where it belongs to another club, or ``by`` is no admin."""
    require_admin(by)
    return await house.rooms.room_added(key, name_of(name))


async def room_branched(house: Clubhouse, parent: str, key: str, name: str) -> Room:
    """A thread of a club's room (its key, and that of the room): a room of its own, with an audience of its own, in
    which the same is read under the same limit, and which is quiet when the room is. Raises `Refused`.
    """
    trunk = await known_room(house, parent)
    room = await house.rooms.room(key) or await house.rooms.room_added(key, name_of(name))
    if (room.book, room.limit) != (trunk.book, trunk.limit):
        await house.rooms.room_reads(room.id, trunk.book)
        await house.rooms.room_limited(room.id, trunk.limit)
    if room.paused != trunk.paused:
        await house.rooms.room_paused(room.id, house.clock() if trunk.paused else None)
    if room.muted_until != trunk.muted_until:
        await house.rooms.room_muted(room.id, trunk.muted_until)
    return await known_room(house, key)


async def remove_room(house: Clubhouse, by: Member, key: str, branches: Collection[str] = ()) -> Room:
    """Take a room from the club, with what branched from it (threads, by their keys): nothing is said there any more.

    Raises `Refused`.
    """
    require_admin(by)
    room = await known_room(house, key)
    for one in await house.rooms.rooms():
        if one.key == room.key or one.key in branches:
            await house.rooms.room_removed(one.id)
    return room


async def give_book(house: Clubhouse, by: Member, key: str, book: BookId | None) -> BookRecord | None:
    """Let a room read a book of its own, or with None the club's current one; returns what it reads now.

    What is not announced yet is announced by it, and only by who brought it. Raises `Refused` for a book or a room that
    is none of the club's.
    """
    require_admin(by)
    room = await known_room(house, key)
    if book is not None:
        found = await _book(house, book)
        if not found.announced and found.added_by != by.id:
            raise unknown_book()
        await house.books.book_announced(book, house.clock())
    await house.rooms.room_reads(room.id, book)
    return await book_read(house, key)


async def limit_room(house: Clubhouse, by: Member, key: str, said: str) -> RoomLimit | Unclear | NotLocated:
    """Give a room a fixed limit in the book that is read there; it only ever narrows.

    The place is said by numbers, a plain one meaning the chapter's end; what hangs on the words of the book is not
    looked up. Where several places fit nothing is changed: `limit_room_at` takes one of them. Raises `Refused`.
    """
    require_admin(by)
    room = await known_room(house, key)
    book = await _reads(house, room)
    async with house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book.id)
    who = host_standing(chapter_map)
    statement = parse(said)
    if not isinstance(statement, ChapterSaid | PartSaid | PercentSaid | OffsetSaid | Whole | NotStarted):
        return _NO_LIMIT_PLACE
    place = locate(statement, chapter_map, Found(), who)
    if not isinstance(place, Located):
        return place
    return await _limited(house, room, book, place.offset)


async def limit_room_at(house: Clubhouse, by: Member, key: str, place: Candidate) -> RoomLimit:
    """Give a room the limit that was chosen among several."""
    require_admin(by)
    room = await known_room(house, key)
    return await _limited(house, room, await _reads(house, room), place.offset)


async def limit_room_as_offered(
    house: Clubhouse, by: Member, key: str, book: BookId, place: tuple[int, int]
) -> RoomLimit:
    """Give a room a limit that was offered: ``place`` is its offset, and the version of the map it was offered on.

    Raises `Refused` where the room reads another book by now, or the map has changed since.
    """
    require_admin(by)
    room = await known_room(house, key)
    reads = await _reads(house, room)
    if (reads.id, reads.map_version) != (book, place[1]):
        raise map_changed()
    return await _limited(house, room, reads, place[0])


async def lift_limit(house: Clubhouse, by: Member, key: str) -> Room:
    """Take the fixed limit of a room away."""
    require_admin(by)
    room = await known_room(house, key)
    await house.rooms.room_limited(room.id, None)
    return await known_room(house, key)


async def pause_room(house: Clubhouse, by: Member | Moderator, key: str) -> Room:
    """Say nothing in a room until it is resumed."""
    require_moderator(by)
    room = await known_room(house, key)
    await house.rooms.room_paused(room.id, house.clock())
    return await known_room(house, key)


async def mute_room(house: Clubhouse, by: Member | Moderator, key: str, said: str) -> Room:
    """Say nothing in a room for so long as ``said`` ("2h"). Raises `Refused` where that is no length of time."""
    require_moderator(by)
    room = await known_room(house, key)
    await house.rooms.room_muted(room.id, house.clock() + duration(said))
    return await known_room(house, key)


async def resume_room(house: Clubhouse, by: Member | Moderator, key: str) -> Room:
    """Let a room go on that was paused or muted."""
    require_moderator(by)
    room = await known_room(house, key)
    await house.rooms.room_paused(room.id, None)
    await house.rooms.room_muted(room.id, None)
    return await known_room(house, key)


async def quiet_in(house: Clubhouse, key: str) -> bool:
    """Whether nothing may be said in a room now: it is paused or muted."""
    return is_quiet(await house.rooms.room(key), house.clock())


async def rooms_listed(house: Clubhouse) -> tuple[tuple[Room, BookRecord | None], ...]:
    """The club's rooms, and what each reads."""
    current = await house.roster.current_book()
    books = {book.id: book for book in await house.roster.books()}
    return tuple((r, current if r.book is None else books.get(r.book)) for r in await house.rooms.rooms())


async def known_room(house: Clubhouse, key: str) -> Room:
    """The club's room of this key; raises `Refused` where there is none."""
    room = await house.rooms.room(key)
    if room is None:
        raise Refused("unknown_room", "The club is not set up in this room: an admin says /club room add.")
    return room


def duration(said: str) -> timedelta:
    """A length of time as people say it: "30m", "2h", "1 day", "2 weeks"; at most a year. Raises `Refused`."""
    read = _DURATION.fullmatch(said.strip())
    length = timedelta(minutes=int(read[1]) * _MINUTES[read[2][0].lower()]) if read else timedelta()
    if not timedelta() < length <= LONGEST_MUTE:
        raise Refused("bad_duration", "Say for how long: 30m, 2h, 1d or 2w, at most a year.")
    return length


async def _limited(house: Clubhouse, room: Room, book: BookRecord, offset: int) -> RoomLimit:
    async with house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book.id)
    await house.rooms.room_limited(room.id, offset)
    return RoomLimit(await known_room(house, room.key), book, offset, chapter_map)


async def _reads(house: Clubhouse, room: Room) -> BookRecord:
    book = await book_read(house, room.key)
    if book is None:
        raise Refused("no_book", "The club has no book yet: /book add FILE.")
    return book


def unknown_book() -> Refused:
    """What is said of a book that the club does not have, or that is not announced."""
    return Refused("unknown_book", "The club has no such book: /book list shows those it has.")


async def _book(house: Clubhouse, book: BookId) -> BookRecord:
    found = next((b for b in await house.roster.books() if b.id == book), None)
    if found is None:
        raise unknown_book()
    return found
