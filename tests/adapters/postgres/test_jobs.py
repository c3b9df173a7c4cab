"""Jobs over PostgreSQL: the suite of the port, and what two roles may see of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.club_books import PostgresClubBooks
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.club import BookId
from bot.core.jobs import Taking
from tests.databases import SUPERUSER, Databases, scalar
from tests.jobs_suite import NOW, JobsSuite, Side


@pytest.fixture
async def side(databases: Databases, database: str) -> AsyncIterator[Side]:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        club, other = await shelf.club_named("club"), await shelf.club_named("other")

        async def stored() -> int:
            async with ingest.connect() as connection:
                found = await scalar(connection, "select count(distinct upload_id) from dogear.upload_chunk")
                assert found == await scalar(connection, "select count(*) from dogear.upload")
                assert isinstance(found, int)
                return found

        yield Side(
            shelf, PostgresRoster(app, club), PostgresClubBooks(app, club), PostgresJobs(app, club),
            PostgresJobs(app, other), PostgresJobQueue(ingest), club, stored,
        )  # fmt: skip


class TestPostgresJobs(JobsSuite):
    async def test_many_jobs_are_taken_once_each_by_workers_at_once(self, side: Side) -> None:
        wanted = {await side.upload(bytes([n])) for n in range(20)}

        async def taken(worker: str) -> list[int]:
            mine: list[int] = []
            while (claim := await side.queue.job_claimed(Taking(worker), NOW)) is not None:
                mine.append(claim.job)
            return mine

        took = await asyncio.gather(*(taken(str(n)) for n in range(4)))
        assert sorted(job for mine in took for job in mine) == sorted(wanted)

    async def test_the_same_file_from_several_at_once_is_one_job(self, side: Side) -> None:
        jobs = await asyncio.gather(*(side.upload(b"one book") for _ in range(4)))
        assert len(set(jobs)) == 1
        assert await side.stored() == 1


@pytest.mark.parametrize(
    "column",
    ["upload.name", "upload.sha256", "upload.bytes", "upload_chunk.content", "job.key", "job.worker", "job.model"],
)
async def test_the_answering_role_sees_nothing_of_a_file(
    databases: Databases, database: str, side: Side, column: str
) -> None:
    await side.upload()
    table, _, name = column.partition(".")
    async with databases.engine(APP, database) as engine, engine.connect() as connection:
        await connection.exec_driver_sql(f"select set_config('dogear.club', '{side.club}', false)")
        with pytest.raises(DBAPIError) as refused:
            await connection.exec_driver_sql(f"select {name} from dogear.{table}")
        assert getattr(refused.value.orig, "sqlstate", "") == "42501"


async def test_uploads_and_jobs_of_another_club_are_not_there_for_the_answering_role(
    databases: Databases, database: str, side: Side
) -> None:
    await side.upload()
    async with databases.engine(APP, database) as engine, engine.connect() as connection:
        for club, seen in ((side.club, 1), (side.club + 1, 0)):
            await connection.exec_driver_sql(f"select set_config('dogear.club', '{club}', true)")
            for table in ("job", "upload"):
                assert await scalar(connection, f"select count(id) from dogear.{table}") == seen
        with pytest.raises(DBAPIError):
            await connection.exec_driver_sql(
                f"insert into dogear.upload (club_id, name, received_at) values ({side.club}, 'x', now())"
            )


async def test_a_removed_book_is_nowhere_in_the_database(databases: Databases, database: str, side: Side) -> None:
    book = await side.book_made()
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        columns = (
            await connection.exec_driver_sql(
                "select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid "
                "where c.relnamespace = 'dogear'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 "
                "and (a.attname ~ '(^|_)book(_id)?$' or c.relname = 'book' and a.attname = 'id')"
            )
        ).all()
        assert len(columns) > 12

        async def found() -> set[str]:
            return {
                f"{table}.{column}"
                for table, column in map(tuple, columns)
                if await scalar(connection, f"select count(*) from dogear.{table} where {column} = {book}")
            }

        await _asked_about(connection, book)
        before = await found()
        assert before >= {"book.id", "sentence.book_id", "passage.book_id", "job.book_id", "question.book_id"}
        await connection.commit()
        assert await side.books.book_removed(book)
        assert await found() == set()
        for table in ("citation", "claim", "posting", "spoiled", "passage_vector"):
            assert await scalar(connection, f"select count(*) from dogear.{table}") == 0


async def _asked_about(connection: AsyncConnection, book: BookId) -> None:
    """A question about the book with its answer, where it stands, and who was spoiled by it; and vectors."""
    for statement in (
        "insert into dogear.member (club_id, name, person) values (1, 'ana', 'ana')",
        "insert into dogear.question (club_id, member_id, book_id, said, boundary, audience, status, engine, seconds, "
        f"asked_at) values (1, 1, {book}, 'Who?', 9, '{{1}}', 'answered', 'quotes', 0.1, now())",
        'insert into dogear.citation (club_id, question_id, n, passage, start, "end") values (1, 1, 1, 1, 0, 9)',
        "insert into dogear.claim (club_id, question_id, n, text, citations) values (1, 1, 1, 'He did.', '{1}')",
        "insert into dogear.posting (club_id, question_id, place, message) values (1, 1, 'room', 'm')",
        "insert into dogear.spoiled (club_id, question_id, member_id, said_at) values (1, 1, 1, now())",
        "insert into dogear.passage_vector (book_id, passage, piece, revealed_at, embedding) "
        f"values ({book}, 0, 0, 9, '[1,0]')",
    ):
        await connection.exec_driver_sql(statement)
