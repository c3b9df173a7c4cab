"""What of a member's place the club sees, and what a room can infer where it is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bot.core.audience import See, cannot_tell, counting
from bot.core.club import Member, MemberId
from bot.core.clubhouse import Clubhouse
from bot.core.rights import require_member


class Inference(StrEnum):
    """Who can tell the place of a member who hides it, from where the room's boundary is.

    The boundary is the lowest place of all, so it tells a place when every other one is known: to whoever knows them.
    """

    ALONE = "alone"
    """The member is the only one who counts in the room: its boundary is their place."""
    TWO = "two"
    """There is one other, who knows their own place."""
    ALL_SHOWN = "all_shown"
    """All others show theirs: anybody can tell."""
    ONE_HIDDEN = "one_hidden"
    """All others but one show theirs: that one can tell, who knows their own."""
    SEVERAL_HIDDEN = "several_hidden"
    """Two or more others hide theirs: nobody can tell whose place it is."""


@dataclass(frozen=True, slots=True)
class Privacy:
    """What a member chose (None: nothing yet, so only counted), and what a room can infer of one who hides."""

    shown: bool | None
    inference: Inference | None


def inferred(member: MemberId, counted: Iterable[Member]) -> Inference:
    """Who could tell the place of ``member`` if it is hidden, in a room in which ``counted`` count. Pure."""
    others = [m for m in counted if m.id != member]
    hidden = sum(not m.shown for m in others)
    if len(others) < 2:
        return Inference.TWO if others else Inference.ALONE
    if hidden < 2:
        return Inference.ONE_HIDDEN if hidden else Inference.ALL_SHOWN
    return Inference.SEVERAL_HIDDEN


async def privacy(house: Clubhouse, member: Member, see: See = cannot_tell) -> Privacy:
    """What ``member`` chose, and what the room that ``see`` looks at can infer; of who has not joined, nothing."""
    if not member.joined:
        return Privacy(member.shown, None)
    async with house.searching.doors.opened() as door:
        return Privacy(member.shown, inferred(member.id, counting(await door.members(), await see(door))))


async def show_place(house: Clubhouse, member: Member, shown: bool) -> None:
    """Let the club see a member's place by whole chapters, or only count them. Raises `Refused` for no member."""
    require_member(member)
    await house.roster.shown(member.id, shown)
