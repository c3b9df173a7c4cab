"""What is done once only, as the answering role remembers it: through a function alone."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import run_alone


class PostgresOnce:
    """`Once` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._run = partial(run_alone, engine)

    async def first(self, key: str, until: datetime, now: datetime) -> bool:
        """Whether this key comes for the first time."""
        statement = "select dogear.once_first_v1(:key, :until, :now)"
        ((first,),) = await self._run(statement, key=key, until=until, now=now)
        return bool(first)
