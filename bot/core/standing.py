"""Whether an answer may be shown where it is to be shown, as everything stands in one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.ask import Reply
from bot.core.boundary import Boundary
from bot.core.club import Member, MemberId
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.membership import pending
from bot.core.outcomes import Matter, NotAnswered, Why
from bot.core.ports import Door
from bot.core.search import boundary_of


@dataclass(frozen=True, slots=True)
class Standing:
    """What one transaction says of an answer: why it may not be shown (any more), or ``holds``.

    ``pending`` is how many members who have not said their place; ``own`` the asker's offset (code points), in a room.
    """

    holds: bool
    asker: Member | None = None
    refused: NotAnswered | None = None
    pending: int = 0
    own: int = 0


async def stands(door: Door, house: Clubhouse, matter: Matter, reply: Reply) -> Standing:
    """Whether an answer may be shown: its member is one, its room answers, its book is the same, its boundary holds."""
    boundary, asked = reply.outcome.boundary, matter.asked
    await door.foreseen(matter.member, matter.room, asked.book)
    refused, asker = await turned_away(door, house, matter.member, matter.room)
    if refused is not None:
        return Standing(False, refused=refused)
    try:
        book = await door.book(asked.book)
    except Refused:
        return Standing(False, refused=NotAnswered(Why.BOOK_GONE))
    now = await boundary_of(door, asked)
    if not book.same_text(reply.found.book) or not _covers(now, boundary):
        return Standing(False)
    if matter.room is None:
        if now.offset < matter.asked_under:
            return Standing(False, refused=NotAnswered(Why.NO_SUCH_QUESTION))
        return Standing(True, asker)
    own = (await door.positions_latest(asked.book, [matter.member])).get(matter.member, 0)
    return Standing(True, asker, None, await pending(door, boundary), own)


async def turned_away(
    door: Door, house: Clubhouse, member: MemberId, room: str | None
) -> tuple[NotAnswered | None, Member | None]:
    """Why nothing is answered to this member there now, if so, and who they are. In a room that is none of the club's
    (any more) nothing is: others may see it.
    """
    asker = await door.member(member)
    if asker is None or not asker.joined:
        return NotAnswered(Why.MEMBERS_ONLY), asker
    if room is None:
        return None, asker
    known = await door.room(room)
    if known is None or known.paused:
        return NotAnswered(Why.PAUSED), asker
    if known.muted_until is not None and known.muted_until > house.clock():
        return NotAnswered(Why.MUTED, until=known.muted_until), asker
    return None, asker


def _covers(now: Boundary, boundary: Boundary) -> bool:
    return now.audience == boundary.audience and now.offset >= boundary.offset
