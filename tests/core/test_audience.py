"""Who counts for a room: one pure function, of which a larger audience never raises the boundary."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.audience import STRANGER, Sight, Spectators, audience_of_room, counting, everyone_in, limit_in
from bot.core.boundary import boundary_for, narrowed
from bot.core.club import BookId, Member, MemberId, Room, RoomId
from bot.core.ports import Door
from bot.core.search import Asked, boundary_of
from tests.fakes.library import LANTERN, end_of, in_memory

BOOK = BookId(7)
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


@st.composite
def people(draw: st.DrawFn) -> list[Member]:
    """Up to six people: members or none, away, set aside."""
    flags = st.booleans()
    return [
        Member(MemberId(n), f"m{n}", draw(flags), person=f"p{n}", away=draw(flags), aside=draw(flags))
        for n in range(1, draw(st.integers(0, 6)) + 1)
    ]


sights = st.builds(
    Sight, st.none() | st.frozensets(st.sampled_from([f"p{n}" for n in range(1, 9)]), max_size=8), st.integers(0, 2)
)
positions = st.dictionaries(st.integers(1, 9).map(MemberId), st.integers(0, 1000), max_size=9)
policies = st.sampled_from(Spectators)


def offset(members: list[Member], sight: Sight, policy: Spectators, known: dict[MemberId, int]) -> int:
    return boundary_for(BOOK, audience_of_room("room", members, sight, policy), known).offset


@given(people(), people(), sights, policies, positions)
def test_more_members_never_raise_the_boundary_of_a_room_that_has_any(
    some: list[Member], more: list[Member], sight: Sight, policy: Spectators, known: dict[MemberId, int]
) -> None:
    added = [m for m in more if m.id not in {n.id for n in some}]
    newcomers = [*some, *added]
    if audience_of_room("room", some, sight, policy).members and (policy is Spectators.COVERED or not added):
        assert offset(newcomers, sight, policy, known) <= offset(some, sight, policy, known)


@given(people(), st.frozensets(st.sampled_from([f"p{n}" for n in range(1, 9)]), max_size=8), policies, positions)
def test_who_comes_to_see_a_room_never_raises_its_boundary(
    members: list[Member], seeing: frozenset[str], policy: Spectators, known: dict[MemberId, int]
) -> None:
    for newcomer in ("p1", "p8"):
        fewer = Sight(seeing - {newcomer})
        if audience_of_room("room", members, fewer, policy).members:
            assert offset(members, Sight(seeing | {newcomer}), policy, known) <= offset(members, fewer, policy, known)


@given(people(), sights, policies)
def test_a_member_of_the_audience_who_said_no_place_counts_as_nothing_read(
    members: list[Member], sight: Sight, policy: Spectators
) -> None:
    known = {m.id: 500 for m in members}
    for member in audience_of_room("room", members, sight, policy).members:
        assert offset(members, sight, policy, {m: o for m, o in known.items() if m != member}) == 0


@given(people(), sights, policies, positions, st.integers(-10, 1200))
def test_a_limit_of_a_room_only_narrows(
    members: list[Member], sight: Sight, policy: Spectators, known: dict[MemberId, int], limit: int
) -> None:
    boundary = boundary_for(BOOK, audience_of_room("room", members, sight, policy), known)
    assert narrowed(boundary, limit).offset <= boundary.offset


@given(people(), sights, policies)
def test_only_members_who_see_the_room_and_are_neither_away_nor_aside_count(
    members: list[Member], sight: Sight, policy: Spectators
) -> None:
    counted = audience_of_room("room", members, sight, policy).members - {STRANGER}
    assert counted == {m.id for m in counting(members, sight)}
    for member in members:
        sees = sight.persons is None or member.person in sight.persons
        assert (member.id in counted) == (member.joined and sees and not member.away and not member.aside)


@given(people(), sights, positions)
def test_a_strict_club_counts_a_viewer_nobody_knows_as_nothing_read(
    members: list[Member], sight: Sight, known: dict[MemberId, int]
) -> None:
    joined = {m.person for m in members if m.joined}
    strangers = sight.strangers > 0 or bool((sight.persons or frozenset()) - joined)
    strict = audience_of_room("room", members, sight, Spectators.STRICT)
    assert (STRANGER in strict.members) == strangers
    if strangers:
        assert offset(members, sight, Spectators.STRICT, known) == 0
    assert STRANGER not in audience_of_room("room", members, sight, Spectators.COVERED).members


def test_who_is_away_or_aside_is_no_stranger() -> None:
    here = [Member(MemberId(1), "m1", True, person="p1", away=True), Member(MemberId(2), "m2", True, person="p2")]
    assert audience_of_room("room", here, Sight(frozenset({"p1", "p2"})), Spectators.STRICT).members == {2}


@pytest.mark.parametrize(("stored", "strict"), [({}, False), ({"spectators": "strict"}, True)])
async def test_the_clubs_policy_is_read_with_its_members(stored: dict[str, str], strict: bool) -> None:
    library = in_memory()
    await library.member("ana")
    library.roster.settings.update(stored)

    async def see(_: Door) -> Sight:
        return Sight(frozenset({"ana", "a passer-by"}))

    async with library.doors.opened() as door:
        audience = await everyone_in("room", see)(door)
    assert (STRANGER in audience.members) is strict


async def test_who_was_set_aside_counts_in_a_book_in_which_they_have_a_place() -> None:
    library = in_memory()
    first = await library.add(LANTERN, file="first")
    second = await library.add(LANTERN, file="second")
    await library.roster.switch_book(second)
    ana = await library.place("ana", first, 100)
    for book in (first, second):
        await library.place("ben", book, end_of(LANTERN, 2))
    assert await library.roster.set_aside(ana.id, NOON)
    async with library.doors.opened() as door:
        offsets = [
            (await boundary_of(door, Asked(book, "", everyone_in("room", book=book)))).offset
            for book in (first, second)
        ]
    assert offsets == [100, end_of(LANTERN, 2)]


async def test_who_asks_counts_for_the_reply_though_aside_away_or_out_of_sight() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    await library.roster.switch_book(book)
    await library.place("ben", book, end_of(LANTERN, 2))
    ana = await library.member("ana")
    assert await library.roster.set_aside(ana.id, NOON)

    async def see(_: Door) -> Sight:
        return Sight(frozenset({"ben"}))

    async with library.doors.opened() as door:
        for asker, offset in ((None, end_of(LANTERN, 2)), (ana.id, 0)):
            asked = Asked(book, "", everyone_in("room", see, book, asker))
            assert (await boundary_of(door, asked)).offset == offset
    await library.place("ana", book, 100)
    async with library.doors.opened() as door:
        assert (await boundary_of(door, Asked(book, "", everyone_in("room", see, book, ana.id)))).offset == 100


async def test_a_rooms_limit_is_read_in_the_transaction() -> None:
    library = in_memory()
    async with library.doors.opened() as door:
        assert await limit_in("room")(door) is None
        library.roster.rooms["room"] = Room(RoomId(1), "room", "room", limit=40)
        assert await limit_in("room")(door) == 40
