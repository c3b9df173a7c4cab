"""Clubs, members, positions and tries to find quoted words, over the answering role's own login."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.core.club import BookId, ClubId, MemberId
from bot.core.errors import Refused
from bot.core.ports import PositionRecord
from tests.databases import Databases
from tests.made_books import CLUB, book_of, chapter, stored

MADE = book_of(*(chapter(n, "A cat sat on the mat.") for n in range(1, 6)))


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


@pytest.fixture
def directory(app: AsyncEngine) -> PostgresDirectory:
    return PostgresDirectory(app)


@pytest.fixture
async def club(directory: PostgresDirectory) -> ClubId:
    return await directory.club_named("club")


@pytest.fixture
def roster(app: AsyncEngine, club: ClubId) -> PostgresRoster:
    return PostgresRoster(app, club)


@pytest.fixture
async def book(databases: Databases, database: str, club: ClubId) -> BookId:
    async with databases.engine(INGEST, database) as engine:
        return await stored(engine, MADE)


async def test_a_club_and_a_member_are_made_once_by_name(
    app: AsyncEngine, directory: PostgresDirectory, roster: PostgresRoster, club: ClubId
) -> None:
    assert club == CLUB
    assert await directory.club_named("club") == club
    assert await directory.club_named("Club") != club
    assert await directory.club_named("club", "discord:1") not in {club, await directory.club_named("Club")}
    ana = await roster.member_known("ana")
    assert (ana.joined, ana.plain_number) == (False, None)
    assert await roster.member_known("ana") == ana
    other = PostgresRoster(app, await directory.club_named("other"))
    assert await other.member_known("ana") != ana
    assert await roster.members() == (ana,)


async def test_who_is_called_otherwise_now_is_the_same_person(roster: PostgresRoster) -> None:
    ana = await roster.member_known("discord:1", "ana")
    renamed = await roster.member_known("discord:1", "Ana W.")
    assert (renamed.id, renamed.person, renamed.name) == (ana.id, "discord:1", "Ana W.")
    assert await roster.members() == (renamed,)


async def test_a_person_is_found_in_the_clubs_that_they_have_joined(
    app: AsyncEngine, directory: PostgresDirectory, roster: PostgresRoster, club: ClubId
) -> None:
    second, third = await directory.club_named("second"), await directory.club_named("third")
    for of in (club, second, third):
        ana = await PostgresRoster(app, of).member_known("ana")
        if of != second:
            await PostgresRoster(app, of).join(ana.id)
    assert await directory.clubs() == (club, second, third)
    assert await directory.clubs_of_person("ana") == (club, third)
    assert await directory.clubs_of_person("eve") == ()


async def test_the_club_of_a_room_is_found_by_the_rooms_key(
    databases: Databases, database: str, directory: PostgresDirectory, club: ClubId
) -> None:
    second = await directory.club_named("second")
    made = f"insert into dogear.room (club_id, key, name) values ({club}, 'one', 'One'), ({second}, 'two', 'Two')"
    await databases.run(made, database=database)
    assert [await directory.club_of_room(key) for key in ("one", "two", "three")] == [club, second, None]


async def test_the_same_name_at_the_same_moment_is_one_person(
    directory: PostgresDirectory, roster: PostgresRoster
) -> None:
    made = await asyncio.gather(*(roster.member_known("ana") for _ in range(4)))
    clubs = await asyncio.gather(*(directory.club_named("new") for _ in range(4)))
    assert (len(set(made)), len(set(clubs))) == (1, 1)


async def test_joining_is_said_and_unsaid_and_members_are_told_by_name(roster: PostgresRoster, club: ClubId) -> None:
    eve, ana = await roster.member_known("eve"), await roster.member_known("ana")
    await roster.join(eve.id)
    await roster.join(eve.id)
    assert [(m.name, m.joined) for m in await roster.members()] == [("ana", False), ("eve", True)]
    await roster.leave(eve.id)
    await roster.leave(ana.id)
    assert not any(m.joined for m in await roster.members())


async def test_what_a_member_means_by_a_plain_number_is_remembered(roster: PostgresRoster, club: ClubId) -> None:
    ana = await roster.member_known("ana")
    for habit in ("finished", "in"):
        await roster.plain_number_means(ana.id, habit)
        assert (await roster.member_known("ana")).plain_number == habit


async def test_the_latest_position_counts_and_all_are_kept(
    app: AsyncEngine, roster: PostgresRoster, club: ClubId, book: BookId
) -> None:
    ana, eve = await roster.member_known("ana"), await roster.member_known("eve")
    await roster.join(ana.id)
    await roster.join(eve.id)
    said = [PositionRecord(ana.id, book, offset, "finished", f"{offset}", f"to {offset}") for offset in (10, 90, 40)]
    for position in said:
        await roster.position_appended(position)
    await roster.position_appended(PositionRecord(eve.id, book, 0, "none", "none", "not begun"))
    assert await roster.positions(ana.id, book) == tuple(reversed(said))
    async with PostgresDoors(app, CLUB).opened() as door:
        latest = await door.positions_latest(book, [ana.id, eve.id, MemberId(999)])
    assert latest == {ana.id: 40, eve.id: 0}


async def test_going_back_lowers_the_position_at_once_and_not_inside_an_open_view(
    app: AsyncEngine, roster: PostgresRoster, club: ClubId, book: BookId
) -> None:
    ana = await roster.member_known("ana")
    await roster.join(ana.id)
    await roster.position_appended(PositionRecord(ana.id, book, 90, "finished", "4", ""))
    async with PostgresDoors(app, CLUB).opened() as door:
        assert await door.positions_latest(book, [ana.id]) == {ana.id: 90}
        await roster.position_appended(PositionRecord(ana.id, book, 10, "finished", "back to 1", ""))
        assert await door.positions_latest(book, [ana.id]) == {ana.id: 90}
    async with PostgresDoors(app, CLUB).opened() as door:
        assert await door.positions_latest(book, [ana.id]) == {ana.id: 10}


async def test_tries_to_find_words_are_counted_for_a_day_by_member_and_book(
    databases: Databases, database: str, roster: PostgresRoster, club: ClubId, book: BookId
) -> None:
    ana, eve = await roster.member_known("ana"), await roster.member_known("eve")
    assert [await roster.quote_tries(ana.id, book) for _ in range(3)] == [1, 2, 3]
    assert await roster.quote_tries(eve.id, book) == 1
    aged = "update dogear.quote_try set created_at = now() - interval '25 hours' where id = 1"
    await databases.run(aged, database=database)
    assert await roster.quote_tries(ana.id, book) == 3


async def test_tries_made_at_once_are_counted_one_after_another(
    roster: PostgresRoster, club: ClubId, book: BookId
) -> None:
    ana = await roster.member_known("ana")
    counts = await asyncio.gather(*(roster.quote_tries(ana.id, book) for _ in range(8)))
    assert sorted(counts) == list(range(1, 9))


async def test_the_first_book_is_the_clubs_current_one_until_it_switches(
    databases: Databases, database: str, roster: PostgresRoster, club: ClubId, book: BookId
) -> None:
    async with databases.engine(INGEST, database) as engine:
        second = await stored(engine, MADE, name="second")
    current = await roster.current_book()
    assert current is not None
    assert current.id == book
    assert [b.id for b in await roster.books()] == [book, second]
    await roster.switch_book(second)
    current = await roster.current_book()
    assert current is not None
    assert current.id == second


async def test_a_name_that_no_database_holds_is_refused_in_a_sentence(roster: PostgresRoster, club: ClubId) -> None:
    for name in ("an\x00a", "an\ud800a"):
        with pytest.raises(Refused, match="cannot be stored"):
            await roster.member_known(name)
