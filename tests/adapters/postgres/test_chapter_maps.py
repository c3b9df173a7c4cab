"""The real chapter maps pass the suite, and the one function that shows more than was read stays shut by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy.exc import DBAPIError

from bot.adapters.postgres.chapter_maps import PostgresChapterMaps
from bot.adapters.postgres.connect import sqlstate
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.errors import Refused
from tests.chapter_maps_suite import NOW, ChapterMapsSuite, Kept
from tests.databases import SUPERUSER, Databases
from tests.fakes.library import LANTERN, Library
from tests.made_books import CLUB


class TestPostgresChapterMaps(ChapterMapsSuite):
    @pytest.fixture
    async def kept(self, databases: Databases, database: str) -> AsyncIterator[Kept]:
        async def minutes_pass() -> None:
            later = "update dogear.section_consent set written_at = written_at - interval '6 minutes'"
            await databases.run(later, database=database)

        async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
            library = Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
            yield Kept(library, PostgresChapterMaps(app, CLUB), minutes_pass)


async def test_the_consent_of_another_club_shows_nothing(databases: Databases, database: str) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        library = Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        book, ana = await library.add(LANTERN), await library.member("ana")
        consent = await PostgresChapterMaps(app, CLUB).consented(ana.id, book, 4, NOW)
        other = PostgresChapterMaps(app, await shelf.club_named("other"))
        with pytest.raises(Refused) as refused:
            await other.section_shown(consent)
        assert refused.value.code == "no_consent"
        assert await other.section_map(book) == ()


async def test_after_a_section_was_shown_no_boundary_is_left_open(databases: Databases, database: str) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        library = Library(PostgresShelf(ingest), PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        book, ana = await library.add(LANTERN), await library.member("ana")
        consent = await PostgresChapterMaps(app, CLUB).consented(ana.id, book, 4, NOW)
        unbounded = (
            "create function dogear.opens_nothing_v1(_book bigint) returns setof int language sql volatile strict "
            "security definer set search_path = dogear, pg_temp as $$ select s.revealed_at from sentence s $$",
            "alter function dogear.opens_nothing_v1(bigint) owner to dogear_guard",
        )
        await databases.run(*unbounded, database=database)
        async with app.connect() as connection:
            await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")
            rows = await connection.exec_driver_sql(f"select words from dogear.section_shown_v1({consent})")
            assert "confessed" in rows.scalar_one()
            with pytest.raises(DBAPIError) as refused:
                await connection.exec_driver_sql(f"select dogear.opens_nothing_v1({book})")
            assert sqlstate(refused.value) in {"22P02", "42704"}


async def test_a_consent_cannot_be_given_for_a_book_or_member_of_another_club(
    databases: Databases, database: str
) -> None:
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        library = Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        book, ana = await library.add(LANTERN), await library.member("ana")
        other = await shelf.club_named("other")
        with pytest.raises(Exception, match="23503"):
            await PostgresChapterMaps(app, other).consented(ana.id, book, 4, NOW)
        async with databases.engine(SUPERUSER, database) as root, root.connect() as connection:
            rows = await connection.exec_driver_sql("select count(*) from dogear.section_consent")
            assert rows.scalar_one() == 0
