"""The ingest role's side: books are written, filled with vectors, read by the host, and removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import ARRAY, BigInteger, Boolean, Integer, Text

from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.door import halfvec_text
from bot.adapters.postgres.records import BOOK_COLUMNS, book_record
from bot.core.club import BookId, ClubId
from bot.core.errors import Refused
from bot.core.titles import spoken_titles
from bot.core.indexed import INGEST_VERSION, IndexedBook
from bot.core.ports import BookRecord, EmbeddingModel, Vectors
from bot.core.shelf import PieceVector, SectionRow, Unembedded

_BATCH = 4000


def _arrays(table: str, columns: Sequence[tuple[str, str]], casts: dict[str, str] | None = None) -> Any:
    """An insert of many rows of one book from one array a column."""
    casts = casts or {}
    names = ", ".join(f'"{name}"' for name, _ in columns)
    selected = ", ".join(f'u."{name}"{casts.get(name, "")}' for name, _ in columns)
    arrays = ", ".join(f":{name}" for name, _ in columns)
    types = {"int": Integer, "text": Text, "boolean": Boolean}
    binds = [bindparam(name, type_=ARRAY(types[kind])) for name, kind in columns]
    plain = ", ".join(f"cast({a} as {kind}[])" for a, (_, kind) in zip(arrays.split(", "), columns, strict=True))
    return text(
        f"insert into dogear.{table} (book_id, {names}) select :book, {selected} from unnest({plain}) as u({names})"  # noqa: S608
    ).bindparams(*binds)


_SECTIONS = _arrays(
    "section",
    [
        ("ordinal", "int"), ("kind", "text"), ("chapter", "int"), ("printed", "text"), ("printed_number", "int"),
        ("part_numbers", "text"), ("start", "int"), ("end", "int"), ("heading_end", "int"), ("revealed_at", "int"),
    ],
    {"part_numbers": "::int[]"},
)  # fmt: skip
_TITLES = _arrays(
    "title",
    [
        ("section", "int"), ("chapter", "int"), ("title", "text"), ("part_titles", "text"), ("folded", "text"),
        ("revealed_at", "int"),
    ],
    {"part_titles": "::text[]", "folded": "::text[]"},
)  # fmt: skip
_SENTENCES = _arrays(
    "sentence",
    [
        ("ordinal", "int"), ("section", "int"), ("chapter", "int"), ("passage", "int"), ("start", "int"),
        ("end", "int"), ("paragraph_start", "boolean"), ("revealed_at", "int"), ("lead", "text"), ("text", "text"),
        ("folded", "text"),
    ],
)  # fmt: skip
_PASSAGES = _arrays(
    "passage",
    [
        ("ordinal", "int"), ("section", "int"), ("chapter", "int"), ("body", "boolean"), ("start", "int"),
        ("end", "int"), ("revealed_at", "int"), ("length", "int"), ("terms", "text"),
    ],
    {"terms": "::sparsevec"},
)  # fmt: skip
_NAMES = _arrays("name", [("name", "text"), ("revealed_at", "int")])
_PAGES = _arrays("page", [("ordinal", "int"), ("label", "text"), ("start", "int")])
_VECTORS = _arrays(
    "passage_vector",
    [("passage", "int"), ("piece", "int"), ("revealed_at", "int"), ("embedding", "text")],
    {"embedding": "::halfvec"},
)


def _array_text(values: Sequence[object]) -> str:
    """A PostgreSQL array literal."""
    quoted = (str(v).replace("\\", "\\\\").replace('"', '\\"') for v in values)
    return "{" + ",".join(f'"{v}"' for v in quoted) + "}"


class PostgresShelf:
    """Books as the ingest role and the host see them: whole, and no surface of a chat."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def club_named(self, name: str) -> ClubId:
        """The club of this name, made if new."""
        with translated():
            async with self._engine.begin() as connection:
                await connection.execute(
                    text("insert into dogear.club (name) values (:name) on conflict do nothing"), {"name": name}
                )
                found = await connection.execute(text("select id from dogear.club where name = :name"), {"name": name})
                return ClubId(found.scalar_one())

    async def book_of_file(self, club: ClubId, file_sha256: str) -> BookRecord | None:
        """The book that this file already is in this club. Other clubs are never asked."""
        sql = (
            f"select {BOOK_COLUMNS} from dogear.book where id = ("
            "select book_id from dogear.source where club_id = :club and file_sha256 = :sha)"
        )
        return await self._one(sql, club=club, sha=file_sha256)

    async def books(self, club: ClubId | None = None) -> tuple[BookRecord, ...]:
        """All books, or those of one club, oldest first."""
        sql = f"select {BOOK_COLUMNS} from dogear.book where club_id = coalesce(:club, club_id) order by id"
        with translated():
            async with self._engine.connect() as connection:
                bound = text(sql).bindparams(bindparam("club", type_=BigInteger))
                return tuple(book_record(row) for row in await connection.execute(bound, {"club": club}))

    async def book(self, book: BookId) -> BookRecord:
        """Raises `Refused` when there is none."""
        found = await self._one(f"select {BOOK_COLUMNS} from dogear.book where id = :book", book=book)
        if found is None:
            raise Refused("unknown_book", "There is no such book: `dogear book list` names those there are.")
        return found

    async def _one(self, sql: str, **values: object) -> BookRecord | None:
        with translated():
            async with self._engine.connect() as connection:
                row = (await connection.execute(text(sql), values)).first()
        return None if row is None else book_record(row)

    async def store_book(self, club: ClubId, indexed: IndexedBook, file_sha256: str, title: str) -> BookId:
        """Write a whole book in one transaction; it becomes the club's current book if there is none."""
        book = indexed.book
        with translated():
            async with self._engine.begin() as connection:
                made = await connection.execute(
                    text(
                        "insert into dogear.book (club_id, title, language, status, characters, body_start, body_end, "
                        "chapters) values (:club, :title, :language, 'searchable', :characters, :body_start, :body_end, "
                        ":chapters) returning id"
                    ),
                    {
                        "club": club,
                        "title": title,
                        "language": indexed.language,
                        "characters": len(book.text),
                        "body_start": indexed.body_start,
                        "body_end": book.body_end,
                        "chapters": len(book.chapters),
                    },
                )
                new = BookId(made.scalar_one())
                await connection.execute(
                    text(
                        "insert into dogear.source (book_id, club_id, file_sha256, text_sha256, author, ingest_version, "
                        "passages, warnings) values (:book, :club, :file, :sha, :author, :version, :passages, :warnings)"
                    ),
                    {
                        "book": new,
                        "club": club,
                        "file": file_sha256,
                        "sha": indexed.text_sha256,
                        "author": book.author,
                        "version": INGEST_VERSION,
                        "passages": len(indexed.passages),
                        "warnings": list(book.warnings),
                    },
                )
                await _write_map(connection, new, indexed)
                await _write_text(connection, new, indexed)
                await connection.execute(
                    text("update dogear.club set current_book = :book where id = :club and current_book is null"),
                    {"book": new, "club": club},
                )
                return new

    async def remove_book(self, book: BookId) -> None:
        """Remove a book with every trace of it: text, terms, vectors, names, positions."""
        with translated():
            async with self._engine.begin() as connection:
                gone = await connection.execute(text("delete from dogear.book where id = :book"), {"book": book})
                if gone.rowcount == 0:  # type: ignore[attr-defined]
                    raise Refused("unknown_book", "There is no such book: `dogear book list` names those there are.")

    async def book_text(self, book: BookId, start: int, end: int) -> str:
        """The canonical text at ``[start, end)``, for the host."""
        await self.book(book)
        sql = (
            'select start, lead, text from dogear.sentence where book_id = :book and "end" >= :start '
            "and start - length(lead) < :end order by ordinal"
        )
        with translated():
            async with self._engine.connect() as connection:
                rows = (await connection.execute(text(sql), {"book": book, "start": start, "end": end})).all()
        if not rows:
            return ""
        first = rows[0].start - len(rows[0].lead)
        together = "".join(row.lead + row.text for row in rows)
        return together[max(0, start - first) : max(0, end - first)]

    async def book_sections(self, book: BookId) -> tuple[SectionRow, ...]:
        """The sections with their titles, for the host."""
        await self.book(book)
        sql = (
            "select s.*, t.title, t.part_titles, t.revealed_at as title_revealed_at from dogear.section s "
            "join dogear.title t on t.book_id = s.book_id and t.section = s.ordinal "
            "where s.book_id = :book order by s.ordinal"
        )
        with translated():
            async with self._engine.connect() as connection:
                rows = (await connection.execute(text(sql), {"book": book})).all()
        return tuple(
            SectionRow(
                ordinal=r.ordinal,
                kind=r.kind,
                chapter=r.chapter,
                printed=r.printed,
                printed_number=r.printed_number,
                parts=tuple(r.part_titles),
                title=r.title,
                start=r.start,
                end=r.end,
                revealed_at=r.revealed_at,
                title_revealed_at=r.title_revealed_at,
            )
            for r in rows
        )

    async def warnings(self, book: BookId) -> tuple[str, ...]:
        """What was doubtful when the file was read: numbers only, no text."""
        with translated():
            async with self._engine.connect() as connection:
                found = await connection.execute(
                    text("select warnings from dogear.source where book_id = :book"), {"book": book}
                )
                return tuple(found.scalar_one_or_none() or ())

    async def passage_count(self, book: BookId) -> int:
        """How many passages the whole book has: a figure of the unread part too, and so for the host alone."""
        with translated():
            async with self._engine.connect() as connection:
                found = await connection.execute(
                    text("select passages from dogear.source where book_id = :book"), {"book": book}
                )
                return int(found.scalar_one_or_none() or 0)

    async def sources(self, book: BookId) -> tuple[str, str]:
        """The hashes of the file and of the canonical text."""
        with translated():
            async with self._engine.connect() as connection:
                row = (
                    await connection.execute(
                        text("select file_sha256, text_sha256 from dogear.source where book_id = :book"), {"book": book}
                    )
                ).one()
                return row.file_sha256, row.text_sha256

    async def begin_embedding(self, book: BookId, model: EmbeddingModel) -> None:
        """Say which model fills this book. Vectors of another model are dropped: two are never mixed."""
        values = {"book": book, "name": model.name, "dimension": model.dimension, "sha": model.sha256}
        with translated():
            async with self._engine.begin() as connection:
                same = await connection.execute(
                    text(
                        "select 1 from dogear.book where id = :book and embedder_name = :name "
                        "and embedder_dimension = :dimension and embedder_sha256 = :sha"
                    ),
                    values,
                )
                if same.first():
                    return
                await connection.execute(text("delete from dogear.passage_vector where book_id = :book"), values)
                await connection.execute(
                    text(
                        "update dogear.book set embedder_name = :name, embedder_dimension = :dimension, "
                        "embedder_sha256 = :sha, status = 'searchable' where id = :book"
                    ),
                    values,
                )

    async def passages_unembedded(self, book: BookId, limit: int) -> tuple[Unembedded, ...]:
        """The next passages without vectors, from the first on, with their text."""
        sql = """
            select p.ordinal, p.revealed_at,
                   (select string_agg(case when s.start = p.start then s.text else s.lead || s.text end, ''
                                      order by s.ordinal)
                    from dogear.sentence s where s.book_id = p.book_id and s.passage = p.ordinal) as text
            from dogear.passage p
            where p.book_id = :book and p.ordinal > coalesce(
                (select max(v.passage) from dogear.passage_vector v where v.book_id = :book), -1)
            order by p.ordinal limit :limit"""
        with translated():
            async with self._engine.connect() as connection:
                rows = (await connection.execute(text(sql), {"book": book, "limit": limit})).all()
        return tuple(Unembedded(r.ordinal, r.revealed_at, r.text) for r in rows)

    async def store_vectors(self, book: BookId, pieces: Sequence[PieceVector]) -> None:
        """Write the vectors of whole passages, in order, in one transaction."""
        with translated():
            async with self._engine.begin() as connection:
                await connection.execute(
                    _VECTORS,
                    {
                        "book": book,
                        "passage": [p.passage for p in pieces],
                        "piece": [p.piece for p in pieces],
                        "revealed_at": [p.revealed_at for p in pieces],
                        "embedding": [halfvec_text(p.vector) for p in pieces],
                    },
                )

    async def book_ready(self, book: BookId) -> None:
        """All vectors are there."""
        with translated():
            async with self._engine.begin() as connection:
                await connection.execute(
                    text("update dogear.book set status = 'ready' where id = :book"), {"book": book}
                )


async def _write_map(connection: AsyncConnection, book: BookId, indexed: IndexedBook) -> None:
    sections = indexed.book.sections
    await connection.execute(
        _SECTIONS,
        {
            "book": book,
            "ordinal": [s.ordinal for s in sections],
            "kind": [s.kind.value for s in sections],
            "chapter": [s.chapter for s in sections],
            "printed": [s.printed for s in sections],
            "printed_number": [s.printed_number for s in sections],
            "part_numbers": [_array_text([p.number for p in s.parts]) for s in sections],
            "start": [s.span.start for s in sections],
            "end": [s.span.end for s in sections],
            "heading_end": [s.heading_end for s in sections],
            "revealed_at": [s.revealed_at for s in sections],
        },
    )
    await connection.execute(
        _TITLES,
        {
            "book": book,
            "section": [s.ordinal for s in sections],
            "chapter": [s.chapter for s in sections],
            "title": [s.title for s in sections],
            "part_titles": [_array_text([p.title for p in s.parts]) for s in sections],
            "folded": [_array_text(spoken_titles(s.title)) for s in sections],
            "revealed_at": [s.title_revealed_at for s in sections],
        },
    )
    pages = indexed.book.pages
    await connection.execute(
        _PAGES,
        {
            "book": book,
            "ordinal": list(range(1, len(pages) + 1)),
            "label": [p.label for p in pages],
            "start": [p.start for p in pages],
        },
    )
    await connection.execute(
        _NAMES,
        {"book": book, "name": list(indexed.names), "revealed_at": list(indexed.names.values())},
    )


async def _write_text(connection: AsyncConnection, book: BookId, indexed: IndexedBook) -> None:
    for at in range(0, len(indexed.sentences), _BATCH):
        batch = indexed.sentences[at : at + _BATCH]
        await connection.execute(
            _SENTENCES,
            {
                "book": book,
                "ordinal": list(range(at, at + len(batch))),
                "section": [s.section for s in batch],
                "chapter": [s.chapter for s in batch],
                "passage": [s.passage for s in batch],
                "start": [s.sentence.span.start for s in batch],
                "end": [s.sentence.span.end for s in batch],
                "paragraph_start": [s.paragraph_start for s in batch],
                "revealed_at": [s.sentence.revealed_at for s in batch],
                "lead": [s.lead for s in batch],
                "text": [s.text for s in batch],
                "folded": [s.folded for s in batch],
            },
        )
    for at in range(0, len(indexed.passages), _BATCH):
        cut = indexed.passages[at : at + _BATCH]
        await connection.execute(
            _PASSAGES,
            {
                "book": book,
                "ordinal": [p.cut.ordinal for p in cut],
                "section": [p.cut.section for p in cut],
                "chapter": [p.chapter for p in cut],
                "body": [p.body for p in cut],
                "start": [p.cut.span.start for p in cut],
                "end": [p.cut.span.end for p in cut],
                "revealed_at": [p.cut.revealed_at for p in cut],
                "length": [p.length for p in cut],
                "terms": [sparsevec_text(p.terms) for p in cut],
            },
        )


def sparsevec_text(counts: dict[int, int]) -> str:
    """Term counts in pgvector's text form, over a billion dimensions."""
    return "{" + ",".join(f"{term}:{count}" for term, count in sorted(counts.items())) + "}/1000000000"
