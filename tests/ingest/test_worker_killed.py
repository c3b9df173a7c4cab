"""A worker that is killed at any moment: in the end there is one book, whole, and nothing else is left."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.club import ClubId
from bot.core.jobs import Job, JobState, Received
from tests.conftest import STRESS
from tests.databases import Databases, scalar
from tests.jobs_suite import NOW, chunks
from tests.postgres_servers import temporary_folder

SEEDS = range(4 if STRESS == 1 else 20)

STORY = "\n\n\n".join(
    f"CHAPTER {number}\n\n"
    + "\n\n".join(
        " ".join(f"On day {number}.{day} the ferry came, and Ana Wren waited for it with lamp {day * line}."
                 for line in range(12))
        for day in range(16)
    )
    for number in range(1, 9)
)  # fmt: skip

TABLES = ("section", "title", "sentence", "passage", "passage_vector", "name", "page")


@dataclass
class Bench:
    """One club in a database of its own, and where its worker keeps files."""

    engine: AsyncEngine
    jobs: PostgresJobs
    club: ClubId
    url: str
    home: Path

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.ingest.worker_process", self.url, str(self.home)],
            cwd=Path(__file__).parents[2],
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    async def ended(self) -> tuple[Job, ...]:
        """The club's jobs, when both have ended."""
        async with asyncio.timeout(60):
            while True:
                jobs = await self.jobs.jobs()
                if len(jobs) == 2 and all(job.state.ended for job in jobs):
                    return jobs
                await asyncio.sleep(0.02)

    async def everything(self) -> dict[str, list[str]]:
        """All that is kept of the one book, without its number."""
        kept = {}
        async with self.engine.connect() as connection:
            for table in TABLES:
                rows = await connection.exec_driver_sql(f"select (to_jsonb(t) - 'book_id')::text from dogear.{table} t")
                kept[table] = sorted(row[0] for row in rows)
            rows = await connection.exec_driver_sql(
                "select (to_jsonb(b) - array['id', 'created_at'])::text from dogear.book b"
            )
            kept["book"] = [row[0] for row in rows]
            rows = await connection.exec_driver_sql("select (to_jsonb(s) - 'book_id')::text from dogear.source s")
            kept["source"] = [row[0] for row in rows]
        return kept


@asynccontextmanager
async def bench(databases: Databases) -> AsyncIterator[Bench]:
    with temporary_folder() as home:
        async with (
            databases.cloned() as database,
            databases.engine(APP, database) as app,
            databases.engine(INGEST, database) as ingest,
        ):
            club = await PostgresShelf(ingest).club_named("club")
            url = databases.url(INGEST, database).render_as_string(hide_password=False)
            yield Bench(ingest, PostgresJobs(app, club), club, url, home)


async def uploaded(made: Bench) -> None:
    await made.jobs.upload_received(Received("a.txt", None, chunks(STORY.encode())), NOW)


@pytest.fixture(scope="module")
def undisturbed(databases: Databases) -> tuple[dict[str, list[str]], float]:
    """What an ingest that nobody disturbs leaves, and how many seconds it takes."""

    async def run() -> tuple[dict[str, list[str]], float]:
        async with bench(databases) as made:
            await uploaded(made)
            began = time.monotonic()
            with made.worker():
                await made.ended()
                return await made.everything(), time.monotonic() - began

    return asyncio.run(run())


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_killed_ingest_ends_in_one_whole_book_and_leaves_nothing(
    databases: Databases, undisturbed: tuple[dict[str, list[str]], float], seed: int
) -> None:
    whole, seconds = undisturbed
    rng = random.Random(seed)
    async with bench(databases) as made:
        await uploaded(made)
        for _ in range(rng.randint(1, 2)):
            with made.worker() as process, suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(process.wait, rng.uniform(0.0, seconds))
        with made.worker():
            jobs = await made.ended()
        assert [job.state for job in jobs] == [JobState.DONE, JobState.DONE]
        assert await made.everything() == whole
        async with made.engine.connect() as connection:
            for table in ("upload", "upload_chunk"):
                assert await scalar(connection, f"select count(*) from dogear.{table}") == 0
        with made.worker() as process:  # what the killed ones left on disk goes when the next begins
            async with asyncio.timeout(20):
                while len(folders(made.home)) != 1:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            (folder,) = folders(made.home)
            assert [path.name for path in folder.iterdir()] == ["owned.lock"]


def folders(home: Path) -> list[Path]:
    return [path for path in home.iterdir() if path.is_dir()]


def test_the_undisturbed_ingest_is_of_the_whole_story(undisturbed: tuple[dict[str, list[str]], float]) -> None:
    kept, _ = undisturbed
    assert len(kept["book"]) == len(kept["source"]) == 1
    assert '"status": "ready"' in kept["book"][0]
    assert len(kept["passage_vector"]) >= len(kept["passage"]) > 60
    assert len(kept["sentence"]) >= 8 * 16 * 12
