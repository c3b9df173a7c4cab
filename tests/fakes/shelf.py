"""Books kept in memory: fits the ``Shelf`` port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.core.club import BookId, ClubId, MemberId
from bot.core.errors import Refused
from bot.core.indexed import IndexedBook, IndexedPassage, IndexedSentence
from bot.core.memory import ChapterMemory
from bot.core.ports import BookRecord, EmbeddingModel
from bot.core.shelf import PieceVector, SectionRow, Unembedded

UNKNOWN_BOOK = Refused("unknown_book", "There is no such book: `dogear book list` names those there are.")


@dataclass
class Kept:
    """One book as it is kept: its record, all that was derived from its text, vectors by passage, memory by chapter."""

    record: BookRecord
    indexed: IndexedBook
    file_sha256: str
    vectors: dict[int, list[PieceVector]] = field(default_factory=dict)
    memory: dict[int, ChapterMemory] = field(default_factory=dict)


class FakeShelf:
    """Clubs by name and books by id, in the order in which they came."""

    def __init__(self) -> None:
        self.clubs: dict[str, ClubId] = {}
        self.kept: dict[BookId, Kept] = {}
        self.current: dict[ClubId, BookId] = {}
        self._numbers = 0

    async def club_named(self, name: str) -> ClubId:
        return self.clubs.setdefault(name, ClubId(len(self.clubs) + 1))

    async def book_of_file(self, club: ClubId, file_sha256: str) -> BookRecord | None:
        same = (k.record for k in self.kept.values() if (k.record.club, k.file_sha256) == (club, file_sha256))
        return next(same, None)

    async def books(self, club: ClubId | None = None) -> tuple[BookRecord, ...]:
        return tuple(k.record for k in self.kept.values() if club in {None, k.record.club})

    async def book(self, book: BookId) -> BookRecord:
        return self.of(book).record

    def of(self, book: BookId) -> Kept:
        if book not in self.kept:
            raise UNKNOWN_BOOK
        return self.kept[book]

    async def store_book(self, club: ClubId, indexed: IndexedBook, file_sha256: str, title: str) -> tuple[BookId, bool]:
        if (there := await self.book_of_file(club, file_sha256)) is not None:
            return there.id, False
        self._numbers += 1
        book, text = BookId(self._numbers), indexed.book
        record = BookRecord(
            id=book,
            club=club,
            title=title,
            language=indexed.language,
            status="searchable",
            characters=len(text.text),
            body_start=indexed.body_start,
            body_end=text.body_end,
            chapters=len(text.chapters),
            embedder=None,
            author=text.author,
        )
        self.kept[book] = Kept(record, indexed, file_sha256)
        self.current.setdefault(club, book)
        return book, True

    def held_back(self, book: BookId, by: MemberId | None, now: datetime) -> None:
        """As a worker stores it: whose it is, and not announced."""
        self.of(book).record = replace(self.of(book).record, added_by=by, added_at=now, announced=False)

    def announce(self, book: BookId) -> None:
        self.of(book).record = replace(self.of(book).record, announced=True)

    def without_vectors(self, book: BookId) -> None:
        kept = self.of(book)
        kept.vectors = {}
        kept.record = replace(kept.record, embedder=None, status="searchable")

    async def remove_book(self, book: BookId) -> None:
        self.of(book)
        del self.kept[book]
        self.current = {club: current for club, current in self.current.items() if current != book}

    async def book_text(self, book: BookId, start: int, end: int) -> str:
        return self.of(book).indexed.book.text[max(0, start) : max(0, end)]

    async def book_sections(self, book: BookId) -> tuple[SectionRow, ...]:
        return tuple(
            SectionRow(
                ordinal=s.ordinal,
                kind=s.kind.value,
                chapter=s.chapter,
                printed=s.printed,
                printed_number=s.printed_number,
                parts=tuple(part.title for part in s.parts),
                title=s.title,
                start=s.span.start,
                end=s.span.end,
                revealed_at=s.revealed_at,
                title_revealed_at=s.title_revealed_at,
            )
            for s in self.of(book).indexed.book.sections
        )

    async def passage_count(self, book: BookId) -> int:
        return len(self.kept[book].indexed.passages) if book in self.kept else 0

    async def warnings(self, book: BookId) -> tuple[str, ...]:
        return self.kept[book].indexed.book.warnings if book in self.kept else ()

    async def begin_embedding(self, book: BookId, model: EmbeddingModel) -> None:
        kept = self.of(book)
        if kept.record.embedder != model:
            kept.vectors = {}
            kept.record = replace(kept.record, embedder=model, status="searchable")

    async def passages_unembedded(self, book: BookId, limit: int) -> tuple[Unembedded, ...]:
        kept = self.of(book)
        left = [p.cut for p in kept.indexed.passages if p.cut.ordinal not in kept.vectors][:limit]
        return tuple(
            Unembedded(
                cut.ordinal,
                cut.revealed_at,
                tuple(
                    (s.lead, s.text, s.sentence.revealed_at) for s in kept.indexed.sentences if s.passage == cut.ordinal
                ),
            )
            for cut in left
        )

    async def store_vectors(self, book: BookId, model: EmbeddingModel, pieces: Sequence[PieceVector]) -> None:
        if self.of(book).record.embedder != model:
            raise Refused("other_model", "Another command embeds this book with another model: let it finish.")
        for piece in pieces:
            self.of(book).vectors.setdefault(piece.passage, []).append(piece)

    async def book_ready(self, book: BookId, model: EmbeddingModel) -> None:
        if self.of(book).record.embedder == model:
            self.of(book).record = replace(self.of(book).record, status="ready")

    def passages(self, book: BookId) -> tuple[IndexedPassage, ...]:
        return self.of(book).indexed.passages

    def sentences(self, book: BookId) -> tuple[IndexedSentence, ...]:
        return self.of(book).indexed.sentences
