"""The real door passes the suite that the fake one passes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from tests.databases import Databases
from tests.doors_suite import Any_, DoorsSuite
from tests.fakes.library import Library
from tests.made_books import CLUB


class TestPostgresDoors(DoorsSuite):
    @pytest.fixture
    async def library(self, databases: Databases, database: str) -> AsyncIterator[Any_]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            yield Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
