"""Who is in the room: members join, leave, and count for the boundary of what is shown there."""

from __future__ import annotations

from bot.core.boundary import Boundary
from bot.core.club import Audience, ClubId, Member
from bot.core.ports import Door, Roster
from bot.core.search import ReadAudience


def everyone_in(club: ClubId, room: str) -> ReadAudience:
    """The audience of a room of ``club``: everyone who has joined when it is read.

    Who never joined is a spectator: they have no position, and replies are covered for them.
    """

    async def audience(door: Door) -> Audience:
        return Audience(await door.members_joined(club), room)

    return audience


async def pending(door: Door, boundary: Boundary) -> int:
    """How many of the boundary's audience have not said where they are in its book (they count as 0)."""
    members = boundary.audience.members
    return len(members - (await door.positions_latest(boundary.book, members)).keys())


async def joined(roster: Roster, club: ClubId, name: str) -> tuple[Member, bool]:
    """Make the person of this name a member; the second value says whether they were none before."""
    member = await roster.member_named(club, name)
    if member.joined:
        return member, False
    await roster.join(member.id)
    return await roster.member_named(club, name), True
