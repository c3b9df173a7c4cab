"""A member, a room and a book read in one round trip: what is asked before everything that is shown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

from sqlalchemy import text

from bot.adapters.postgres.records import BOOK_COLUMNS, BOOKS, MEMBERS, ROOMS

FORESEEN: Final = text(
    f"select m.*, r.*, b.* from (select 1) o left join ({MEMBERS} where id = :member) m on true "  # noqa: S608
    f"left join ({ROOMS} where key = :key) r on true left join ({BOOKS} where id = :book) b on true"
)
_ROOM: Final = ("id", "key", "name", "book_id", "limit_offset", "paused_at", "muted_until")
_BOOK: Final = tuple(BOOK_COLUMNS.split(", "))


def foreseen(row: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """A row of `FORESEEN` as the rows of the member, the room and the book: one of each, or none."""
    parts = row[: -len(_ROOM) - len(_BOOK)], row[-len(_ROOM) - len(_BOOK) : -len(_BOOK)], row[-len(_BOOK) :]
    member, room, book = (part if part[0] is not None else None for part in parts)
    return (
        [] if member is None else [member],
        [] if room is None else [SimpleNamespace(**dict(zip(_ROOM, room, strict=True)))],
        [] if book is None else [SimpleNamespace(**dict(zip(_BOOK, book, strict=True)))],
    )
