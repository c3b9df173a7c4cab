"""A club's own books as a whole, in memory: fits ``ClubBooks``."""

from __future__ import annotations

from datetime import datetime

from bot.core.club import BookId, ClubId
from tests.fakes.shelf import FakeShelf


class FakeClubBooks:
    """Over the shelf, in one club."""

    def __init__(self, shelf: FakeShelf, club: ClubId) -> None:
        self._shelf = shelf
        self._club = club

    def _own(self, book: BookId) -> bool:
        return book in self._shelf.kept and self._shelf.of(book).record.club == self._club

    async def book_announced(self, book: BookId, now: datetime) -> None:
        del now
        if self._own(book):
            self._shelf.announce(book)

    async def book_removed(self, book: BookId) -> bool:
        if not self._own(book):
            return False
        await self._shelf.remove_book(book)
        return True
