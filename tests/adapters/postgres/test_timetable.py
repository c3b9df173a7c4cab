"""The real timetable passes the suite of the fake one; clubs are apart; what is due is found before one opens."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.timetable import PostgresAgenda, PostgresTimetable
from bot.core.club import Role
from bot.core.club_settings import ClubSettings
from bot.core.clubs import change_setting
from bot.core.timetable import Noted, Timetable
from tests.databases import Databases
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, Library, in_memory
from tests.made_books import CLUB
from tests.timetable_suite import DUE, FIRST, LATER, LEASE, NOW, WEEK, TimetableSuite, record

Real = Library[PostgresShelf, PostgresRoster, PostgresDoors]


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


@pytest.fixture
async def library(databases: Databases, database: str, app: AsyncEngine) -> AsyncIterator[Real]:
    async with databases.engine(INGEST, database) as ingest:
        yield Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))


@pytest.fixture
def timetable(app: AsyncEngine) -> Timetable:
    return PostgresTimetable(app, CLUB)


class TestPostgresTimetable(TimetableSuite):
    """The suite, with the fixtures of this module."""


async def test_nothing_of_a_club_is_seen_or_claimed_from_another(
    library: Real, timetable: Timetable, app: AsyncEngine
) -> None:
    book = await library.add(LANTERN)
    other = PostgresTimetable(app, await library.shelf.club_named("another"))
    await timetable.schedule_set(book, [FIRST], None, NOW)
    await timetable.weekly_planned(DUE)
    await timetable.day_planned(NOW.date(), NOW)
    assert await other.schedule(book) == ()
    assert await other.noted(WEEK, NOW.date(), NOW) == Noted(weekly=False, daily=False)
    assert await other.weekly_claimed(NOW, LEASE) is None
    assert await other.day_claimed(NOW, LEASE) is None
    await other.schedule_set(book, [], None, NOW)
    assert await timetable.schedule(book) == (FIRST,)
    assert await other.weekly_planned(DUE)


async def test_a_person_who_is_forgotten_leaves_no_place_and_no_reminder(library: Real, timetable: Timetable) -> None:
    book, ana = await library.add(LANTERN), await library.member("ana")
    await timetable.weekly_planned(DUE)
    run = await timetable.weekly_claimed(NOW, LEASE)
    assert run is not None
    await timetable.weekly_made(run, record(book, ana.id))
    await timetable.reminder_kept(ana.id, book, FIRST, NOW)
    await library.roster.forget(ana.id)
    (seen,) = await timetable.weeks(book)
    assert seen.chapters == {}
    assert await timetable.weekly_made(run, record(book, ana.id))  # and is not put back by one who knew them
    assert [week.chapters for week in await timetable.weeks(book)] == [{}]


async def test_a_book_that_is_removed_takes_its_schedule_and_its_weeks_with_it(
    library: Real, timetable: Timetable
) -> None:
    book = await library.add(LANTERN)
    await timetable.schedule_set(book, [FIRST], None, NOW)
    await timetable.weekly_planned(DUE)
    run = await timetable.weekly_claimed(NOW, LEASE)
    assert run is not None
    await timetable.weekly_made(run, record(book))
    await library.shelf.remove_book(book)
    assert await timetable.schedule(book) == ()
    assert await timetable.weeks(book) == ()
    assert not await timetable.weekly_planned(DUE)


async def test_the_clubs_with_something_to_do_are_found_before_one_is_open(
    library: Real, timetable: Timetable, app: AsyncEngine
) -> None:
    await library.add(LANTERN)
    agenda, another = PostgresAgenda(app), await library.shelf.club_named("another")
    assert await agenda.clubs_due(NOW) == ()
    await timetable.weekly_planned(DUE)
    await PostgresTimetable(app, another).day_planned(NOW.date(), NOW)
    assert await agenda.clubs_due(NOW) == (CLUB, another)
    run = await timetable.weekly_claimed(NOW, LEASE)
    assert run is not None
    assert await agenda.clubs_due(NOW) == (another,)
    assert await agenda.clubs_due(NOW + LEASE) == (CLUB, another)
    await timetable.weekly_skipped(run, NOW)
    assert await agenda.clubs_due(NOW + LEASE) == (another,)


async def test_every_club_is_found_by_when_its_posts_are_due_before_one_is_open(
    library: Real, app: AsyncEngine
) -> None:
    await library.add(LANTERN)
    another = await library.shelf.club_named("another")
    member = replace(await library.member("ana"), role=Role.ADMIN)
    agenda, rooms = PostgresAgenda(app), PostgresRooms(app, CLUB)
    assert await agenda.club_clocks() == {ClubSettings(): (CLUB, another)}
    for name, value in (("weekly_day", "monday"), ("time_zone", "Asia/Tokyo"), ("names", "on")):
        await rooms.setting_changed(name, value, member.id, NOW)
    tokyo = ClubSettings(weekly_day=0, time_zone=ZoneInfo("Asia/Tokyo"))
    assert await agenda.club_clocks() == {tokyo: (CLUB,), ClubSettings(): (another,)}
    house = replace(house_of(in_memory(), FakeClock(NOW)), rooms=rooms)
    for name in ("weekly_day", "time_zone"):
        await change_setting(house, member, name, "default")
    assert await agenda.club_clocks() == {ClubSettings(): (CLUB, another)}


async def test_the_clubs_that_lack_a_note_are_found_before_one_is_open(
    library: Real, timetable: Timetable, app: AsyncEngine
) -> None:
    await library.add(LANTERN)
    agenda, another, day = PostgresAgenda(app), await library.shelf.club_named("another"), NOW.date()
    both = [CLUB, another]
    await timetable.weekly_planned(DUE)
    await PostgresTimetable(app, another).day_planned(day, NOW)
    assert await agenda.clubs_without_post(both, WEEK) == (another,)
    assert await agenda.clubs_without_post(both, LATER.week) == (CLUB, another)
    assert await agenda.clubs_without_post([CLUB], WEEK) == ()
    assert await agenda.clubs_without_round(both, day) == (CLUB,)
    assert await agenda.clubs_without_round(both, day + timedelta(days=1)) == (CLUB, another)
    run = await timetable.weekly_claimed(NOW, LEASE)
    assert run is not None
    await timetable.weekly_skipped(run, NOW)
    assert await agenda.clubs_without_post([CLUB], WEEK) == ()


async def test_a_claim_takes_one_of_several_in_every_one_of_many_clubs(
    library: Real, app: AsyncEngine, databases: Databases, database: str
) -> None:
    await library.add(LANTERN)
    clubs = [PostgresTimetable(app, await library.shelf.club_named(f"club {n}")) for n in range(30)]
    await databases.run("vacuum (analyze)", database=database)
    for timetable in clubs:
        for due in (DUE, replace(DUE, week=LATER.week)):
            await timetable.weekly_planned(due)
        for day in (NOW.date(), LATER.planned.date()):
            await timetable.day_planned(day, NOW)
    for timetable in clubs:
        for _ in range(2):
            assert await timetable.weekly_claimed(NOW, LEASE) is not None
            assert await timetable.day_claimed(NOW, LEASE) is not None
        assert await timetable.weekly_claimed(NOW, LEASE) is None
