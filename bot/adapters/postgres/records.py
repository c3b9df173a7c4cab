"""Rows that several roles read, as domain values."""

from __future__ import annotations

from typing import Any, Final

from bot.core.club import BookId, ClubId
from bot.core.ports import BookRecord, EmbeddingModel

BOOK_COLUMNS: Final = (
    "id, club_id, title, language, status, characters, body_start, body_end, chapters, "
    "embedder_name, embedder_dimension, embedder_sha256"
)
BOOKS: Final = f"select {BOOK_COLUMNS} from dogear.book"  # noqa: S608 - of constants alone


def book_record(row: Any) -> BookRecord:
    """A row of `BOOK_COLUMNS` as a `BookRecord`."""
    embedder = None
    if row.embedder_name is not None:
        embedder = EmbeddingModel(row.embedder_name, row.embedder_dimension, row.embedder_sha256)
    return BookRecord(
        id=BookId(row.id),
        club=ClubId(row.club_id),
        title=row.title,
        language=row.language,
        status=row.status,
        characters=row.characters,
        body_start=row.body_start,
        body_end=row.body_end,
        chapters=row.chapters,
        embedder=embedder,
    )
