"""Who reads with whom: clubs, members and the audience of a reply."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, NewType

ClubId = NewType("ClubId", int)
BookId = NewType("BookId", int)
MemberId = NewType("MemberId", int)
RoomId = NewType("RoomId", int)
QuestionId = NewType("QuestionId", int)

Person = str
"""Who somebody is on their platform ("discord:1234"; at the keyboard their name): the same person in every club."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Everyone who will be able to see a reply.

    ``room`` is the key of the room in which it appears, or None for a reply that one member alone sees.
    """

    members: frozenset[MemberId]
    room: str | None = None

    @property
    def private(self) -> bool:
        """Whether exactly one member sees the reply."""
        return self.room is None


def private_to(member: MemberId) -> Audience:
    """The audience of a direct message or an ephemeral reply."""
    return Audience(frozenset({member}))


class Role(StrEnum):
    """What a person may do in a club."""

    ADMIN = "admin"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Member:
    """A person of a club. ``joined`` is false for someone who is only known by name (a spectator).

    ``plain_number`` is what "12" means when this member says it: "finished", "in", or None until they have said so.
    ``shown`` says whether the club may see their place: None until they have answered, and then only counted.
    ``seen_at`` is their last sign of life; ``away`` and ``aside`` members do not count for a room; who was ``removed``
    joins again only when an admin lets them. ``reachable`` is false where no private message reaches them;
    ``asked_where`` has the books in which they were asked for a first place.
    """

    id: MemberId
    name: str
    joined: bool
    plain_number: str | None = None
    person: Person = ""
    role: Role = Role.MEMBER
    shown: bool | None = None
    reminded: bool = False
    reachable: bool = True
    seen_at: datetime | None = None
    away: bool = False
    aside: bool = False
    removed: bool = False
    dm_book: BookId | None = None
    joined_at: datetime | None = None
    asked_where: frozenset[BookId] = frozenset()

    @property
    def admin(self) -> bool:
        return self.role is Role.ADMIN


class Present(NamedTuple):
    """What an audience asks of a member who has joined. A tuple: hundreds are made for every reply."""

    id: MemberId
    person: Person
    away: bool = False
    aside: bool = False
    joined: bool = True


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, thread or topic of a club; ``key`` names it on its platform and belongs to one club alone.

    ``book`` is the book read there, or None for the club's current one. ``limit`` is its fixed limit, an offset in
    code points into ``book``, or None. While ``paused``, or until ``muted_until``, nothing is answered there.
    """

    id: RoomId
    key: str
    name: str
    book: BookId | None = None
    limit: int | None = None
    paused: bool = False
    muted_until: datetime | None = None
