"""A book is replaced by another file of it: everybody keeps their place, and the old one is gone."""

from __future__ import annotations

import asyncio
from datetime import datetime
from functools import partial

from bot.core.book_changes import BookChanges
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.core.places import Kind, one
from bot.core.rebuilding import Carried, Carry, KeptBook, Rebuilding
from bot.ingest.editions import Editions, prose_of
from bot.ingest.rebuild import mark_book

SAID = "the book's file was replaced"
"""What is kept as said with a place that was carried over."""


async def replace_book(rebuilding: Rebuilding, old: BookId, new: BookId, now: datetime | None = None) -> None:
    """Let the book ``new`` take the place of ``old`` in its club; ``old`` is removed with every trace of it.

    Raises `Refused` where it is the same book, somebody reads ``new`` already, or either has changed meanwhile.
    """
    if old == new:
        raise Refused("same_file", "That is the file the book was made from: nothing was replaced.")
    before, after = await rebuilding.book_kept(old), await rebuilding.book_kept(new)
    await rebuilding.book_replaced(before, after, await asyncio.to_thread(carrying, before, after, now))


def carrying(old: KeptBook, new: KeptBook, now: datetime | None = None) -> Carry:
    """The places of members in the new file, named by its chapters."""
    editions = Editions(prose_of(old.book, old.record.language), prose_of(new.book, new.record.language))
    chapter_map = new.chapter_map

    def carried(offset: int) -> Carried:
        place = editions.carried(offset)
        return Carried(place, SAID, one(place, chapter_map, Kind.MAP).understood, now)

    return carried


def changes_by(rebuilding: Rebuilding) -> BookChanges:
    """What changes kept books."""
    return BookChanges(partial(mark_book, rebuilding), partial(replace_book, rebuilding))
