"""A backup is restored into an empty place, and every row is compared."""

from __future__ import annotations

import asyncio
import json
import resource
import shutil
import stat
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot.adapters.postgres.archive import MANIFEST, Manifest
from bot.adapters.postgres.backup import backed_up, restored
from bot.adapters.postgres.inbox import PostgresInbox
from bot.adapters.postgres.migrate import downgrade, schema_version, upgrade
from bot.adapters.postgres.owed import PostgresOwed
from bot.adapters.postgres.roles import APP
from bot.adapters.postgres.server import parse_database_url
from bot.core.errors import Refused, Unavailable
from tests.databases import SUPERUSER, Databases
from tests.noninterference.test_twins import EMBEDDER
from tests.noninterference.twins import make_twins
from tests.noninterference.world import world_of
from tests.owed_suite import reply
from tests.postgres_servers import RealServer, real_server
from tests.real_databases import RealDatabase, real_database

AT = "2031-03-01T12:00:00+00:00"
LINES = (
    "/ask What happened to the letter?", "/dm Who is Corwin Ash?", "/spoiled", "/club setup The Turners",
    "/club schedule 2 chapters a week", "/privacy show", "/club room add annex", "/club nominate Corwin Ash",
    "/club vote 1", "/clock +8d", "/book chapters ok",
)  # fmt: skip

Rows = dict[str, list[str]]


@dataclass(frozen=True)
class Kept:
    """A database in use, the file it was backed up to, and all that was in it."""

    file: Path
    rows: Rows
    manifest: Manifest


@asynccontextmanager
async def engine_of(url: URL) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        yield engine
    finally:
        await engine.dispose()


async def every_row(connection: AsyncConnection) -> Rows:
    """Every row of every table, as text; the connection is a superuser's."""
    named = "select relname from pg_class where relnamespace = 'dogear'::regnamespace and relkind = 'r' order by 1"
    tables = [row.relname for row in await connection.exec_driver_sql(named)]
    found = {}
    for table in tables:
        rows = await connection.exec_driver_sql(f'select t::text as row from dogear."{table}" t order by 1')
        found[table] = [row.row for row in rows]
    return found


async def constraints(connection: AsyncConnection) -> list[str]:
    """References, policies that are forced, and triggers that fire."""
    rows = await connection.exec_driver_sql("""
        select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
            where connamespace = 'dogear'::regnamespace
        union all select relname || ' forced' from pg_class
            where relnamespace = 'dogear'::regnamespace and relforcerowsecurity
        union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger
            where not tgisinternal
        order by 1""")
    return [row.line for row in rows]


@pytest.fixture(scope="module")
def made(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return asyncio.run(used_and_backed_up(databases, tmp_path_factory.mktemp("kept") / "a.backup"))


@pytest.fixture
def kept(made: Kept, tmp_path: Path) -> Kept:
    """For one test: a file of its own."""
    file = tmp_path / "kept" / "a.backup"
    file.parent.mkdir()
    shutil.copy2(made.file, file)
    return replace(made, file=file)


async def used_and_backed_up(databases: Databases, file: Path) -> Kept:
    pair = make_twins(seed=3, chapters=3, parts=False, size=500, share=0.5, snap=0)
    async with world_of(databases, pair.first, EMBEDDER) as world:
        await world.place("you", pair.boundary)
        await world.made_admin("you")
        await world.place("ana", pair.first.body_end)
        for line in LINES:
            await world.typed(line)
        url = databases.url(SUPERUSER, str(world.app.url.database))
        async with engine_of(url) as engine, engine.connect() as connection:
            manifest = await backed_up(connection, file, AT)
            return Kept(file, await every_row(connection), manifest)


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server() as running:
        yield running


@pytest.fixture
async def elsewhere(server: RealServer) -> AsyncIterator[RealDatabase]:
    async with real_database(server) as made:
        yield made


@asynccontextmanager
async def empty(databases: Databases) -> AsyncIterator[AsyncEngine]:
    """A database in which nothing is, not even tables."""
    name = await databases.clone("template1")
    async with engine_of(databases.url(SUPERUSER, name)) as engine:
        yield engine


async def test_every_row_is_back_in_an_empty_database(databases: Databases, kept: Kept) -> None:
    assert len([table for table, rows in kept.rows.items() if rows]) >= 15
    assert sum(table.rows for table in kept.manifest.tables.values()) == sum(
        len(rows) for name, rows in kept.rows.items() if name != "schema_version"
    )
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        assert await every_row(connection) == kept.rows
        assert (await schema_version(connection)).up_to_date
        there = await constraints(connection)
    async with engine_of(databases.url(SUPERUSER, await databases.clone())) as fresh, fresh.connect() as connection:
        assert there == await constraints(connection)


async def test_what_is_written_afterwards_has_new_numbers(databases: Databases, kept: Kept) -> None:
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        last = len(kept.rows["club"])
        new = await connection.exec_driver_sql("insert into dogear.club (name) values ('another') returning id")
        assert new.scalar_one() > last


async def test_it_goes_to_a_real_server_whose_owner_is_no_superuser_and_back(
    databases: Databases, kept: Kept, elsewhere: RealDatabase, tmp_path: Path
) -> None:
    await elsewhere.run("create extension vector")
    again = tmp_path / "again.backup"
    async with engine_of(parse_database_url(elsewhere.owner_url)) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        await backed_up(connection, again, AT)
    async with engine_of(parse_database_url(elsewhere.superuser_url)) as engine, engine.connect() as connection:
        assert await every_row(connection) == kept.rows
        forced = [line for line in await constraints(connection) if line.endswith(" forced")]
    assert len(forced) >= 15
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, again, {})
        assert await every_row(connection) == kept.rows


async def test_nothing_is_overwritten_without_a_word(databases: Databases, kept: Kept) -> None:
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        await connection.exec_driver_sql("insert into dogear.club (name) values ('another')")
        await connection.commit()
        before = await every_row(connection)
        await connection.rollback()
        with pytest.raises(Refused) as refused:
            await restored(connection, kept.file, {})
        assert refused.value.code == "not_empty"
        assert await every_row(connection) == before
        await connection.rollback()
        with pytest.raises(Refused, match="is there already"):
            await backed_up(connection, kept.file, AT)
        await restored(connection, kept.file, {}, replace=True)
        assert await every_row(connection) == kept.rows
        await connection.rollback()
        await backed_up(connection, kept.file, AT, overwrite=True)


async def test_tables_without_a_club_are_as_good_as_an_empty_database(databases: Databases, kept: Kept) -> None:
    name = await databases.clone()
    async with engine_of(databases.url(SUPERUSER, name)) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        assert await every_row(connection) == kept.rows


async def test_a_backup_of_the_migration_before_is_brought_up_to_date(
    databases: Databases, kept: Kept, tmp_path: Path
) -> None:
    old = tmp_path / "old.backup"
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        await connection.rollback()
        await downgrade(connection, "-1")
        older = await backed_up(connection, old, AT)
        await upgrade(connection, {})
        upgraded_rows = await every_row(connection)
    assert older.migration < kept.manifest.migration
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, old, {})
        assert (await schema_version(connection)).up_to_date
        assert await every_row(connection) == upgraded_rows


async def test_no_token_of_a_reply_that_is_owed_is_in_a_backup(databases: Databases, tmp_path: Path) -> None:
    async with databases.cloned() as name:
        async with databases.engine(APP, name) as engine:
            await PostgresOwed(engine).reply_owed(reply("a"))
        async with engine_of(databases.url(SUPERUSER, name)) as engine, engine.connect() as connection:
            manifest = await backed_up(connection, tmp_path / "a.backup", AT)
    assert "once" in manifest.tables and "owed_reply" not in manifest.tables
    with zipfile.ZipFile(tmp_path / "a.backup") as archive:
        assert not [member for member in archive.namelist() if b"token of a" in archive.read(member)]


async def test_nothing_that_was_said_and_not_begun_is_in_a_backup(databases: Databases, tmp_path: Path) -> None:
    async with databases.cloned() as name:
        async with databases.engine(APP, name) as engine:
            assert await PostgresInbox(engine).came(
                "update:1:1", "who had the lantern", datetime(2026, 12, 6, tzinfo=UTC)
            )
        async with engine_of(databases.url(SUPERUSER, name)) as engine, engine.connect() as connection:
            manifest = await backed_up(connection, tmp_path / "a.backup", AT)
    assert "inbox" not in manifest.tables
    with zipfile.ZipFile(tmp_path / "a.backup") as archive:
        assert not [member for member in archive.namelist() if b"lantern" in archive.read(member)]


def changed(kept: Kept, name: str, content: bytes) -> Path:
    """The backup with another content of one of its members."""
    path = kept.file.with_name("changed.backup")
    with zipfile.ZipFile(kept.file) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.namelist():
            new.writestr(member, content if member == name else old.read(member))
    return path


async def test_a_damaged_backup_is_refused_before_anything_is_touched(databases: Databases, kept: Kept) -> None:
    manifest = json.loads(zipfile.ZipFile(kept.file).read(MANIFEST))
    content = zipfile.ZipFile(kept.file).read("tables/book.copy")
    short = kept.file.with_name("short.backup")
    short.write_bytes(kept.file.read_bytes()[:-200])
    text = kept.file.with_name("text.backup")
    text.write_text("a book")
    newer = json.dumps(manifest | {"migration": "9999"}).encode()
    for path, code in (
        (changed(kept, "tables/book.copy", content.replace(b"1", b"2", 1)), "damaged_backup"),
        (short, "damaged_backup"),
        (text, "damaged_backup"),
        (kept.file.with_name("missing.backup"), "unreadable"),
    ):
        await refused_untouched(databases, path, code)
    await refused_untouched(databases, changed(kept, MANIFEST, newer), "newer_backup")
    await refused_untouched(
        databases, changed(kept, MANIFEST, json.dumps(manifest | {"format": 2}).encode()), "newer_backup"
    )
    await refused_untouched(databases, changed(kept, MANIFEST, b"{}"), "damaged_backup")


async def refused_untouched(databases: Databases, path: Path, code: str) -> None:
    name = await databases.clone()
    async with engine_of(databases.url(SUPERUSER, name)) as engine, engine.connect() as connection:
        before = await every_row(connection)
        await connection.rollback()
        with pytest.raises(Refused) as refused:
            await restored(connection, path, {}, replace=True)
        assert refused.value.code == code
        assert str(path) in refused.value.message
        assert await every_row(connection) == before


async def test_a_restore_that_fails_half_way_leaves_everything_as_it_was(databases: Databases, kept: Kept) -> None:
    manifest = json.loads(zipfile.ZipFile(kept.file).read(MANIFEST))
    manifest["tables"]["question"]["rows"] += 1  # found out when the table is full
    path = changed(kept, MANIFEST, json.dumps(manifest).encode())
    async with empty(databases) as engine, engine.connect() as connection:
        await restored(connection, kept.file, {})
        await connection.rollback()
        with pytest.raises(Refused, match="has not the rows"):
            await restored(connection, path, {}, replace=True)
        assert await every_row(connection) == kept.rows


def test_only_its_owner_may_read_a_backup_and_nothing_is_left_beside_it(kept: Kept) -> None:
    assert stat.S_IMODE(kept.file.stat().st_mode) == 0o600
    assert [path.name for path in kept.file.parent.iterdir()] == [kept.file.name]


def test_no_password_is_in_a_backup(kept: Kept) -> None:
    with zipfile.ZipFile(kept.file) as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert b"SCRAM-SHA-256" not in content
    assert not any(
        "password" in column or "token" in column for t in kept.manifest.tables.values() for column in t.columns
    )


def left(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_an_empty_database_has_nothing_to_back_up(databases: Databases, tmp_path: Path) -> None:
    async with empty(databases) as engine, engine.connect() as connection:
        with pytest.raises(Unavailable, match="nothing to back up"):
            await backed_up(connection, tmp_path / "a.backup", AT)
    assert not left(tmp_path)


async def test_a_place_that_cannot_be_written_to_is_named(databases: Databases, database: str, tmp_path: Path) -> None:
    async with engine_of(databases.url(SUPERUSER, database)) as engine, engine.connect() as connection:
        with pytest.raises(Refused, match="cannot be written"):
            await backed_up(connection, tmp_path / "missing" / "a.backup", AT)


async def test_a_backup_for_which_the_disk_has_no_room_says_so_and_leaves_nothing(
    databases: Databases, database: str, tmp_path: Path
) -> None:
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    async with engine_of(databases.url(SUPERUSER, database)) as engine, engine.connect() as connection:
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, most[1]))  # no file may become larger
        try:
            with pytest.raises(Refused, match=r"cannot be written \(.+\): choose another place"):
                await backed_up(connection, tmp_path / "a.backup", AT)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert not left(tmp_path)
