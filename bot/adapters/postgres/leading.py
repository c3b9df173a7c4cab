"""Who leads what, by advisory locks of sessions: PostgreSQL frees them when the session's process is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import translated
from bot.core.errors import DogearError

_KEY: Final = "hashtextextended('dogear.leads ' || :what, 0)"
_TAKEN: Final = text(f"select pg_try_advisory_lock({_KEY})")
_LEFT: Final = text(f"select pg_advisory_unlock({_KEY})")


@dataclass(frozen=True, slots=True)
class _Session:
    """`Led`, by the session that has the lock."""

    connection: AsyncConnection

    async def holds(self) -> bool:
        """Whether the session lives, and with it the lock."""
        try:
            with translated():
                await self.connection.execute(text("select 1"))
        except DogearError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class PostgresLeading:
    """`Leading` over an engine: each thing that is led takes one of its connections meanwhile."""

    engine: AsyncEngine

    @asynccontextmanager
    async def led(self, what: str) -> AsyncIterator[_Session | None]:
        """Lead ``what`` until left; None where another session does."""
        with translated():
            connection = await self.engine.connect()
        left = False
        try:
            with translated():
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                taken = (await connection.execute(_TAKEN, {"what": what})).scalar_one()
            yield _Session(connection) if taken else None
            with suppress(SQLAlchemyError, OSError):
                if taken:
                    await connection.execute(_LEFT, {"what": what})
                left = True
        finally:
            with suppress(SQLAlchemyError, OSError):
                if not left:  # the lock is the session's: without the one the other is gone
                    await connection.invalidate()
                await connection.close()
