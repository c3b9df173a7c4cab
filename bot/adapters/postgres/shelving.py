"""How a whole book is written: many rows a statement, from one array a column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pgvector import HalfVector, SparseVector
from sqlalchemy import BindParameter, TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import ARRAY, Boolean, Integer, Text, TypeEngine

from bot.core.club import BookId
from bot.core.indexed import IndexedBook
from bot.core.shelf import PieceVector
from bot.core.terms import TERM_IDS
from bot.core.titles import spoken_titles

_BATCH: Final = 4000
"""Rows a statement."""


def _arrays(
    table: str, columns: Sequence[tuple[str, str]], casts: dict[str, str] | None = None, ending: str = ""
) -> TextClause:
    """An insert of many rows of one book from one array a column."""
    casts = casts or {}
    names = ", ".join(f'"{name}"' for name, _ in columns)
    selected = ", ".join(f'u."{name}"{casts.get(name, "")}' for name, _ in columns)
    arrays = ", ".join(f":{name}" for name, _ in columns)
    types: dict[str, TypeEngine[Any]] = {"int": Integer(), "text": Text(), "boolean": Boolean()}
    binds: list[BindParameter[Any]] = [bindparam(name, type_=ARRAY(types[kind])) for name, kind in columns]
    plain = ", ".join(f"cast({a} as {kind}[])" for a, (_, kind) in zip(arrays.split(", "), columns, strict=True))
    rows = f"select :book, {selected} from unnest({plain}) as u({names})"  # noqa: S608 - of constants alone
    return text(f"insert into dogear.{table} (book_id, {names}) {rows} {ending}").bindparams(*binds)


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
    "on conflict (book_id, ordinal) do update set section = excluded.section, chapter = excluded.chapter, "
    'body = excluded.body, start = excluded.start, "end" = excluded."end", revealed_at = excluded.revealed_at, '
    "length = excluded.length, terms = excluded.terms",
)  # fmt: skip
_NAMES = _arrays("name", [("name", "text"), ("revealed_at", "int")])
_PAGES = _arrays("page", [("ordinal", "int"), ("label", "text"), ("start", "int")])
_VECTORS = _arrays(
    "passage_vector",
    [("passage", "int"), ("piece", "int"), ("revealed_at", "int"), ("embedding", "text")],
    {"embedding": "::halfvec"},
    # not what was read before the book's map was changed: it was sealed otherwise
    "join dogear.passage p on p.book_id = :book and p.ordinal = u.passage and (case when p.body "
    "then u.revealed_at > p.start and u.revealed_at <= p.revealed_at else u.revealed_at = p.revealed_at end) "
    "on conflict do nothing",
)


def _array_text(values: Sequence[object]) -> str:
    """A PostgreSQL array literal; every value is quoted, None is null."""
    quoted = ("null" if v is None else '"' + str(v).replace("\\", "\\\\").replace('"', '\\"') + '"' for v in values)
    return "{" + ",".join(quoted) + "}"


async def write_map(connection: AsyncConnection, book: BookId, indexed: IndexedBook) -> None:
    """Write sections, titles, pages and names."""
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


async def write_text(connection: AsyncConnection, book: BookId, indexed: IndexedBook) -> None:
    """Write sentences and passages."""
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
                "terms": [_sparse(p.terms).to_text() for p in cut],
            },
        )


async def write_vectors(connection: AsyncConnection, book: BookId, pieces: Sequence[PieceVector]) -> None:
    """Write vectors; those that are there already stay."""
    await connection.execute(
        _VECTORS,
        {
            "book": book,
            "passage": [p.passage for p in pieces],
            "piece": [p.piece for p in pieces],
            "revealed_at": [p.revealed_at for p in pieces],
            "embedding": [HalfVector(p.vector).to_text() for p in pieces],
        },
    )


def _sparse(counts: dict[int, int]) -> SparseVector:
    """Term counts as a sparse vector; its indices count from 0, term ids from 1."""
    return SparseVector({term - 1: count for term, count in counts.items()}, TERM_IDS)
