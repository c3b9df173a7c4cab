"""Who leads is known by sessions of the database: one that ends, however it ends, leads nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import engine_for
from bot.adapters.postgres.leading import PostgresLeading
from bot.adapters.postgres.roles import APP
from bot.core.leading import Leading
from tests.adapters.racing_process import START
from tests.databases import Databases
from tests.fakes.library import LANTERN
from tests.leading_suite import LeadingSuite
from tests.noninterference.world import world_of


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


@pytest.fixture
async def apart(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


class TestPostgresLeading(LeadingSuite):
    @pytest.fixture
    def leading(self, app: AsyncEngine) -> Leading:
        return PostgresLeading(app)

    @pytest.fixture
    def another(self, apart: AsyncEngine) -> Leading:
        return PostgresLeading(apart)


async def test_who_has_lost_its_session_knows_that_it_leads_no_more(app: AsyncEngine, apart: AsyncEngine) -> None:
    async with PostgresLeading(app).led("one") as mine:
        assert mine is not None
        async with apart.begin() as connection:
            await connection.execute(
                text("select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory'")
            )
        assert not await mine.holds()
        async with PostgresLeading(apart).led("one") as theirs:
            assert theirs is not None
    async with PostgresLeading(app).led("one") as again:
        assert again is not None


async def test_a_session_whose_machine_is_gone_is_ended_within_seconds(databases: Databases, database: str) -> None:
    engine = engine_for(databases.url(APP, database), "dogear")
    async with engine.connect() as connection:
        asked = "select setting from pg_settings where name like 'tcp_keepalives_%' and reset_val <> '0'"
        set_to = (await connection.execute(text(asked))).scalars().all()
    await engine.dispose()
    assert len(set_to) == 3


async def started(url: str, hangs: str = "") -> asyncio.subprocess.Process:
    command = (sys.executable, "-m", "tests.adapters.leading_process", url, hangs)
    return await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[3])


async def line_of(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode().strip()


@pytest.mark.parametrize(("hangs", "posted"), [("prepare", True), ("send", False)])
async def test_what_a_process_had_to_do_that_was_killed_is_done_within_half_a_minute_and_never_twice(
    databases: Databases, hangs: str, posted: bool
) -> None:
    async with world_of(databases, LANTERN, None) as world:
        house = world.club.desk.house
        await house.roster.switch_book(world.book)
        await house.rooms.room_added("room", "Room")
        member = await house.roster.member_known("ana")
        await house.roster.join(member.id, START)
        url = databases.url(APP, world.app.url.database or "").render_as_string(hide_password=False)
        first = await started(url, hangs)
        assert await line_of(first) == f"hangs {hangs}"
        second = await started(url)
        try:
            assert [await line_of(second) for _ in range(2)] == ["worked", "worked"]  # while the first lives
            first.kill()
            async with asyncio.timeout(30):
                await first.wait()
                said = [await line_of(second) for _ in range(2)]
            assert (said[0] == "weekly:room:2026-49") is posted
            assert said[posted] == "worked"
        finally:
            second.kill()
            await second.communicate()
