"""Admins of a club: who is made one, who no longer is, and who follows when the last one leaves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from bot.core.club import Member, MemberId, Person, Role
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.rights import require_admin, require_member

_LAST_ADMIN: Final = "A club has at least one admin: make somebody else one first."
_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def heir(members: Iterable[Member], leaving: MemberId, owner: Person | None = None) -> Member | None:
    """Who is an admin once ``leaving`` is gone.

    Another admin; else the member whom the platform names as its server's ``owner``; else the member who joined first
    (of two at once, the one known first). None where no member is left.
    """
    others = [m for m in members if m.id != leaving and not m.removed]
    admins = [m for m in others if m.admin]
    owners = [m for m in others if m.joined and m.person == owner]
    ranked = admins or owners or [m for m in others if m.joined]
    return min(ranked, key=lambda m: (m.joined_at or _LONG_AGO, m.id), default=None)


async def handed_over(house: Clubhouse, leaving: Member, owner: Person | None = None) -> Member | None:
    """Take the role of somebody who has left, was removed or was forgotten, and see that the club has an admin.

    Called once they are gone, so that two who leave at once do not hand over to each other. Returns whoever is an
    admin from now on and was none before, to be told; None where there is no such person.
    """
    if not leaving.admin:
        return None
    await house.roster.role_given(leaving.id, Role.MEMBER)
    new = heir(await house.roster.members(), leaving.id, owner)
    if new is None or new.admin:
        return None
    await house.roster.role_given(new.id, Role.ADMIN)
    return new


async def has_admin(house: Clubhouse) -> bool:
    """Whether anybody is an admin of the club: where nobody is left, who sets it up anew becomes one."""
    return any(m.admin and not m.removed for m in await house.roster.members())


async def admin_given(house: Clubhouse, by: Member, to: Member) -> None:
    """Make a member an admin. Raises `Refused` where ``by`` is none, or ``to`` has not joined."""
    require_admin(by)
    require_member_named(to)
    await house.roster.role_given(to.id, Role.ADMIN)


async def admin_taken(house: Clubhouse, by: Member, of: Member) -> None:
    """Make an admin a member again. Raises `Refused` for the last admin, who cannot be."""
    require_admin(by)
    if not of.admin:
        raise Refused("no_admin", f"{of.name} is no admin of the club.")
    if not await _others(house, of):
        raise Refused("last_admin", _LAST_ADMIN)
    await house.roster.role_given(of.id, Role.MEMBER)
    if not await _others(house, of):  # another admin's role was taken at the same moment
        await house.roster.role_given(of.id, Role.ADMIN)
        raise Refused("last_admin", _LAST_ADMIN)


def require_member_named(member: Member) -> None:
    """Raises `Refused` with one sentence, told to somebody else, unless the person has joined the club."""
    try:
        require_member(member)
    except Refused as refused:
        raise Refused(refused.code, f"{member.name} has not joined the club.") from None


async def member_of(house: Clubhouse, person: Person, name: str) -> Member:
    """Who a person is in the club; ``name`` is what they are called where it is asked. Raises `Refused` where the club
    does not know them.
    """
    found = next((m for m in await house.roster.members() if m.person == person), None)
    if found is None:
        raise Refused("no_such_member", f"The club knows nobody called {name}.")
    return found


async def member_named(house: Clubhouse, name: str) -> Member:
    """The person of the club who is called ``name``, whatever the case. Raises `Refused` where there is none."""
    called = [m for m in await house.roster.members() if m.name.casefold() == name.casefold()]
    exact = [m for m in called if m.name == name] or called
    if len(exact) > 1:
        raise Refused("several_members", f"Several people are called {name}: say the name as it is written.")
    if not exact:
        raise Refused("no_such_member", f"The club knows nobody called {name}.")
    return exact[0]


async def _others(house: Clubhouse, but: Member) -> list[Member]:
    return [m for m in await house.roster.members() if m.admin and not m.removed and m.id != but.id]
