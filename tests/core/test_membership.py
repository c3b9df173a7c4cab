"""Who is in the club, and counts for what is shown in a room."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.core.audience import everyone_in
from bot.core.club import Audience, BookId, Member, Role, private_to
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.membership import (
    Joining,
    holding_back,
    join,
    leave,
    lost,
    members_listed,
    pending,
    readmit,
    remove,
    set_aside,
)
from bot.core.notices import SetAside
from bot.core.personal import forget
from bot.core.progress import progress
from bot.core.search import Asked, boundary_of
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.fakes.tell import FakeTell

Fake = Library[FakeShelf, FakeRoster, FakeDoors]


async def room_of(library: Fake, book: BookId) -> tuple[Audience, int, int]:
    """The audience of the room, how many are pending, and the room's boundary."""
    async with library.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book, "", everyone_in("room")))
        return boundary.audience, await pending(door, boundary), boundary.offset


async def test_only_who_joined_is_in_a_rooms_audience() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    ana = await library.place("ana", book, 300)
    await library.roster.member_known("ben")
    audience, waiting, offset = await room_of(library, book)
    assert audience == Audience(frozenset({ana.id}), "room")
    assert not audience.private
    assert (waiting, offset) == (0, 300)


async def test_who_joined_and_has_not_said_where_they_are_counts_as_nothing_read() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    ana = await library.place("ana", book, end_of(LANTERN, 2))
    assert await room_of(library, book) == (Audience(frozenset({ana.id}), "room"), 0, end_of(LANTERN, 2))
    ben = await library.member("ben")
    assert await room_of(library, book) == (Audience(frozenset({ana.id, ben.id}), "room"), 1, 0)
    await library.place("ben", book, 100)
    assert (await room_of(library, book))[1:] == (0, 100)


async def test_saying_that_one_has_read_nothing_is_a_place() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    await library.place("ana", book, 0)
    assert (await room_of(library, book))[1:] == (0, 0)


async def test_who_leaves_counts_no_longer() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    await library.place("ana", book, 300)
    ben = await library.place("ben", book, 100)
    await library.roster.leave(ben.id)
    assert (await room_of(library, book))[2] == 300


async def test_a_place_in_one_book_is_none_in_another() -> None:
    library = in_memory()
    first = await library.add(LANTERN, file="first")
    second = await library.add(LANTERN, file="second")
    await library.place("ana", first, 300)
    assert (await room_of(library, second))[1:] == (1, 0)


@dataclass
class Club:
    """A club in memory with an admin, Ada, and Ana, who has read a chapter."""

    house: Clubhouse
    library: Fake
    book: BookId
    ada: Member

    async def known(self, name: str) -> Member:
        return await self.house.roster.member_known(name)

    async def title_met(self, member: Member) -> bool:
        """Whether anything of the book opens for a member alone."""
        async with self.library.doors.opened() as door:
            boundary = await boundary_of(door, Asked(self.book, "", private_to(member.id)))
            return bool(await door.titles_met(boundary))


@pytest.fixture
async def club() -> Club:
    library = in_memory()
    book = await library.add(LANTERN)
    await library.roster.switch_book(book)
    house = house_of(library, FakeClock())
    ada = await library.roster.member_known("ada")
    await library.roster.role_given(ada.id, Role.ADMIN)
    await join(house, "ana")
    await library.place("ana", book, end_of(LANTERN, 1))
    return Club(house, library, book, await library.roster.member_known("ada"))


async def test_joining_asks_for_a_place_and_whether_to_show_it_until_both_are_said(club: Club) -> None:
    new = await join(club.house, "ben")
    assert (new.outcome, new.ask_where, new.ask_shown) == (Joining.NEW, True, True)
    await club.library.place("ben", club.book, 0)
    await club.house.roster.shown(new.member.id, False)
    again = await join(club.house, "ben")
    assert (again.outcome, again.ask_where, again.ask_shown) == (Joining.ALREADY, False, False)
    assert again.member.id == new.member.id


async def test_who_joins_before_there_is_a_book_is_asked_for_no_place() -> None:
    none_yet = house_of(in_memory(), FakeClock())
    new = await join(none_yet, "ben")
    assert (new.outcome, new.ask_where, new.ask_shown) == (Joining.NEW, False, True)


@pytest.mark.parametrize("way", ["leave", "lost", "remove"])
async def test_who_goes_loses_the_clubs_books_at_once(club: Club, way: str) -> None:
    ana = await club.known("ana")
    assert await club.title_met(ana)
    if way == "leave":
        gone = await leave(club.house, ana)
    elif way == "lost":
        found = await lost(club.house, "ana")
        assert found is not None
        gone = found
    else:
        gone = await remove(club.house, club.ada, ana)
    assert gone.was_member
    assert gone.admin is None
    assert not await club.title_met(ana)
    assert (await room_of(club.library, club.book))[0].members == frozenset()
    assert await join(club.house, "ana")
    assert (await club.known("ana")).joined is (way != "remove")


async def test_losing_sight_of_somebody_never_known_makes_nobody_known(club: Club) -> None:
    before = await club.house.roster.members()
    assert await lost(club.house, "a passer-by") is None
    assert await club.house.roster.members() == before


async def test_who_was_removed_joins_once_readmitted_and_forgetting_does_not_get_round_it(club: Club) -> None:
    await remove(club.house, club.ada, await club.known("ana"))
    assert (await join(club.house, "ana")).outcome is Joining.REMOVED
    await forget(club.house, await club.known("ana"))
    assert (await join(club.house, "ana")).outcome is Joining.REMOVED
    await readmit(club.house, club.ada, await club.known("ana"))
    assert (await join(club.house, "ana")).outcome is Joining.NEW
    with pytest.raises(Refused, match="was not removed"):
        await readmit(club.house, club.ada, await club.known("ana"))


async def test_only_an_admin_removes_readmits_and_sets_aside(club: Club) -> None:
    ana, ben = await club.known("ana"), (await join(club.house, "ben")).member
    tell = FakeTell()
    for attempt in (
        remove(club.house, ana, ben),
        readmit(club.house, ana, ben),
        set_aside(club.house, ana, ben, tell),
    ):
        with pytest.raises(Refused, match="Only an admin"):
            await attempt
    with pytest.raises(Refused, match="say /leave"):
        await remove(club.house, club.ada, club.ada)
    assert tell.tried == 0


async def test_a_pending_member_is_set_aside_and_told_and_a_place_ends_it(club: Club) -> None:
    ben, tell = (await join(club.house, "ben")).member, FakeTell()
    assert (await room_of(club.library, club.book))[1:] == (1, 0)
    assert await set_aside(club.house, club.ada, ben, tell)
    assert tell.told == [("ben", SetAside())]
    assert (await room_of(club.library, club.book))[1:] == (0, end_of(LANTERN, 1))
    await progress(club.library.doors, club.library.roster, await club.known("ben"), club.book, "none")
    assert (await room_of(club.library, club.book))[1:] == (0, 0)
    with pytest.raises(Refused, match="has said where they are"):
        await set_aside(club.house, club.ada, ben, tell)
    with pytest.raises(Refused, match="has not joined"):
        await set_aside(club.house, club.ada, await club.known("eve"), tell)


async def test_who_is_set_aside_and_cannot_be_told_is_set_aside_all_the_same(club: Club) -> None:
    ben = (await join(club.house, "ben")).member
    assert not await set_aside(club.house, club.ada, ben, FakeTell(deaf={"ben"}))
    assert (await club.known("ben")).aside


async def test_when_the_last_admin_goes_another_member_becomes_one(club: Club) -> None:
    assert (await leave(club.house, club.ada)).admin == replace(await club.known("ana"), role=Role.MEMBER)
    assert (await club.known("ana")).admin
    assert (await forget(club.house, await club.known("ana"))).admin is None


async def test_members_are_listed_with_whole_chapters_of_those_who_show_them(club: Club) -> None:
    first, _, last = LANTERN.chapters
    for name, offset, shown in (
        ("ana", first.span.end + 5, True),
        ("ben", first.span.end - 1, True),
        ("cleo", LANTERN.body_end, False),
        ("dora", LANTERN.body_end, None),
        ("edgar", LANTERN.body_end, True),
    ):
        member = await club.library.place(name, club.book, offset)
        if shown is not None:
            await club.house.roster.shown(member.id, shown)
    felix = (await join(club.house, "felix")).member
    await club.house.roster.shown(felix.id, True)
    seen = await members_listed(club.house, felix, club.book)
    assert [(m.name, m.placed, None if m.chapter is None else m.chapter.ordinal) for m in seen.members] == [
        ("ana", True, 1),
        ("ben", True, None),
        ("cleo", False, None),
        ("dora", False, None),
        ("edgar", True, last.chapter),
        ("felix", False, None),
    ]
    assert not any(m.placed for m in (await members_listed(club.house, felix, None)).members)
    with pytest.raises(Refused, match="Only members"):
        await members_listed(club.house, await club.known("eve"), club.book)


async def test_who_is_away_is_listed_like_who_hides_their_place(club: Club) -> None:
    for name in ("ana", "ben"):
        member = await club.library.place(name, club.book, LANTERN.body_end)
        await club.house.roster.shown(member.id, True)
    ana = await club.known("ana")
    await club.house.roster.away(ana.id, club.house.clock(), club.house.clock())
    listed = await members_listed(club.house, await club.known("ben"), club.book)
    assert {m.name: m.placed for m in listed.members if m.name in {"ana", "ben"}} == {"ana": False, "ben": True}


async def test_who_holds_a_room_back_is_told_where_the_club_chose_it_and_of_who_shows_their_place(club: Club) -> None:
    for name, offset, shown in (("ana", 100, True), ("ben", 100, False), ("cleo", 300, True)):
        member = await club.library.place(name, club.book, offset)
        await club.house.roster.shown(member.id, shown)
    asked = Asked(club.book, "", everyone_in("lounge", book=club.book))
    told = []
    for names in ("off", "on"):
        await club.house.rooms.setting_changed("names", names, club.ada.id, club.house.clock())
        async with club.house.searching.doors.opened() as door:
            told.append(await holding_back(door, await boundary_of(door, asked)))
    assert told == [(), ("ana",)]
