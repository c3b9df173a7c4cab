"""A kept book under another chapter map: the same text, cut and sealed anew from what is stored of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime

from bot.core.book import BookText, SectionKind
from bot.core.book_changes import MapChanged
from bot.core.chapters import chapter_map_of
from bot.core.club import BookId
from bot.core.indexed import IndexedBook
from bot.core.places import Kind, one
from bot.core.rebuilding import Carried, Carry, KeptBook, Rebuilding
from bot.core.remarking import Mark, Marked, Remarking, remarked, remarking
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.pipeline import index_book
from bot.ingest.sections import assemble

SAID = "the chapter map was changed"
"""What is kept as said with a place that was lowered."""


async def mark_book(rebuilding: Rebuilding, book: BookId, mark: Mark, now: datetime | None = None) -> MapChanged:
    """Mark sections of a book and keep it under the new map, places and all.

    Raises `Refused` where the mark cannot be, or the map has changed meanwhile.
    """
    kept = await rebuilding.book_kept(book)
    indexed, places = await asyncio.to_thread(rebuilt, kept, remarked(kept.marked, mark))
    return MapChanged(await rebuilding.book_rebuilt(kept, indexed, carrying(places, indexed.book, now)))


def rebuilt(kept: KeptBook, marked: Sequence[Marked]) -> tuple[IndexedBook, Remarking]:
    """``kept`` with its sections ``marked``, and what follows for places."""
    book = assemble(drafted(kept, marked))
    indexed = index_book(book, kept.record.language)
    body = {s.ordinal for s in book.sections if s.kind is SectionKind.BODY}
    last = max(s.sentence.span.start for s in indexed.sentences if s.section in body)
    return indexed, remarking(kept.book.sections, book.sections, last)


def drafted(kept: KeptBook, marked: Sequence[Marked]) -> BookDraft:
    """What a file's reader would have made of the book, had it taken each section for what it is ``marked``."""
    drafts = tuple(
        SectionDraft(
            kind=mark.kind,
            start=section.span.start,
            title=section.title,
            heading_end=section.heading_end,
            starts_chapter=mark.begins_chapter,
            printed=section.printed,
            printed_number=section.printed_number,
            parts=tuple((part.title, part.number) for part in section.parts),
            marker=mark.as_read.marker,
        )
        for section, mark in zip(kept.book.sections, marked, strict=True)
    )
    book = kept.book
    return BookDraft(
        book.text, drafts, book.title, book.author, kept.record.language, book.pages, book.encoding, book.warnings
    )


def carrying(places: Remarking, book: BookText, now: datetime | None = None) -> Carry:
    """The places of members on the new map, named by its chapters."""
    chapter_map = chapter_map_of(book.sections, len(book.text), bool(book.pages))

    def carried(offset: int) -> Carried:
        place = places.place(offset)
        return Carried(place, SAID, one(place, chapter_map, Kind.MAP).understood, now)

    return carried
