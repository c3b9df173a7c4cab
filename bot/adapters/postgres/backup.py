"""`dogear backup` and `dogear restore`: every row of Dogear's tables, of one moment.

A table is copied as text, which every PostgreSQL and pgvector from the oldest on reads; its definition is not: a backup
names the migration that it was made at, and is restored by migrating to that one, filling the tables, and migrating on.
So neither roles, passwords nor rights are in it, and it goes from an embedded server to a real one and back. Replies
that are owed are left out: they hold tokens, which are good for minutes alone. So is what came and nobody has begun.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.archive import ArchiveReader, Manifest, Table, read, written
from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.migrate import known_migrations, schema_version, upgraded
from bot.adapters.postgres.roles import OWNER
from bot.core.errors import Refused, Unavailable

_WHOLE: Final = 24 * 3600.0
"""Seconds that one table may take."""

_TABLES: Final = text("""
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
    where c.relnamespace = 'dogear'::regnamespace and c.relkind = 'r'
        and c.relname not in ('schema_version', 'owed_reply', 'inbox')
    group by 1 order by 1""")
_SEQUENCES: Final = text(
    "select sequencename as name, last_value as last from pg_sequences where schemaname = 'dogear' order by 1"
)
_READS_ALL: Final = text("select rolsuper or rolbypassrls from pg_roles where rolname = current_user")
_FOREIGN_KEYS: Final = text("""
    select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'dogear'::regnamespace order by 1, 2""")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


async def _tables(connection: AsyncConnection) -> dict[str, tuple[str, ...]]:
    return {row.name: tuple(row.columns) for row in await connection.execute(_TABLES)}


async def _driver(connection: AsyncConnection) -> Any:
    return (await connection.get_raw_connection()).driver_connection


async def backed_up(connection: AsyncConnection, path: Path, made_at: str, *, overwrite: bool = False) -> Manifest:
    """Write everything of one moment to ``path``; ``connection`` is the owner's login, with no transaction open.

    A login that is above row-level security reads beside everything that goes on. For any other, clubs wait meanwhile:
    the tables are locked, and their policies lifted for the owner in a transaction that is rolled back.
    Raises `Refused` for the file, `Unavailable` for the database.
    """
    with translated(), written(path, overwrite=overwrite) as archive:
        connection = await connection.execution_options(isolation_level="REPEATABLE READ")
        try:
            await _made_readable(connection)
            stands_at = await schema_version(connection)
            if stands_at.current is None:
                raise Unavailable("The database has no Dogear tables, so there is nothing to back up.", "not_migrated")
            sequences = {row.name: row.last for row in await connection.execute(_SEQUENCES)}
            driver = await _driver(connection)
            for name, columns in (await _tables(connection)).items():
                await archive.table(name, columns, _copy_of(driver, name, columns))
            server = (await connection.exec_driver_sql("show server_version")).scalar_one()
            manifest = Manifest(made_at, _dogear(), stands_at.current, str(server), archive.tables, sequences)
            archive.finish(manifest)
        finally:
            await connection.rollback()
    return manifest


def _dogear() -> str:
    with suppress(PackageNotFoundError):
        return version("dogear")
    return "unknown"


async def _made_readable(connection: AsyncConnection) -> None:
    """See that the login reads every row; where it does not by itself, as the owner of the tables, under locks."""
    if (await connection.execute(_READS_ALL)).scalar_one():
        return
    names = [f"dogear.{_quoted(name)}" for name in await _tables(connection)]
    await connection.rollback()  # so that the moment is that in which all is locked
    try:
        await connection.exec_driver_sql(f"set local role {OWNER}")
        await connection.exec_driver_sql("set local lock_timeout = '60s'")
        if names:
            await connection.exec_driver_sql(f"lock table {', '.join(names)} in access exclusive mode")
    except DBAPIError as error:
        raise Unavailable(
            "The login in DATABASE_URL may not read every row, or clubs are too busy to wait for it: end `dogear run`, "
            f"or use a login that is a superuser or has {OWNER} and bypassrls.",
            code="missing_right",
        ) from error
    for name in names:
        await connection.exec_driver_sql(f"alter table {name} no force row level security")


def _copy_of(
    driver: Any, name: str, columns: tuple[str, ...]
) -> Callable[[Callable[[bytes], Awaitable[None]]], Awaitable[int]]:
    async def copied(take: Callable[[bytes], Awaitable[None]]) -> int:
        done: str = await driver.copy_from_table(
            name, schema_name="dogear", columns=list(columns), output=take, format="text", timeout=_WHOLE
        )
        return int(done.rpartition(" ")[2])

    return copied


async def restored(
    connection: AsyncConnection, path: Path, verifiers: Mapping[str, str], *, replace: bool = False
) -> Manifest:
    """Put a backup in the place of an empty database, or with ``replace`` of whatever is there, all or nothing.

    ``connection`` and ``verifiers`` are as for `bot.adapters.postgres.migrate.upgrade`. Afterwards the database stands
    at the newest migration. Raises `Refused` for a file that is damaged or newer, or where something would be lost,
    and `Unavailable` for the database.
    """
    with translated(), read(path) as archive:
        manifest = archive.manifest
        if manifest.migration not in known_migrations():
            raise Refused("newer_backup", f"{path} was made by a newer Dogear ({manifest.dogear}): install that one.")
        async with connection.begin():
            present = await _present(connection)
            if present and not replace:
                raise Refused(
                    "not_empty",
                    "There are clubs in this database already: restore into an empty one, or add --replace, which "
                    "deletes all that is there.",
                )
            if (await schema_version(connection)).current is not None:
                await connection.exec_driver_sql("drop schema dogear cascade")
            await upgraded(connection, verifiers, manifest.migration)
            await _filled(connection, archive)
            await upgraded(connection, verifiers)
    return manifest


async def _present(connection: AsyncConnection) -> bool:
    """Whether any club is in the database, as far as anybody may ask."""
    if (await connection.exec_driver_sql("select to_regclass('dogear.club') is null")).scalar_one():
        return False
    await connection.exec_driver_sql(f"set local role {OWNER}")
    await connection.exec_driver_sql("alter table dogear.club no force row level security")
    found = bool((await connection.exec_driver_sql("select exists (select from dogear.club)")).scalar_one())
    await connection.exec_driver_sql("alter table dogear.club force row level security")
    await connection.exec_driver_sql("reset role")
    return found


async def _filled(connection: AsyncConnection, archive: ArchiveReader) -> None:
    """Fill the tables of a migration, as their owner, without policies, triggers and references, which are put back and
    checked against every row.
    """
    tables = await _tables(connection)
    held = archive.manifest.tables
    if {name: set(columns) for name, columns in tables.items()} != {n: set(t.columns) for n, t in held.items()}:
        raise Refused("damaged_backup", f"The tables in {archive.path} are not those of its migration: take another.")
    run = connection.exec_driver_sql
    forced = await connection.execute(
        text("select relname from pg_class where relnamespace = 'dogear'::regnamespace and relforcerowsecurity")
    )
    policed = {row.relname for row in forced}
    keys = (await connection.execute(_FOREIGN_KEYS)).all()
    await run(f"set local role {OWNER}")
    for key in keys:
        await run(f"alter table {key.table} drop constraint {key.name}")
    driver = await _driver(connection)
    for name, table in held.items():
        full = f"dogear.{_quoted(name)}"
        if name in policed:
            await run(f"alter table {full} no force row level security")
        await run(f"alter table {full} disable trigger user")
        await run(f"delete from {full}")  # noqa: S608 - a name out of the catalogue
        await _pasted(driver, name, table, archive)
        await run(f"alter table {full} enable trigger user")
    for key in keys:
        await run(f"alter table {key.table} add constraint {key.name} {key.definition}")
    for name in policed:
        await run(f"alter table dogear.{_quoted(name)} force row level security")
    for sequence, last in archive.manifest.sequences.items():
        if last is not None:
            await connection.execute(
                text("select setval(cast(:sequence as regclass), :last)"),
                {"sequence": f"dogear.{_quoted(sequence)}", "last": last},
            )
    await run("reset role")


async def _pasted(driver: Any, name: str, table: Table, archive: ArchiveReader) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for chunk in archive.chunks(name):
            yield chunk

    done: str = await driver.copy_to_table(
        name, schema_name="dogear", columns=list(table.columns), source=chunks(), format="text", timeout=_WHOLE
    )
    if int(done.rpartition(" ")[2]) != table.rows:
        raise Refused("damaged_backup", f"{archive.path} has not the rows that it says: take another.")
