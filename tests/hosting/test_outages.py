"""The database restarted, full, or migrated by another Dogear under one that runs: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.app import App, opened
from bot.core.club import Role
from bot.core.errors import Unavailable
from bot.core.library import upload
from bot.database import upgrade_database
from bot.settings import Settings
from tests.jobs_suite import chunks
from tests.made_books import book_of, chapter, stored
from tests.postgres_servers import RealServer, real_server
from tests.real_databases import RealDatabase, real_database
from tests.test_leak_channels import EXISTING

ROOT = Path(__file__).parents[2]
BEFORE = sorted(path.name[:4] for path in (ROOT / "migrations" / "versions").glob("[0-9]*.py"))[-2]
"""The migration before the last one."""
STORY = "CHAPTER 1\n\nThe ferry came to the quay, and nobody stood there. " * 30


ROWS = [row for row in (ROOT / "docs" / "hosting.md").read_text("utf-8").splitlines() if "`test_" in row]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:40])
def test_every_outage_that_is_promised_something_names_tests_that_exist(row: str) -> None:
    assert set(re.findall(r"`(test_\w+)`", row)) <= EXISTING


def test_every_kind_of_outage_is_promised_something() -> None:
    told = " ".join(row.split("|")[1] for row in ROWS)
    for kind in ("database", "slow", "restarted", "disk", "memory", "clock", "Discord", "Telegram", "model", "SIGTERM"):
        assert kind in told


def silent(_: str) -> None:
    """Tell nobody."""


def settings_for(database: RealDatabase, home: Path) -> Settings:
    values = {"DATABASE_URL": database.superuser_url, "DOGEAR_HOME": str(home), "DOGEAR_EMBEDDER": "none"}
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server() as running:
        yield running


@pytest.fixture
async def database(server: RealServer, tmp_path: Path) -> AsyncIterator[RealDatabase]:
    async with real_database(server) as made:
        await upgrade_database(settings_for(made, tmp_path), silent)
        yield made


async def answers(app: App) -> bool:
    try:
        return await app.database_answers()
    except Unavailable:
        return False


async def test_a_database_that_is_restarted_is_missed_and_used_again(database: RealDatabase, tmp_path: Path) -> None:
    async with opened(settings_for(database, tmp_path), silent) as app:
        await stored(app.ingest_engine, book_of(chapter(1, "A cat sat."), chapter(2, "It fell.")))
        club = await app.directory.club_named("club")
        roster = app.roster(club)
        ana = await roster.member_known("ana")
        await roster.role_given(ana.id, Role.ADMIN)  # acknowledged
        await asyncio.to_thread(database.server.pg_ctl, "stop")
        assert not await answers(app)
        with pytest.raises(Unavailable) as said:
            await roster.member_known("ana")
        assert said.value.message.endswith("see `dogear doctor`.")
        await asyncio.to_thread(database.server.pg_ctl, "start")
        assert await answers(app)
        assert (await roster.member_known("ana")).admin
        await asyncio.to_thread(database.server.pg_ctl, "restart")  # now the pool is full of dead connections
        seen = [await roster.member_known("ana") for _ in range(3)]
        assert all(member.admin for member in seen)


async def test_an_upload_for_which_the_disk_has_no_room_is_refused_whole_and_works_once_there_is(
    database: RealDatabase, tmp_path: Path
) -> None:
    await database.run(
        "create function full_disk() returns trigger language plpgsql as "
        "$$ begin raise exception using errcode = '53100', message = 'could not extend file'; end $$",
        "create trigger full_disk before insert on dogear.upload_chunk for each row execute function full_disk()",
    )
    async with opened(settings_for(database, tmp_path), silent) as app:
        house = app.clubhouse(await app.directory.club_named("club"))
        ana = await house.roster.member_known("ana")
        await house.roster.role_given(ana.id, Role.ADMIN)
        ana = await house.roster.member_known("ana")
        with pytest.raises(Unavailable, match="The database's disk is full"):
            await upload(house, ana, "a.txt", chunks(STORY.encode()))
        assert not await house.jobs.jobs()
        await database.run("drop trigger full_disk on dogear.upload_chunk")
        await upload(house, ana, "a.txt", chunks(STORY.encode()))
        assert len(await house.jobs.jobs()) == 1


@pytest.mark.parametrize(
    ("moved", "sentence"),
    [
        (
            "update dogear.schema_version set version_num = '9999'",
            "or install a newer Dogear.",
        ),
        (f"update dogear.schema_version set version_num = '{BEFORE}'", "run `dogear db upgrade`."),
    ],
)
async def test_a_process_beside_which_the_database_is_migrated_ends_with_what_to_do(
    database: RealDatabase, tmp_path: Path, moved: str, sentence: str
) -> None:
    environment = {
        **{"PATH": os.environ["PATH"], "DOGEAR_HOME": str(tmp_path), "DOGEAR_EMBEDDER": "none"},
        **{"DATABASE_URL": database.superuser_url, "DOGEAR_HEALTH": "off"},
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "worker", env=environment, cwd=Path(__file__).parents[2], stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    async with asyncio.timeout(90):
        while b"event=started" not in await process.stderr.readline():
            pass
        await database.run(moved)
        said = (await process.stderr.read()).decode()
        assert await process.wait() == 5
    assert said.strip().endswith(sentence)
    assert "Traceback" not in said
