"""What hangs on a book's places when it changes: positions, calibrations, limits, the schedule, and its role."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.club import BookId
from bot.core.places import Kind
from bot.core.rebuilding import Carry

_PLACES = text(
    'select distinct on (member_id) member_id, "offset", max("offset") over (partition by member_id) as furthest '
    "from dogear.position where book_id = :book order by member_id, id desc"
)
_PLACED = text(
    'insert into dogear.position (member_id, book_id, "offset", kind, said, understood, created_at) '
    "values (:member, :book, :offset, :kind, :said, :understood, coalesce(:at, now()))"
)
_PAGES = text('select club_id, member_id, page, "offset", said_at from dogear.page_calibration where book_id = :book')
_CALIBRATED = text(
    'insert into dogear.page_calibration (club_id, member_id, book_id, page, "offset", said_at) '
    "values (:club_id, :member_id, :book, :page, :offset, :said_at)"
)
_MILESTONES = text("select chapter, due, set_by, set_at, club_id from dogear.milestone where book_id = :book")
_UNSCHEDULED = text("delete from dogear.milestone where book_id = :book")
_SCHEDULED = text(
    "insert into dogear.milestone (club_id, book_id, chapter, due, set_by, set_at) "
    "values (:club_id, :book, :chapter, :due, :set_by, :set_at)"
)


async def rescheduled(connection: AsyncConnection, old: BookId, new: BookId, chapters: Mapping[int, int]) -> None:
    """Keep what is due by a chapter of the old book that is one of the new; ``chapters`` has the new number of each."""
    rows: Sequence[Any] = (await connection.execute(_MILESTONES, {"book": old})).all()
    await connection.execute(_UNSCHEDULED, {"book": old})
    moved = [{**row._mapping, "book": new, "chapter": chapters[row.chapter]} for row in rows if row.chapter in chapters]
    await _each(connection, _SCHEDULED, moved)


async def _each(connection: AsyncConnection, statement: TextClause, values: Iterable[dict[str, Any]]) -> None:
    if many := list(values):
        await connection.execute(statement, many)


async def is_read(connection: AsyncConnection, book: BookId) -> bool:
    """Whether anybody has a place in the book."""
    return (await connection.execute(_PLACES, {"book": book})).first() is not None


async def places_kept(connection: AsyncConnection, book: BookId, carry: Carry) -> int:
    """Append a place for whoever is lowered, or would be where they could go back to by undoing."""
    appended, lowered = [], 0
    for row in (await connection.execute(_PLACES, {"book": book})).all():
        place = carry(row.offset)
        lowered += place.offset < row.offset
        if place.offset < row.offset or carry(row.furthest).offset < row.furthest:
            appended.append(_position(row.member_id, book, carry, row.offset))
    await _each(connection, _PLACED, appended)
    return lowered


def _position(member: int, book: BookId, carry: Carry, offset: int) -> dict[str, Any]:
    place = carry(offset)
    said = {"said": place.said, "understood": place.understood, "kind": Kind.MAP.value, "at": place.at}
    return {"member": member, "book": book, "offset": place.offset, **said}


async def places_carried(connection: AsyncConnection, old: BookId, new: BookId, carry: Carry) -> None:
    """Give everybody with a place in the old book one in the new, and what they said of pages."""
    rows = (await connection.execute(_PLACES, {"book": old})).all()
    await _each(connection, _PLACED, [_position(row.member_id, new, carry, row.offset) for row in rows])
    rows = (await connection.execute(_PAGES, {"book": old})).all()
    carried = ({**row._mapping, "book": new, "offset": carry(row.offset).offset} for row in rows)
    await _each(connection, _CALIBRATED, [page for page in carried if page["offset"] > 0])


async def role_taken(connection: AsyncConnection, old: BookId, new: BookId, carry: Carry) -> None:
    """The new book is current, read in rooms and privately where the old one was; limits of rooms go with it."""
    values = {"old": old, "new": new}
    limits = text("select id, limit_offset from dogear.room where limit_book = :old and limit_offset is not null")
    limited = text("update dogear.room set limit_book = :new, limit_offset = :offset where id = :id")
    rows = (await connection.execute(limits, values)).all()
    await _each(connection, limited, [{"id": r.id, "new": new, "offset": carry(r.limit_offset).offset} for r in rows])
    for statement in (
        "update dogear.room set book_id = :new where book_id = :old",
        "update dogear.club set current_book = :new where current_book = :old",
        "update dogear.member set dm_book = :new where dm_book = :old",
        "update dogear.book n set announced_at = coalesce(n.announced_at, o.announced_at), "
        "added_by = coalesce(n.added_by, o.added_by) from dogear.book o where n.id = :new and o.id = :old",
    ):
        await connection.execute(text(statement), values)
