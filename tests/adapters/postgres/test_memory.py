"""What is remembered is sealed as text is: the answering role gets it through the door alone, up to the boundary."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import OPENED
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.rebuilding import PostgresRebuilding
from bot.adapters.postgres.roles import APP, INGEST
from bot.core.boundary import boundary_for
from bot.core.club import BookId, ClubId, MemberId, private_to
from bot.core.jobs import JobKind, JobState, Made, Received, Taking
from bot.core.memory import BookMemory, ChapterMemory, Kept, Remembered
from bot.core.offsets import Span
from bot.core.rebuilding import Carried
from bot.ingest.pipeline import index_book
from tests.databases import Databases, scalar
from tests.jobs_suite import chunks
from tests.made_books import CLUB, book_of, chapter, stored

NOW: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOOK: Final = book_of(chapter(1, "A cat sat on the mat."), chapter(2, "The cat was Ana."), chapter(3, "It slept."))
REMEMBERS: Final = Taking("one", None, frozenset({JobKind.REMEMBER}))
READER: Final = MemberId(1)


def remembered(ordinal: int) -> ChapterMemory:
    span = BOOK.chapters[ordinal - 1].span
    claims = (
        Remembered(ordinal, f"It was {ordinal}.", ordinal - 1, Span(span.start, span.start + 9), span.end),
        Remembered(ordinal, "The cat was Ana.", 1, Span(span.start, span.start + 7), span.end, "the cat", "Ana"),
    )
    return ChapterMemory(ordinal, 0, span.end, claims)


@dataclass
class Kit:
    """One book, of which two chapters of three are remembered."""

    app: AsyncEngine
    ingest: AsyncEngine
    book: BookId

    async def read(self, offset: int, club: ClubId = CLUB) -> BookMemory:
        async with PostgresDoors(self.app, club).opened() as door:
            return await door.memory_read(boundary_for(self.book, private_to(READER), {READER: offset}))

    async def job_state(self) -> JobState:
        (job,) = [job for job in await PostgresJobs(self.app, CLUB).jobs() if job.kind is JobKind.REMEMBER]
        return job.state


@pytest.fixture
async def kit(databases: Databases, database: str) -> AsyncIterator[Kit]:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        made = Kit(app, ingest, await stored(ingest, BOOK))
        queue = PostgresJobQueue(ingest)
        await queue.memory_wanted(made.book, NOW)
        for ordinal in (1, 2):
            claim = await queue.job_claimed(REMEMBERS, NOW)
            assert claim is not None
            await queue.chapter_stored(claim, Kept(remembered(ordinal), NOW, 3))
        yield made


async def test_what_is_remembered_comes_through_the_door_up_to_the_boundary(kit: Kit) -> None:
    ends = [c.span.end for c in BOOK.chapters]
    assert await kit.read(ends[0] - 1) == BookMemory()
    assert await kit.read(ends[0]) == BookMemory(frozenset({1}), remembered(1).claims)
    both = BookMemory(frozenset({1, 2}), (*remembered(1).claims, *remembered(2).claims))
    assert await kit.read(ends[1]) == await kit.read(ends[2]) == both


async def test_the_answering_role_reads_no_memory_but_through_the_door(kit: Kit) -> None:
    for table in ("chapter_memory", "memory_claim"):
        async with kit.app.connect() as connection:
            await connection.execute(OPENED, {"club": CLUB})
            with pytest.raises(DBAPIError) as refused:
                await connection.exec_driver_sql(f"select count(*) from dogear.{table}")
            assert getattr(refused.value.orig, "sqlstate", "") == "42501"


async def test_what_is_remembered_of_another_map_is_not_there(kit: Kit) -> None:
    async with kit.ingest.begin() as connection:
        await connection.exec_driver_sql("update dogear.book set map_version = 1")
    assert await kit.read(BOOK.body_end) == BookMemory()


async def test_a_book_whose_map_is_changed_is_remembered_anew(kit: Kit) -> None:
    rebuilding = PostgresRebuilding(kit.ingest)
    kept = await rebuilding.book_kept(kit.book)
    await rebuilding.book_rebuilt(kept, index_book(BOOK), lambda at: Carried(at, "x", "x", NOW))
    assert await kit.read(BOOK.body_end) == BookMemory()
    async with kit.ingest.connect() as connection:
        assert await scalar(connection, "select count(*) from dogear.memory_claim") == 0
    assert await kit.job_state() is JobState.QUEUED


async def test_a_file_that_takes_a_books_place_is_remembered_as_that_was(kit: Kit) -> None:
    other = await stored(kit.ingest, book_of(chapter(1, "A dog sat."), chapter(2, "It slept.")), name="other")
    rebuilding = PostgresRebuilding(kit.ingest)
    old, new = await rebuilding.book_kept(kit.book), await rebuilding.book_kept(other)
    await rebuilding.book_replaced(old, new, lambda at: Carried(0, "x", "x", NOW))
    claim = await PostgresJobQueue(kit.ingest).job_claimed(REMEMBERS, datetime.now(UTC))
    assert claim is not None
    assert claim.book == other
    async with kit.ingest.connect() as connection:
        assert await scalar(connection, "select count(*) from dogear.chapter_memory") == 0


@pytest.mark.parametrize(("value", "jobs"), [("always", 1), ("ask", 0), ("never", 0), (None, 0)])
async def test_a_club_that_wants_every_book_remembered_gets_a_job_with_each(
    databases: Databases, database: str, value: str | None, jobs: int
) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        await stored(ingest, book_of(chapter(1, "Another.")), name="first")
        if value is not None:
            await databases.run(
                f"insert into dogear.setting (club_id, name, value) values ({CLUB}, 'memory', '{value}')",
                database=database,
            )
        club, queue = PostgresJobs(app, CLUB), PostgresJobQueue(ingest)
        await club.upload_received(Received("a.txt", None, chunks(b"a book")), NOW)
        claim = await queue.job_claimed(Taking("one"), NOW)
        assert claim is not None
        await queue.book_stored(claim, index_book(BOOK), "A Book", Made(memories=True), NOW)
        assert sum(job.kind is JobKind.REMEMBER for job in await club.jobs()) == jobs
