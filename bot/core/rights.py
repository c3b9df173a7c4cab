"""Who may do what: asked again by every use case, whatever the platform says."""

from __future__ import annotations

from bot.core.club import Member
from bot.core.errors import Refused


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
