"""Admins: who may do what, who is made one, and who follows when the last one leaves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.club import Member, MemberId, Role
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.rights import ServerRights, acting, require_admin, require_insider, require_member
from bot.core.roles import admin_given, admin_taken, handed_over, has_admin, heir, member_named, member_of
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory

DAY = datetime(2030, 1, 1, tzinfo=UTC)


def member(number: int, days: int | None = 0, role: Role = Role.MEMBER, removed: bool = False) -> Member:
    """Somebody who joined ``days`` after the first day, or never."""
    at = None if days is None else DAY + timedelta(days=days)
    name = f"m{number}"
    return Member(
        MemberId(number), name, at is not None, person=name, role=role, removed=removed and at is None, joined_at=at
    )


MEMBERS = st.lists(
    st.tuples(st.none() | st.integers(0, 5), st.sampled_from(Role), st.booleans()), min_size=1, max_size=8
).map(lambda rows: [member(n, days, role, removed) for n, (days, role, removed) in enumerate(rows, start=1)])


@given(members=MEMBERS, leaving=st.integers(1, 8), owner=st.none() | st.integers(1, 9).map("m{}".format))
def test_a_club_is_handed_to_an_admin_else_to_the_owner_else_to_who_joined_first(
    members: Sequence[Member], leaving: int, owner: str | None
) -> None:
    found = heir(members, MemberId(leaving), owner)
    left = [m for m in members if m.id != leaving and not m.removed]
    admins, joined = [m for m in left if m.admin], [m for m in left if m.joined]
    if found is None:
        assert not admins
        assert not joined
        return
    assert found in left
    if admins:
        assert found.admin
    elif any(m.person == owner for m in joined):
        assert found.person == owner
    else:
        assert found.joined
        assert all((m.joined_at, m.id) >= (found.joined_at, found.id) for m in joined if m.joined_at)


@given(members=MEMBERS, leaving=st.integers(1, 8), order=st.randoms(use_true_random=False))
def test_who_inherits_a_club_does_not_hang_on_the_order_in_which_members_are_listed(
    members: list[Member], leaving: int, order: object
) -> None:
    shuffled = list(members)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    assert heir(shuffled, MemberId(leaving)) == heir(members, MemberId(leaving))


def test_a_server_owner_who_never_joined_inherits_nothing() -> None:
    assert heir([member(1), member(2, days=None), member(3, days=4)], MemberId(1), "m2") == member(3, days=4)
    assert heir([member(1), member(2, days=None)], MemberId(1), "m2") is None


@pytest.fixture
def house() -> Clubhouse:
    return house_of(in_memory(), FakeClock())


async def joined(house: Clubhouse, name: str, role: Role = Role.MEMBER) -> Member:
    known = await house.roster.member_known(name)
    await house.roster.join(known.id, house.clock())
    await house.roster.role_given(known.id, role)
    return await house.roster.member_known(name)


async def admins(house: Clubhouse) -> set[str]:
    return {m.name for m in await house.roster.members() if m.admin}


def test_only_admins_and_members_may_do_what_is_theirs() -> None:
    require_admin(member(1, days=None, role=Role.ADMIN))
    require_member(member(1))
    with pytest.raises(Refused, match=r"^Only an admin of the club can do that: ask one of them\.$"):
        require_admin(member(1))
    with pytest.raises(Refused, match=r"^Only members can do that: /join first\.$"):
        require_member(member(1, days=None, role=Role.ADMIN))


async def test_an_admin_makes_admins_of_members_alone(house: Clubhouse) -> None:
    ana, ben = await joined(house, "ana", Role.ADMIN), await joined(house, "ben")
    await admin_given(house, ana, ben)
    assert await admins(house) == {"ana", "ben"}
    with pytest.raises(Refused, match=r"^Cem has not joined the club\.$"):
        await admin_given(house, ana, await house.roster.member_known("Cem"))
    with pytest.raises(Refused, match="Only an admin"):
        await admin_given(house, await joined(house, "dora"), ben)


async def test_the_last_admin_stays_one(house: Clubhouse) -> None:
    ana, ben = await joined(house, "ana", Role.ADMIN), await joined(house, "ben", Role.ADMIN)
    await admin_taken(house, ben, ana)
    assert await admins(house) == {"ben"}
    with pytest.raises(Refused, match=r"^A club has at least one admin: make somebody else one first\.$"):
        await admin_taken(house, ben, ben)
    with pytest.raises(Refused, match=r"^ana is no admin of the club\.$"):
        await admin_taken(house, ben, await house.roster.member_known("ana"))
    with pytest.raises(Refused, match="Only an admin"):
        await admin_taken(house, await house.roster.member_known("ana"), ben)
    assert await admins(house) == {"ben"}


async def test_the_last_admin_who_leaves_hands_over_and_another_does_not(house: Clubhouse) -> None:
    ana, ben = await joined(house, "ana", Role.ADMIN), await joined(house, "ben", Role.ADMIN)
    await joined(house, "cem")
    await house.roster.leave(ana.id)
    assert await handed_over(house, ana) is None
    assert await admins(house) == {"ben"}
    await house.roster.leave(ben.id)
    new = await handed_over(house, ben)
    assert new is not None
    assert new.name == "cem"
    assert await admins(house) == {"cem"}


async def test_two_admins_who_leave_at_once_do_not_hand_over_to_each_other(house: Clubhouse) -> None:
    ana, ben = await joined(house, "ana", Role.ADMIN), await joined(house, "ben", Role.ADMIN)
    await joined(house, "cem")
    for gone in (ana, ben):
        await house.roster.leave(gone.id)
    new = [await handed_over(house, gone) for gone in (ana, ben)]
    assert [m.name for m in new if m] == ["cem"]
    assert await admins(house) == {"cem"}


async def test_who_was_no_admin_hands_nothing_over_and_a_club_of_nobody_has_none(house: Clubhouse) -> None:
    ana, ben = await joined(house, "ana", Role.ADMIN), await joined(house, "ben")
    await house.roster.leave(ben.id)
    assert await handed_over(house, ben, "ana") is None
    assert await has_admin(house)
    await house.roster.leave(ana.id)
    assert await handed_over(house, ana, "ben") is None
    assert not await has_admin(house)


async def test_the_servers_owner_inherits_before_who_joined_first(house: Clubhouse) -> None:
    ana = await joined(house, "ana", Role.ADMIN)
    await joined(house, "ben")
    await joined(house, "cem")
    await house.roster.leave(ana.id)
    new = await handed_over(house, ana, "cem")
    assert new is not None
    assert new.name == "cem"


async def test_somebody_is_named_whatever_the_case_and_never_guessed(house: Clubhouse) -> None:
    ana, upper = await joined(house, "ana"), await joined(house, "ANA")
    ben = await joined(house, "Ben")
    assert await member_named(house, "ben") == ben
    assert await member_named(house, "ana") == ana
    assert await member_named(house, "ANA") == upper
    with pytest.raises(Refused, match=r"^Several people are called Ana: say the name as it is written\.$"):
        await member_named(house, "Ana")
    with pytest.raises(Refused, match=r"^The club knows nobody called cem\.$"):
        await member_named(house, "cem")


@pytest.mark.parametrize(
    ("rights", "setting", "admin"),
    [
        (ServerRights(), "none", False),
        (ServerRights(manages=True), "none", True),
        (ServerRights(roles=frozenset({"7", "8"})), "<@&8>", True),
        (ServerRights(roles=frozenset({"7"})), "8", False),
    ],
)
def test_who_manages_the_server_or_has_the_organisers_role_counts_as_an_admin(
    rights: ServerRights, setting: str, admin: bool
) -> None:
    settings = settings_of({"organiser_role": setting})
    assert acting(member(1), rights, settings).admin is admin


def test_who_was_removed_is_no_admin_by_any_role() -> None:
    gone = acting(member(1, days=None, removed=True), ServerRights(manages=True), settings_of({}))
    with pytest.raises(Refused, match="Only an admin"):
        require_admin(gone)
    with pytest.raises(Refused, match="Only members"):
        require_insider(gone)


def test_an_admin_who_has_not_joined_belongs_to_the_club() -> None:
    require_insider(member(1, days=None, role=Role.ADMIN))
    with pytest.raises(Refused, match="Only members"):
        require_insider(member(1, days=None))


async def test_somebody_is_found_by_who_they_are_on_their_platform() -> None:
    house = house_of(in_memory(), FakeClock())
    ana = await house.roster.member_known("discord:7", "Ana")
    assert await member_of(house, "discord:7", "Whoever") == ana
    with pytest.raises(Refused, match="nobody called Bo"):
        await member_of(house, "discord:8", "Bo")
