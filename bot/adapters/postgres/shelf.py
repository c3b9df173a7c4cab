"""The ingest role's side: books are written, filled with vectors, read by the host, and removed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import BigInteger

from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.records import BOOKS, book_record
from bot.adapters.postgres.shelving import write_map, write_text, write_vectors
from bot.core.club import BookId, ClubId
from bot.core.errors import Refused
from bot.core.indexed import INGEST_VERSION, IndexedBook
from bot.core.ports import BookRecord, EmbeddingModel
from bot.core.shelf import PieceVector, SectionRow, Unembedded


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
                found = await connection.execute(
                    text("select id from dogear.club where name = :name and server = 'host'"), {"name": name}
                )
                return ClubId(found.scalar_one())

    async def book_of_file(self, club: ClubId, file_sha256: str) -> BookRecord | None:
        """The book that this file already is in this club. Other clubs are never asked."""
        sql = BOOKS + " where id = (select book_id from dogear.source where club_id = :club and file_sha256 = :sha)"  # noqa: S608
        return await self._one(sql, club=club, sha=file_sha256)

    async def books(self, club: ClubId | None = None) -> tuple[BookRecord, ...]:
        """All books, or those of one club, oldest first."""
        sql = f"{BOOKS} where club_id = coalesce(:club, club_id) order by id"
        with translated():
            async with self._engine.connect() as connection:
                bound = text(sql).bindparams(bindparam("club", type_=BigInteger))
                return tuple(book_record(row) for row in await connection.execute(bound, {"club": club}))

    async def book(self, book: BookId) -> BookRecord:
        """Raises `Refused` when there is none."""
        found = await self._one(f"{BOOKS} where id = :book", book=book)
        if found is None:
            raise _unknown()
        return found

    async def _one(self, sql: str, **values: object) -> BookRecord | None:
        with translated():
            async with self._engine.connect() as connection:
                row = (await connection.execute(text(sql), values)).first()
        return None if row is None else book_record(row)

    async def store_book(self, club: ClubId, indexed: IndexedBook, file_sha256: str, title: str) -> tuple[BookId, bool]:
        """Write a whole book in one transaction; it becomes the club's current book if there is none.

        Where the club has the file already, also since this began, that book is returned with False and nothing is
        written; a book that this wrote is returned with True.
        """
        while True:
            with translated():
                async with self._engine.begin() as connection:
                    new = await book_written(connection, club, indexed, file_sha256, title)
                    if new is not None:  # the host adds what the host has seen
                        await connection.execute(
                            text("update dogear.book set announced_at = created_at where id = :book"), {"book": new}
                        )
            if new is not None:
                return new, True
            there = await self.book_of_file(club, file_sha256)
            if there is not None:  # else it has been removed meanwhile
                return there.id, False

    async def remove_book(self, book: BookId) -> None:
        """Remove a book with every trace of it: text, terms, vectors, names, positions."""
        with translated():
            async with self._engine.begin() as connection:
                gone = await connection.execute(text("delete from dogear.book where id = :book"), {"book": book})
                if gone.rowcount == 0:
                    raise _unknown()

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

    async def begin_embedding(self, book: BookId, model: EmbeddingModel) -> None:
        """Say which model fills this book. Vectors of another model are dropped: two are never mixed."""
        with translated():
            async with self._engine.begin() as connection:
                if not await _is_filled_by(connection, book, model, "for update"):
                    await connection.execute(
                        text("delete from dogear.passage_vector where book_id = :book"), {"book": book}
                    )
                    await connection.execute(
                        text(
                            "update dogear.book set embedder_name = :name, embedder_dimension = :dimension, "
                            "embedder_sha256 = :sha, status = 'searchable' where id = :book"
                        ),
                        {"book": book, "name": model.name, "dimension": model.dimension, "sha": model.sha256},
                    )

    async def passages_unembedded(self, book: BookId, limit: int) -> tuple[Unembedded, ...]:
        """The next passages without vectors, from the first on, with their text."""
        sql = """
            select p.ordinal, p.revealed_at, s.leads, s.texts, s.revealed
            from dogear.passage p cross join lateral (
                select array_agg(x.lead order by x.ordinal) as leads, array_agg(x.text order by x.ordinal) as texts,
                       array_agg(x.revealed_at order by x.ordinal) as revealed
                from dogear.sentence x where x.book_id = p.book_id and x.passage = p.ordinal) s
            where p.book_id = :book and not exists (
                select from dogear.passage_vector v where v.book_id = :book and v.passage = p.ordinal offset 0)
            order by p.ordinal limit :limit"""
        with translated():
            async with self._engine.connect() as connection:
                rows = (await connection.execute(text(sql), {"book": book, "limit": limit})).all()
        return tuple(
            Unembedded(r.ordinal, r.revealed_at, tuple(zip(r.leads, r.texts, r.revealed, strict=True))) for r in rows
        )

    async def store_vectors(self, book: BookId, model: EmbeddingModel, pieces: Sequence[PieceVector]) -> None:
        """Write ``model``'s vectors of whole passages, in order, in one transaction; those that are there already stay.

        Raises `Refused` when the book has been removed, or is filled by another model than `begin_embedding` said.
        """
        with translated():
            async with self._engine.begin() as connection:
                if not await _is_filled_by(connection, book, model, "for share"):
                    raise Refused(
                        "other_model",
                        "Another command embeds this book with another model: let it finish, or set DOGEAR_EMBEDDER "
                        "to the same model for both.",
                    )
                await write_vectors(connection, book, pieces)

    async def book_ready(self, book: BookId, model: EmbeddingModel) -> None:
        """Mark a book whose passages all have vectors of ``model``; any other stays as it is."""
        with translated():
            async with self._engine.begin() as connection:
                if await _is_filled_by(connection, book, model, "for update"):
                    await connection.execute(
                        text(
                            "update dogear.book set status = 'ready' where id = :book and not exists (select from "
                            "dogear.passage p left join dogear.passage_vector v on v.book_id = p.book_id "
                            "and v.passage = p.ordinal where p.book_id = :book and v.passage is null)"
                        ),
                        {"book": book},
                    )


async def _is_filled_by(connection: AsyncConnection, book: BookId, model: EmbeddingModel, lock: str) -> bool:
    """Whether this is the book's model, with the book's row locked. Raises `Refused` where there is no such book."""
    found = await connection.execute(
        text(f"{BOOKS} where id = :book {lock}"),
        {"book": book},
    )
    row = found.first()
    if row is None:
        raise _unknown()
    return book_record(row).embedder == model


async def book_written(
    connection: AsyncConnection, club: ClubId, indexed: IndexedBook, file_sha256: str, title: str
) -> BookId | None:
    """Write a book and return its number, or None, with everything undone, where the club has this file."""
    book = indexed.book
    made = await connection.execute(
        text(
            "insert into dogear.book (club_id, title, language, status, characters, body_start, body_end, "
            "chapters, author) values (:club, :title, :language, 'searchable', :characters, :body_start, :body_end, "
            ":chapters, :author) returning id"
        ),
        {
            "club": club,
            "title": title,
            "language": indexed.language,
            "characters": len(book.text),
            "body_start": indexed.body_start,
            "body_end": book.body_end,
            "chapters": len(book.chapters),
            "author": book.author,
        },
    )
    new = BookId(made.scalar_one())
    first = await connection.execute(
        text(
            "insert into dogear.source (book_id, club_id, file_sha256, text_sha256, author, ingest_version, "
            "passages, warnings) values (:book, :club, :file, :sha, :author, :version, :passages, :warnings) "
            "on conflict (club_id, file_sha256) do nothing returning book_id"  # waits for one that is being written
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
    if first.first() is None:
        await connection.rollback()
        return None
    await write_map(connection, new, indexed)
    await write_text(connection, new, indexed)
    await connection.execute(
        text("update dogear.club set current_book = :book where id = :club and current_book is null"),
        {"book": new, "club": club},
    )
    return new


def _unknown() -> Refused:
    return Refused("unknown_book", "There is no such book: `dogear book list` names those there are.")
