"""Fill a database with a generated library: a few books through the shelf, all others as copies of their rows.

A copy is a book of its own, row by row: other rows, other pages on disk, another place in every index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.core.club import BookId, ClubId
from bot.core.ports import EmbeddingModel
from bot.core.shelf import PieceVector, Shelf
from bot.measure.library import GeneratedBook, generated_book

CLUB: Final = "bench"
TEMPLATES: Final = 8
LONG_PASSAGES: Final = 2_100
"""As many as War and Peace has."""

TABLES: Final = ("source", "section", "title", "sentence", "passage", "passage_vector", "name")
"""What a book's rows stand in, those first that others name."""
_VECTORS_AT_ONCE: Final = 100
_OWNER: Final = "postgres"


@dataclass(frozen=True, slots=True)
class Shelved:
    """One book of the library: where it stands, and what it was made from."""

    id: BookId
    made: GeneratedBook


@dataclass(frozen=True, slots=True)
class Library:
    """The books that stand in the database; ``long`` is the long one."""

    club: ClubId
    books: tuple[Shelved, ...]
    long: Shelved

    @property
    def passages(self) -> int:
        """Passages of all books, the long one included."""
        return sum(len(book.made.indexed.passages) for book in (*self.books, self.long))


async def fill_library(
    shelf: Shelf,
    engine: AsyncEngine,
    model: EmbeddingModel,
    sizes: tuple[int, int, int],
    progress: Callable[[float], None],
) -> Library:
    """Write ``sizes``: so many books, of so many passages at least, and one of so many passages.

    ``engine`` is the ingest role's.
    """
    count, passages, long_passages = sizes
    club = await shelf.club_named(CLUB)
    long = await shelved(shelf, club, model, generated_book(0, long_passages, model.dimension))
    books: list[Shelved] = []
    for number in range(count):
        if number < TEMPLATES:
            book = await shelved(shelf, club, model, generated_book(number + 1, passages, model.dimension))
        else:
            template = books[number % TEMPLATES]
            book = Shelved(await _copied(engine, template.id, number), template.made)
        books.append(book)
        progress((number + 1) / count)
    await _analysed(engine)
    return Library(club, tuple(books), long)


async def shelved(shelf: Shelf, club: ClubId, model: EmbeddingModel, made: GeneratedBook) -> Shelved:
    """Store one generated book with its vectors."""
    indexed = made.indexed
    book, _ = await shelf.store_book(club, indexed, indexed.text_sha256, indexed.book.title)
    await shelf.begin_embedding(book, model)
    for at in range(0, len(indexed.passages), _VECTORS_AT_ONCE):
        pieces = [
            PieceVector(passage.cut.ordinal, piece, passage.cut.revealed_at, vector)
            for passage, vectors in zip(
                indexed.passages[at : at + _VECTORS_AT_ONCE], made.vectors[at : at + _VECTORS_AT_ONCE], strict=True
            )
            for piece, vector in enumerate(vectors)
        ]
        await shelf.store_vectors(book, model, pieces)
    await shelf.book_ready(book, model)
    return Shelved(book, made)


async def _copied(engine: AsyncEngine, template: BookId, number: int) -> BookId:
    async with engine.begin() as connection:
        columns = await columns_of(connection, "book", but=("id", "title"))
        made = await connection.execute(
            text(
                f"insert into dogear.book (title, {columns}) "  # noqa: S608 - names of our own columns
                f"select 'Generated copy ' || :number, {columns} from dogear.book where id = :template returning id"
            ),
            {"template": template, "number": str(number)},
        )
        book = BookId(made.scalar_one())
        for table in TABLES:
            changed = {"book_id": ":book"} | ({"file_sha256": "'copy ' || :number"} if table == "source" else {})
            columns = await columns_of(connection, table, but=tuple(changed))
            values = {"book": book, "template": template} | ({"number": str(number)} if table == "source" else {})
            await connection.execute(
                text(
                    f"insert into dogear.{table} ({', '.join(changed)}, {columns}) "  # noqa: S608
                    f"select {', '.join(changed.values())}, {columns} from dogear.{table} where book_id = :template"
                ),
                values,
            )
    return book


async def columns_of(connection: AsyncConnection, table: str, but: Sequence[str]) -> str:
    """The columns of a table but for some, in order, quoted, with commas between."""
    found = await connection.execute(
        text(
            "select quote_ident(column_name) as name from information_schema.columns "
            "where table_schema = 'dogear' and table_name = :table and column_name <> all(:but) "
            "order by ordinal_position"
        ),
        {"table": table, "but": list(but)},
    )
    return ", ".join(found.scalars())


async def _analysed(engine: AsyncEngine) -> None:
    """What autovacuum does within minutes, done now by the embedded server's owner."""
    owner = create_async_engine(engine.url.set(username=_OWNER), isolation_level="AUTOCOMMIT")
    try:
        async with owner.connect() as connection:
            await connection.exec_driver_sql("vacuum (analyze)")
    finally:
        await owner.dispose()
