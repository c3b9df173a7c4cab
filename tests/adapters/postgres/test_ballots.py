"""The real ballots pass the suite that the fake ones pass, and are one club's alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.ballots import PostgresBallots
from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.errors import Unavailable
from tests.ballots_suite import NOW, BallotsSuite, Voting
from tests.databases import Databases, scalar
from tests.fakes.library import Library
from tests.made_books import CLUB

TABLES = ("ballot", "nomination", "vote", "approval")


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


@pytest.fixture
async def voting(databases: Databases, database: str, app: AsyncEngine) -> AsyncIterator[Voting]:
    async with databases.engine(INGEST, database) as ingest:
        library = Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        await library.member("ana")
        yield Voting(PostgresBallots(app, CLUB), library)


class TestPostgresBallots(BallotsSuite):
    """The fixture of the module: an empty club of the real database."""


async def test_another_clubs_round_is_not_there(voting: Voting, app: AsyncEngine) -> None:
    ballot = await voting.nominated("A", "B")
    await voting.vote(ballot, "ana", 1)
    other = await PostgresDirectory(app).club_named("another")
    elsewhere = PostgresBallots(app, other)
    eve = await PostgresRoster(app, other).member_known("eve")
    await PostgresRoster(app, other).join(eve.id)
    assert await elsewhere.ballot() is None
    assert not await elsewhere.ballot_closed(ballot.id, NOW)
    assert not await elsewhere.ballot_until(ballot.id, NOW)
    assert not await elsewhere.ballot_decided(ballot.id, 1)
    assert not await elsewhere.voted(ballot.id, eve.id, [1], NOW)
    assert await elsewhere.nominated(ballot.id, "C", None, eve.id, NOW) is None
    async with ClubConnections(app, other).begun() as connection:
        for table in TABLES:
            assert await scalar(connection, f"select count(*) from dogear.{table}") == 0
    assert (await voting.closed(ballot)).winner == 1


async def test_a_member_of_another_club_has_no_vote_and_nominates_nothing(voting: Voting, app: AsyncEngine) -> None:
    ballot = await voting.nominated("A")
    other = await PostgresDirectory(app).club_named("another")
    eve = await PostgresRoster(app, other).member_known("eve")
    with pytest.raises(Unavailable):
        await voting.ballots.voted(ballot.id, eve.id, [1], NOW)
    with pytest.raises(Unavailable):
        await voting.ballots.nominated(ballot.id, "B", None, eve.id, NOW)


async def test_of_many_that_close_or_open_a_round_at_once_one_does(voting: Voting) -> None:
    ballot = await voting.nominated("A")
    closed = await asyncio.gather(*(voting.ballots.ballot_closed(ballot.id, NOW) for _ in range(4)))
    assert sorted(closed) == [False, False, False, True]
    opened = await asyncio.gather(*(voting.ballots.ballot_opened(NOW) for _ in range(4)))
    assert len({round_.id for round_ in opened}) == 1


async def test_titles_nominated_at_once_get_numbers_of_their_own(voting: Voting) -> None:
    ana = await voting.library.member("ana")
    ballot = await voting.ballots.ballot_opened(NOW)
    made = await asyncio.gather(
        *(voting.ballots.nominated(ballot.id, f"Title {n}", None, ana.id, NOW) for n in range(6))
    )
    assert sorted(n.n for n in made if n) == [1, 2, 3, 4, 5, 6]


async def test_a_club_goes_with_its_rounds(
    voting: Voting, databases: Databases, database: str, app: AsyncEngine
) -> None:
    ballot = await voting.nominated("A")
    await voting.vote(ballot, "ana", 1)
    await voting.closed(ballot)
    await databases.run("delete from dogear.club", database=database)
    async with ClubConnections(app, CLUB).begun() as connection:
        for table in TABLES:
            assert await scalar(connection, f"select count(*) from dogear.{table}") == 0
