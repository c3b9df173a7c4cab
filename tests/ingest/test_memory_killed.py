"""A worker that is killed while a model reads a book: what is done stays done, and is paid for once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.roles import APP, INGEST
from bot.app import utc_now
from bot.core.jobs import JobState
from tests.databases import Databases, scalar
from tests.made_books import CLUB, book_of, chapter, stored
from tests.postgres_servers import temporary_folder

CHAPTERS: Final = 6
STORY: Final = book_of(
    *(
        chapter(n, f"On day {n} the ferry came late to Saltmouth quay. It rained on the mill and on lamp {n}.")
        for n in range(1, CHAPTERS + 1)
    )
)


@contextmanager
def worker(urls: tuple[str, str], home: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ingest.memory_process", *urls, str(home)], cwd=Path(__file__).parents[2]
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def asked(home: Path) -> list[int]:
    """The chapters that the model was asked for, in order."""
    file = home / "asked"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


async def done(ingest: AsyncEngine) -> list[int]:
    async with ingest.connect() as connection:
        rows = await connection.exec_driver_sql("select chapter from dogear.chapter_memory order by chapter")
        return [row[0] for row in rows]


async def test_a_killed_worker_loses_no_chapter_that_was_done_and_none_is_paid_for_twice(
    databases: Databases,
) -> None:
    with temporary_folder() as home:
        async with (
            databases.cloned() as database,
            databases.engine(APP, database) as app,
            databases.engine(INGEST, database) as ingest,
        ):
            urls = tuple(databases.url(role, database).render_as_string(hide_password=False) for role in (APP, INGEST))
            book = await stored(ingest, STORY)
            job = await PostgresJobQueue(ingest).memory_wanted(book, utc_now())
            assert job is not None
            jobs = PostgresJobs(app, CLUB)
            async with asyncio.timeout(120):
                with worker((urls[0], urls[1]), home):  # killed while it is at the third chapter
                    while len(await done(ingest)) < 2 or len(asked(home)) <= 2:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                before, kept = len(asked(home)), await done(ingest)
                assert kept == list(range(1, len(kept) + 1))
                with worker((urls[0], urls[1]), home):
                    while (await jobs.job(job)).state is not JobState.DONE:  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
            assert not set(asked(home)[before:]) & set(kept)
            assert await done(ingest) == list(range(1, CHAPTERS + 1))
            assert len(asked(home)) <= CHAPTERS + 1
            async with ingest.connect() as connection:
                assert await scalar(connection, "select count(*) from dogear.memory_claim") == CHAPTERS
            paid = await scalar_of(app, "select count(*) from dogear.spending where purpose = 'memory'")
            assert CHAPTERS <= paid <= CHAPTERS + 1


async def scalar_of(app: AsyncEngine, statement: str) -> int:
    async with app.connect() as connection:
        await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")
        found = await scalar(connection, statement)
        assert isinstance(found, int)
        return found
