"""Clubs apart, at the level of SQL: with one club open, nothing of another is seen, changed, pointed at or read in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.club_connections import OPENED
from bot.adapters.postgres.connect import engine_for, sqlstate
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.book import PageMark
from bot.core.club import BookId, ClubId, MemberId
from bot.core.errors import DogearError, Refused
from bot.core.folding import folded
from bot.core.terms import term_id
from bot.ingest.worker import fill_vectors
from tests.club_rows import OF_A_CLUB, filled
from tests.databases import SUPERUSER, Databases
from tests.fakes.embedder import HashEmbedder
from tests.made_books import book_of, chapter, stored

EMBEDDER = HashEmbedder()
PROSE = "A cat sat on the mat. It was warm there and it slept."
MADE = replace(book_of(chapter(1, PROSE, "The Mat"), chapter(2, "Then it rained.")), pages=(PageMark("12", 20),))

NO_CLUB_OPEN: Final = ("42704", "22P02")
"""Never set on this connection; set for a transaction that has ended."""

REFUSED: Final = {"42501", "23502", "23503", "23505", "23514", "DG002"}
"""A policy or a missing right; no club to be found for the row; a key to a row of another club; a row that is there
already; a trigger. Each is an error of the statement, and nothing is written."""

POLICY: Final = "({column} = ( SELECT (current_setting('dogear.club'::text))::bigint AS current_setting))"

BOUNDED: Final = {
    "passages_admitted_v1": "{book}, {boundary}",
    "passages_nearest_v1": "{book}, {boundary}, cast('{vector}' as halfvec)",
    "passages_matching_v1": f"{{book}}, {{boundary}}, array[{term_id('cat')}]",
    "passages_read_v1": "{book}, {boundary}, array[0, 1]",
    "passage_straddling_v1": "{book}, {boundary}",
    "names_met_v1": "{book}, {boundary}",
    "titles_met_v1": "{book}, {boundary}",
    "memory_read_v1": "{book}, {boundary}",
}
LOCATING: Final = {
    "chapter_map_v1": "{book}",
    "section_map_v1": "{book}",
    "page_offsets_v1": "{book}, '12'",
    "pages_counted_v1": "{book}",
    "title_chapters_v1": "{book}, 99999, 'the mat'",
    "quote_offsets_v1": "{book}, array['" + folded("It was warm there") + "']",
}
"""Every function of the door that takes a book, and arguments for each."""

VECTOR: Final = "[" + ",".join(map(str, EMBEDDER.embed_question("cat"))) + "]"


@dataclass(frozen=True)
class Club:
    """One club, whose every table has rows."""

    id: ClubId
    member: MemberId
    book: BookId


@dataclass(frozen=True)
class Two:
    """Two clubs in one database; ``app`` has one connection."""

    app: AsyncEngine
    root: AsyncEngine
    mine: Club
    theirs: Club

    @asynccontextmanager
    async def opened(self, club: ClubId | None) -> AsyncIterator[AsyncConnection]:
        """A transaction of the answering role with ``club`` open, or none; rolled back."""
        async with self.app.connect() as connection:
            if club is not None:
                await connection.execute(OPENED, {"club": club})
            yield connection

    async def tried(self, statement: str, opened: ClubId | None, **values: object) -> str:
        """Run a statement with a club open, or none, and commit; the state of the error, or nothing."""
        async with self.opened(opened) as connection:
            try:
                await connection.execute(text(statement), values)
                await connection.commit()
            except DBAPIError as refused:
                return sqlstate(refused)
        return ""

    async def told(self, statement: str, **values: object) -> list[tuple[object, ...]]:
        """What the superuser sees."""
        async with self.root.connect() as connection:
            return [tuple(row) for row in await connection.execute(text(statement), values)]

    async def rights(self) -> list[tuple[str, str, str]]:
        """Every table and column of a club's, and what the answering role may do with it: letters of s, i, u."""
        rows = await self.told(
            "select c.relname, a.attname, "
            "(case when has_column_privilege(:app, c.oid, a.attnum, 'select') then 's' else '' end) || "
            "(case when has_column_privilege(:app, c.oid, a.attnum, 'insert') and a.attidentity = '' "
            "then 'i' else '' end) || "
            "(case when has_column_privilege(:app, c.oid, a.attnum, 'update') and a.attidentity = '' "
            "then 'u' else '' end) "
            "from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped "
            "where c.relnamespace = 'dogear'::regnamespace and c.relkind in ('r', 'p') and (c.relname = 'club' "
            "or exists (select from pg_attribute b where b.attrelid = c.oid and b.attname = 'club_id')) "
            "order by c.relname, a.attnum",
            app=APP,
        )
        return [(str(table), f'"{column}"', str(may)) for table, column, may in rows]

    async def columns(self, right: str) -> dict[str, list[str]]:
        """The columns with a right, by table. Tables without one are left out, and empty ones: a test says so."""
        found: dict[str, list[str]] = {}
        full = {table for table, rows in (await self.written(self.theirs)).items() if rows}
        for table, column, may in await self.rights():
            if right in may and table in full:
                found.setdefault(table, []).append(column)
        return found

    async def written(self, club: Club) -> dict[str, list[tuple[object, ...]]]:
        """Every row of a club in every table, with the transaction that wrote it."""
        tables = {table for table, _, _ in await self.rights()}
        seen = {
            table: await self.told(
                f"select xmin::text, ctid::text, t::text from dogear.{table} t where {key_of(table)} = :club "
                "order by t::text",
                club=club.id,
            )
            for table in sorted(tables)
        }
        sealed = "select xmin::text, ordinal, revealed_at from dogear.sentence where book_id = :book order by ordinal"
        return {**seen, "sentence": await self.told(sealed, book=club.book)}


def key_of(table: str) -> str:
    """The column that says whose a row is."""
    return "id" if table == "club" else "club_id"


@pytest.fixture
async def two(databases: Databases, database: str) -> AsyncIterator[Two]:
    app = engine_for(databases.url(APP, database), "test", pool_size=1)
    made = []
    async with databases.engine(SUPERUSER, database) as root, databases.engine(INGEST, database) as ingest:
        for name in ("mine", "theirs"):
            club = await PostgresDirectory(app).club_named(name)
            roster = PostgresRoster(app, club)
            for person in ("ana", "ben"):
                await roster.join((await roster.member_known(person)).id)
            ana = await roster.member_known("ana")
            book = await stored(ingest, MADE, name)
            await fill_vectors(PostgresShelf(ingest), EMBEDDER, book)
            await databases.run(
                f"update dogear.member set dm_book = {book} where id = {ana.id}",
                f"update dogear.book set added_by = {ana.id} where id = {book}",
                database=database,
            )
            await filled(databases, database, OF_A_CLUB, club, ana.id, book)
            made.append(Club(club, ana.id, book))
        yield Two(app, root, *made)
    await app.dispose()


async def test_every_table_of_a_club_has_rows_of_both_clubs_here(two: Two) -> None:
    for club in (two.mine, two.theirs):
        empty = {table for table, rows in (await two.written(club)).items() if not rows}
        assert empty - {"source"} == set(), f"give {empty} a line in tests/club_rows.py"


async def test_every_relation_that_the_answering_role_reaches_is_a_clubs_or_says_nothing_of_one(two: Two) -> None:
    rows = await two.told(
        "select c.relname from pg_class c where c.relnamespace = 'dogear'::regnamespace and c.relkind <> 'i' "
        "and (has_any_column_privilege(:app, c.oid, 'select, insert, update') "
        "or has_table_privilege(:app, c.oid, 'delete, truncate, references, trigger'))",
        app=APP,
    )
    assert {table for (table,) in rows} - {table for table, _, _ in await two.rights()} == {"schema_version"}


async def test_every_table_that_the_answering_role_reaches_is_under_the_policy_and_no_other(two: Two) -> None:
    reached = {table for table, _, may in await two.rights() if may}
    rows = await two.told(
        "select c.relname, c.relrowsecurity and c.relforcerowsecurity, "
        "(select array_agg(row(p.permissive, p.roles, p.cmd, p.qual, p.with_check)::text) from pg_policies p "
        "where p.schemaname = 'dogear' and p.tablename = c.relname and p.roles && array['public', :app]::name[]) "
        "from pg_class c where c.relnamespace = 'dogear'::regnamespace and c.relname = any(:reached)",
        app=APP,
        reached=sorted(reached),
    )
    for table, forced, policies in rows:
        own = POLICY.format(column=key_of(str(table)))
        assert forced, table
        assert policies == [f'(PERMISSIVE,{{{APP}}},ALL,"{own}","{own}")'], table
    assert len(rows) == len(reached)


async def test_every_key_between_two_tables_of_a_club_names_the_club_too(two: Two) -> None:
    tables = sorted({table for table, _, _ in await two.rights()} - {"club"})
    rows = await two.told(
        "select f.conrelid::regclass::text, f.conname from pg_constraint f where f.contype = 'f' "
        "and f.conrelid::regclass::text = any(:tables) and f.confrelid::regclass::text = any(:tables) and not exists ("
        "select from unnest(f.conkey, f.confkey) as k(here, there) "
        "join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.here "
        "join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.there "
        "where a.attname = 'club_id' and b.attname = 'club_id')",
        tables=[f"dogear.{table}" for table in tables],
    )
    assert rows == []


async def test_no_select_shows_a_row_of_another_club(two: Two) -> None:
    for table, columns in (await two.columns("s")).items():
        own = await two.told(
            f"select {', '.join(columns)} from dogear.{table} where {key_of(table)} = :club", club=two.mine.id
        )
        assert own, table
        async with two.opened(two.mine.id) as connection:
            seen = await connection.exec_driver_sql(f"select {', '.join(columns)} from dogear.{table}")
            assert sorted(map(str, seen.all())) == sorted(map(str, own)), table
            asked = f"select {columns[0]} from dogear.{table} where {key_of(table)} = {two.theirs.id}"
            assert (await connection.exec_driver_sql(asked)).all() == [], table


async def test_no_select_shows_anything_where_no_club_is_open(two: Two) -> None:
    for table, columns in (await two.columns("s")).items():
        for statement in (
            f"select {', '.join(columns)} from dogear.{table}",
            f"select count({columns[0]}) from dogear.{table}",
            f"select 1 from dogear.{table} where {key_of(table)} = {two.mine.id}",
        ):
            assert await two.tried(statement, None) in NO_CLUB_OPEN, statement


async def test_no_select_shows_anything_on_a_connection_that_never_opened_a_club(
    databases: Databases, database: str, two: Two
) -> None:
    for table, columns in (await two.columns("s")).items():
        async with databases.engine(APP, database) as engine, engine.connect() as connection:
            with pytest.raises(DBAPIError) as refused:
                await connection.exec_driver_sql(f"select {', '.join(columns)} from dogear.{table}")
            assert sqlstate(refused.value) == NO_CLUB_OPEN[0], table


async def test_a_club_is_open_for_one_transaction_alone(two: Two) -> None:
    for club in (two.mine, two.theirs, two.mine):
        async with two.opened(club.id) as connection:
            seen = await connection.exec_driver_sql("select club_id from dogear.member group by club_id")
            assert [row.club_id for row in seen] == [club.id]
            await connection.commit()
            with pytest.raises(DBAPIError):
                await connection.exec_driver_sql("select club_id from dogear.member")


async def test_no_row_is_written_into_another_club(two: Two) -> None:
    before = await two.written(two.theirs)
    for table, columns in (await two.columns("i")).items():
        copied = (
            f"insert into dogear.{table} ({', '.join(columns)}) select {', '.join(columns)} "
            f"from json_populate_record(null::dogear.{table}, cast(:row as json))"
        )
        rows = await two.told(f"select to_json(t)::text from dogear.{table} t where club_id = {two.theirs.id}")
        for (row,) in rows:
            state = await two.tried(copied, two.mine.id, row=row)
            assert state == "42501" if '"club_id"' in columns else state in REFUSED, (table, state)
        assert rows, table
    assert await two.written(two.theirs) == before


async def test_no_row_points_at_something_of_another_club(two: Two) -> None:
    """A row of mine with every number of theirs in it: their member, their book, their room, their question."""
    before = await two.written(two.theirs)
    pointing = await two.told(
        "select distinct c.relname from pg_constraint f join pg_class c on c.oid = f.conrelid "
        "where f.contype = 'f' and f.confrelid <> 'dogear.club'::regclass and c.relnamespace = 'dogear'::regnamespace"
    )
    inserted = await two.columns("i")
    tried = inserted.keys() & {str(table) for (table,) in pointing}
    assert {"position", "quote_try", "question", "citation", "claim", "posting", "spoiled", "setting", "room"} <= tried
    for table in tried:
        columns = ", ".join(inserted[table])
        copied = (
            f"insert into dogear.{table} ({columns}) select {columns} from json_populate_record(null::dogear.{table}, "
            "(cast(cast(:row as json) as jsonb) || jsonb_build_object('club_id', cast(:club as bigint)))::json)"
        )
        new = "jsonb_build_object('key', 'new', 'person', 'new', 'name', 'new')"  # else mine is there already
        points = "and dm_book is not null" if table == "member" else ""
        rows = await two.told(
            f"select (to_jsonb(t) || {new})::text from dogear.{table} t where club_id = :club {points}",
            club=two.theirs.id,
        )
        assert rows, table
        for (row,) in rows:
            assert await two.tried(copied, two.mine.id, row=row, club=two.mine.id) in REFUSED, (table, row)
    assert await two.written(two.theirs) == before


async def test_no_update_changes_a_row_of_another_club(two: Two) -> None:
    before = await two.written(two.theirs)
    readable = await two.columns("s")
    for table, columns in (await two.columns("u")).items():
        for column in columns:
            for value in {column, "default"} if column in readable.get(table, ()) else {"default"}:
                await two.tried(f"update dogear.{table} set {column} = {value}", two.mine.id)
                await two.tried(
                    f"update dogear.{table} set {column} = {value} where {key_of(table)} = {two.theirs.id}", two.mine.id
                )
    assert await two.written(two.theirs) == before


async def test_no_row_is_moved_to_another_club_or_turned_to_something_of_its(two: Two) -> None:
    before = await two.written(two.theirs)
    pointers = await two.told(
        "select f.conrelid::regclass::text, quote_ident(a.attname), f.confrelid::regclass::text from pg_constraint f "
        "join lateral unnest(f.conkey, f.confkey) as k(here, there) on true "
        "join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.here "
        "join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.there and b.attname = 'id' "
        "where f.contype = 'f' and f.connamespace = 'dogear'::regnamespace and a.attname <> 'id'"
    )
    updated = await two.columns("u")
    tried = set()
    for relation, column, target in pointers:
        table = str(relation).removeprefix("dogear.")
        if f'"{column}"' not in updated.get(table, ()):
            continue
        theirs = f"id = {two.theirs.id}" if target == "dogear.club" else f"club_id = {two.theirs.id}"
        ((number,),) = await two.told(f"select min(id) from {target} where {theirs}")
        state = await two.tried(f"update {relation} set {column} = {number}", two.mine.id)
        # where their row is there already, its key is taken
        assert state in ({"42501"} if target == "dogear.club" else {"23503", "23505"}), (table, column, state)
        tried.add((table, column))
    assert tried >= {("member", "club_id"), ("member", "dm_book"), ("club", "current_book"), ("book", "added_by")}
    assert tried >= {("room", "club_id"), ("room", "book_id"), ("setting", "changed_by")}
    assert await two.written(two.theirs) == before


async def test_no_delete_removes_a_row_of_another_club(two: Two) -> None:
    before = await two.written(two.theirs)
    tables = sorted({table for table, _, _ in await two.rights()})
    for named in (f" where {{key}} = {two.theirs.id}", ""):
        for table in sorted(tables, key=lambda t: (t in {"book", "member"}, t == "club")):
            await two.tried(f"delete from dogear.{table}{named.format(key=key_of(table))}", two.mine.id)
    assert await two.written(two.theirs) == before
    assert not any((await two.written(two.mine)).values())  # what was run does delete


async def _said(connection: AsyncConnection, name: str, arguments: str, book: BookId) -> list[tuple[object, ...]]:
    made = arguments.format(book=book, boundary=MADE.body_end, vector=VECTOR)
    return [tuple(row) for row in await connection.exec_driver_sql(f"select * from dogear.{name}({made})")]


async def test_every_function_that_takes_a_book_is_tried_here(two: Two) -> None:
    rows = await two.told(
        "select p.proname from pg_proc p where p.pronamespace = 'dogear'::regnamespace "
        "and has_function_privilege(:app, p.oid, 'execute') and '_book' = any(p.proargnames)",
        app=APP,
    )
    assert {name for (name,) in rows} == BOUNDED.keys() | LOCATING.keys()


async def test_a_function_under_a_boundary_refuses_a_book_of_another_club(two: Two) -> None:
    for name, arguments in BOUNDED.items():
        async with two.opened(two.theirs.id) as connection:
            assert await _said(connection, name, arguments, two.theirs.book), name
        for boundary in (0, 10, MADE.body_end):
            made = arguments.format(book=two.theirs.book, boundary=boundary, vector=VECTOR)
            assert await two.tried(f"select * from dogear.{name}({made})", two.mine.id) == "DG001", name
            assert await two.tried(f"select * from dogear.{name}({made})", None) in NO_CLUB_OPEN, name


async def test_a_function_without_a_boundary_finds_nothing_in_a_book_of_another_club(two: Two) -> None:
    for name, arguments in LOCATING.items():
        async with two.opened(two.theirs.id) as connection:
            nobodys = await _said(connection, name, arguments, BookId(10**6))
            assert await _said(connection, name, arguments, two.theirs.book) != nobodys, name
        async with two.opened(two.mine.id) as connection:
            assert await _said(connection, name, arguments, two.theirs.book) == nobodys, name
        made = arguments.format(book=two.theirs.book)
        assert await two.tried(f"select * from dogear.{name}({made})", None) in NO_CLUB_OPEN, name


async def test_a_door_shows_nobody_and_nothing_of_another_club(two: Two) -> None:
    async with PostgresDoors(two.app, two.mine.id).opened() as door:
        with pytest.raises(Refused, match="There is no such book"):
            await door.book(two.theirs.book)
        assert {m.name for m in await door.members()} == {"ana", "ben"}
        assert two.theirs.member not in {m.id for m in await door.members()}
        assert await door.room(f"room {two.theirs.id}") is None
        assert await door.room(f"room {two.mine.id}") is not None
        assert await door.positions_latest(two.theirs.book, [two.theirs.member]) == {}
        assert await door.positions_latest(two.mine.book, [two.mine.member, two.theirs.member]) == {two.mine.member: 5}


async def test_a_roster_does_nothing_to_a_member_of_another_club(two: Two) -> None:
    before = await two.written(two.theirs)
    roster = PostgresRoster(two.app, two.mine.id)
    await roster.leave(two.theirs.member)
    await roster.plain_number_means(two.theirs.member, "in")
    assert await roster.positions(two.theirs.member, two.theirs.book) == ()
    with pytest.raises(DogearError):
        await roster.quote_tries(two.theirs.member, two.mine.book)
    with pytest.raises(DogearError):
        await roster.quote_tries(two.mine.member, two.theirs.book)
    await roster.switch_book(two.theirs.book)
    current = await roster.current_book()
    assert current is not None
    assert current.id == two.mine.book
    await roster.forget(two.theirs.member)
    assert await two.written(two.theirs) == before
