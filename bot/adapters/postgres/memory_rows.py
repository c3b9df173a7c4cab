"""What is remembered of a book, as rows: written by the ingest role, read through the door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.club import BookId, ClubId
from bot.core.memory import BookMemory, Kept, Remembered
from bot.core.offsets import Span

_CHAPTER: Final = text(
    "insert into dogear.chapter_memory (club_id, book_id, map_version, chapter, revealed_at, made_at) "
    "select b.club_id, b.id, b.map_version, :chapter, :revealed, :at from dogear.book b "
    "where b.id = :book and b.map_version = :version for key share of b returning club_id"
)
_CLAIM: Final = text(
    'insert into dogear.memory_claim (club_id, book_id, chapter, n, about, also, text, passage, start, "end", '
    "revealed_at) values (:club, :book, :chapter, :n, :about, :also, :text, :passage, :start, :end, :revealed)"
)
_DROPPED: Final = text("delete from dogear.chapter_memory where book_id = :book")
_DONE: Final = text(
    "select m.chapter from dogear.chapter_memory m join dogear.book b on b.id = m.book_id "
    "and b.map_version = m.map_version where m.book_id = :book order by m.chapter"
)


def memory_of(rows: Sequence[Any]) -> BookMemory:
    """The rows of ``memory_read_v1``: a chapter that left no claim has one row without a text."""
    claims = tuple(
        Remembered(r.chapter, r.text, r.passage, Span(r.start, r.end), r.revealed_at, r.about, r.also)
        for r in rows
        if r.text is not None
    )
    return BookMemory(frozenset(r.chapter for r in rows), claims)


async def memory_written(connection: AsyncConnection, book: BookId, kept: Kept) -> bool:
    """Write a chapter's memory; False, with nothing written, where the book's map has changed or it is gone."""
    memory = kept.memory
    values = {"book": book, "chapter": memory.chapter, "version": memory.map_version}
    made = await connection.execute(_CHAPTER, {**values, "revealed": memory.revealed_at, "at": kept.at})
    club: ClubId | None = made.scalar_one_or_none()
    if club is None:
        return False
    rows = [
        {
            "club": club,
            "book": book,
            "chapter": memory.chapter,
            "n": n,
            "about": claim.about,
            "also": claim.also,
            "text": claim.text,
            "passage": claim.passage,
            "start": claim.span.start,
            "end": claim.span.end,
            "revealed": claim.revealed_at,
        }
        for n, claim in enumerate(memory.claims, start=1)
    ]
    if rows:
        await connection.execute(_CLAIM, rows)
    return True


async def chapters_done(connection: AsyncConnection, book: BookId) -> tuple[int, ...]:
    """The chapters that are remembered on the book's map as it is now."""
    return tuple((await connection.execute(_DONE, {"book": book})).scalars())


async def memory_dropped(connection: AsyncConnection, book: BookId) -> None:
    """Forget all that is remembered of a book."""
    await connection.execute(_DROPPED, {"book": book})
