"""A real database for every test that needs one, cloned from a migrated template."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.adapters.postgres.connect import OpeningConnection
from bot.adapters.postgres.embedded import EmbeddedPostgres, ServerAddress
from bot.adapters.postgres.migrate import upgrade

SUPERUSER = "postgres"
TEMPLATE = "dogear_template"


@dataclass
class Databases:
    """One embedded server for a test run."""

    address: ServerAddress
    _numbers: Iterator[int] = field(default_factory=count)

    def url(self, role: str, database: str) -> URL:
        return self.address.url(role, database)

    @asynccontextmanager
    async def engine(self, role: str, database: str) -> AsyncIterator[AsyncEngine]:
        engine = create_async_engine(
            self.url(role, database), pool_size=2, connect_args={"connection_class": OpeningConnection}
        )
        try:
            yield engine
        finally:
            await engine.dispose()

    async def run(self, *statements: str, database: str = "postgres") -> None:
        """Statements of the superuser, each on its own."""
        async with self.engine(SUPERUSER, database) as engine, engine.connect() as connection:
            autocommit = await connection.execution_options(isolation_level="AUTOCOMMIT")
            for statement in statements:
                await autocommit.exec_driver_sql(statement)

    async def migrated(self, name: str) -> None:
        await self.run(f"create database {name}")
        async with self.engine(SUPERUSER, name) as engine, engine.connect() as connection:
            await upgrade(connection, {})

    @asynccontextmanager
    async def cloned(self) -> AsyncIterator[str]:
        """A fresh, migrated database, gone at the end: thousands of them would fill the memory that they are in."""
        name = await self.clone()
        try:
            yield name
        finally:
            await self.run(f"drop database {name} with (force)")

    async def clone(self, template: str = TEMPLATE) -> str:
        name = f"test_{next(self._numbers)}"
        await self.run(f"create database {name} template {template}")
        return name


@contextmanager
def embedded_databases(home: Path) -> Iterator[Databases]:
    """A server under ``home``, with a migrated template."""
    with EmbeddedPostgres(home) as address:
        databases = Databases(address)
        quicker = ("alter system set fsync = off", "alter system set full_page_writes = off", "select pg_reload_conf()")
        asyncio.run(databases.run(*quicker))  # nothing here needs to outlive the machine
        asyncio.run(databases.migrated(TEMPLATE))
        yield databases


async def scalar(connection: AsyncConnection, statement: str) -> object:
    """The one value of the one row."""
    return (await connection.exec_driver_sql(statement)).scalar_one()
