"""Who may do what: asked again by every use case, whatever the platform says."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.club import Member, Person
from bot.core.errors import Refused


@dataclass(frozen=True, slots=True)
class Moderator:
    """A person whom their platform lets moderate the room they speak in, as its adapter has just seen.

    They need not belong to the club, and may do nothing but quiet it in that room.
    """

    person: Person


def require_member(member: Member) -> None:
    """Raises `Refused` with one sentence unless the person has joined the club."""
    if not member.joined or member.removed:
        raise Refused("members_only", "Only members can do that: /join first.")


def require_admin(member: Member) -> None:
    """Raises `Refused` with one sentence unless the person is an admin of the club.

    An admin need not have joined: who sets a club up may not read along.
    """
    if not member.admin or member.removed:
        raise Refused("admins_only", "Only an admin of the club can do that: ask one of them.")


def require_moderator(by: Member | Moderator) -> None:
    """Raises `Refused` with one sentence unless the person is an admin of the club, or moderates the room."""
    if isinstance(by, Member) and (not by.admin or by.removed):
        raise Refused("moderators_only", "Only an admin of the club or a moderator of the room can do that.")
