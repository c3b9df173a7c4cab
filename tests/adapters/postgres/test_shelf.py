"""The shelf: a book is kept whole and exactly, once a club, and leaves no trace when it is removed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.book import BookText, SectionKind
from bot.core.boundary import boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.errors import Refused
from bot.core.ports import EmbeddingModel
from bot.core.shelf import PieceVector
from bot.ingest.canonical import collapse
from bot.ingest.passages import cut_pieces
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from tests.club_rows import OF_A_BOOK, OF_A_CLUB, filled
from tests.databases import SUPERUSER, Databases
from tests.fakes.embedder import HashEmbedder
from tests.made_books import CLUB, MadeSection, book_of, chapter, matter, stored, stored_index

CANARY = "Zanzibarquondam"

HARD = '\\ " \' { } , NULL {} $$ % :name é \u0301 \u200d 😀 한 — “q” \x00\x01\ufeff\ud800 \\\\ ""{a,b}'
"""What breaks array literals, statements and text columns that are written carelessly."""


@pytest.fixture
async def ingest(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(INGEST, database) as engine:
        yield engine


@pytest.fixture
async def root(databases: Databases, database: str) -> AsyncIterator[AsyncConnection]:
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        yield connection


def hard_book() -> BookText:
    hard = collapse(HARD)
    return book_of(
        matter(SectionKind.ESSAY, f"Introduction {hard}", f"{hard} {CANARY} stands here."),
        chapter(1, f"A {hard} sat.\n\nIt said: {hard}", hard, ((f'Part "{hard}"', 1), ("", 2))),
        chapter(2, "He came in. " * 90 + "Then he left.", "The \\end{x}", (("Part, Two", 2),)),
        matter(SectionKind.NOTES, "", f"{hard}"),
        title=f"{hard} {CANARY}",
    )


PIECES = [*"ab .!?\"“”'\\{},\n\té😀한\u0301\u200d\x00\ufeff", "Mr. ", " said he. "]


@given(proses=st.lists(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), min_size=1, max_size=4))
@settings(max_examples=12)
async def test_the_text_comes_back_exactly(databases: Databases, proses: list[str]) -> None:
    made = book_of(*(chapter(n, collapse(prose) or "x") for n, prose in enumerate(proses, 1)))
    async with databases.cloned() as database, databases.engine(INGEST, database) as engine:
        book = await stored(engine, made)
        shelf = PostgresShelf(engine)
        size = len(made.text)
        assert await shelf.book_text(book, 0, size) == made.text
        for start in {0, 1, size // 3, size // 2, size - 1}:
            for end in {start, start + 1, size // 2, size, size + 9}:
                assert await shelf.book_text(book, start, end) == made.text[start:end]


async def test_every_stretch_of_a_hard_book_comes_back_exactly(ingest: AsyncEngine) -> None:
    made = hard_book()
    book, shelf = await stored(ingest, made), PostgresShelf(ingest)
    near = sorted(
        {at + d for s in made.sections for at in (s.span.start, s.heading_end, s.span.end) for d in (-1, 0, 1)}
    )
    places = [at for at in near if 0 <= at <= len(made.text)]
    for start, end in zip(places, places[3:], strict=False):
        assert await shelf.book_text(book, start, end) == made.text[start:end]
        assert await shelf.book_text(book, start, start) == ""
    assert await shelf.book_text(book, 0, 10**9) == made.text


async def test_sections_and_titles_come_back_as_they_were(ingest: AsyncEngine) -> None:
    made = hard_book()
    book = await stored(ingest, made)
    rows = await PostgresShelf(ingest).book_sections(book)
    assert [(r.ordinal, r.kind, r.chapter, r.printed, r.printed_number, r.title) for r in rows] == [
        (s.ordinal, s.kind.value, s.chapter, s.printed, s.printed_number, s.title) for s in made.sections
    ]
    assert [(r.start, r.end, r.revealed_at, r.title_revealed_at) for r in rows] == [
        (s.span.start, s.span.end, s.revealed_at, s.title_revealed_at) for s in made.sections
    ]
    assert [r.parts for r in rows] == [tuple(p.title for p in s.parts) for s in made.sections]


async def test_the_record_says_what_the_book_is(ingest: AsyncEngine) -> None:
    made = hard_book()
    book = await stored(ingest, made)
    record = await PostgresShelf(ingest).book(book)
    assert (record.title, record.characters, record.body_end) == (made.title, len(made.text), made.body_end)
    assert (record.chapters, record.status, record.embedder) == (2, "searchable", None)
    assert await PostgresShelf(ingest).books(record.club) == (record,)


async def test_titles_with_characters_that_no_database_holds_are_refused_in_a_sentence(ingest: AsyncEngine) -> None:
    shelf, indexed = PostgresShelf(ingest), index_book(book_of(chapter(1, "A cat sat.")))
    club = await shelf.club_named("club")
    for title in ("a\x00b", "a\ud800b"):
        with pytest.raises(Refused) as refused:
            await shelf.store_book(club, indexed, "file", title)
        assert refused.value.code == "unstorable"
    assert await shelf.books() == ()


async def _rows(root: AsyncConnection) -> dict[str, int]:
    """How many rows each table has."""
    tables = await root.exec_driver_sql(
        "select relname from pg_class where relnamespace = 'dogear'::regnamespace and relkind = 'r'"
    )
    counts = {}
    for (table,) in tables.all():
        counts[table] = (await root.exec_driver_sql(f"select count(*) from dogear.{table}")).scalar_one()
    return counts


async def _going_with_a_book(root: AsyncConnection) -> set[str]:
    """The tables whose rows are deleted with a book."""
    tables = await root.exec_driver_sql(
        "with recursive gone (relation) as (select 'dogear.book'::regclass::oid union select conrelid "
        "from pg_constraint join gone on confrelid = relation where contype = 'f' and confdeltype = 'c') "
        "select relname from pg_class join gone on oid = relation"
    )
    return {table for (table,) in tables.all()}


async def _mentions(root: AsyncConnection, word: str) -> set[str]:
    """The tables in which a word stands in any column."""
    tables = await root.exec_driver_sql(
        "select quote_ident(nspname) || '.' || quote_ident(relname) from pg_class c join pg_namespace n "
        "on n.oid = relnamespace where relkind in ('r', 'm', 't') and nspname <> 'pg_toast'"
    )
    found = set()
    for (table,) in tables.all():
        rows = await root.exec_driver_sql(f"select 1 from {table} t where t::text ilike '%%{word}%%' limit 1")
        if rows.first():
            found.add(table)
    return found


async def test_a_removed_book_leaves_no_trace_in_any_table(
    databases: Databases, database: str, ingest: AsyncEngine, root: AsyncConnection
) -> None:
    shelf = PostgresShelf(ingest)
    kept = await stored(ingest, book_of(chapter(1, "A dog sat.")), name="kept")
    async with databases.engine(APP, database) as engine:
        roster = PostgresRoster(engine, CLUB)
        ana = await roster.member_known("ana")
        await filled(databases, database, OF_A_CLUB, CLUB, ana.id, kept)
        before = await _rows(root)
        book = await stored(ingest, hard_book())
        await fill_vectors(shelf, HashEmbedder(), book)
        await roster.switch_book(book)
        await filled(databases, database, OF_A_BOOK, CLUB, ana.id, book)
        assert {"dogear.sentence", "dogear.name", "dogear.book"} <= await _mentions(root, CANARY)
        during = await _rows(root)
        assert await _going_with_a_book(root) - {"page"} == {table for table in before if during[table] > before[table]}
        await shelf.remove_book(book)
        assert await roster.current_book() is None
        assert [b.id for b in await roster.books()] == [kept]
    after = await _rows(root)
    assert after == before
    assert await _mentions(root, CANARY) == set()
    with pytest.raises(Refused):
        await shelf.remove_book(book)


async def test_the_same_file_added_at_the_same_moment_is_one_book(ingest: AsyncEngine, root: AsyncConnection) -> None:
    shelf = PostgresShelf(ingest)
    club, other = await shelf.club_named("club"), await shelf.club_named("other")
    indexed = index_book(hard_book())
    added = await asyncio.gather(
        *(shelf.store_book(club, indexed, "file", f"{n}") for n in range(3)),
        shelf.store_book(other, indexed, "file", "x"),
    )
    assert len({book for book, _ in added[:3]}) == 1
    assert sorted(new for _, new in added[:3]) == [False, False, True]
    assert added[3] not in added[:3]
    assert added[3][1]
    rows = await _rows(root)
    assert (rows["book"], rows["source"], rows["sentence"]) == (2, 2, 2 * len(indexed.sentences))


async def test_a_book_that_cannot_be_written_whole_is_not_written(ingest: AsyncEngine, root: AsyncConnection) -> None:
    shelf, indexed = PostgresShelf(ingest), index_book(hard_book())
    club = await shelf.club_named("club")
    await root.exec_driver_sql("alter table dogear.passage add constraint nothing_fits check (false) not valid")
    await root.commit()
    with pytest.raises(Exception, match="nothing_fits"):
        await shelf.store_book(club, indexed, "file", "title")
    rows = await _rows(root)
    assert (rows["book"], rows["source"], rows["sentence"], rows["title"]) == (0, 0, 0, 0)


async def test_what_is_embedded_is_the_canonical_text_of_each_passage(ingest: AsyncEngine) -> None:
    indexed = index_book(hard_book())
    book, shelf = await stored_index(ingest, indexed), PostgresShelf(ingest)
    waiting = await shelf.passages_unembedded(book, 1000)
    assert [(w.ordinal, w.revealed_at, w.text()) for w in waiting] == [
        (p.cut.ordinal, p.cut.revealed_at, p.cut.span.of(indexed.book.text)) for p in indexed.passages
    ]
    assert [revealed for w in waiting for _, _, revealed in w.sentences] == [
        s.sentence.revealed_at for s in indexed.sentences
    ]
    assert len(waiting) == await shelf.passage_count(book)
    assert await shelf.passages_unembedded(book, 2) == waiting[:2]


class Killed(Exception):
    """The process ends here."""


class MortalShelf(PostgresShelf):
    """A shelf whose process is killed at the third batch."""

    batches = 0

    async def store_vectors(self, book: BookId, model: EmbeddingModel, pieces: Sequence[PieceVector]) -> None:
        self.batches += 1
        if self.batches == 3:
            raise Killed
        await super().store_vectors(book, model, pieces)


async def test_filling_goes_on_where_it_was_stopped(ingest: AsyncEngine) -> None:
    made = book_of(*(chapter(n, f"A cat sat on mat {n}. " * 30 + "Then it slept.") for n in range(1, 41)))
    book, embedder = await stored(ingest, made), HashEmbedder()
    with pytest.raises(Killed):
        await fill_vectors(MortalShelf(ingest), embedder, book)
    shelf = PostgresShelf(ingest)
    left = await shelf.passages_unembedded(book, 1000)
    done = await shelf.passage_count(book) - len(left)
    assert done == 32
    assert left[0].ordinal == done
    assert (await shelf.book(book)).status == "searchable"
    embedder.embedded = 0
    await fill_vectors(shelf, embedder, book)
    assert await shelf.passages_unembedded(book, 1) == ()
    windows = 0
    for passage in left:
        for first, last in cut_pieces([text for _, text, _ in passage.sentences]):
            windows += len(embedder.windows(passage.text(first, last)))
    assert embedder.embedded == windows
    assert (await shelf.book(book)).status == "ready"


async def test_two_commands_that_fill_one_book_at_once_both_end_well(
    ingest: AsyncEngine, root: AsyncConnection
) -> None:
    made = book_of(*(chapter(n, f"A cat sat on mat {n}. " * 30 + "Then it slept.") for n in range(1, 30)))
    book = await stored(ingest, made)
    await asyncio.gather(*(fill_vectors(PostgresShelf(ingest), HashEmbedder(), book) for _ in range(2)))
    assert (await PostgresShelf(ingest).book(book)).status == "ready"


async def test_vectors_of_another_model_are_dropped_and_never_mixed(
    databases: Databases, database: str, ingest: AsyncEngine
) -> None:
    made = book_of(*(chapter(n, f"A cat sat on mat {n}. " * 30 + "Then it slept.") for n in range(1, 5)))
    book, first = await stored(ingest, made), PostgresShelf(ingest)
    await fill_vectors(first, HashEmbedder(), book)
    second, wider = PostgresShelf(ingest), HashEmbedder(dimension=512)
    await second.begin_embedding(book, wider.model)
    record = await second.book(book)
    assert (record.embedder, record.status) == (wider.model, "searchable")
    assert len(await second.passages_unembedded(book, 1000)) == await second.passage_count(book)
    with pytest.raises(Refused) as refused:
        await first.store_vectors(
            book, HashEmbedder().model, [PieceVector(0, 0, 10, HashEmbedder().embed_question("late"))]
        )
    assert refused.value.code == "other_model"
    await first.book_ready(book, HashEmbedder().model)
    assert (await second.book(book)).status == "searchable"
    await fill_vectors(second, wider, book)
    ana = MemberId(1)
    boundary = boundary_for(book, private_to(ana), {ana: made.body_end})
    async with databases.engine(APP, database) as app, PostgresDoors(app, CLUB).opened() as door:
        nearest = await door.passages_nearest(boundary, wider.embed_question("A cat"))
        assert len(nearest.ordinals) == await second.passage_count(book)
        assert np.all(np.abs(nearest.values) <= 1.001)


async def test_the_same_model_keeps_the_vectors_that_are_there(ingest: AsyncEngine) -> None:
    book, shelf = await stored(ingest, book_of(chapter(1, "A cat sat."))), PostgresShelf(ingest)
    await fill_vectors(shelf, HashEmbedder(), book)
    await PostgresShelf(ingest).begin_embedding(book, HashEmbedder().model)
    assert await shelf.passages_unembedded(book, 1) == ()
    assert (await shelf.book(book)).status == "ready"


async def test_another_shelf_may_go_on_with_a_book_that_was_begun(ingest: AsyncEngine) -> None:
    book, model = await stored(ingest, book_of(chapter(1, "A cat sat."))), HashEmbedder().model
    await PostgresShelf(ingest).begin_embedding(book, model)
    shelf = PostgresShelf(ingest)
    vectors = [PieceVector(0, 0, 10, HashEmbedder().embed_question("A cat sat."))]
    await shelf.store_vectors(book, model, vectors)
    await shelf.book_ready(book, model)
    assert (await shelf.book(book)).status == "ready"


async def test_a_book_without_all_its_vectors_is_not_ready(ingest: AsyncEngine) -> None:
    book, shelf = await stored(ingest, hard_book()), PostgresShelf(ingest)
    await shelf.begin_embedding(book, HashEmbedder().model)
    await shelf.book_ready(book, HashEmbedder().model)
    assert (await shelf.book(book)).status == "searchable"


async def test_filling_a_book_that_is_removed_meanwhile_is_refused(ingest: AsyncEngine) -> None:
    book, shelf = await stored(ingest, hard_book()), PostgresShelf(ingest)
    await shelf.begin_embedding(book, HashEmbedder().model)
    await shelf.remove_book(book)
    vector = PieceVector(0, 0, 10, HashEmbedder().embed_question("late"))
    for refused in (
        shelf.store_vectors(book, HashEmbedder().model, [vector]),
        shelf.book_ready(book, HashEmbedder().model),
        shelf.begin_embedding(book, EmbeddingModel("x", 4, "y")),
    ):
        with pytest.raises(Refused) as error:
            await refused
        assert error.value.code == "unknown_book"


async def test_a_club_never_hears_of_the_books_of_another(ingest: AsyncEngine) -> None:
    shelf = PostgresShelf(ingest)
    book = await stored(ingest, hard_book(), club="one", name="file")
    assert (await shelf.book_of_file(await shelf.club_named("one"), "file")) == await shelf.book(book)
    assert await shelf.book_of_file(await shelf.club_named("two"), "file") is None
    assert await shelf.books(await shelf.club_named("two")) == ()


def test_the_hard_text_still_has_what_is_hard_about_it() -> None:
    section = MadeSection(SectionKind.BODY, "x", collapse(HARD))
    assert {'"', "\\", "{", "}", ",", "%", ":"} <= set(section.prose)
    assert not {"\x00", "\ud800"} & set(section.prose)
