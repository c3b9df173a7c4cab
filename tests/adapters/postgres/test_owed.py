"""The replies that are owed are kept in the database, where nobody reads them but by the functions for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.owed import PostgresOwed
from bot.adapters.postgres.roles import APP
from bot.core.owed import Owed
from tests.databases import Databases
from tests.owed_suite import OwedSuite, reply


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


class TestPostgresOwed(OwedSuite):
    @pytest.fixture
    def owed(self, app: AsyncEngine) -> Owed:
        return PostgresOwed(app)


async def test_the_answering_role_reads_no_token_but_through_the_function(app: AsyncEngine) -> None:
    await PostgresOwed(app).reply_owed(reply("a"))
    async with app.connect() as connection:
        with pytest.raises(DBAPIError):
            await connection.execute(text("select token from dogear.owed_reply"))


def test_a_token_is_shown_in_no_log() -> None:
    assert "token of a" not in repr(reply("a"))
