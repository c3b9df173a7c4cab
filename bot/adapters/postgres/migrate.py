"""Migrations: `dogear db upgrade` and `dogear db status`, on the embedded server and on a real one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.roles import OWNER, make_roles
from bot.core.errors import Unavailable

UPGRADE_LOCK = 0x0D09EA12
"""The key of the advisory lock under which one process at a time migrates a database."""


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """The migration a database stands at (None: none yet) and the newest one that this program knows."""

    current: str | None
    newest: str

    @property
    def up_to_date(self) -> bool:
        return self.current == self.newest


def migrations_folder() -> Path:
    """The folder of migrations: beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).parents[2]
    installed = package / "_migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    if connection is not None:
        config.attributes["connection"] = connection
    return config


async def schema_version(connection: AsyncConnection) -> SchemaVersion:
    """Where the database stands. Needs the right to read ``dogear.schema_version`` when that exists."""

    def current(sync: Connection) -> str | None:
        options = {"version_table": "schema_version", "version_table_schema": "dogear"}
        return MigrationContext.configure(sync, opts=options).get_current_revision()

    newest = ScriptDirectory.from_config(_config()).get_current_head()
    return SchemaVersion(await connection.run_sync(current), str(newest))


async def ensure_extension(connection: AsyncConnection) -> None:
    """Create pgvector where it is absent. Raises `Unavailable` where the login may not."""
    present = await connection.exec_driver_sql("select 1 from pg_extension where extname = 'vector'")
    if present.first():
        return
    try:
        async with connection.begin_nested():
            await connection.exec_driver_sql("create extension vector schema public")
    except DBAPIError as error:
        raise Unavailable(
            "This database has no pgvector: install pgvector 0.7 or newer on the server and run, as a superuser in this "
            "database: create extension vector;",
            code="missing_extension",
        ) from error


async def upgrade(connection: AsyncConnection, passwords: Mapping[str, str], revision: str = "head") -> None:
    """Make what is missing (roles, extension, schema) and migrate, all in one transaction and under one lock.

    ``connection`` is the owner's login, with no transaction open; ``passwords`` are for the roles that log in.
    Raises `Unavailable` with one sentence when a right or the extension is missing.
    """
    async with connection.begin():
        await connection.exec_driver_sql(f"select pg_advisory_xact_lock({UPGRADE_LOCK})")
        await ensure_extension(connection)
        await make_roles(connection, passwords)
        await connection.exec_driver_sql(f"set local role {OWNER}")
        await connection.run_sync(lambda sync: command.upgrade(_config(sync), revision))
        await connection.exec_driver_sql("grant select on dogear.schema_version to dogear_app, dogear_ingest")


async def downgrade(connection: AsyncConnection, revision: str) -> None:
    """Undo migrations down to ``revision`` ("base" for all): for tests and for a host who must step back."""
    async with connection.begin():
        await connection.exec_driver_sql(f"select pg_advisory_xact_lock({UPGRADE_LOCK})")
        await connection.exec_driver_sql(f"set local role {OWNER}")
        await connection.run_sync(lambda sync: command.downgrade(_config(sync), revision))
