"""The real door passes the suite that the fake one passes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from tests.databases import Databases
from tests.doors_suite import Any_, DoorsSuite
from tests.fakes.library import LANTERN, Library
from tests.made_books import CLUB


class TestPostgresDoors(DoorsSuite):
    @pytest.fixture
    async def library(self, databases: Databases, database: str) -> AsyncIterator[Any_]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            yield Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))


async def test_a_room_that_is_foreseen_is_told_with_its_book_and_its_limit(databases: Databases, database: str) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        library = Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        book, ana, rooms = await library.add(LANTERN), await library.member("ana"), PostgresRooms(app, CLUB)
        room = await rooms.room_added("room", "Room")
        await rooms.room_reads(room.id, book)
        async with library.doors.opened() as door:
            apart = await door.member(ana.id), await door.room("room"), await door.book(book)
        async with library.doors.opened() as door:
            await door.foreseen(ana.id, "room", book)
            together = await door.member(ana.id), await door.room("room"), await door.book(book)
    assert together == apart
    assert together[1] is not None and together[1].book == book
