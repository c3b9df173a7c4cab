"""Workers on other machines: nothing but the logins of one database, over TCP, and a home of their own each."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bot.app import App, opened
from bot.core.club import Role
from bot.core.jobs import JobState
from bot.core.library import upload
from bot.database import upgrade_database
from bot.settings import Settings
from tests.jobs_suite import chunks
from tests.postgres_servers import real_server
from tests.real_databases import real_database

FILES = 6


def silent(_: str) -> None:
    """Tell nobody."""


@contextmanager
def worker(app: App, database_url: str, home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`dogear worker` as another machine has it."""
    environment = {
        **{"PATH": os.environ["PATH"], "DOGEAR_HOME": str(home), "DOGEAR_EMBEDDER": "none"},
        "DATABASE_URL": database_url,
        "DOGEAR_APP_DATABASE_URL": app.app_engine.url.render_as_string(hide_password=False),
        "DOGEAR_INGEST_DATABASE_URL": app.ingest_engine.url.render_as_string(hide_password=False),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "worker"], env=environment, cwd=Path(__file__).parents[1], stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stderr
        process.stderr.close()


async def test_workers_on_other_machines_make_every_book_once(tmp_path: Path) -> None:
    with real_server() as server:
        async with real_database(server) as database:
            values = {"DATABASE_URL": database.superuser_url, "DOGEAR_HOME": str(tmp_path / "here")}
            settings = Settings(_env_file=None, **values)  # type: ignore[arg-type]
            await upgrade_database(settings, silent)
            async with opened(settings, silent) as app:
                house = app.clubhouse(await app.directory.club_named("club"))
                ana = await house.roster.member_known("ana")
                await house.roster.role_given(ana.id, Role.ADMIN)
                ana = await house.roster.member_known("ana")
                for number in range(FILES):
                    story = f"CHAPTER 1\n\nOn day {number} the ferry came to the quay, and nobody stood there. " * 30
                    await upload(house, ana, f"{number}.txt", chunks(story.encode()))
                with ExitStack() as stack:
                    machines = [
                        stack.enter_context(worker(app, database.superuser_url, tmp_path / name))
                        for name in ("one", "two")
                    ]
                    async with asyncio.timeout(90):
                        while not all(job.state.ended for job in await house.jobs.jobs()):  # noqa: ASYNC110
                            await asyncio.sleep(0.1)
                    for machine in machines:
                        machine.terminate()
                    assert [await asyncio.to_thread(machine.wait, 20) for machine in machines] == [0, 0]
                jobs = await house.jobs.jobs()
                assert [job.state for job in jobs] == [JobState.DONE] * FILES
                assert len({job.book for job in jobs}) == len(await house.roster.books()) == FILES
                assert (await house.roster.current_book()) is not None
