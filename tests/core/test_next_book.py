"""Nominating and voting for the next book."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.ballots import LONGEST_TITLE, MOST_NOMINATIONS, MOST_OF_ONE_MEMBER, nominated_title
from bot.core.club import Member, Role
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.next_book import ballot_due, close_vote, decide_tie, nominate, standing, vote, vote_until
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, in_memory
from tests.made_books import book_of, chapter


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def house(clock: FakeClock) -> Clubhouse:
    return house_of(in_memory(), clock)


async def member(house: Clubhouse, name: str, *, admin: bool = False) -> Member:
    known = await house.roster.member_known(name)
    await house.roster.join(known.id)
    await house.roster.role_given(known.id, Role.ADMIN if admin else Role.MEMBER)
    return await house.roster.member_known(name)


async def test_a_title_is_nominated_once_however_it_is_written(house: Clubhouse) -> None:
    ana, eve = await member(house, "ana"), await member(house, "eve")
    first = await nominate(house, ana, "  The\tLong   Ships ")
    again = await nominate(house, eve, "the long ships")
    assert (first.nomination.title, first.new) == ("The Long Ships", True)
    assert (again.nomination, again.new) == (first.nomination, False)


async def test_a_book_of_the_shelf_is_nominated_by_number_or_title_but_not_the_one_that_is_read() -> None:
    library = in_memory()
    current = await library.add(LANTERN)
    other = await library.add(book_of(chapter(1, "A cat sat."), title="The Cat"), file="cat")
    house = house_of(library, FakeClock())
    ana = await member(house, "ana")
    made = await nominate(house, ana, str(other))
    assert (made.nomination.title, made.nomination.book) == ("The Cat", other)
    assert not (await nominate(house, ana, "the cat")).new
    for said in (str(current), "The Lantern"):
        with pytest.raises(Refused, match="reads now"):
            await nominate(house, ana, said)
    assert (await nominate(house, ana, "1984")).nomination.book is None


async def test_a_book_that_a_room_reads_now_is_not_nominated() -> None:
    library = in_memory()
    await library.add(LANTERN)
    own = await library.add(book_of(chapter(1, "A cat sat."), title="The Cat"), file="cat")
    house = house_of(library, FakeClock())
    room = await house.rooms.room_added("side", "Side")
    await house.rooms.room_reads(room.id, own)
    with pytest.raises(Refused, match="reads now"):
        await nominate(house, await member(house, "ana"), "The Cat")


async def test_a_book_that_is_not_announced_is_no_book_of_the_shelf_to_anybody() -> None:
    library = in_memory()
    await library.add(LANTERN)
    other = await library.add(book_of(chapter(1, "A cat sat."), title="The Cat"), file="cat")
    house = house_of(library, FakeClock())
    ana = await member(house, "ana")
    kept = library.shelf.of(other)
    kept.record = replace(kept.record, announced=False, added_by=ana.id)
    for person in (ana, await member(house, "eve")):
        for said in (str(other), "The Cat"):
            made = await nominate(house, person, said)
            assert (made.nomination.title, made.nomination.book) == (said, None)


async def test_only_members_nominate_and_vote_and_see_the_round(house: Clubhouse) -> None:
    eve = await house.roster.member_known("eve")
    for tried in (nominate(house, eve, "A"), vote(house, eve, [1]), standing(house, eve)):
        with pytest.raises(Refused, match="Only members"):
            await tried
    assert await house.ballots.ballot() is None


async def test_nominations_of_one_member_and_of_a_round_have_an_end(house: Clubhouse) -> None:
    for number in range(MOST_NOMINATIONS):
        who = await member(house, f"member {number // MOST_OF_ONE_MEMBER}")
        await nominate(house, who, f"Title {number}")
    with pytest.raises(Refused, match="already"):
        await nominate(house, await member(house, "ana"), "One more")
    again = house_of(in_memory(), FakeClock())
    ana = await member(again, "ana")
    for number in range(MOST_OF_ONE_MEMBER):
        await nominate(again, ana, f"Title {number}")
    with pytest.raises(Refused, match="You have nominated"):
        await nominate(again, ana, "One more")


async def test_a_vote_is_changed_until_an_admin_closes_the_round(house: Clubhouse) -> None:
    ana, host = await member(house, "ana"), await member(house, "host", admin=True)
    for title in ("A", "B"):
        await nominate(house, ana, title)
    assert (await vote(house, ana, [1, 1])).own == (1,)
    assert (await vote(house, ana, [2])).own == (2,)
    with pytest.raises(Refused, match="from 1 to 2"):
        await vote(house, ana, [3])
    with pytest.raises(Refused, match="admin"):
        await close_vote(house, ana)
    closed = await close_vote(house, host)
    assert closed.chosen is not None
    assert closed.chosen.title == "B"
    with pytest.raises(Refused, match="Nothing is nominated"):
        await vote(house, ana, [1])
    with pytest.raises(Refused, match="Nothing is nominated"):
        await close_vote(house, host)
    seen = await standing(house, ana)
    assert seen is not None
    assert (seen.own, seen.closed_now) == ((2,), False)


async def test_a_tie_is_told_and_an_admin_chooses_among_the_tied(house: Clubhouse) -> None:
    ana, host = await member(house, "ana"), await member(house, "host", admin=True)
    for title in ("A", "B", "C"):
        await nominate(house, ana, title)
    await vote(house, ana, [1, 3])
    with pytest.raises(Refused, match="no tie"):
        await decide_tie(house, host, 1)
    tied = await close_vote(house, host)
    assert (tied.chosen, [n.n for n in tied.tied]) == (None, [1, 3])
    with pytest.raises(Refused, match="1, 3"):
        await decide_tie(house, host, 2)
    with pytest.raises(Refused, match="admin"):
        await decide_tie(house, ana, 1)
    decided = await decide_tie(house, host, 3)
    assert decided.chosen is not None
    assert decided.chosen.title == "C"
    with pytest.raises(Refused, match="no tie"):
        await decide_tie(house, host, 1)


async def test_a_round_closes_at_the_end_of_its_day_where_the_club_is_once(house: Clubhouse, clock: FakeClock) -> None:
    ana, host = await member(house, "ana"), await member(house, "host", admin=True)
    zone = ZoneInfo("America/New_York")
    await nominate(house, ana, "A")
    await vote(house, ana, [1])
    for said in ("2026-02-28", "yesterday-ish", "9999-12-31", ""):
        with pytest.raises(Refused):
            await vote_until(house, host, said, zone)
    with pytest.raises(Refused, match="admin"):
        await vote_until(house, ana, "2026-03-08", zone)
    closes_at = await vote_until(house, host, "2026-03-08", zone)  # the day on which clocks go forward there
    assert closes_at == datetime(2026, 3, 9, 4, tzinfo=UTC)
    clock.now = datetime(2026, 3, 9, 3, 59, tzinfo=UTC)
    assert await ballot_due(house) is None
    clock.now = closes_at
    seen = await standing(house, ana)
    assert seen is not None
    assert seen.closed_now
    assert seen.ballot.chosen is not None
    assert await ballot_due(house) is None
    with pytest.raises(Refused):
        await vote(house, ana, [])
    assert (await nominate(house, ana, "B")).nomination.n == 1


@given(st.text(max_size=150))
def test_a_nominated_title_is_one_short_visible_line_or_refused(said: str) -> None:
    try:
        title = nominated_title(said)
    except Refused:
        return
    assert 0 < len(title) <= LONGEST_TITLE
    assert title.splitlines() == [title]
    assert title == " ".join(title.split())
    assert nominated_title(title) == title


@pytest.mark.parametrize("said", ["", " \n ", "\u202e\u200b", "x" * (LONGEST_TITLE + 1)])
def test_what_is_no_title_is_refused(said: str) -> None:
    with pytest.raises(Refused):
        nominated_title(said)


def test_nothing_in_a_title_turns_the_line_around() -> None:
    assert nominated_title("The \u202egnoL\u202c\nShips") == "The gnoL Ships"


async def test_a_vote_with_the_numbers_of_an_earlier_round_is_not_taken(house: Clubhouse) -> None:
    ana = await member(house, "ana", admin=True)
    await nominate(house, ana, "Kim")
    first = await standing(house, ana)
    assert first is not None
    await vote(house, ana, [1], first.ballot.id)
    await close_vote(house, ana)
    await nominate(house, ana, "Emma")
    with pytest.raises(Refused, match="closed"):
        await vote(house, ana, [1], first.ballot.id)
