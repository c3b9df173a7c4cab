"""Rows that several roles read, as domain values."""

from __future__ import annotations

from typing import Any, Final

from bot.core.club import BookId, ClubId, Member, MemberId, Role, Room, RoomId
from bot.core.ports import BookRecord, EmbeddingModel

BOOK_COLUMNS: Final = (
    "id, club_id, title, language, status, characters, body_start, body_end, chapters, "
    "embedder_name, embedder_dimension, embedder_sha256, author, finished_at, map_version, "
    "added_by, created_at, announced_at"
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
        author=row.author,
        finished=row.finished_at is not None,
        map_version=row.map_version,
        added_by=None if row.added_by is None else MemberId(row.added_by),
        added_at=row.created_at,
        announced=row.announced_at is not None,
    )


BOOKS_READ: Final = (
    "select c.current_book as id from dogear.club c where c.current_book is not null "
    "union select r.book_id from dogear.room r where r.book_id is not null"
)
"""The books that are read in the club now: its current one, and those that rooms read of their own."""

_UNPLACED: Final = (
    f"exists (select from ({BOOKS_READ}) b where not exists (select from dogear.position p "  # noqa: S608
    "where p.book_id = b.id and p.member_id = m.id))"
)
PENDING: Final = f"({_UNPLACED} or not exists ({BOOKS_READ}))"
"""Whether a member (``m``) has not said a place in each of them, or there is none."""

COUNTS_AGAIN: Final = (
    "update dogear.member m set aside_at = null where m.id = :member and m.aside_at is not null "  # noqa: S608
    f"and (not {_UNPLACED} or (select count(*) from dogear.position p "
    "where p.book_id = :book and p.member_id = m.id) = 1)"
)
"""Ends being set aside with a first place in a book, or with one where none is missing."""

MEMBER_COLUMNS: Final = (
    "id, name, joined_at, plain_number, person, role, shown, reminded, reachable, seen_at, away_at, aside_at, "
    "removed_at, dm_book, asked_where_of"
)
MEMBERS: Final = f"select {MEMBER_COLUMNS} from dogear.member"  # noqa: S608 - of constants alone


def member_of(row: Any) -> Member:
    """A row of `MEMBER_COLUMNS` as a `Member`.

    Rows are unpacked in the order of the columns: by name it takes six times as long.
    """
    (
        number, name, joined_at, plain_number, person, role, shown, reminded, reachable, seen_at, away_at, aside_at,
        removed_at, dm_book, asked_where_of,
    ) = row  # fmt: skip
    return Member(
        id=number,
        name=name,
        joined=joined_at is not None,
        plain_number=plain_number,
        person=person,
        role=_ROLES[role],
        shown=shown,
        reminded=reminded,
        reachable=reachable,
        seen_at=seen_at,
        away=away_at is not None,
        aside=aside_at is not None,
        removed=removed_at is not None,
        dm_book=dm_book,
        joined_at=joined_at,
        asked_where=frozenset(asked_where_of),
    )


_ROLES: Final = {role.value: role for role in Role}


ROOM_COLUMNS: Final = (
    "id, key, name, book_id, case when limit_book = coalesce(book_id, (select c.current_book from dogear.club c "
    "where c.id = club_id)) then limit_offset end as limit_offset, paused_at, muted_until"
)
ROOMS: Final = f"select {ROOM_COLUMNS} from dogear.room"  # noqa: S608 - of constants alone


def room_of(row: Any) -> Room:
    """A row of `ROOM_COLUMNS` as a `Room`."""
    return Room(
        id=RoomId(row.id),
        key=row.key,
        name=row.name,
        book=None if row.book_id is None else BookId(row.book_id),
        limit=row.limit_offset,
        paused=row.paused_at is not None,
        muted_until=row.muted_until,
    )
