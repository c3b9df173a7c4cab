"""Transactions of the answering role that are open in one club: row-level security shows nothing of another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import OpeningConnection, translated
from bot.core.club import ClubId

OPENED: Final = text("select set_config('dogear.club', cast(cast(:club as bigint) as text), true)")
"""Opens a club for the rest of a transaction. ``SET LOCAL`` takes no parameter."""


@asynccontextmanager
async def club_open(connection: AsyncConnection, club: ClubId) -> AsyncIterator[None]:
    """Open a club in the transaction that begins with the next statement, or at once where the driver's connection
    cannot be told: then it is a statement of its own.
    """
    assert connection.sync_connection is not None
    driver = connection.sync_connection.connection.driver_connection
    if driver is None or not issubclass(type(driver), OpeningConnection):  # asyncpg's own isinstance says yes to any
        await connection.execute(OPENED, {"club": club})
        yield
        return
    driver.opens = club
    try:
        yield
    finally:
        driver.opens = None


@dataclass(frozen=True, slots=True)
class ClubConnections:
    """The answering role's engine, in one club."""

    engine: AsyncEngine
    club: ClubId

    @asynccontextmanager
    async def begun(self) -> AsyncIterator[AsyncConnection]:
        """A transaction in the club, committed at the end. Errors are not translated here."""
        async with self.engine.begin() as connection, club_open(connection, self.club):
            yield connection

    async def run(self, statement: str | TextClause, **values: object) -> Sequence[Any]:
        """One statement in a transaction of its own; ``:club`` in it is the club. Raises errors of Dogear's alone."""
        made = text(statement) if isinstance(statement, str) else statement
        with translated():
            async with self.begun() as connection:
                named = {"club": self.club, **values} if "club" in made._bindparams else values
                result = await connection.execute(made, named)
                return result.all() if result.returns_rows else ()
