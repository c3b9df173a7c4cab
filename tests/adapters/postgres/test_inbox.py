"""What came is kept in the database until it is begun."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.inbox import PostgresInbox
from bot.adapters.postgres.roles import APP
from bot.core.inbox import Inbox
from tests.databases import SUPERUSER, Databases
from tests.inbox_suite import NOW, UNTIL, InboxSuite


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


class TestPostgresInbox(InboxSuite):
    @pytest.fixture
    def inbox(self, app: AsyncEngine) -> Inbox:
        return PostgresInbox(app)


async def test_nothing_of_what_was_said_is_left_once_it_is_begun(
    app: AsyncEngine, databases: Databases, database: str
) -> None:
    inbox = PostgresInbox(app)
    await inbox.came("one:1", "what somebody wrote", NOW)
    await inbox.begun("one:1", UNTIL, NOW)
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        assert (await connection.execute(text("select count(*) from dogear.inbox"))).scalar_one() == 0
