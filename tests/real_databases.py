"""Databases on a server like a host's own: logins with few rights, and no role of Dogear's until it makes them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from bot.adapters.postgres.roles import ALL
from bot.adapters.postgres.server import parse_database_url
from tests.postgres_servers import RealServer

OWNER_LOGIN = "hostess"
OWNER_PASSWORD = "a-hostess's-password"

_numbers = count()


@dataclass(frozen=True)
class RealDatabase:
    """One database, and the login that stands in DATABASE_URL."""

    server: RealServer
    name: str

    @property
    def superuser_url(self) -> str:
        return self.server.url(self.name)

    @property
    def owner_url(self) -> str:
        return self.server.url(self.name, OWNER_LOGIN, OWNER_PASSWORD)

    def url(self, user: str, password: str) -> str:
        return self.server.url(self.name, user, password)

    async def run(self, *statements: str, database: str | None = None) -> None:
        """Statements of the superuser, each on its own."""
        url = parse_database_url(self.server.url(database or self.name))
        engine = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            for statement in statements:
                await connection.exec_driver_sql(statement)
        await engine.dispose()


@asynccontextmanager
async def real_database(server: RealServer, rights: str = "createrole") -> AsyncIterator[RealDatabase]:
    """A database owned by a login that has ``rights`` and is no superuser; all of Dogear's roles go with it."""
    database = RealDatabase(server, f"books_{next(_numbers)}")
    quoted = OWNER_PASSWORD.replace("'", "''")
    await database.run(
        f"create role {OWNER_LOGIN} login password '{quoted}' {rights}",
        f"create database {database.name} owner {OWNER_LOGIN}",
        database="postgres",
    )
    try:
        yield database
    finally:
        gone = ["reassign owned by {0} to postgres", "drop owned by {0}", "drop role {0}"]
        roles = [*ALL, OWNER_LOGIN]
        await database.run(f"drop database {database.name} with (force)", database="postgres")
        for role in roles:
            wanted = f"if exists (select from pg_roles where rolname = '{role}') then"
            work = "; ".join(statement.format(role) for statement in gone)
            await database.run(f"do $$ begin {wanted} {work}; end if; end $$", database="postgres")
