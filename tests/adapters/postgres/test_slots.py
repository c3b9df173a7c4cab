"""The slots of a host are locks of sessions: one that ends, however it ends, holds none."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.models.at_once import AtOnce
from bot.adapters.postgres import slots as module
from bot.adapters.postgres.roles import APP
from bot.adapters.postgres.slots import PostgresSlots
from bot.core.club import ClubId
from tests.databases import Databases
from tests.slots_suite import MOST, SlotsSuite

CLUB = ClubId(1)
LOCKS = (
    "from pg_locks where locktype = 'advisory'"
    " and database = (select oid from pg_database where datname = current_database())"
)


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


@pytest.fixture
async def apart(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


@pytest.fixture
async def slots(app: AsyncEngine) -> AsyncIterator[PostgresSlots]:
    made = PostgresSlots(app, MOST)
    yield made
    await made.close()


@pytest.fixture
async def another(apart: AsyncEngine) -> AsyncIterator[PostgresSlots]:
    made = PostgresSlots(apart, MOST)
    yield made
    await made.close()


class TestPostgresSlots(SlotsSuite):
    pass


async def until(done: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await done():  # noqa: ASYNC110 - the database is looked at from outside
            await asyncio.sleep(0.01)


async def ended(engine: AsyncEngine) -> None:
    """End every session that holds a slot, or waits for one."""
    async with engine.begin() as connection:
        await connection.execute(text(f"select pg_terminate_backend(pid, 10000) {LOCKS}"))


async def test_a_session_that_ends_frees_what_it_held(slots: PostgresSlots, another: PostgresSlots) -> None:
    assert None not in [await slots.taken(long=False) for _ in range(MOST)]
    await ended(another.engine)
    assert None not in [await another.taken(long=False) for _ in range(MOST)]


async def test_after_a_session_was_lost_nothing_begins_that_cannot_be_locked(
    slots: PostgresSlots, another: PostgresSlots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "AGAIN", 0.0)
    mine = [await slots.taken(long=False) for _ in range(2)]
    await ended(another.engine)
    assert await slots.taken(long=False) is None
    assert "event=model.slots_lost out=2 error=database_unavailable" in caplog.text
    assert await slots.taken(long=False) == 2
    assert await another.taken(long=False) is None, "what was out is locked again"
    for slot in mine:
        assert slot is not None
        await slots.left(slot)
    assert await another.taken(long=False) == 0


async def test_a_slot_that_another_took_meanwhile_stays_the_others(
    slots: PostgresSlots, another: PostgresSlots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN", 0.0)
    assert await slots.taken(long=False) == 0
    await ended(another.engine)
    assert await another.taken(long=False) == 0
    assert await slots.taken(long=False) is None
    assert [await slots.taken(long=False) for _ in range(3)] == [1, 2, None]
    await slots.left(0)
    assert await slots.taken(long=False) is None, "it was not ours to free"
    await another.left(0)
    assert await slots.taken(long=False) == 0


async def test_requests_go_on_once_the_database_is_back_and_none_waits_for_ever(
    slots: PostgresSlots, another: PostgresSlots, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    places = AtOnce(MOST, slots)
    async with asyncio.timeout(60):
        async with places.place(CLUB, long=True):
            await ended(another.engine)
            async with places.place(CLUB, long=False):
                assert "slots_lost" in caplog.text
        async with places.place(CLUB, long=True):
            pass
    await places.close()


async def test_who_stops_waiting_leaves_nothing_and_the_connection_is_given_back(
    slots: PostgresSlots, another: PostgresSlots
) -> None:
    assert None not in [await another.taken(long=False) for _ in range(MOST)]

    async def locks() -> int:
        async with another.engine.connect() as connection:
            return int((await connection.execute(text(f"select count(*) {LOCKS}"))).scalar_one())

    async def one_waits() -> bool:
        return await locks() == MOST + 1

    async def nobody_waits() -> bool:
        return await locks() == MOST and slots.engine.pool.checkedout() == 0  # type: ignore[attr-defined]

    places = AtOnce(MOST, slots)
    waiting = asyncio.ensure_future(places.place(CLUB, long=False).__aenter__())
    await until(one_waits)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await until(nobody_waits)
    await places.close()
