"""Who is in the club: joining, leaving, being removed and readmitted, and being set aside."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.core.boundary import Boundary
from bot.core.chapters import Chapter, ChapterMap, finished_chapter
from bot.core.club import BookId, Member, Person
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.notices import SetAside, Tell
from bot.core.ports import Door
from bot.core.rights import require_admin, require_member
from bot.core.roles import handed_over, require_member_named


class Joining(StrEnum):
    """How an attempt to join ended."""

    NEW = "new"
    ALREADY = "already"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Joined:
    """Who tried to join, and how that ended.

    ``ask_where`` says that they have no place in the current book: until they say one they are pending and count as 0.
    Before there is a book nobody is asked.
    ``ask_shown`` says that they have not said whether the club may see their place: until then they are only counted.
    """

    member: Member
    outcome: Joining
    ask_where: bool
    ask_shown: bool


@dataclass(frozen=True, slots=True)
class Gone:
    """Who is no member any more; ``was_member`` is false for who was none. ``admin`` has become one by it, or None."""

    member: Member
    was_member: bool
    admin: Member | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A member as the club sees them. ``placed`` says that they show a place; ``chapter`` is the last they finished.

    Never more exactly: of the chapter that somebody is in, nothing is told.
    """

    name: str
    placed: bool = False
    chapter: Chapter | None = None


@dataclass(frozen=True, slots=True)
class MembersSeen:
    """The members by name, and the chapters by number, where the club reads a book."""

    members: tuple[Listed, ...]
    chapter_map: ChapterMap | None = None


async def pending(door: Door, boundary: Boundary) -> int:
    """How many of the boundary's audience have not said where they are in its book (they count as 0)."""
    members = boundary.audience.members
    return len(members - (await door.positions_latest(boundary.book, members)).keys())


async def join(house: Clubhouse, person: Person, name: str | None = None) -> Joined:
    """Make a person a member, unless an admin removed them. Joining is complete when they have said a place."""
    before = await house.roster.member_known(person, name)
    await house.roster.join(before.id, house.clock())
    member = await house.roster.member_known(person, name)
    if not member.joined:
        return Joined(member, Joining.REMOVED, ask_where=False, ask_shown=False)
    book = await house.roster.current_book()
    placed = book is not None and bool(await house.roster.positions(member.id, book.id))
    outcome = Joining.ALREADY if before.joined else Joining.NEW
    return Joined(member, outcome, ask_where=book is not None and not placed, ask_shown=member.shown is None)


async def leave(house: Clubhouse, member: Member, owner: Person | None = None) -> Gone:
    """End a membership. From the next transaction on nothing of the club's books is shown to that person.

    ``owner`` is whom the platform names as the owner of its server: where no admin is left they may become one.
    """
    await house.roster.leave(member.id)
    house.turns.stop(member.id)
    return Gone(member, member.joined, await handed_over(house, member, owner))


async def lost(house: Clubhouse, person: Person, owner: Person | None = None) -> Gone | None:
    """A person cannot see the club's server any more: they have left. None for who was never known."""
    known = next((m for m in await house.roster.members() if m.person == person), None)
    return None if known is None else await leave(house, known, owner)


async def remove(house: Clubhouse, by: Member, member: Member, owner: Person | None = None) -> Gone:
    """An admin ends somebody's membership; they join again only once readmitted. Raises `Refused`."""
    require_admin(by)
    if member.id == by.id:
        raise Refused("yourself", "To go yourself, say /leave.")
    if member.removed:
        raise Refused("removed_already", f"{member.name} was removed already.")
    await house.roster.removed(member.id, house.clock())
    house.turns.stop(member.id)
    return Gone(member, member.joined, await handed_over(house, member, owner))


async def readmit(house: Clubhouse, by: Member, member: Member) -> None:
    """An admin lets somebody join again who was removed. Raises `Refused`."""
    require_admin(by)
    if not member.removed:
        raise Refused("not_removed", f"{member.name} was not removed: they can join.")
    await house.roster.removed(member.id, None)


async def set_aside(house: Clubhouse, by: Member, member: Member, tell: Tell) -> bool:
    """An admin sets a pending member aside: they do not count in a book until they say a place. Says whether they were
    told.

    Raises `Refused` for who has a place in every book that is read now, since that counts.
    """
    require_admin(by)
    require_member_named(member)
    if not await house.roster.set_aside(member.id, house.clock()):
        raise Refused("not_pending", f"{member.name} has said where they are, and counts by that.")
    return await tell.tell(member, SetAside())


async def members_listed(house: Clubhouse, asker: Member, book: BookId | None) -> MembersSeen:
    """The members by name, for a member; with the last whole chapter in ``book`` of those who show their place.

    Who is away or set aside is listed like who hides theirs: a place behind the club's would tell that it does not
    count. Raises `Refused` for who has not joined.
    """
    require_member(asker)
    members = [m for m in await house.roster.members() if m.joined]
    if book is None:
        return MembersSeen(tuple(Listed(m.name) for m in members))
    async with house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book)
        telling = [m.id for m in members if m.shown and not m.away and not m.aside]
        places = await door.positions_latest(book, telling)
    listed = (
        Listed(m.name, m.id in places, finished_chapter(places[m.id], chapter_map) if m.id in places else None)
        for m in members
    )
    return MembersSeen(tuple(listed), chapter_map)


async def holding_back(door: Door, boundary: Boundary) -> tuple[str, ...]:
    """The names of those at a room's boundary, where the club chose to tell them: of who shows their place."""
    if not settings_of(await door.settings()).names:
        return ()
    showing = {m.id: m.name for m in await door.members() if m.id in boundary.audience.members and m.shown}
    places = await door.positions_latest(boundary.book, showing)
    return tuple(sorted(showing[member] for member, offset in places.items() if offset == boundary.offset))
