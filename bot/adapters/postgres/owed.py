"""Replies that are owed, as the answering role keeps them: through functions alone."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import run_alone
from bot.core.owed import OwedReply

_OWED: Final = "select dogear.reply_owed_v1(:key, :app, :token, :in_place, :by, :now) as new"
_TAKEN_OVER: Final = (
    "with was as materialized (select dogear.reply_paid_v1(:key)) "
    "select dogear.reply_owed_v1(:key, :app, :token, :in_place, :by, :now) as new from was"
)


class PostgresOwed:
    """`Owed` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._run = partial(run_alone, engine)

    async def reply_owed(self, reply: OwedReply) -> bool:
        """Note that a reply is owed."""
        return await self._noted(_OWED, reply)

    async def reply_taken_over(self, reply: OwedReply) -> bool:
        """The same in one statement, which is one transaction, with what was noted before forgotten."""
        return await self._noted(_TAKEN_OVER, reply)

    async def _noted(self, statement: str, reply: OwedReply) -> bool:
        (row,) = await self._run(
            statement, key=reply.key, app=reply.app, token=reply.token, in_place=reply.in_place, by=reply.owed_by,
            now=reply.noted_at,
        )  # fmt: skip
        return bool(row.new)

    async def reply_paid(self, key: str) -> bool:
        """A reply was given."""
        (row,) = await self._run("select dogear.reply_paid_v1(:key) as was", key=key)
        return bool(row.was)

    async def replies_owed(self, app: str, before: datetime) -> tuple[OwedReply, ...]:
        """Those of an application that were noted by then."""
        rows = await self._run("select * from dogear.replies_owed_v1(:app, :before)", app=app, before=before)
        return tuple(OwedReply(r.key, app, r.token, r.in_place, r.owed_by, r.noted_at) for r in rows)
