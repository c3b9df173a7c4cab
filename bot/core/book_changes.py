"""What changes a book that is kept: work of the ingest role, handed over by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from bot.core.club import BookId
from bot.core.remarking import Mark


@dataclass(frozen=True, slots=True)
class MapChanged:
    """The map was changed. ``lowered`` is how many members are further back than before."""

    lowered: int


ChangeMap = Callable[[BookId, Mark, datetime], Awaitable[MapChanged]]
"""Marks a book's sections anew, at a time."""

ReplaceBook = Callable[[BookId, BookId, datetime], Awaitable[None]]
"""Lets the second book take the place of the first, which is removed with every trace of it, at a time."""


@dataclass(frozen=True, slots=True)
class BookChanges:
    """How the map of a book is changed, and a book replaced by another file of it."""

    mark: ChangeMap
    replace: ReplaceBook
