"""The real rooms pass the suite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from tests.databases import SUPERUSER, Databases
from tests.fakes.library import Library
from tests.made_books import CLUB
from tests.rooms_suite import Kept, RoomsSuite


class TestPostgresRooms(RoomsSuite):
    @pytest.fixture
    async def kept(self, databases: Databases, database: str) -> AsyncIterator[Kept]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            shelf = PostgresShelf(ingest)
            await shelf.club_named("club")
            other = await shelf.club_named("other")
            library = Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
            yield Kept(library, PostgresRooms(app, CLUB), PostgresRooms(app, other))


async def test_who_changed_a_setting_and_when_is_kept(databases: Databases, database: str) -> None:
    now = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        await PostgresShelf(ingest).club_named("club")
        ana = await PostgresRoster(app, CLUB).member_known("ana")
        await PostgresRooms(app, CLUB).setting_changed("names", "on", ana.id, now)
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        rows = await connection.exec_driver_sql("select changed_by, changed_at from dogear.setting")
        assert [tuple(row) for row in rows] == [(ana.id, now)]
