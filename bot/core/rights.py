"""Who may do what: asked again by every use case, whatever the platform says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.core.club import Member, Person, Role
from bot.core.club_settings import ClubSettings
from bot.core.errors import Refused


@dataclass(frozen=True, slots=True)
class Moderator:
    """A person whom their platform lets moderate the room they speak in, as its adapter has just seen.

    They need not belong to the club, and may do nothing but quiet it in that room.
    """

    person: Person


@dataclass(frozen=True, slots=True)
class ServerRights:
    """What a platform says of a person on the server where a club is: whether they may manage it, and their roles
    there, as they are written in the club's settings.
    """

    manages: bool = False
    roles: frozenset[str] = frozenset()


NO_RIGHTS: Final = ServerRights()


def acting(member: Member, rights: ServerRights, settings: ClubSettings) -> Member:
    """The person with the rights that they have by their server: whoever manages it, or has the role whose holders
    organise the club, counts as an admin for as long. Who was removed from the club stays removed.
    """
    organises = settings.organiser_role is not None and settings.organiser_role in rights.roles
    return replace(member, role=Role.ADMIN) if rights.manages or organises else member


def require_member(member: Member) -> None:
    """Raises `Refused` with one sentence unless the person has joined the club."""
    if not member.joined or member.removed:
        raise Refused("members_only", "Only members can do that: /join first.")


def require_insider(member: Member) -> None:
    """Raises `Refused` with one sentence unless the person has joined the club or is an admin of it."""
    if not member.admin or member.removed:
        require_member(member)


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
