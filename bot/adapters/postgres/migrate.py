"""Migrations: `dogear db upgrade` and `dogear db status`, on the embedded server and on a real one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.provision import provision
from bot.adapters.postgres.roles import APP, INGEST, OWNER
from bot.core.errors import Unavailable

UPGRADE_LOCK = 0x0D09EA12
"""The key of the advisory lock under which one process at a time migrates a database."""
_MIGRATED: Final = text(
    "select exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname = 'dogear' and c.relname = 'schema_version')"
)
_VERSION: Final = text("select version_num from dogear.schema_version")


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """The migration a database stands at (None: none yet) and the newest one that this program knows.

    ``known`` is false where the database was migrated by a newer Dogear.
    """

    current: str | None
    newest: str
    known: bool = True

    @property
    def up_to_date(self) -> bool:
        return self.current == self.newest

    def require_known(self) -> None:
        """Raises `Unavailable` where a newer Dogear has migrated the database."""
        if not self.known:
            raise Unavailable(
                f"The database is at migration {self.current}, which this Dogear does not know (its newest is "
                f"{self.newest}): run `git pull && make setup`, or install a newer Dogear.",
                code="newer_database",
            )

    def require_up_to_date(self) -> None:
        """Raises `Unavailable` with what to run, unless the database stands at the newest migration."""
        self.require_known()
        if not self.up_to_date:
            raise Unavailable(
                f"The database is at migration {self.current or 'none'}, this Dogear needs {self.newest}: "
                "run `dogear db upgrade`.",
                code="not_migrated",
            )


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
    """Where the database stands. Needs the right to read ``dogear.schema_version`` when that exists.

    Asked every few seconds, so by statements that stay the same: Alembic makes a table for each look, of which
    SQLAlchemy keeps what it compiled.
    """
    newest, known = _revisions()
    with translated():
        there = (await connection.execute(_MIGRATED)).scalar_one()
        at = (await connection.execute(_VERSION)).scalar_one_or_none() if there else None
    return SchemaVersion(at, newest, at is None or at in known)


@cache
def _revisions() -> tuple[str, frozenset[str]]:
    """The newest migration that this program brings, and all of them."""
    script = ScriptDirectory.from_config(_config())
    return str(script.get_current_head()), frozenset(revision.revision for revision in script.walk_revisions())


def known_migrations() -> frozenset[str]:
    """All migrations that this program brings."""
    return _revisions()[1]


async def upgrade(connection: AsyncConnection, verifiers: Mapping[str, str], revision: str = "head") -> None:
    """Make what is missing (roles, extension, schema) and migrate, all in one transaction and under one lock.

    ``connection`` is the owner's login, with no transaction open; ``verifiers`` are for the roles that log in (see
    `scram_verifier`). Raises `Unavailable` with one sentence when a right or the extension is missing.
    """
    with translated():
        async with connection.begin():
            await upgraded(connection, verifiers, revision)


async def upgraded(connection: AsyncConnection, verifiers: Mapping[str, str], revision: str = "head") -> None:
    """The same, in the transaction that is open; the login is its own again afterwards."""
    await connection.exec_driver_sql(f"select pg_advisory_xact_lock({UPGRADE_LOCK})")
    await provision(connection, verifiers)
    (await schema_version(connection)).require_known()
    await connection.run_sync(lambda sync: command.upgrade(_config(sync), revision))
    await connection.exec_driver_sql(f"grant select on dogear.schema_version to {APP}, {INGEST}")
    await connection.exec_driver_sql("reset role")


async def downgrade(connection: AsyncConnection, revision: str) -> None:
    """Undo migrations down to ``revision`` ("base" for all): for tests and for a host who must step back."""
    with translated():
        async with connection.begin():
            await connection.exec_driver_sql(f"select pg_advisory_xact_lock({UPGRADE_LOCK})")
            await connection.exec_driver_sql(f"set local role {OWNER}")
            await connection.run_sync(lambda sync: command.downgrade(_config(sync), revision))
