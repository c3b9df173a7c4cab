"""Where books are kept, whole: what ingest writes and the host reads. No surface of a chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.core.club import BookId, ClubId
from bot.core.indexed import IndexedBook
from bot.core.ports import BookRecord, EmbeddingModel, Vectors


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A passage that has no vectors yet: of each of its sentences the white space before it, the text, and where it is
    revealed; ``revealed_at`` is the whole passage's.
    """

    ordinal: int
    revealed_at: int
    sentences: tuple[tuple[str, str, int], ...]

    def text(self, first: int = 0, last: int | None = None) -> str:
        """The canonical text from sentence ``first`` to ``last`` (both in)."""
        own = self.sentences[first : None if last is None else last + 1]
        return own[0][1] + "".join(lead + text for lead, text, _ in own[1:])


@dataclass(frozen=True, slots=True)
class PieceVector:
    """The vector of one piece of a passage, shape ``(dimension,)``; ``revealed_at`` is the piece's own."""

    passage: int
    piece: int
    revealed_at: int
    vector: Vectors


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section as the host sees it; offsets in code points."""

    ordinal: int
    kind: str
    chapter: int | None
    printed: str | None
    printed_number: int | None
    parts: tuple[str, ...]
    title: str
    start: int
    end: int
    revealed_at: int
    title_revealed_at: int


class Shelf(Protocol):
    """Where books are kept, as ingest writes them and the host reads them."""

    async def club_named(self, name: str) -> ClubId: ...

    async def book_of_file(self, club: ClubId, file_sha256: str) -> BookRecord | None: ...

    async def books(self, club: ClubId | None = None) -> tuple[BookRecord, ...]: ...

    async def book(self, book: BookId) -> BookRecord: ...

    async def store_book(
        self, club: ClubId, indexed: IndexedBook, file_sha256: str, title: str
    ) -> tuple[BookId, bool]: ...

    async def remove_book(self, book: BookId) -> None: ...

    async def book_text(self, book: BookId, start: int, end: int) -> str: ...

    async def book_sections(self, book: BookId) -> tuple[SectionRow, ...]: ...

    async def passage_count(self, book: BookId) -> int: ...

    async def warnings(self, book: BookId) -> tuple[str, ...]: ...

    async def begin_embedding(self, book: BookId, model: EmbeddingModel) -> None: ...

    async def passages_unembedded(self, book: BookId, limit: int) -> tuple[Unembedded, ...]: ...

    async def store_vectors(self, book: BookId, model: EmbeddingModel, pieces: Sequence[PieceVector]) -> None: ...

    async def book_ready(self, book: BookId, model: EmbeddingModel) -> None: ...
