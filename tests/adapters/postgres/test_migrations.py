"""Migrations: up, down to nothing and up again leave the same catalogue; several processes at once agree."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.migrate import downgrade, migrations_folder, schema_version, upgrade
from bot.adapters.postgres.roles import APP, INGEST
from bot.core.errors import Unavailable
from tests.databases import SUPERUSER, Databases, scalar
from tests.made_books import book_of, chapter, stored

CATALOGUE = {
    "relations": "select c.relname, c.relkind::text, c.relowner::regrole::text, c.relrowsecurity, "
    "c.relforcerowsecurity, (select array_agg(x::text order by x::text) from unnest(c.relacl) x)::text, "
    "c.reloptions::text from pg_class c where c.relnamespace = 'dogear'::regnamespace",
    "columns": "select a.attrelid::regclass::text, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
    "a.attidentity::text, a.attstorage::text, pg_get_expr(d.adbin, d.adrelid), "
    "(select array_agg(x::text order by x::text) from unnest(a.attacl) x)::text from pg_attribute a "
    "join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'i') left join pg_attrdef d "
    "on d.adrelid = a.attrelid and d.adnum = a.attnum "
    "where c.relnamespace = 'dogear'::regnamespace and a.attnum > 0 and not a.attisdropped",
    "constraints": "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint "
    "where connamespace = 'dogear'::regnamespace",
    "indexes": "select indexname, indexdef from pg_indexes where schemaname = 'dogear'",
    "policies": "select tablename, policyname, permissive, roles::text, cmd, qual, with_check from pg_policies "
    "where schemaname = 'dogear'",
    "functions": "select p.oid::regprocedure::text, pg_get_functiondef(p.oid), p.proowner::regrole::text, "
    "p.proconfig::text, (select array_agg(x::text order by x::text) from unnest(p.proacl) x)::text "
    "from pg_proc p where p.pronamespace = 'dogear'::regnamespace",
    "triggers": "select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
    "schemas": "select nspname, nspowner::regrole::text, "
    "(select array_agg(x::text order by x::text) from unnest(nspacl) x)::text "
    "from pg_namespace where nspname in ('dogear', 'public')",
    "memberships": "select roleid::regrole::text, member::regrole::text from pg_auth_members",
}


async def catalogue(connection: AsyncConnection) -> dict[str, list[str]]:
    """Everything of Dogear's in the database, one line a thing."""
    found = {}
    for kind, query in CATALOGUE.items():
        rows: Sequence[object] = (await connection.exec_driver_sql(query)).all()
        found[kind] = sorted(map(str, rows))
    await connection.rollback()
    return found


async def test_up_and_down_to_nothing_and_up_again_is_the_same(databases: Databases, database: str) -> None:
    async with databases.engine(INGEST, database) as ingest:
        await stored(ingest, book_of(chapter(1, "A cat sat.")))
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        before = await catalogue(connection)
        assert all(before.values())
        await downgrade(connection, "base")
        bare = await catalogue(connection)
        assert [line.split(",")[0] for line in bare["relations"]] == ["('schema_version'", "('schema_version_pkc'"]
        assert bare["functions"] == bare["policies"] == []
        assert (await schema_version(connection)).current is None
        await connection.rollback()
        await upgrade(connection, {})
        assert await catalogue(connection) == before


async def test_every_step_down_and_up_again_is_the_same(databases: Databases, database: str) -> None:
    script = ScriptDirectory(str(migrations_folder()))
    steps = [revision.revision for revision in script.walk_revisions()][::-1]
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        await downgrade(connection, "base")
        seen = []
        for step in steps:
            await upgrade(connection, {}, step)
            seen.append(await catalogue(connection))
        for step, at in reversed(list(zip(steps[:-1], seen[:-1], strict=True))):
            await downgrade(connection, step)
            assert await catalogue(connection) == at


async def test_the_owner_of_everything_cannot_log_in_and_holds_no_text(databases: Databases, database: str) -> None:
    async with databases.engine(INGEST, database) as ingest:
        await stored(ingest, book_of(chapter(1, "A cat sat.")))
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        await connection.exec_driver_sql("set local role dogear_owner")
        for table in ("source", "section", "title", "sentence", "passage", "passage_vector", "name", "page"):
            assert await scalar(connection, f"select count(*) from dogear.{table}") == 0


async def test_several_upgrades_at_once_of_an_empty_database_agree(databases: Databases) -> None:
    await databases.run("create database at_once")

    async def one() -> None:
        async with databases.engine(SUPERUSER, "at_once") as engine, engine.connect() as connection:
            await upgrade(connection, {})

    await asyncio.gather(*(one() for _ in range(4)))
    async with databases.engine(SUPERUSER, "at_once") as engine, engine.connect() as connection:
        assert (await schema_version(connection)).up_to_date


async def test_an_upgrade_that_fails_leaves_nothing_behind(databases: Databases) -> None:
    await databases.run("create database half_way")
    blocking = (
        "create schema dogear",
        "create view dogear.book as select 1 as x",
        "grant all on schema dogear to public",
    )
    await databases.run(*blocking, database="half_way")
    async with databases.engine(SUPERUSER, "half_way") as engine, engine.connect() as connection:
        with pytest.raises(Unavailable) as refused:
            await upgrade(connection, {})
        assert refused.value.code == "database_fault"
        relations = "select string_agg(relname, ',') from pg_class where relnamespace = 'dogear'::regnamespace"
        assert await scalar(connection, relations) == "book"


async def test_the_runtimes_logins_may_read_where_the_database_stands(databases: Databases, database: str) -> None:
    for role in (APP, INGEST):
        async with databases.engine(role, database) as engine, engine.connect() as connection:
            assert (await schema_version(connection)).up_to_date


async def test_who_looks_again_and_again_where_the_database_stands_keeps_no_more_for_it(
    databases: Databases, database: str
) -> None:
    async with databases.engine(APP, database) as engine, engine.connect() as connection:

        async def compiled() -> int:
            """How many statements are kept compiled once somebody has looked."""
            assert (await schema_version(connection)).up_to_date
            return len(engine.sync_engine._compiled_cache or ())

        first = await compiled()
        assert first > 0
        assert [await compiled() for _ in range(3)] == [first] * 3
