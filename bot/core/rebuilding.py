"""How a book that is kept changes: its map is marked anew, or its file is replaced. The ingest role's side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.core.book import BookText
from bot.core.chapters import ChapterMap, chapter_map_of
from bot.core.club import BookId
from bot.core.indexed import IndexedBook
from bot.core.ports import BookRecord
from bot.core.remarking import AsRead, Remarking


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
    def chapter_map(self) -> ChapterMap:
        return chapter_map_of(self.book.sections, len(self.book.text), bool(self.book.pages))


Carried = Callable[[int], int]
"""Where in a new text somebody is who was at this offset of the old one; never further on."""


class Rebuilding(Protocol):
    """Changes a book that is kept, each time in one transaction: whoever reads sees the old book or the new one."""

    async def book_kept(self, book: BookId) -> KeptBook:
        """The book, read in one snapshot. Raises `Refused` where there is none."""

    async def book_rebuilt(self, kept: KeptBook, indexed: IndexedBook, places: Remarking) -> None:
        """Keep ``indexed``, the same text under another map, as the book that was ``kept``.

        Every member's place stays or is lowered as ``places`` says, by one more position; vectors stay where their
        passage is what it was. Raises `Refused` ("map_changed") where the map is another than when it was read.
        """

    async def book_replaced(self, old: KeptBook, new: KeptBook, carried: Carried) -> None:
        """Let ``new`` take the place of ``old`` in its club, with everybody's place, and remove ``old``.

        It is current where the old one was, and read in its rooms, with their limits. Raises `Refused`
        ("map_changed") where either map is another than when it was read, and ("book_read") where somebody has a
        place in ``new`` already.
        """
