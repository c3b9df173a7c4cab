"""Where a club is in the book of a room, as any member of it may be told."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.audience import See, cannot_tell, for_room
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap
from bot.core.club import BookId, Member
from bot.core.clubhouse import Clubhouse
from bot.core.membership import holding_back, pending
from bot.core.rights import require_member
from bot.core.scheduling import ScheduleSeen, schedule_seen
from bot.core.search import boundary_of


@dataclass(frozen=True, slots=True)
class ClubPlace:
    """A room's boundary, which is told by chapters alone, and what the schedule says of it.

    ``pending`` is how many have not said where they are; ``holding_back`` the names of those at the boundary, where the
    club chose to tell them.
    """

    boundary: Boundary
    chapter_map: ChapterMap
    pending: int
    holding_back: tuple[str, ...]
    schedule: ScheduleSeen


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """Where one member is in a book, for them alone: an offset in code points, or None where they never said."""

    offset: int | None
    chapter_map: ChapterMap


async def club_place(house: Clubhouse, member: Member, room: str, see: See = cannot_tell) -> ClubPlace:
    """Where the club is in the book of ``room`` (its key). Raises `Refused` for who has not joined, and where no book
    is read.
    """
    require_member(member)
    schedule = await schedule_seen(house, room)
    async with house.searching.doors.opened() as door:
        boundary = await boundary_of(door, for_room(room, schedule.book.id, see))
        chapter_map = await door.chapter_map(schedule.book.id)
        waiting = await pending(door, boundary)
        holding = await holding_back(door, boundary)
    return ClubPlace(boundary, chapter_map, waiting, holding, schedule)


async def own_place(house: Clubhouse, member: Member, book: BookId) -> OwnPlace:
    """Where a member is in a book. Raises `Refused` for who has not joined."""
    require_member(member)
    async with house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book)
        places = await door.positions_latest(book, [member.id])
    return OwnPlace(places.get(member.id), chapter_map)
