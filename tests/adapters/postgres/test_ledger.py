"""The real ledger passes the suite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.ledger import Press
from bot.core.roster import Posted
from tests.databases import SUPERUSER, Databases
from tests.fakes.library import Library
from tests.ledger_suite import CITED, NOW, ROOM, KeptBooks, LedgerSuite, asked
from tests.made_books import CLUB


class TestPostgresLedger(LedgerSuite):
    @pytest.fixture
    async def kept(self, databases: Databases, database: str) -> AsyncIterator[KeptBooks]:
        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            shelf = PostgresShelf(ingest)
            await shelf.club_named("club")
            other = await shelf.club_named("other")
            library = Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
            yield KeptBooks(library, PostgresLedger(app, CLUB), PostgresLedger(app, other))


@pytest.mark.parametrize("gone", ["book", "member", "club"])
async def test_no_row_is_left_of_what_was_asked(databases: Databases, database: str, gone: str) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        kept = KeptBooks(Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB)),
                         PostgresLedger(app, CLUB), PostgresLedger(app, CLUB))  # fmt: skip
        ana, ben, book = await kept.opened()
        number = await kept.ledger.asked(replace(asked(ana, book), citations=CITED))
        await kept.ledger.posted(number, Posted(ROOM, "m1"))
        await kept.ledger.spoiled(number, ben.id, NOW)
        await kept.ledger.pressed(number, ben.id, Press.SHARE, NOW)
        await kept.ledger.judged(number, ben.id, True, NOW)
        if gone == "book":
            await shelf.remove_book(book)
        elif gone == "member":
            await kept.library.roster.forget(ana.id)
        else:
            await databases.run("delete from dogear.club", database=database)
        async with databases.engine(SUPERUSER, database) as root, root.connect() as connection:
            for table in ("question", "citation", "posting", "spoiled", "press", "verdict"):
                count = await connection.exec_driver_sql(f"select count(*) from dogear.{table}")
                assert count.scalar_one() == 0, table
