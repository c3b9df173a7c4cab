"""The real books pass the suite, and outlive the person whose question it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.spending import PostgresSpending
from tests.databases import Databases
from tests.fakes.library import Library
from tests.ledger_suite import KeptBooks, asked
from tests.made_books import CLUB
from tests.spending_suite import LATER, NOW, Books, SpendingSuite, entry, settlement


class TestPostgresSpending(SpendingSuite):
    @pytest.fixture
    async def books(self, databases: Databases, database: str) -> AsyncIterator[Books]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            shelf = PostgresShelf(ingest)
            await shelf.club_named("club")
            other = await shelf.club_named("other")
            yield Books(PostgresSpending(app, CLUB), PostgresSpending(app, other))


async def _questions(app: AsyncEngine) -> list[int | None]:
    rows = await ClubConnections(app, CLUB).run("select question_id from dogear.spending order by id")
    return [row.question_id for row in rows]


async def test_who_is_forgotten_leaves_the_sums_without_the_question(databases: Databases, database: str) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        ledger, roster = PostgresLedger(app, CLUB), PostgresRoster(app, CLUB)
        library = Library(PostgresShelf(ingest), roster, PostgresDoors(app, CLUB))
        ana, _, book = await KeptBooks(library, ledger, ledger).opened()
        spending = PostgresSpending(app, CLUB)
        question = await ledger.asked(asked(ana, book))
        made = await entry(spending)
        await spending.settled(made, settlement("0.5"))
        await spending.charged_to(question, [made])
        assert await _questions(app) == [question]
        before = await spending.spent(NOW, LATER)
        await roster.forget(ana.id)
        assert await _questions(app) == [None]
        assert await spending.spent(NOW, LATER) == before


async def test_what_is_reserved_by_many_clubs_at_once_is_settled_without_a_deadlock(
    databases: Databases, database: str
) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        clubs = [CLUB, await shelf.club_named("other"), await shelf.club_named("third")]

        async def one(number: int) -> None:
            spending = PostgresSpending(app, clubs[number % 3])
            await spending.settled(await entry(spending), settlement("0.25"))

        await asyncio.gather(*(one(number) for number in range(30)))
        assert (await PostgresSpending(app, CLUB).counted(NOW)).host_month == 30 * settlement("0.25").charged
