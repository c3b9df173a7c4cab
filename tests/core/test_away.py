"""Away: told once and privately, and only then not counted; asked for a place once; back at any sign of life."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.audience import everyone_in
from bot.core.away import ASKED_AFTER, AwayDone, away_check, check_away, sign_of_life
from bot.core.club import BookId, ClubId, Member, MemberId
from bot.core.club_settings import ClubSettings
from bot.core.clubhouse import Clubhouse
from bot.core.membership import join, pending
from bot.core.notices import NowAway, WhereAreYou
from bot.core.ports import BookRecord
from bot.core.search import Asked, boundary_of
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, end_of, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.fakes.tell import FakeTell

NOON = FakeClock().now
HARBOUR, RIVER = (replace(LANTERN, title=title) for title in ("The Harbour", "The River"))
RECORD = BookRecord(BookId(1), ClubId(1), "Book 1", "en", "ready", 10, 0, 10, 1, None)


@dataclass
class Silent:
    """Ana, who reads on, and Ben, two chapters behind."""

    library: Library[FakeShelf, FakeRoster, FakeDoors]
    house: Clubhouse
    clock: FakeClock
    book: BookId
    tell: FakeTell = field(default_factory=FakeTell)

    async def check(self) -> AwayDone:
        return await check_away(self.house, self.tell)

    async def ana_is_here(self) -> None:
        await sign_of_life(self.house, await self.house.roster.member_known("ana"))

    async def days(self, days: int) -> AwayDone:
        """A check every day; Ana says something on each."""
        done = AwayDone()
        for _ in range(days):
            self.clock.passes(days=1)
            await self.ana_is_here()
            done = await self.check()
        return done

    async def room(self) -> tuple[int, int]:
        """The room's boundary, and how many are pending."""
        async with self.library.doors.opened() as door:
            boundary = await boundary_of(door, Asked(self.book, "", everyone_in("room")))
            return boundary.offset, await pending(door, boundary)


@pytest.fixture
async def silent() -> Silent:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    await library.roster.switch_book(book)
    house = house_of(library, clock)
    for name, chapter in (("ana", 2), ("ben", 1)):
        await join(house, name)
        await library.place(name, book, end_of(LANTERN, chapter))
    return Silent(library, house, clock, book)


async def test_who_is_silent_is_told_once_and_then_counts_no_longer(silent: Silent) -> None:
    await silent.days(20)
    assert silent.tell.told == []
    assert (await silent.room())[0] == end_of(LANTERN, 1)
    assert await silent.days(1) == AwayDone(away=1)
    assert silent.tell.told == [("ben", NowAway(21))]
    assert (await silent.room())[0] == end_of(LANTERN, 2)
    await silent.days(50)
    assert len(silent.tell.told) == 1


async def test_the_clubs_own_number_of_days_counts(silent: Silent) -> None:
    silent.library.roster.settings["away_after_days"] = "3"
    await silent.days(3)
    assert silent.tell.told == [("ben", NowAway(3))]


async def test_who_cannot_be_told_goes_on_counting_and_is_tried_once(silent: Silent) -> None:
    silent.tell.deaf.add("ben")
    await silent.days(40)
    assert (silent.tell.told, silent.tell.tried) == ([], 1)
    assert (await silent.room())[0] == end_of(LANTERN, 1)
    ben = await silent.house.roster.member_known("ben")
    assert (ben.away, ben.reachable) == (False, False)


async def test_who_writes_privately_can_be_told_again(silent: Silent) -> None:
    silent.tell.deaf.add("ben")
    await silent.days(30)
    silent.tell.deaf.clear()
    await sign_of_life(silent.house, await silent.house.roster.member_known("ben"), private=True)
    await silent.days(21)
    assert silent.tell.told == [("ben", NowAway(21))]


async def test_a_sign_of_life_makes_a_member_count_at_once_and_is_told_once(silent: Silent) -> None:
    await silent.days(21)
    ben = await silent.house.roster.member_known("ben")
    assert await sign_of_life(silent.house, ben)
    assert (await silent.room())[0] == end_of(LANTERN, 1)
    assert not await sign_of_life(silent.house, await silent.house.roster.member_known("ben"))
    await silent.days(20)
    assert len(silent.tell.told) == 1
    await silent.days(1)
    assert silent.tell.told == [("ben", NowAway(21))] * 2


async def test_who_gives_a_sign_while_being_told_is_not_away(silent: Silent) -> None:
    def speaks(member: Member) -> None:
        silent.library.roster.mark_seen(member.id, silent.clock())

    silent.tell.meanwhile = speaks
    assert await silent.days(21) == AwayDone()
    assert (await silent.room())[0] == end_of(LANTERN, 1)


async def test_a_sign_of_life_is_written_down_at_most_hourly_and_never_for_who_is_no_member(silent: Silent) -> None:
    ben = await silent.house.roster.member_known("ben")
    silent.clock.passes(minutes=30)
    await sign_of_life(silent.house, ben)
    assert (await silent.house.roster.member_known("ben")).seen_at == NOON
    silent.clock.passes(hours=1)
    await sign_of_life(silent.house, ben)
    assert (await silent.house.roster.member_known("ben")).seen_at == silent.clock()
    eve = await silent.house.roster.member_known("eve")
    assert not await sign_of_life(silent.house, eve, private=True)
    assert (await silent.house.roster.member_known("eve")).seen_at is None


async def test_who_never_said_a_place_is_asked_once_and_counts_as_nothing_read_until_then(silent: Silent) -> None:
    await join(silent.house, "cleo")
    assert await silent.check() == AwayDone()
    assert await silent.room() == (0, 1)
    await silent.days(1)
    assert silent.tell.told == [("cleo", WhereAreYou((LANTERN.title,)))]
    await silent.days(9)
    assert len(silent.tell.told) == 1
    assert await silent.room() == (0, 1)


async def test_nobody_is_asked_for_a_place_who_said_one_or_where_no_book_is_read(silent: Silent) -> None:
    await silent.days(5)
    assert silent.tell.told == []
    silent.library.shelf.current.clear()
    await join(silent.house, "cleo")
    await silent.days(5)
    assert silent.tell.told == []


async def test_who_left_is_told_nothing(silent: Silent) -> None:
    await silent.library.roster.leave((await silent.house.roster.member_known("ben")).id)
    await silent.days(30)
    assert silent.tell.told == []


async def test_who_comes_back_after_leaving_starts_afresh(silent: Silent) -> None:
    await silent.days(21)
    ben = await silent.house.roster.member_known("ben")
    await silent.library.roster.leave(ben.id)
    await join(silent.house, "ben")
    assert (await silent.room())[0] == end_of(LANTERN, 1)


async def in_two_rooms(silent: Silent) -> BookId:
    """A second room reads a book of its own, in which Ana has a place."""
    second = await silent.library.add(HARBOUR, file="second")
    room = await silent.house.rooms.room_added("second", "Second")
    await silent.house.rooms.room_reads(room.id, second)
    await silent.library.place("ana", second, end_of(HARBOUR, 1))
    return second


async def test_a_member_is_asked_once_of_every_book_that_a_room_reads_and_once_of_one_that_is_read_later(
    silent: Silent,
) -> None:
    await in_two_rooms(silent)
    await join(silent.house, "cleo")
    await silent.days(9)
    assert silent.tell.told == [
        ("ben", WhereAreYou((HARBOUR.title,))),
        ("cleo", WhereAreYou((LANTERN.title, HARBOUR.title))),
    ]
    third = await silent.library.add(RIVER, file="third")
    await silent.house.roster.switch_book(third)
    await silent.days(5)
    assert silent.tell.told[2:] == [(name, WhereAreYou((RIVER.title,))) for name in ("ana", "ben", "cleo")]


async def test_who_is_set_aside_and_has_a_place_in_one_of_the_books_can_still_go_away(silent: Silent) -> None:
    await in_two_rooms(silent)
    ben = await silent.house.roster.member_known("ben")
    assert await silent.house.roster.set_aside(ben.id, silent.clock())
    await silent.days(21)
    assert silent.tell.told == [("ben", NowAway(21))]
    assert (await silent.room())[0] == end_of(LANTERN, 2)


BOOKS = st.integers(1, 2).map(BookId)


@st.composite
def members(draw: st.DrawFn) -> list[Member]:
    flags, days = st.booleans(), st.integers(0, 60)
    return [
        Member(
            MemberId(n),
            f"m{n}",
            draw(flags),
            reachable=draw(flags),
            seen_at=draw(st.none() | days.map(lambda d: NOON - timedelta(days=d))),
            away=draw(flags),
            aside=draw(flags),
            joined_at=NOON - timedelta(days=draw(days)),
            asked_where=draw(st.frozensets(BOOKS)),
        )
        for n in range(1, 6)
    ]


PLACED = st.frozensets(st.integers(1, 5).map(MemberId))


@given(members(), PLACED, PLACED, st.integers(1, 40), st.integers(0, 2))
def test_steps_are_for_members_who_can_be_told_and_one_each(
    some: list[Member], first: frozenset[MemberId], second: frozenset[MemberId], after: int, count: int
) -> None:
    settings = ClubSettings(away_after_days=after)
    placed = {BookId(1): first, BookId(2): second}
    read = [replace(RECORD, id=BookId(n), title=f"Book {n}") for n in (1, 2)][:count]
    steps = away_check(some, placed, read, settings, NOON)
    assert len({step.member.id for step in steps}) == len(steps)
    for step in steps:
        member = step.member
        assert member.joined
        assert member.reachable
        assert not member.away
        assert not member.aside or any(member.id in placed[book.id] for book in read)
        assert member.joined_at is not None
        last = max(member.joined_at, member.seen_at or member.joined_at)
        assert step.silent_since == last
        if isinstance(step.notice, NowAway):
            assert NOON - last >= timedelta(days=after)
        else:
            assert NOON - last < timedelta(days=after)
            assert NOON - member.joined_at >= ASKED_AFTER
            assert not member.aside
            assert step.books and step.notice.titles == tuple(f"Book {book}" for book in step.books)
            assert not any(member.id in placed[book] for book in step.books)
            assert member.asked_where.isdisjoint(step.books)
