"""The guards: each one alone holds when the one before it has failed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import numpy as np
import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import GUARD_TRIPPED, engine_for, sqlstate
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoor, PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.core.boundary import Boundary, boundary_for, narrowed
from bot.core.club import BookId, MemberId, private_to
from bot.core.errors import Refused, SpoilerLeak, Unavailable
from bot.core.evidence import Passage
from bot.core.ports import AdmittedPassages, PositionRecord
from bot.core.search import Asked, Searching, find
from tests.databases import SUPERUSER, Databases, scalar
from tests.made_books import CLUB, book_of, chapter, stored

MADE = book_of(*(chapter(n, f"A cat sat on mat number {n}. It was warm there and it slept.") for n in range(1, 6)))
READ_TO = MADE.chapters[1].span.end

FORGETFUL = (
    "create function dogear.forgets_its_where_v1(_book bigint, _boundary int) returns setof int language plpgsql "
    "volatile strict security definer set search_path = dogear, pg_temp as $$ begin "
    "perform boundary_opened_v1(_book, _boundary); "
    "return query select s.revealed_at from sentence s union all select p.revealed_at from passage p "
    "union all select t.revealed_at from title t union all select n.revealed_at from name n; end $$",
    "alter function dogear.forgets_its_where_v1(bigint, int) owner to dogear_guard",
    "create function dogear.opens_nothing_v1(_book bigint, _boundary int) returns setof int language sql "
    "volatile strict security definer set search_path = dogear, pg_temp as "
    "$$ select s.revealed_at from sentence s where s.book_id = _book and s.revealed_at <= _boundary $$",
    "alter function dogear.opens_nothing_v1(bigint, int) owner to dogear_guard",
)


def reader_at(book: BookId, offset: int) -> Boundary:
    member = MemberId(1)
    return boundary_for(book, private_to(member), {member: offset})


@dataclass(frozen=True)
class Place:
    """A database with one book, and both engines of the runtime."""

    app: AsyncEngine
    ingest: AsyncEngine
    book: BookId

    @property
    def doors(self) -> PostgresDoors:
        return PostgresDoors(self.app, CLUB)


@pytest.fixture
async def place(databases: Databases, database: str) -> AsyncIterator[Place]:
    await databases.run(*FORGETFUL, database=database)
    app = engine_for(databases.url(APP, database), "test", pool_size=1)
    async with databases.engine(INGEST, database) as ingest:
        yield Place(app, ingest, await stored(ingest, MADE))
    await app.dispose()


async def revealed(connection: AsyncConnection, function: str, book: BookId, boundary: int) -> list[int]:
    rows = await connection.exec_driver_sql(f"select dogear.{function}({book}, {boundary})")
    return sorted(value for (value,) in rows)


async def open_club(connection: AsyncConnection) -> None:
    """Open the club for the rest of the transaction."""
    await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")


async def test_a_function_that_forgets_its_where_shows_only_what_is_revealed(place: Place) -> None:
    other = await stored(place.ingest, MADE, name="other")
    async with place.app.connect() as connection:
        await open_club(connection)
        seen = await revealed(connection, "forgets_its_where_v1", place.book, READ_TO)
        assert 0 < max(seen) <= READ_TO
        await connection.rollback()
        await open_club(connection)
        everything = await revealed(connection, "forgets_its_where_v1", place.book, MADE.body_end)
        assert max(everything) == MADE.body_end
        await connection.rollback()
        await open_club(connection)
        assert await revealed(connection, "forgets_its_where_v1", other, READ_TO) == seen


async def test_a_function_that_opens_no_boundary_raises(place: Place) -> None:
    async with place.app.connect() as connection:
        await open_club(connection)
        with pytest.raises(DBAPIError) as refused:
            await revealed(connection, "opens_nothing_v1", place.book, READ_TO)
        assert sqlstate(refused.value) == "42704"


@pytest.mark.parametrize("ending", ["commit", "rollback"])
async def test_a_boundary_does_not_outlive_its_transaction_on_a_pooled_connection(place: Place, ending: str) -> None:
    backends = []
    for attempt in range(2):
        async with place.app.connect() as connection:
            backends.append(await scalar(connection, "select pg_backend_pid()"))
            with pytest.raises(DBAPIError):
                await revealed(connection, "opens_nothing_v1", place.book, READ_TO)
            await connection.rollback()
            await open_club(connection)
            assert await revealed(connection, "forgets_its_where_v1", place.book, MADE.body_end)
            await getattr(connection, ending)()
            for setting in ("dogear.club", "dogear.book", "dogear.boundary", "dogear.opened"):
                assert not await scalar(connection, f"select current_setting('{setting}', true)"), (setting, attempt)
    assert len(set(backends)) == 1


async def test_a_wider_second_boundary_in_one_transaction_is_a_leak(place: Place) -> None:
    wide, narrow = reader_at(place.book, MADE.body_end), reader_at(place.book, READ_TO)
    async with place.doors.opened() as door:
        assert len((await door.passages_admitted(wide)).ordinals) > len((await door.passages_admitted(narrow)).ordinals)
        with pytest.raises(SpoilerLeak) as leak:
            await door.passages_admitted(wide)
    assert str(leak.value) == f"book {place.book}: a boundary at {READ_TO} is open, {MADE.body_end} is wider"
    async with place.doors.opened() as door:
        assert len((await door.passages_admitted(wide)).ordinals)


async def test_every_method_of_the_door_that_takes_a_boundary_refuses_a_wider_one(place: Place) -> None:
    wide, narrow = reader_at(place.book, MADE.body_end), reader_at(place.book, READ_TO)

    async def names(door: PostgresDoor, at: Boundary) -> object:
        return await door.names_met(at)

    async def titles(door: PostgresDoor, at: Boundary) -> object:
        return await door.titles_met(at)

    async def read(door: PostgresDoor, at: Boundary) -> object:
        return await door.passages_read(at, [0, 1, 2, 3])

    async def matching(door: PostgresDoor, at: Boundary) -> object:
        return await door.passages_matching(at, [1, 2])

    async def straddling(door: PostgresDoor, at: Boundary) -> object:
        return await door.passage_straddling(at)

    async def nearest(door: PostgresDoor, at: Boundary) -> object:
        return await door.passages_nearest(at, np.zeros(4, dtype=np.float32))

    for method in (names, titles, read, matching, straddling, nearest):
        async with place.doors.opened() as door:
            assert isinstance(door, PostgresDoor)
            await method(door, narrow)
            with pytest.raises(SpoilerLeak):
                await method(door, wide)


async def test_two_books_in_one_transaction_are_each_under_their_own_boundary(place: Place) -> None:
    other = await stored(place.ingest, MADE, name="other")
    async with place.doors.opened() as door:
        for _ in range(2):
            for book, boundary in ((place.book, READ_TO), (other, MADE.chapters[3].span.end)):
                admitted = await door.passages_admitted(reader_at(book, boundary))
                assert max(admitted.revealed) == boundary
                met = await door.titles_met(reader_at(book, boundary))
                assert max(title.revealed_at for title in met) <= boundary


async def test_a_boundary_past_the_end_of_the_body_is_a_leak(place: Place) -> None:
    async with place.doors.opened() as door:
        with pytest.raises(SpoilerLeak):
            await door.passages_admitted(reader_at(place.book, MADE.body_end + 1))


@pytest.mark.parametrize("offset", [0, 10])
async def test_no_boundary_is_opened_in_a_book_that_is_not_there(place: Place, offset: int) -> None:
    async with place.doors.opened() as door:
        with pytest.raises(SpoilerLeak):
            await door.passages_admitted(reader_at(BookId(999), offset))


@pytest.mark.parametrize("offset", [0, 10])
async def test_no_boundary_is_opened_in_a_book_of_another_club(place: Place, offset: int) -> None:
    other = await stored(place.ingest, MADE, "another club")
    async with place.doors.opened() as door:
        with pytest.raises(SpoilerLeak):
            await door.passages_admitted(reader_at(other, offset))


async def test_no_boundary_is_opened_where_no_club_is_open(place: Place) -> None:
    async with place.app.connect() as connection:
        for unset in ("42704", "22P02"):  # never set on this connection; set for a transaction that has ended
            with pytest.raises(DBAPIError) as refused:
                await revealed(connection, "forgets_its_where_v1", place.book, 0)
            assert sqlstate(refused.value) == unset
            await connection.rollback()
            await open_club(connection)
            await connection.commit()


class LeakyDoor(PostgresDoor):
    """A store that ignores the boundary in what it reads: it widens every boundary to the whole book."""

    whole: Boundary

    async def passages_admitted(self, boundary: Boundary) -> AdmittedPassages:
        return await super().passages_admitted(self.whole)

    async def passages_read(self, boundary: Boundary, ordinals: Sequence[int]) -> tuple[Passage, ...]:
        return await super().passages_read(self.whole, ordinals)


@dataclass(frozen=True)
class LeakyDoors:
    """Doors that ignore the boundary while evidence is fetched."""

    app: AsyncEngine
    whole: Boundary

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[PostgresDoor]:
        async with self.app.connect() as connection, connection.begin():
            await open_club(connection)
            door = LeakyDoor(connection)
            door.whole = self.whole
            yield door


async def test_a_store_that_ignores_the_boundary_is_caught_by_evidence(place: Place) -> None:
    ana = await PostgresRoster(place.app, CLUB).member_known("ana")
    await PostgresRoster(place.app, CLUB).join(ana.id)
    place_of_ana = PositionRecord(ana.id, place.book, READ_TO, "finished", "2", "finished chapter 2")
    await PostgresRoster(place.app, CLUB).position_appended(place_of_ana)
    asked = Asked(place.book, "Where was it warm?", private_to(ana.id))
    found = await find(Searching(place.doors), asked, 8)
    assert found.evidence
    leaky = LeakyDoors(place.app, reader_at(place.book, MADE.body_end))
    with pytest.raises(SpoilerLeak):
        await find(Searching(leaky), asked, 8)


@pytest.mark.parametrize(
    "statement",
    [
        "insert into dogear.sentence (book_id, ordinal) values (1, 1)",
        "update dogear.sentence set revealed_at = 0",
        "delete from dogear.sentence",
        "truncate dogear.passage",
        "update dogear.title set revealed_at = 0",
        "delete from dogear.passage_vector",
        "update dogear.name set revealed_at = 0",
        "delete from dogear.source",
        "update dogear.section set start = 0",
        "delete from dogear.page",
        "insert into dogear.book (club_id, title) values (1, 'loot')",
        "truncate dogear.book",
        "update dogear.book set body_end = 0",
        'update dogear.position set "offset" = 0',
        "delete from dogear.position",
        "update dogear.quote_try set created_at = now() - interval '1 day'",
        "delete from dogear.quote_try",
        "insert into dogear.position (id, member_id) overriding system value values (1, 1)",
        "update dogear.position set created_at = now()",
        "select * from dogear.sentence for update",
        "select dogear.forgets_its_where_v1(null, null) from dogear.title",
    ],
)
async def test_the_answering_role_changes_nothing_that_is_sealed_or_append_only(place: Place, statement: str) -> None:
    async with place.app.connect() as connection:
        with pytest.raises(DBAPIError) as refused:
            await connection.exec_driver_sql(statement)
        assert sqlstate(refused.value) == "42501"


async def test_the_door_takes_no_writes(place: Place) -> None:
    async with place.doors.opened() as door:
        assert isinstance(door, PostgresDoor)
        with pytest.raises(DBAPIError) as refused:
            await door._connection.exec_driver_sql("insert into dogear.club (name) values ('loot')")
        assert sqlstate(refused.value) == "25006"
    assert await PostgresDirectory(place.app).club_named("after")  # the same pooled connection writes again


async def test_a_position_lies_in_the_body_of_a_book_of_the_members_own_club(place: Place) -> None:
    roster = PostgresRoster(place.app, CLUB)
    another = PostgresRoster(place.app, await PostgresDirectory(place.app).club_named("another club"))
    ana, eve = await roster.member_known("ana"), await another.member_known("eve")
    await roster.position_appended(PositionRecord(ana.id, place.book, MADE.body_end, "finished", "5", ""))
    wrong = (
        (roster, ana, MADE.body_end + 1),
        (roster, ana, -1),
        (roster, eve, 5),
        (another, eve, 5),
        (another, ana, 5),
    )
    for club, member, offset in wrong:
        with pytest.raises(Unavailable):
            await club.position_appended(PositionRecord(member.id, place.book, offset, "finished", "5", ""))
    assert len(await roster.positions(ana.id, place.book)) == 1
    assert await roster.positions(eve.id, place.book) == await another.positions(eve.id, place.book) == ()


async def test_a_club_cannot_read_a_book_of_another(place: Place, databases: Databases) -> None:
    other = await PostgresDirectory(place.app).club_named("another club")
    another = PostgresRoster(place.app, other)
    await another.switch_book(place.book)
    assert await another.current_book() is None
    assert await another.books() == ()
    async with place.app.connect() as connection:
        await connection.exec_driver_sql(f"select set_config('dogear.club', '{other}', true)")
        with pytest.raises(DBAPIError) as refused:
            await connection.exec_driver_sql(f"update dogear.club set current_book = {place.book} where id = {other}")
        assert sqlstate(refused.value) == "23503"
    current = await PostgresRoster(place.app, CLUB).current_book()
    assert current is not None
    assert current.id == place.book


async def test_a_question_about_a_book_that_is_gone_is_refused_in_a_sentence(place: Place) -> None:
    async with place.doors.opened() as door:
        with pytest.raises(Refused, match="There is no such book"):
            await door.book(BookId(999))


async def test_a_narrowed_boundary_may_follow_a_wider_one(place: Place) -> None:
    wide = reader_at(place.book, READ_TO)
    async with place.doors.opened() as door:
        await door.titles_met(wide)
        assert await door.names_met(narrowed(wide, 0)) == ()


def test_the_state_of_a_tripped_guard_is_no_state_of_postgresql() -> None:
    assert GUARD_TRIPPED[:2] == "DG"


async def test_the_guard_holds_for_the_superusers_own_functions_too(place: Place, databases: Databases) -> None:
    async with databases.engine(SUPERUSER, place.app.url.database or "") as engine, engine.connect() as connection:
        await open_club(connection)
        seen = await revealed(connection, "forgets_its_where_v1", place.book, READ_TO)
        assert max(seen) <= READ_TO
