"""The answering role's side of the door: one SQL function a method, by the same name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np
from pgvector import HalfVector
from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import ARRAY, BigInteger, Integer, Text

from bot.adapters.postgres.club_connections import club_open
from bot.adapters.postgres.connect import may_hold, translated
from bot.adapters.postgres.foreseen import FORESEEN, foreseen
from bot.adapters.postgres.memory_rows import memory_of
from bot.adapters.postgres.passage_rows import passage_of
from bot.adapters.postgres.records import (
    BOOK_COLUMNS,
    BOOKS,
    BOOKS_READ,
    MEMBERS,
    ROOMS,
    book_record,
    member_of,
    room_of,
)
from bot.core.boundary import Boundary
from bot.core.chapters import Chapter, ChapterMap
from bot.core.club import BookId, ClubId, Member, MemberId, Person, Present, Room
from bot.core.errors import Refused
from bot.core.evidence import Passage
from bot.core.memory import BookMemory
from bot.core.ports import AdmittedPassages, BookRecord, Door, NameMet, Similarities, TermCounts, TitleMet, Vectors

_UNREAD: Final[Any] = object()
_IDS = bindparam("ids", type_=ARRAY(BigInteger))
_ORDINALS = bindparam("ordinals", type_=ARRAY(Integer))

_BOOK = text(f"{BOOKS} where id = :book")
_BOOKS = text(
    f"select {BOOK_COLUMNS}, id = (select current_book from dogear.club) as current from dogear.book order by id"  # noqa: S608
)
_MEMBER = text(f"{MEMBERS} where id = :member")
_MEMBER_OF_PERSON = text(f"{MEMBERS} where person = :person")
_MEMBERS = text(f"{MEMBERS} order by name, id")
_ROOM = text(f"{ROOMS} where key = :key")
_SET = "(select array_agg(array[name, value]) from dogear.setting)"  # an audience asks for them too
_SETTINGS = text(f"select {_SET}")
_HERE = (
    "array_agg(id), array_agg(person), array_agg(away_at is not null), array_agg(aside_at is not null) "
    "from dogear.member where joined_at is not null"
)
_PRESENT = text(f"select {_SET}, {_HERE}")
# Two ranges that are put together here: as a join, it would be planned for a club of twenty and looped over for one of
# five hundred.
_PRESENT_IN = text(
    f"select {_SET}, m.*, p.* from (select {_HERE}) m, "  # noqa: S608
    '(select array_agg(member_id), array_agg("offset") from dogear.place where book_id = :book) p'
)
_POSITIONS = text(
    'select array_agg(m.id), array_agg(p."offset") from dogear.member m '
    "join dogear.place p on p.book_id = :book and p.member_id = m.id "
    "where m.joined_at is not null and m.id = any(:ids)"
).bindparams(_IDS)
_ROUND_WANTED = text(
    f"with read as ({BOOKS_READ}) select exists (select from dogear.member m "  # noqa: S608 - of constants alone
    "where m.joined_at is not null and m.away_at is null and m.reachable and "
    "((greatest(m.joined_at, m.seen_at) <= :silent and (m.aside_at is null or exists (select from read b "
    "join dogear.place p on p.book_id = b.id where p.member_id = m.id))) or (m.aside_at is null and "
    "m.joined_at <= :unplaced and exists (select from read b where b.id <> all (m.asked_where_of) and not exists "
    "(select from dogear.place p where p.book_id = b.id and p.member_id = m.id))) or (m.reminded and exists "
    "(select from read b join dogear.milestone s on s.book_id = b.id where s.due between :first and :last)))) "
    "or exists (select from dogear.ballot b where b.closed_at is null and b.closes_at <= :now) "
    "or exists (select from dogear.forgotten f where f.removed_at is null)"
)
_ADMITTED = text("select * from dogear.passages_admitted_v1(:book, :boundary)")
_NEAREST = text("select * from dogear.passages_nearest_v1(:book, :boundary, cast(cast(:question as text) as halfvec))")
_MATCHING = text("select * from dogear.passages_matching_v1(:book, :boundary, :ordinals)").bindparams(_ORDINALS)
_READ = text(
    'select passage, section, chapter, sentence, start, "end", revealed_at, paragraph_start, lead, text '
    "from dogear.passages_read_v1(:book, :boundary, :ordinals)"
).bindparams(_ORDINALS)
_STRADDLING = text("select dogear.passage_straddling_v1(:book, :boundary)")
_NAMES = text("select name, revealed_at from dogear.names_met_v1(:book, :boundary)")
_TITLES = text("select * from dogear.titles_met_v1(:book, :boundary)")
_MEMORY = text("select * from dogear.memory_read_v1(:book, :boundary)")
_CHAPTERS = text(
    "select c.*, p.pages from (select dogear.pages_counted_v1(:book) as pages) p "
    "left join dogear.chapter_map_v1(:book) c on true order by c.chapter"
)
_QUOTES = text("select * from dogear.quote_offsets_v1(:book, :runs)").bindparams(bindparam("runs", type_=ARRAY(Text)))
_PAGES = text("select start from dogear.page_offsets_v1(:book, :label)")
_TITLE_CHAPTERS = text("select chapter from dogear.title_chapters_v1(:book, :reached, :folded)")


def _ints(values: Sequence[int] | None) -> np.ndarray[Any, np.dtype[np.int32]]:
    return np.array(values or (), dtype=np.int32)


class PostgresDoor:
    """`Door` over one connection in one repeatable, read-only transaction.

    What was read of the club is not read twice: in one transaction it cannot have changed.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._seen: dict[tuple[object, ...], Sequence[Any]] = {}
        self._places: dict[BookId, dict[MemberId, int | None]] = {}
        self._present: tuple[Present, ...] | None = None
        self._set: Any = _UNREAD

    async def _rows(self, statement: TextClause, **values: object) -> Sequence[Any]:
        with translated():
            return (await self._connection.execute(statement, values)).all()

    async def _once(self, statement: TextClause, **values: object) -> Sequence[Any]:
        key = (statement, *values.values())
        if key not in self._seen:
            self._seen[key] = await self._rows(statement, **values)
        return self._seen[key]

    async def _under(self, statement: TextClause, boundary: Boundary, **values: object) -> Sequence[Any]:
        return await self._rows(statement, book=boundary.book, boundary=boundary.offset, **values)

    async def foreseen(self, member: MemberId, room: str | None, book: BookId) -> None:
        rows = foreseen((await self._rows(FORESEEN, member=member, key=room, book=book))[0])
        self._seen[_MEMBER, member], self._seen[_ROOM, room], self._seen[_BOOK, book] = rows

    async def book(self, book: BookId) -> BookRecord:
        rows = await self._once(_BOOK, book=book)
        if not rows:
            raise Refused("unknown_book", "There is no such book: `dogear book list` names those there are.")
        return book_record(rows[0])

    async def books(self) -> tuple[BookRecord, ...]:
        return tuple(map(book_record, await self._once(_BOOKS)))

    async def current_book(self) -> BookRecord | None:
        return next((book_record(row) for row in await self._once(_BOOKS) if row.current), None)

    async def members(self) -> tuple[Member, ...]:
        return tuple(member_of(row) for row in await self._once(_MEMBERS))

    async def member(self, member: MemberId) -> Member | None:
        rows = await self._once(_MEMBER, member=member)
        return member_of(rows[0]) if rows else None

    async def member_of_person(self, person: Person) -> Member | None:
        rows = await self._once(_MEMBER_OF_PERSON, person=person)
        if rows:
            self._seen[_MEMBER, rows[0].id] = rows  # `member` need not ask again
        return member_of(rows[0]) if rows else None

    async def present(self, book: BookId | None = None) -> tuple[Present, ...]:
        if book is None and self._present is not None:
            return self._present
        if book is None:
            ((self._set, ids, *members),) = await self._once(_PRESENT)
        else:
            ((self._set, ids, *members, placed, offsets),) = await self._once(_PRESENT_IN, book=book)
            places = dict(zip(placed or (), offsets or (), strict=True))
            self._places.setdefault(book, {}).update((member, places.get(member)) for member in ids or ())
        self._present = tuple(map(Present, ids, *members)) if ids else ()
        return self._present

    async def round_wanted(self, now: datetime, silent: datetime, unplaced: datetime, due: tuple[date, date]) -> bool:
        first, last = due
        times = {"now": now, "silent": silent, "unplaced": unplaced}
        ((wanted,),) = await self._rows(_ROUND_WANTED, **times, first=first, last=last)
        return bool(wanted)

    async def settings(self) -> Mapping[str, str]:
        if self._set is _UNREAD:
            ((self._set,),) = await self._rows(_SETTINGS)
        return dict(self._set or ())

    async def room(self, key: str) -> Room | None:
        rows = await self._once(_ROOM, key=key)
        return room_of(rows[0]) if rows else None

    async def positions_latest(self, book: BookId, members: Iterable[MemberId]) -> Mapping[MemberId, int]:
        wanted, known = set(members), self._places.setdefault(book, {})
        if left := wanted - known.keys():
            ((found, offsets),) = await self._rows(_POSITIONS, book=book, ids=list(left))
            known.update(dict.fromkeys(left))
            known.update(zip(found or (), offsets or (), strict=True))
        return {member: place for member in wanted if (place := known[member]) is not None}

    async def passages_admitted(self, boundary: Boundary) -> AdmittedPassages:
        (row,) = await self._under(_ADMITTED, boundary)
        return AdmittedPassages(
            ordinals=_ints(row.ordinals),
            sections=_ints(row.sections),
            chapters=_ints(row.chapters),
            bodies=np.array(row.bodies or (), dtype=np.bool_),
            starts=_ints(row.starts),
            ends=_ints(row.ends),
            revealed=_ints(row.revealed),
            lengths=_ints(row.lengths),
        )

    async def passages_nearest(self, boundary: Boundary, question: Vectors) -> Similarities:
        (row,) = await self._under(_NEAREST, boundary, question=HalfVector(question).to_text())
        return Similarities(_ints(row.ordinals), np.array(row.similarities or (), dtype=np.float32))

    async def passages_matching(self, boundary: Boundary, terms: Sequence[int]) -> tuple[TermCounts, ...]:
        rows = await self._under(_MATCHING, boundary, ordinals=sorted(set(terms)))
        return tuple(TermCounts(r.term, _ints(r.ordinals), np.array(r.counts, dtype=np.float32)) for r in rows)

    async def passages_read(self, boundary: Boundary, ordinals: Sequence[int]) -> tuple[Passage, ...]:
        rows = await self._under(_READ, boundary, ordinals=sorted(set(ordinals)))
        return tuple(passage_of(ordinal, list(group)) for ordinal, group in groupby(rows, key=itemgetter(0)))

    async def passage_straddling(self, boundary: Boundary) -> Passage | None:
        ((ordinal,),) = await self._under(_STRADDLING, boundary)
        if ordinal is None:
            return None
        (passage,) = await self.passages_read(boundary, [ordinal])
        return passage

    async def names_met(self, boundary: Boundary) -> tuple[NameMet, ...]:
        return tuple(NameMet(name, revealed_at) for name, revealed_at in await self._under(_NAMES, boundary))

    async def memory_read(self, boundary: Boundary) -> BookMemory:
        return memory_of(await self._under(_MEMORY, boundary))

    async def titles_met(self, boundary: Boundary) -> tuple[TitleMet, ...]:
        rows = await self._under(_TITLES, boundary)
        return tuple(TitleMet(r.section, r.chapter, r.title, tuple(r.part_titles), r.revealed_at) for r in rows)

    async def chapter_map(self, book: BookId) -> ChapterMap:
        record = await self.book(book)
        rows = await self._rows(_CHAPTERS, book=book)
        return ChapterMap(
            characters=record.characters,
            body_start=record.body_start,
            body_end=record.body_end,
            chapters=tuple(
                Chapter(r.chapter, r.printed_number, tuple(r.part_numbers), r.start, r.end)
                for r in rows
                if r.chapter is not None
            ),
            has_pages=rows[0].pages > 0,
            version=record.map_version,
        )

    async def quote_offsets(self, book: BookId, runs: Sequence[str]) -> tuple[tuple[int, int], ...]:
        rows = await self._rows(_QUOTES, book=book, runs=list(runs))
        return tuple((r.run - 1, r.read_to) for r in rows)

    async def page_offsets(self, book: BookId, label: str) -> tuple[int, ...]:
        return tuple(r.start for r in await self._rows(_PAGES, book=book, label=label))

    async def title_chapters(self, book: BookId, reached: int, folded: str) -> tuple[int, ...]:
        return tuple(r.chapter for r in await self._rows(_TITLE_CHAPTERS, book=book, reached=reached, folded=folded))


class PostgresDoors:
    """`Doors` over the answering role's engine: every transaction is a repeatable, read-only view in one club."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._engine = engine
        self._club = club

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Door]:
        async with may_hold(self._engine):
            with translated():
                connection = await self._engine.connect()
            try:
                with translated():
                    await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                    await connection.begin()
                async with club_open(connection, self._club):
                    yield PostgresDoor(connection)
            finally:
                with translated():
                    await connection.close()  # nothing was written: the transaction is rolled back
