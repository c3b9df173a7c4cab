"""Who reads with whom: clubs, members and the audience of a reply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

ClubId = NewType("ClubId", int)
BookId = NewType("BookId", int)
MemberId = NewType("MemberId", int)


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


@dataclass(frozen=True, slots=True)
class Member:
    """A person of a club. ``joined`` is false for someone who is only known by name (a spectator).

    ``plain_number`` is what "12" means when this member says it: "finished", "in", or None until they have said so.
    """

    id: MemberId
    name: str
    joined: bool
    plain_number: str | None = None
