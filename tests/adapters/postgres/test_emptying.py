"""A club that is emptied keeps one book as it came, and nothing else; other clubs keep what they have."""

from __future__ import annotations

from sqlalchemy import text

from bot.adapters.postgres.emptying import club_emptied
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.club import ClubId
from tests.club_rows import OF_A_CLUB, filled
from tests.databases import SUPERUSER, Databases
from tests.made_books import book_of, chapter, stored


async def rows(databases: Databases, database: str, club: ClubId) -> dict[str, int]:
    """How many rows each table has of a club, past all policies; tables without any are left out."""
    tables = (
        "select c.table_name from information_schema.columns c join information_schema.tables t using (table_name) "
        "where c.table_schema = 'dogear' and c.column_name = 'club_id' and t.table_type = 'BASE TABLE'"
    )
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        counted = {}
        for (table,) in (await connection.execute(text(tables))).all():
            count = text(f"select count(*) from dogear.{table} where club_id = :club")
            counted[table] = (await connection.execute(count, {"club": club})).scalar_one()
    return {table: count for table, count in counted.items() if count}


MONEY = {"spending": 1, "club_spent": 1}
"""What was paid for stays paid."""


async def test_an_emptied_club_keeps_one_book_as_it_came_and_nothing_else(databases: Databases, database: str) -> None:
    text_of = book_of(chapter(1, "A cat sat on the mat."), chapter(2, "It slept."))
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        clubs = {name: await shelf.club_named(name) for name in ("club", "another")}
        books = {name: await stored(ingest, text_of, name) for name in clubs}
        for name, club in clubs.items():
            member = await PostgresRoster(app, club).member_known("you")
            await filled(databases, database, OF_A_CLUB, club, member.id, books[name])
        await stored(ingest, text_of, "club", "other file")
        await databases.run("update dogear.book set finished_at = now(), map_confirmed_at = now()", database=database)
        before = await rows(databases, database, clubs["another"])
        assert OF_A_CLUB.keys() - {"member"} <= before.keys()
        await club_emptied(app, ingest, clubs["club"], books["club"])
        assert await rows(databases, database, clubs["club"]) == {"book": 1, "source": 1} | MONEY
        assert await rows(databases, database, clubs["another"]) == before
        roster = PostgresRoster(app, clubs["club"])
        (kept,) = await roster.books()
        assert kept == await roster.current_book()
        assert (kept.id, kept.finished) == (books["club"], False)
        assert len(await shelf.book_sections(kept.id)) == len(text_of.sections)
