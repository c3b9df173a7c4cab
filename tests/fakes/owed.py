"""Replies that are owed, kept in memory: fits the ``Owed`` port."""

from __future__ import annotations

from datetime import datetime

from bot.core.owed import OWED_FOR, OwedReply


class FakeOwed:
    def __init__(self) -> None:
        self.replies: dict[str, OwedReply] = {}

    async def reply_owed(self, reply: OwedReply) -> bool:
        kept = self.replies.items()
        self.replies = {key: one for key, one in kept if one.noted_at >= reply.noted_at - OWED_FOR}
        return self.replies.setdefault(reply.key, reply) is reply

    async def reply_taken_over(self, reply: OwedReply) -> bool:
        self.replies.pop(reply.key, None)
        return await self.reply_owed(reply)

    async def reply_paid(self, key: str) -> bool:
        return self.replies.pop(key, None) is not None

    async def replies_owed(self, app: str, before: datetime) -> tuple[OwedReply, ...]:
        found = [one for one in self.replies.values() if one.app == app and one.noted_at <= before]
        return tuple(sorted(found, key=lambda one: (one.noted_at, one.key))[:500])
