"""Transactions of the answering role that are open in one club: row-level security shows nothing of another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import translated
from bot.core.club import ClubId

OPENED: Final = text("select set_config('dogear.club', cast(cast(:club as bigint) as text), true)")
"""Opens a club for the rest of a transaction. ``SET LOCAL`` takes no parameter."""


@dataclass(frozen=True, slots=True)
class ClubConnections:
    """The answering role's engine, in one club."""

    engine: AsyncEngine
    club: ClubId

    @asynccontextmanager
    async def begun(self) -> AsyncIterator[AsyncConnection]:
        """A transaction in the club, committed at the end. Errors are not translated here."""
        async with self.engine.begin() as connection:
            await connection.execute(OPENED, {"club": self.club})
            yield connection

    async def run(self, statement: str | TextClause, **values: object) -> Sequence[Any]:
        """One statement in a transaction of its own; ``:club`` in it is the club. Raises errors of Dogear's alone."""
        made = text(statement) if isinstance(statement, str) else statement
        with translated():
            async with self.begun() as connection:
                named = {"club": self.club, **values} if "club" in made._bindparams else values
                result = await connection.execute(made, named)
                return result.all() if result.returns_rows else ()
