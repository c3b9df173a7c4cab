"""Who is in the room: members join, leave, and count for the boundary of what is shown there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.core.club import Audience, BookId, ClubId, Member
from bot.core.ports import Doors, Roster


@dataclass(frozen=True, slots=True)
class RoomReading:
    """A room's audience, and how many of its members have not said where they are (they count as 0)."""

    audience: Audience
    pending: int


def room_audience(room: str, members: Iterable[Member]) -> Audience:
    """Everyone who joined. Who never joined is a spectator: they have no position, and replies are covered for them."""
    return Audience(frozenset(member.id for member in members if member.joined), room)


async def room_reading(doors: Doors, roster: Roster, club: ClubId, room: str, book: BookId) -> RoomReading:
    """The audience of a room of ``club``, as far as ``book`` goes."""
    audience = room_audience(room, await roster.members(club))
    async with doors.opened() as door:
        known = await door.positions_latest(book, audience.members)
    return RoomReading(audience, len(audience.members - known.keys()))


async def joined(roster: Roster, club: ClubId, name: str) -> tuple[Member, bool]:
    """Make the person of this name a member; the second value says whether they were none before."""
    member = await roster.member_named(club, name)
    if member.joined:
        return member, False
    await roster.join(member.id)
    return await roster.member_named(club, name), True
