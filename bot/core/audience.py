"""Who will see a reply: one pure function, and what reads its inputs in the transaction that retrieves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol, TypeVar

from bot.core.club import Audience, BookId, MemberId, Person
from bot.core.club_settings import settings_of
from bot.core.ports import Door
from bot.core.search import Asked, ReadAudience, ReadLimit

STRANGER: Final = MemberId(0)
"""Stands for viewers nobody knows: no member has this number, so it has no position and counts as 0."""


class Spectators(StrEnum):
    """What a club does about people who see a room and never joined."""

    COVERED = "covered"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Sight:
    """Who can see a room, as far as its platform tells.

    ``persons`` is None where it cannot list them: then every member is taken to see the room. ``strangers`` is how
    many more see it whom nobody can name.
    """

    persons: frozenset[Person] | None = None
    strangers: int = 0


See = Callable[[Door], Awaitable[Sight]]
"""Asks the platform who can see a room now. Of the club it is told by the transaction that is given."""


async def cannot_tell(door: Door) -> Sight:
    """For a platform that cannot list who sees a room."""
    del door
    return Sight()


class Counted(Protocol):
    """What is asked of a member to tell whether they count: `Member` and `Present` both say it."""

    @property
    def id(self) -> MemberId: ...

    @property
    def person(self) -> Person: ...

    @property
    def joined(self) -> bool: ...

    @property
    def away(self) -> bool: ...

    @property
    def aside(self) -> bool: ...


C = TypeVar("C", bound=Counted)


def counting(members: Iterable[C], sight: Sight) -> list[C]:
    """The members who joined, can see a room, and are neither away nor set aside: whose places count there."""
    return [
        m
        for m in members
        if m.joined and not m.away and not m.aside and (sight.persons is None or m.person in sight.persons)
    ]


def audience_of_room(room: str, members: Iterable[Counted], sight: Sight, spectators: Spectators) -> Audience:
    """Those who count in ``room`` (its key).

    Under `Spectators.STRICT` an unknown viewer counts as one who has read nothing.
    """
    known = list(members)
    counted = {m.id for m in counting(known, sight)}
    if spectators is Spectators.STRICT:
        joined = {m.person for m in known if m.joined}
        if sight.strangers > 0 or not joined.issuperset(sight.persons or ()):
            counted.add(STRANGER)
    return Audience(frozenset(counted), room)


def everyone_in(
    room: str, see: See = cannot_tell, book: BookId | None = None, asker: MemberId | None = None
) -> ReadAudience:
    """The audience of a room, with its members and the club's policy as they are in the transaction that is given.

    Where ``book`` is named, who was set aside counts all the same if they have a place in it. Who asks there
    (``asker``) will see the reply, and counts whatever else is known of them.
    """

    async def audience(door: Door) -> Audience:
        members = await door.present(book)
        policy = Spectators(settings_of(await door.settings()).spectators)
        if book is not None and (aside := [m.id for m in members if m.aside]):
            placed = await door.positions_latest(book, aside)
            members = tuple(m._replace(aside=False) if m.id in placed else m for m in members)
        seeing = audience_of_room(room, members, await see(door), policy)
        return seeing if asker is None else replace(seeing, members=seeing.members | {asker})

    return audience


def limit_in(room: str, book: BookId | None = None) -> ReadLimit:
    """The fixed limit of a room, as it is in the transaction that is given; in ``book`` alone where that is named."""

    async def limit(door: Door) -> int | None:
        found = await door.room(room)
        if found is None or found.limit is None or book is None:
            return None if found is None else found.limit
        current = None if found.book is not None else await door.current_book()
        reads = found.book if current is None else current.id
        return found.limit if reads == book else None

    return limit


def for_room(
    room: str, book: BookId, see: See = cannot_tell, asker: MemberId | None = None, question: str = ""
) -> Asked:
    """A question about a book for everyone in a room, under the room's fixed limit where that is in this book."""
    return Asked(book, question, everyone_in(room, see, book, asker), limit=limit_in(room, book))
