"""What is done once only, as the answering role remembers it: through a function alone."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import translated


class PostgresOnce:
    """`Once` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def first(self, key: str, until: datetime, now: datetime) -> bool:
        """Whether this key comes for the first time."""
        with translated():
            async with self._engine.begin() as connection:
                statement = text("select dogear.once_first_v1(:key, :until, :now)")
                result = await connection.execute(statement, {"key": key, "until": until, "now": now})
                return bool(result.scalar_one())
