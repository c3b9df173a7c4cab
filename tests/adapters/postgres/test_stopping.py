"""What is answered in another process over the same database is stopped there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import text

from bot.adapters.postgres.roles import APP
from bot.adapters.postgres.stopping import STOP, PostgresStopping
from bot.core.club import ClubId, MemberId
from bot.core.conversation import stop
from bot.core.turns import NotTaken, Turns
from tests.databases import SUPERUSER, Databases
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import in_memory

CLUB, OTHER = ClubId(1), ClubId(2)
ANA, BEN = MemberId(1), MemberId(2)
SECONDS = 60.0


@dataclass
class Process:
    """One process, and what it answers of the club."""

    stopping: PostgresStopping
    turns: Turns = field(default_factory=Turns)

    def answers(self, member: MemberId) -> asyncio.Future[NotTaken | None]:
        """A question of a member that takes for ever."""

        async def work() -> None:
            await asyncio.Event().wait()

        async def told(place: int) -> None:
            del place

        return asyncio.ensure_future(self.turns.taken(member, work, told))


@asynccontextmanager
async def _process(databases: Databases, database: str) -> AsyncIterator[Process]:
    turns = Turns()

    def stop_here(club: ClubId, members: Collection[MemberId]) -> int:
        return turns.stop(*members) if club == CLUB else 0

    async with databases.engine(APP, database) as engine:
        made, ended = Process(PostgresStopping(engine, stop_here), turns), asyncio.Event()
        hearing = asyncio.ensure_future(made.stopping.heard(ended))
        try:
            await asyncio.wait_for(made.stopping.listening.wait(), SECONDS)
            yield made
        finally:
            ended.set()
            await asyncio.wait_for(hearing, SECONDS)


@pytest.fixture
async def pair(databases: Databases, database: str) -> AsyncIterator[tuple[Process, Process]]:
    async with _process(databases, database) as one, _process(databases, database) as other:
        yield one, other


async def test_a_question_that_another_process_answers_is_stopped_by_who_asked_it(
    pair: tuple[Process, Process],
) -> None:
    one, other = pair
    library = in_memory()
    house = house_of(library, FakeClock())
    ana = await library.roster.member_known("ana")
    house = replace(house, turns=one.turns, elsewhere=one.stopping.of(CLUB))
    running, bens = other.answers(ana.id), other.answers(MemberId(ana.id + 1))
    await asyncio.sleep(0)
    assert await stop(house, "ana") == 1
    assert await asyncio.wait_for(running, SECONDS) is NotTaken.STOPPED
    assert not bens.done()
    assert await stop(house, "ana") == 0
    bens.cancel()


async def test_a_question_of_another_club_goes_on(pair: tuple[Process, Process]) -> None:
    one, other = pair
    running = other.answers(ANA)
    await asyncio.sleep(0)
    assert await one.stopping.stopped(OTHER, [ANA], 0.5) == 0
    assert not running.done()
    running.cancel()


@pytest.mark.parametrize(
    "payload", ["", "stop", f"{'0' * 16} 1", f"{'0' * 16} 1 1 ; drop", f"{'g' * 16} 1 1", f"{'0' * 16} 1 1\n"]
)
async def test_what_is_no_request_of_ours_stops_nothing(pair: tuple[Process, Process], payload: str) -> None:
    one, other = pair
    running = other.answers(ANA)
    await asyncio.sleep(0)
    async with one.stopping.engine.begin() as connection:
        await connection.execute(text("select pg_notify(:channel, :payload)"), {"channel": STOP, "payload": payload})
    assert await one.stopping.stopped(CLUB, [BEN], 0.2) == 0  # which comes after it
    assert not running.done()
    running.cancel()


async def test_a_connection_that_is_lost_is_made_again(
    pair: tuple[Process, Process], databases: Databases, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.adapters.postgres.stopping.AGAIN", 0.05)
    one, other = pair
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        listening = "select pid from pg_stat_activity where query like 'LISTEN%' and datname = :name"
        ended = f"select pg_terminate_backend(pid) from ({listening}) as l"
        assert len((await connection.execute(text(ended), {"name": database})).all()) == 2
    running = other.answers(ANA)
    async with asyncio.timeout(SECONDS):
        while not running.done():
            await one.stopping.stopped(CLUB, [ANA], 0)
    assert await asyncio.wait_for(running, SECONDS) is NotTaken.STOPPED
