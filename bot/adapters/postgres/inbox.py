"""What came and nobody has begun, as the answering role keeps it: through functions alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import run_alone
from bot.core.inbox import KEPT


class PostgresInbox:
    """`Inbox` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._run = partial(run_alone, engine)

    async def came(self, key: str, body: str, now: datetime) -> bool:
        """Put it down; whether it is new."""
        statement = "select dogear.inbox_came_v1(:key, :body, :now)"
        ((new,),) = await self._run(statement, key=key, body=body, now=now)
        return bool(new)

    async def begun(self, key: str, until: datetime, now: datetime) -> bool:
        """Whether nobody has begun it before."""
        statement = "select dogear.inbox_begun_v1(:key, :until, :now)"
        ((first,),) = await self._run(statement, key=key, until=until, now=now)
        return bool(first)

    async def waiting(self, prefix: str, now: datetime, age: timedelta = timedelta(0)) -> tuple[tuple[str, str], ...]:
        """Key and body of what waits, in the order in which it came."""
        statement = "select key, body from dogear.inbox_waiting_v1(:prefix, :after, :before)"
        before = now - age if age else now + KEPT
        rows = await self._run(statement, prefix=prefix, after=now - KEPT, before=before)
        return tuple((row.key, row.body) for row in rows)
