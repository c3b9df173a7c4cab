"""What came and nobody has begun, as the answering role keeps it: through functions alone."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import translated
from bot.core.inbox import KEPT


class PostgresInbox:
    """`Inbox` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def came(self, key: str, body: str, now: datetime) -> bool:
        """Put it down; whether it is new."""
        return await self._told("select dogear.inbox_came_v1(:key, :body, :now)", key=key, body=body, now=now)

    async def begun(self, key: str, until: datetime, now: datetime) -> bool:
        """Whether nobody has begun it before."""
        return await self._told("select dogear.inbox_begun_v1(:key, :until, :now)", key=key, until=until, now=now)

    async def waiting(self, prefix: str, now: datetime, age: timedelta = timedelta(0)) -> tuple[tuple[str, str], ...]:
        """Key and body of what waits, in the order in which it came."""
        statement = text("select key, body from dogear.inbox_waiting_v1(:prefix, :after, :before)")
        values = {"prefix": prefix, "after": now - KEPT, "before": now - age}
        with translated():
            async with self._engine.begin() as connection:
                return tuple((row.key, row.body) for row in await connection.execute(statement, values))

    async def _told(self, statement: str, **values: object) -> bool:
        with translated():
            async with self._engine.begin() as connection:
                return bool((await connection.execute(text(statement), values)).scalar_one())
