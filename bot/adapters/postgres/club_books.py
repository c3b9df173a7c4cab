"""A club's own books as a whole, as the answering role: it may remove what it may not read."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import ClubConnections
from bot.core.club import BookId, ClubId


class PostgresClubBooks:
    """`ClubBooks` over the answering role's engine: row-level security leaves the books of other clubs alone."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def book_announced(self, book: BookId, now: datetime) -> None:
        """Let the whole club know of a book."""
        await self._club.run(
            "update dogear.book set announced_at = coalesce(announced_at, :now) where id = :book", book=book, now=now
        )

    async def book_removed(self, book: BookId) -> bool:
        """Remove a book with every trace of it; keys that name it take the rest along."""
        return bool(await self._club.run("delete from dogear.book where id = :book returning id", book=book))
