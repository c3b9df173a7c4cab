"""How a book that is kept changes: its map is marked anew, or its file is replaced. The ingest role's side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.core.book import BookText
from bot.core.chapters import ChapterMap, chapter_map_of
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.core.indexed import IndexedBook
from bot.core.ports import BookRecord
from bot.core.remarking import AsRead, Marked


@dataclass(frozen=True, slots=True)
class KeptBook:
    """A book as it is kept, whole; ``as_read[i]`` says what its file's reader took section ``i`` for."""

    record: BookRecord
    book: BookText
    as_read: tuple[AsRead, ...]

    def __post_init__(self) -> None:
        if len(self.as_read) != len(self.book.sections):
            raise ValueError("each section was read as something")

    @property
    def marked(self) -> tuple[Marked, ...]:
        """The sections as they count now."""
        return tuple(
            Marked(section.kind, section.chapter is not None, read)
            for section, read in zip(self.book.sections, self.as_read, strict=True)
        )

    @property
    def chapter_map(self) -> ChapterMap:
        return chapter_map_of(self.book.sections, len(self.book.text), bool(self.book.pages))


@dataclass(frozen=True, slots=True)
class Carried:
    """A place on the changed book: its offset, never further on than it was, what led to it, how it is named, and when
    that was, by the club's clock; where it is None the database dates it.
    """

    offset: int
    said: str
    understood: str
    at: datetime | None = None


Carry = Callable[[int], Carried]
"""Where on the changed book somebody is who was at this offset until now."""


def map_changed() -> Refused:
    """A book is another than when it was read."""
    return Refused("map_changed", "The book or its chapter map was changed just now: say it again.")


class Rebuilding(Protocol):
    """Changes a book that is kept, each time in one transaction: whoever reads sees the old book or the new one."""

    async def book_kept(self, book: BookId) -> KeptBook:
        """The book, read in one snapshot. Raises `Refused` where there is none."""

    async def book_rebuilt(self, kept: KeptBook, indexed: IndexedBook, carry: Carry) -> int:
        """Keep ``indexed``, the same text under another map, as the book that was ``kept``; how many were lowered.

        Who is lowered, or could go back by undoing to a place that would be, gets one more position. Vectors stay where
        their passage is what it was; the schedule goes with the chapters it names. Raises `Refused` ("map_changed")
        where the map is another than when it was read.
        """

    async def book_replaced(self, old: KeptBook, new: KeptBook, carry: Carry) -> None:
        """Let ``new`` take the place of ``old`` in its club, with everybody's place, and remove ``old``.

        It is current where the old one was, and read in its rooms, with their limits; the schedule stays where both
        have as many chapters, else it is gone. Raises `Refused` ("map_changed") where either is another than when it
        was read, and ("book_read") where somebody has a place in ``new`` already.
        """
