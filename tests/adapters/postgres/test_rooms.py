"""The real rooms pass the suite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.timetable import PostgresTimetable
from bot.core.schedule import Milestone
from tests.databases import SUPERUSER, Databases
from tests.fakes.library import LANTERN, Library
from tests.made_books import CLUB
from tests.rooms_suite import OTHER_BOOK, Kept, RoomsSuite


class TestPostgresRooms(RoomsSuite):
    @pytest.fixture
    async def kept(self, databases: Databases, database: str) -> AsyncIterator[Kept]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            shelf = PostgresShelf(ingest)
            await shelf.club_named("club")
            other = await shelf.club_named("other")
            library = Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
            yield Kept(library, PostgresRooms(app, CLUB), PostgresRooms(app, other))

    async def test_a_daily_round_looks_at_every_book_that_is_read(
        self, kept: Kept, databases: Databases, database: str
    ) -> None:
        roster, ben = kept.library.roster, await kept.library.place("ben", await kept.library.add(LANTERN), 10)

        async def wanted(now: datetime, silent: int = 21) -> bool:
            async with kept.library.doors.opened() as door:
                since = now - timedelta(days=silent), now - timedelta(days=1)
                return bool(await door.round_wanted(now, *since, (now.date(), now.date() + timedelta(days=2))))

        now = datetime.now(UTC) + timedelta(days=2)
        assert not await wanted(now)
        room = await kept.rooms.room_added("a", "lounge")
        own = await kept.library.add(OTHER_BOOK, file="other")
        await kept.rooms.room_reads(room.id, own)
        assert await wanted(now)
        await roster.asked_where(ben.id, [own], now)
        assert not await wanted(now)
        await roster.set_aside(ben.id, now)
        assert await wanted(now, silent=1)  # their place in the other book counts
        await roster.reminded(ben.id, True)
        assert not await wanted(now)
        async with databases.engine(APP, database) as app:
            await PostgresTimetable(app, CLUB).schedule_set(own, [Milestone(1, now.date())], ben.id, now)
        assert await wanted(now)


async def test_who_changed_a_setting_and_when_is_kept(databases: Databases, database: str) -> None:
    now = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        await PostgresShelf(ingest).club_named("club")
        ana = await PostgresRoster(app, CLUB).member_known("ana")
        await PostgresRooms(app, CLUB).setting_changed("names", "on", ana.id, now)
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        rows = await connection.exec_driver_sql("select changed_by, changed_at from dogear.setting")
        assert [tuple(row) for row in rows] == [(ana.id, now)]
