"""Small books made in code, of our own words, as `BookText` values and stored in a real database."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.book import BookText, SectionKind
from bot.core.club import BookId, ClubId
from bot.core.indexed import IndexedBook
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.pipeline import index_book
from bot.ingest.sections import assemble


@dataclass(frozen=True)
class MadeSection:
    """One section of a made book: its heading (or none) and its prose."""

    kind: SectionKind
    heading: str
    prose: str
    number: int | None = None
    parts: tuple[tuple[str, int | None], ...] = ()
    chapter: bool = False


def chapter(number: int, prose: str, title: str = "", parts: tuple[tuple[str, int | None], ...] = ()) -> MadeSection:
    heading = f"Chapter {number}" + (f": {title}" if title else "")
    return MadeSection(SectionKind.BODY, heading, prose, number, parts, chapter=True)


def matter(kind: SectionKind, heading: str, prose: str) -> MadeSection:
    return MadeSection(kind, heading, prose)


def book_of(*sections: MadeSection, title: str = "A Made Book") -> BookText:
    """The sections, one after the other, as a book."""
    text, drafts = "", []
    for made in sections:
        if text:
            text += "\n\n"
        start = len(text)
        text += made.heading
        heading_end = len(text)
        text += f"\n\n{made.prose}" if made.heading else made.prose
        drafts.append(
            SectionDraft(
                kind=made.kind,
                start=start,
                title=made.heading,
                heading_end=heading_end,
                starts_chapter=made.chapter,
                printed=None if made.number is None else str(made.number),
                printed_number=made.number,
                parts=made.parts,
            )
        )
    return assemble(BookDraft(text=text, sections=tuple(drafts), title=title, language="en"))


CLUB = ClubId(1)
"""The club that a fresh database's first book is stored under."""


async def stored(engine: AsyncEngine, book: BookText, club: str = "club", name: str = "file") -> BookId:
    """Store a made book under a club, without vectors."""
    return await stored_index(engine, index_book(book), club, name)


async def stored_index(engine: AsyncEngine, indexed: IndexedBook, club: str = "club", name: str = "file") -> BookId:
    shelf = PostgresShelf(engine)
    book, _ = await shelf.store_book(await shelf.club_named(club), indexed, name, indexed.book.title)
    return book
