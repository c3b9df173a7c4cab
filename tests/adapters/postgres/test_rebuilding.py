"""Changing kept books in the database: the suite, equal rows, schedules and rooms, and readers meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.rebuilding import PostgresRebuilding
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.book import PageMark
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.core.ports import Door, PositionRecord
from bot.core.remarking import NotStory, Story, StoryEnds
from bot.core.shelf import PieceVector
from bot.ingest.rebuild import mark_book
from bot.ingest.rebuild import rebuilt as rebuilt_book
from bot.ingest.replace import carrying, replace_book
from bot.ingest.worker import fill_vectors
from tests.databases import SUPERUSER, Databases
from tests.doors_suite import at
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, Library, end_of
from tests.made_books import CLUB, stored
from tests.noninterference.twins import make_twins
from tests.rebuilding_suite import TALE, RebuildingSuite, Rebuilt

SEALED = ("section", "title", "sentence", "passage", "passage_vector", "name", "page")


class TestPostgresRebuilding(RebuildingSuite):
    @pytest.fixture
    async def rebuilt(self, place: Place) -> Rebuilt:
        return place.rebuilt


class Place:
    """A database with both roles of the runtime, and its superuser."""

    def __init__(self, app: AsyncEngine, ingest: AsyncEngine, root: AsyncEngine) -> None:
        self.app, self.ingest, self.root = app, ingest, root
        library = Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        self.rebuilt = Rebuilt(library, PostgresRebuilding(ingest))

    async def rows(self, book: BookId) -> dict[str, list[str]]:
        """Everything that is stored of a book's text, without its number and what it was read as."""
        found = {}
        async with self.root.connect() as connection:
            for table in SEALED:
                rows = await connection.execute(
                    text(
                        "select (to_jsonb(t) - 'book_id' - 'read_kind' - 'read_chapter' - 'marker')::text as row "
                        f"from dogear.{table} t where book_id = :book order by 1"
                    ),
                    {"book": book},
                )
                found[table] = [row.row for row in rows]
        return found

    async def all(self, statement: str) -> list[tuple[object, ...]]:
        async with self.root.connect() as connection:
            return [tuple(row) for row in await connection.execute(text(statement))]


@pytest.fixture
async def place(databases: Databases, database: str) -> AsyncIterator[Place]:
    async with (
        databases.engine(APP, database) as app,
        databases.engine(INGEST, database) as ingest,
        databases.engine(SUPERUSER, database) as root,
    ):
        yield Place(app, ingest, root)


async def test_a_book_that_was_marked_is_stored_as_if_it_had_been_read_so(place: Place) -> None:
    pair = make_twins(seed=3, chapters=4, parts=True, size=2600, share=0.5, snap=0)
    paged = replace(pair.first, pages=(PageMark("ix", 40), PageMark("12", 900)))
    shelf, rebuilding = place.rebuilt.library.shelf, place.rebuilt.rebuilding
    book = await place.rebuilt.library.add(paged, HashEmbedder())
    for mark in (Story(1, 1), NotStory(4, 4), StoryEnds(6), Story(7, 8)):
        await mark_book(rebuilding, book, mark)
        await fill_vectors(shelf, HashEmbedder(), book)
        kept = await rebuilding.book_kept(book)
        as_read, _ = rebuilt_book(kept, kept.marked)
        fresh = await stored(place.ingest, as_read.book, name=f"{mark}")
        await fill_vectors(shelf, HashEmbedder(), fresh)
        assert await place.rows(book) == await place.rows(fresh)
        marked, new = await shelf.book(book), await shelf.book(fresh)
        assert (marked.body_start, marked.body_end, marked.chapters, marked.status) == (
            new.body_start,
            new.body_end,
            new.chapters,
            new.status,
        )


async def test_who_reads_meanwhile_sees_the_old_book_or_the_new_one(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    book = await library.add(TALE, HashEmbedder())
    await library.place("ana", book, TALE.body_end)

    async def everything(door: Door) -> list[object]:
        ana = await library.member("ana")
        positions = await door.positions_latest(book, [ana.id])
        boundary = at(book, positions[ana.id])
        record, read = await door.book(book), await door.passages_read(boundary, range(99))
        return [record, positions, await door.chapter_map(book), await door.titles_met(boundary), read]

    async with library.doors.opened() as door:
        before = await everything(door)
        await mark_book(rebuilding, book, Story(1, 1))
        assert await everything(door) == before
    async with library.doors.opened() as door:
        after = await everything(door)
    assert all(one != other for one, other in zip(before, after, strict=True))


async def test_at_every_moment_of_a_change_a_reader_sees_one_book(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    book = await library.add(TALE)
    seen = set()
    done = asyncio.Event()

    async def read() -> None:
        while not done.is_set():
            async with library.doors.opened() as door:
                record = await door.book(book)
                await asyncio.sleep(0.002)
                chapter_map = await door.chapter_map(book)
                admitted = await door.passages_admitted(at(book, record.body_end))
            assert chapter_map.version == record.map_version
            assert max(admitted.chapters) == len(chapter_map.chapters) == record.chapters
            seen.add(record.map_version)

    reading = asyncio.ensure_future(read())
    for turn in range(6):
        await mark_book(rebuilding, book, NotStory(3, 3) if turn % 2 == 0 else Story(3, 3))
    done.set()
    await reading
    assert len(seen) > 2


async def test_a_place_said_while_the_map_changes_is_lowered_or_refused(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    book, ana = await library.add(TALE), await library.member("ana")
    for turn in range(8):
        async with library.doors.opened() as door:
            version = (await door.chapter_map(book)).version
        finished = PositionRecord(ana.id, book, end_of(TALE, 4), "finished", "f", "f", map_version=version)
        mark = Story(1, 1) if turn % 2 == 0 else NotStory(1, 1)
        both: tuple[object, object] = await asyncio.gather(
            library.roster.position_appended(finished), mark_book(rebuilding, book, mark), return_exceptions=True
        )
        said, marked = both
        assert not isinstance(marked, BaseException)
        assert said is None or (isinstance(said, Refused) and said.code == "map_changed")
        if turn % 2 == 0:
            assert await place.rebuilt.place("ana", book) in {0, None}


async def test_the_schedule_goes_with_its_chapters(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    book, ana = await library.add(TALE), await library.member("ana")
    due = (
        f"insert into dogear.milestone (club_id, book_id, chapter, due, set_by, set_at) "
        f"select {CLUB}, {book}, n, date '2031-01-01' + n, {ana.id}, now() from generate_series(1, 4) n"
    )
    async with place.root.begin() as connection:
        await connection.execute(text(due))
    await mark_book(rebuilding, book, NotStory(3, 3))
    milestones = "select chapter, (due - date '2031-01-01')::int from dogear.milestone order by chapter"
    assert await place.all(milestones) == [(1, 1), (2, 3), (3, 4)]
    await mark_book(rebuilding, book, Story(1, 1))
    assert await place.all(milestones) == [(2, 1), (3, 3), (4, 4)]


async def test_rooms_calibrations_and_private_books_go_with_a_replaced_book(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    old, ana = await library.add(TALE), await library.member("ana")
    await library.place("ana", old, end_of(TALE, 3))
    new = await library.add(replace(TALE, title="Again"), file="again")
    async with place.root.begin() as connection:
        for statement in (
            f"insert into dogear.room (club_id, key, name, book_id, limit_offset, limit_book) "
            f"values ({CLUB}, 'one', 'One', {old}, {end_of(TALE, 2)}, {old}), ({CLUB}, 'two', 'Two', null, null, null)",
            f"update dogear.member set dm_book = {old}",
            f'insert into dogear.page_calibration (club_id, member_id, book_id, page, "offset", said_at) '
            f"values ({CLUB}, {ana.id}, {old}, 40, {end_of(TALE, 1)}, now())",
            f"insert into dogear.milestone (club_id, book_id, chapter, due, set_at) "
            f"values ({CLUB}, {old}, 2, '2031-01-01', now())",
        ):
            await connection.execute(text(statement))
    await replace_book(rebuilding, old, new)
    assert await place.all("select key, book_id, limit_offset, limit_book from dogear.room order by key") == [
        ("one", new, end_of(TALE, 2), new),
        ("two", None, None, None),
    ]
    assert await place.all("select distinct dm_book from dogear.member") == [(new,)]
    assert await place.all('select book_id, page, "offset" from dogear.page_calibration') == [
        (new, 40, end_of(TALE, 1))
    ]
    assert await place.all("select book_id, chapter from dogear.milestone") == [(new, 2)]
    assert await place.all("select id from dogear.book") == [(new,)]


async def test_a_book_of_another_club_replaces_nothing(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    old = await library.add(TALE)
    theirs = await stored(place.ingest, LANTERN, club="other")
    before, after = await rebuilding.book_kept(old), await rebuilding.book_kept(theirs)
    with pytest.raises(Refused) as refused:
        await rebuilding.book_replaced(before, after, carrying(before, after))
    assert refused.value.code == "map_changed"
    assert len(await place.all("select id from dogear.book")) == 2


async def test_a_replacement_that_fails_leaves_everything_as_it_was(place: Place) -> None:
    library, rebuilding = place.rebuilt.library, place.rebuilt.rebuilding
    old = await library.add(TALE)
    await library.place("ana", old, end_of(TALE, 3))
    new = await library.add(replace(TALE, title="Again"), file="again")
    async with place.root.begin() as connection:
        await connection.execute(text("alter table dogear.position add constraint none_fits check (kind <> 'map')"))
    with pytest.raises(Exception, match="none_fits"):
        await replace_book(rebuilding, old, new)
    assert await place.rebuilt.place("ana", old) == end_of(TALE, 3)
    assert [b.id for b in await library.roster.books()] == [old, new]


@pytest.mark.parametrize("mark", [Story(1, 1), Story(6, 6), NotStory(3, 3)])
async def test_vectors_of_what_was_read_before_the_change_are_not_kept(place: Place, mark: Story | NotStory) -> None:
    shelf, embedder = place.rebuilt.library.shelf, HashEmbedder()
    book = await place.rebuilt.library.add(TALE)
    await shelf.begin_embedding(book, embedder.model)
    before = await shelf.passages_unembedded(book, 99)
    await mark_book(place.rebuilt.rebuilding, book, mark)
    after = {waiting.ordinal: waiting.revealed_at for waiting in await shelf.passages_unembedded(book, 99)}
    changed = {waiting.ordinal for waiting in before if after[waiting.ordinal] != waiting.revealed_at}
    vector = embedder.embed_question("late")
    await shelf.store_vectors(book, embedder.model, [PieceVector(w.ordinal, 0, w.revealed_at, vector) for w in before])
    assert changed
    assert {waiting.ordinal for waiting in await shelf.passages_unembedded(book, 99)} == changed
