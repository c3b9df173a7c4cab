"""The real roster passes the suite that the fake one passes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from tests.databases import Databases
from tests.doors_suite import Any_
from tests.fakes.library import Library
from tests.made_books import CLUB
from tests.roster_suite import RosterSuite


class TestPostgresRoster(RosterSuite):
    @pytest.fixture
    async def library(self, databases: Databases, database: str) -> AsyncIterator[Any_]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            shelf = PostgresShelf(ingest)
            await shelf.club_named("club")
            yield Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
