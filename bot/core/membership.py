"""Who is in the room: members join, leave, and count for the boundary of what is shown there."""

from __future__ import annotations

from bot.core.boundary import Boundary
from bot.core.club import Member
from bot.core.ports import Door
from bot.core.roster import Roster


async def pending(door: Door, boundary: Boundary) -> int:
    """How many of the boundary's audience have not said where they are in its book (they count as 0)."""
    members = boundary.audience.members
    return len(members - (await door.positions_latest(boundary.book, members)).keys())


async def joined(roster: Roster, name: str) -> tuple[Member, bool]:
    """Make the person of this name a member; the second value says whether they were none before."""
    member = await roster.member_known(name)
    if member.joined:
        return member, False
    await roster.join(member.id)
    return await roster.member_known(name), True
