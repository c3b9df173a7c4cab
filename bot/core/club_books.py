"""What a club does with its own books as a whole: announce them, and remove them."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from bot.core.club import BookId


class ClubBooks(Protocol):
    """The books of one club. What is not one of them is left as it is."""

    async def book_announced(self, book: BookId, now: datetime) -> None:
        """Let the whole club know of a book. One that is announced stays so, from when it was."""

    async def book_removed(self, book: BookId) -> bool:
        """Remove a book with every trace of it: text, vectors, names, jobs, places, questions, answers, citations.

        False where the club has no such book.
        """
