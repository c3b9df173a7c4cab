"""A kept book is changed whole, in one transaction: readers see the old book or the new one, never a mix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import ARRAY, BigInteger, Boolean, Integer, Text

from bot.adapters.postgres.carrying import is_read, places_carried, places_kept, rescheduled, role_taken
from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.job_statements import HANDED_ON, REMADE
from bot.adapters.postgres.memory_rows import memory_dropped
from bot.adapters.postgres.records import BOOKS, book_record
from bot.adapters.postgres.shelving import write_map, write_text
from bot.core.book import BookText, PageMark, Part, Section, SectionKind
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.core.indexed import IndexedBook
from bot.core.offsets import Span
from bot.core.ports import BookRecord
from bot.core.rebuilding import Carry, KeptBook, map_changed
from bot.core.remarking import AsRead

_UNKNOWN: Final = ("unknown_book", "There is no such book: `dogear book list` names those there are.")

_SECTIONS = text(
    "select s.*, t.title, t.part_titles, t.revealed_at as title_revealed_at from dogear.section s join dogear.title t "
    "on t.book_id = s.book_id and t.section = s.ordinal where s.book_id = :book order by s.ordinal"
)
_TEXT = text("select lead, text from dogear.sentence where book_id = :book order by ordinal")
_PAGES = text("select label, start from dogear.page where book_id = :book order by ordinal")
_WARNINGS = text("select warnings from dogear.source where book_id = :book")

_LOCKED = text(f"{BOOKS} where id = any(:books) order by id for update").bindparams(
    bindparam("books", type_=ARRAY(BigInteger))
)
"""Nobody appends a position to these books until the transaction ends."""

_PASSAGES = text(
    'select p.ordinal, p.body, p.start, p."end", p.revealed_at, s.starts, s.revealed from dogear.passage p '
    "cross join lateral (select array_agg(x.start order by x.ordinal) as starts, "
    "array_agg(x.revealed_at order by x.ordinal) as revealed from dogear.sentence x "
    "where x.book_id = p.book_id and x.passage = p.ordinal) s where p.book_id = :book"
)
_DROPPED = text("delete from dogear.passage_vector where book_id = :book and passage = any(:ordinals)").bindparams(
    bindparam("ordinals", type_=ARRAY(Integer))
)
_RESEALED = text(
    "update dogear.passage_vector v set revealed_at = u.revealed_at "
    "from unnest(cast(:ordinals as int[]), cast(:revealed as int[])) as u(passage, revealed_at) "
    "where v.book_id = :book and v.passage = u.passage and v.revealed_at <> u.revealed_at"
).bindparams(bindparam("ordinals", type_=ARRAY(Integer)), bindparam("revealed", type_=ARRAY(Integer)))
_AS_READ = text(
    "update dogear.section s set read_kind = u.kind, read_chapter = u.chapter, marker = u.marker "
    "from unnest(cast(:ordinals as int[]), cast(:kinds as text[]), cast(:chapters as boolean[]), "
    "cast(:markers as int[])) as u(ordinal, kind, chapter, marker) where s.book_id = :book and s.ordinal = u.ordinal"
).bindparams(
    bindparam("ordinals", type_=ARRAY(Integer)),
    bindparam("kinds", type_=ARRAY(Text)),
    bindparam("chapters", type_=ARRAY(Boolean)),
    bindparam("markers", type_=ARRAY(Integer)),
)
_REBUILT = text(
    "update dogear.book set body_start = :body_start, body_end = :body_end, chapters = :chapters, "
    "map_version = map_version + 1, map_confirmed_at = null, map_confirmed_by = null, "
    "status = case when :dropped then 'searchable' else status end where id = :book"
)


class PostgresRebuilding:
    """`Rebuilding` over the ingest role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def book_kept(self, book: BookId) -> KeptBook:
        with translated():
            async with self._engine.connect() as connection:
                await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
                row = (await connection.execute(text(f"{BOOKS} where id = :book"), {"book": book})).first()
                if row is None:
                    raise Refused(*_UNKNOWN)
                read = [(await connection.execute(s, {"book": book})).all() for s in (_SECTIONS, _TEXT, _PAGES)]
                warnings = (await connection.execute(_WARNINGS, {"book": book})).scalar_one()
        record, (sections, sentences, pages) = book_record(row), read
        return KeptBook(
            record=record,
            book=BookText(
                text="".join([part for row in sentences for part in row]),
                sections=tuple(map(_section, sections)),
                title=record.title,
                author=record.author,
                language=record.language,
                pages=tuple(PageMark(page.label, page.start) for page in pages),
                warnings=tuple(warnings),
            ),
            as_read=tuple(_as_read(row, record.body_end) for row in sections),
        )

    async def book_rebuilt(self, kept: KeptBook, indexed: IndexedBook, carry: Carry) -> int:
        book = kept.record.id
        with translated():
            async with self._engine.begin() as connection:
                await _locked(connection, kept)
                dropped = await _vectors_kept(connection, book, indexed)
                await _rewritten(connection, kept, indexed)
                values = {
                    "book": book,
                    "body_start": indexed.body_start,
                    "body_end": indexed.book.body_end,
                    "chapters": len(indexed.book.chapters),
                    "dropped": dropped,
                }
                await connection.execute(_REBUILT, values)
                await connection.execute(REMADE, {"book": book})
                await rescheduled(connection, book, book, _chapters_moved(kept.book, indexed.book))
                return await places_kept(connection, book, carry)

    async def book_replaced(self, old: KeptBook, new: KeptBook, carry: Carry) -> None:
        before, after = old.record.id, new.record.id
        with translated():
            async with self._engine.begin() as connection:
                await _locked(connection, old, new)
                if await is_read(connection, after):
                    raise Refused("book_read", "Somebody reads that file already: /book switch makes it current.")
                await places_carried(connection, before, after, carry)
                chapters = len(old.book.chapters)
                alike = {n: n for n in range(1, chapters + 1)} if chapters == len(new.book.chapters) else {}
                await rescheduled(connection, before, after, alike)
                await role_taken(connection, before, after, carry)
                await connection.execute(HANDED_ON, {"before": before, "after": after})
                await connection.execute(text("delete from dogear.book where id = :book"), {"book": before})


async def _locked(connection: AsyncConnection, *kept: KeptBook) -> None:
    """Lock the books' rows. Raises `Refused` where one is another than when it was read, or of another club."""
    rows = await connection.execute(_LOCKED, {"books": [k.record.id for k in kept]})
    now = {record.id: record for record in map(book_record, rows)}
    if len({k.record.club for k in kept}) != 1 or not all(_same(now.get(k.record.id), k.record) for k in kept):
        raise map_changed()


def _same(now: BookRecord | None, then: BookRecord) -> bool:
    return now is not None and (now.map_version, now.club) == (then.map_version, then.club)


def _section(row: Any) -> Section:
    return Section(
        ordinal=row.ordinal,
        kind=SectionKind(row.kind),
        span=Span(row.start, row.end),
        title=row.title,
        heading_end=row.heading_end,
        revealed_at=row.revealed_at,
        chapter=row.chapter,
        printed=row.printed,
        printed_number=row.printed_number,
        parts=tuple(Part(title, n) for title, n in zip(row.part_titles, row.part_numbers, strict=True)),
        title_known_at=row.title_revealed_at,
    )


def _as_read(row: Any, body_end: int) -> AsRead:
    """As it was read, or, where no mark has been made yet, as it stands: a footnote that opens before the end of the
    body opens at the end of the chapter of its marker, which so ends there.
    """
    if row.read_kind is not None:
        return AsRead(SectionKind(row.read_kind), row.read_chapter, row.marker)
    proven = row.kind == SectionKind.FOOTNOTES and row.revealed_at < body_end
    return AsRead(SectionKind(row.kind), row.chapter is not None, row.revealed_at - 1 if proven else None)


async def _vectors_kept(connection: AsyncConnection, book: BookId, indexed: IndexedBook) -> bool:
    """Keep the vectors of passages that are what they were, and of sealed ones; return whether any were dropped."""
    starts: dict[int, list[int]] = {}
    revealed: dict[int, list[int]] = {}
    for sentence in indexed.sentences:
        starts.setdefault(sentence.passage, []).append(sentence.sentence.span.start)
        revealed.setdefault(sentence.passage, []).append(sentence.sentence.revealed_at)
    now = {p.cut.ordinal: p for p in indexed.passages}
    dropped, sealed = [], []
    for row in await connection.execute(_PASSAGES, {"book": book}):
        passage = now.get(row.ordinal)
        if passage is None or passage.cut.span != Span(row.start, row.end) or starts[row.ordinal] != row.starts:
            dropped.append(row.ordinal)
        elif not passage.body:
            sealed.append((row.ordinal, passage.cut.revealed_at))
        elif not row.body or (row.revealed_at, row.revealed) != (passage.cut.revealed_at, revealed[row.ordinal]):
            dropped.append(row.ordinal)
    await connection.execute(_DROPPED, {"book": book, "ordinals": dropped})
    values = {"book": book, "ordinals": [o for o, _ in sealed], "revealed": [r for _, r in sealed]}
    await connection.execute(_RESEALED, values)
    return bool(dropped)


async def _rewritten(connection: AsyncConnection, kept: KeptBook, indexed: IndexedBook) -> None:
    """Write every row of the book anew; rows of passages are changed in place, for vectors hang on them."""
    values = {"book": kept.record.id, "passages": len(indexed.passages)}
    for table in ("sentence", "title", "section", "name", "page"):
        await connection.execute(text(f"delete from dogear.{table} where book_id = :book"), values)  # noqa: S608
    await connection.execute(text("delete from dogear.passage where book_id = :book and ordinal >= :passages"), values)
    await write_map(connection, kept.record.id, indexed)
    await write_text(connection, kept.record.id, indexed)
    await memory_dropped(connection, kept.record.id)
    await connection.execute(text("update dogear.source set passages = :passages where book_id = :book"), values)
    as_read = kept.as_read
    await connection.execute(
        _AS_READ,
        {
            "book": kept.record.id,
            "ordinals": list(range(len(as_read))),
            "kinds": [read.kind.value for read in as_read],
            "chapters": [read.begins_chapter for read in as_read],
            "markers": [read.marker for read in as_read],
        },
    )


def _chapters_moved(old: BookText, new: BookText) -> Mapping[int, int]:
    """The new number of each chapter that still is one; sections are the same in both."""
    pairs = zip(old.sections, new.sections, strict=True)
    return {b.chapter: a.chapter for b, a in pairs if b.chapter is not None and a.chapter is not None}
