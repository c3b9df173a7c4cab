"""What was done once is remembered in the database; a chat that goes on under another key takes its rooms along."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.once import PostgresOnce
from bot.adapters.postgres.roles import APP
from bot.adapters.postgres.rooms import PostgresRooms
from bot.core.once import Once
from tests.databases import Databases
from tests.once_suite import OnceSuite


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(APP, database) as engine:
        yield engine


class TestPostgresOnce(OnceSuite):
    @pytest.fixture
    def once(self, app: AsyncEngine) -> Once:
        return PostgresOnce(app)


async def test_a_chat_that_moves_takes_its_club_and_its_rooms_along_and_nothing_else(app: AsyncEngine) -> None:
    directory = PostgresDirectory(app)
    club, other = [await directory.club_named("club", server) for server in ("telegram:-5", "telegram:-55")]
    for house, key in ((club, "telegram:-5"), (club, "telegram:-5/7"), (other, "telegram:-55")):
        await PostgresRooms(app, house).room_added(key, "room")
    assert await directory.server_moved("telegram:-5", "telegram:-1005") == 2
    assert await directory.club_named("club", "telegram:-1005") == club
    assert [await directory.club_of_room(k) for k in ("telegram:-1005", "telegram:-1005/7")] == [club, club]
    assert [await directory.club_of_room(k) for k in ("telegram:-5", "telegram:-55")] == [None, other]
    assert await directory.server_moved("telegram:-5", "telegram:-1005") == 0
