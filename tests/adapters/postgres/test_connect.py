"""What becomes of the driver's errors: one sentence, and nothing of a statement, a value or a book in it."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres import connect
from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import engine_for, translated
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoor, PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.server import connected, parse_database_url
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.boundary import boundary_for
from bot.core.club import BookId, MemberId, private_to
from bot.core.errors import DogearError, Refused, Unavailable
from bot.ingest.pipeline import index_book
from tests.databases import Databases, scalar
from tests.made_books import CLUB, book_of, chapter, stored
from tests.postgres_servers import real_server

CANARY = "Zanzibarquondam"
MADE = book_of(chapter(1, f"A cat called {CANARY} sat."), chapter(2, f"{CANARY} slept."))


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    engine = engine_for(databases.url(APP, database), "test", pool_size=1)
    yield engine
    await engine.dispose()


@pytest.fixture
async def ingest(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    engine = engine_for(databases.url(INGEST, database), "test", pool_size=2)
    yield engine
    await engine.dispose()


def nothing_told(error: DogearError) -> None:
    """The sentence is one, and a printed trace holds no statement and no text."""
    shown = "".join(traceback.format_exception(error))
    for secret in (CANARY, "[SQL", "parameters", "DETAIL"):
        assert secret not in shown
    assert str(error).endswith(".")
    assert len(str(error)) < 160


async def end_connections(databases: Databases, database: str) -> None:
    """End the backends of all connections to the database; returns when they have gone, and the driver has heard so."""
    ended = f"select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '{database}'"
    await databases.run(ended)


async def test_a_connection_lost_in_mid_transaction_is_unavailable(
    databases: Databases, database: str, app: AsyncEngine, ingest: AsyncEngine
) -> None:
    book = await stored(ingest, MADE)
    with pytest.raises(Unavailable) as lost:
        async with PostgresDoors(app, CLUB).opened() as door:
            await door.chapter_map(book)
            await end_connections(databases, database)
            await door.chapter_map(book)
    assert lost.value.code == "database_unavailable"
    nothing_told(lost.value)
    async with PostgresDoors(app, CLUB).opened() as door:  # the pool makes another
        assert len((await door.chapter_map(book)).chapters) == 2


async def test_a_pool_recovers_from_connections_that_ended_while_they_were_idle(
    databases: Databases, database: str, app: AsyncEngine
) -> None:
    directory = PostgresDirectory(app)
    await directory.club_named("club")
    await end_connections(databases, database)
    assert await directory.club_named("club")


async def test_a_connection_opens_a_club_for_one_transaction_and_the_next_has_none(app: AsyncEngine) -> None:
    opened = "select current_setting('dogear.club', true)"
    club = ClubConnections(app, CLUB)  # the engine has one connection
    async with club.begun() as connection:
        assert await scalar(connection, opened) == str(CLUB)
    async with PostgresDoors(app, CLUB).opened():  # nothing is asked: nothing begins
        pass
    async with app.begin() as connection:
        assert not await scalar(connection, opened)
        with pytest.raises(DBAPIError):
            await connection.execute(text("select * from dogear.member"))


async def test_a_server_that_stops_is_unavailable_in_a_sentence() -> None:
    with real_server() as server:
        engine = engine_for(parse_database_url(server.url()), "test", pool_size=1)
        directory = PostgresDirectory(engine)
        with pytest.raises(Unavailable) as bare:
            await directory.club_named("club")
        assert bare.value.code == "not_migrated"
    with pytest.raises(Unavailable) as stopped:
        await directory.club_named("club")
    assert stopped.value.code == "database_unavailable"
    nothing_told(stopped.value)
    await engine.dispose()


@pytest.mark.parametrize("by", ["server", "driver"])
async def test_a_statement_that_takes_too_long_is_unavailable_in_a_sentence(
    databases: Databases, database: str, by: str
) -> None:
    engine = engine_for(databases.url(APP, database), "test", pool_size=1)
    with pytest.raises(Unavailable) as slow, translated():
        async with engine.connect() as connection:
            if by == "server":
                await connection.exec_driver_sql("set local statement_timeout = 50")
                await connection.execute(text("select pg_sleep(5), :said"), {"said": CANARY})
            else:
                async with asyncio.timeout(0.05):
                    await connection.execute(text("select pg_sleep(5), :said"), {"said": CANARY})
    assert slow.value.code == "database_slow"
    nothing_told(slow.value)
    await engine.dispose()


async def test_all_connections_in_use_is_unavailable_in_a_sentence(databases: Databases, database: str) -> None:
    engine = engine_for(databases.url(APP, database), "test", pool_size=1)
    engine.pool._timeout = 0.05  # type: ignore[attr-defined]
    async with engine.connect(), engine.connect():
        with pytest.raises(Unavailable) as busy:
            await PostgresDirectory(engine).club_named("club")
    assert busy.value.code == "database_busy"
    nothing_told(busy.value)
    await engine.dispose()


async def test_a_refused_row_is_told_without_the_row(databases: Databases, database: str, ingest: AsyncEngine) -> None:
    book = await stored(ingest, MADE)
    with pytest.raises(Unavailable) as refused, translated():
        async with ingest.begin() as connection:
            insert = "insert into dogear.name (book_id, name, revealed_at) values (:book, :name, 0)"
            await connection.execute(text(insert), {"book": book, "name": CANARY})
    assert refused.value.code == "database_fault"
    assert "name_pkey" in str(refused.value)
    nothing_told(refused.value)
    await databases.run("alter table dogear.title add check (title = '') not valid", database=database)
    with pytest.raises(Unavailable) as whole:
        await PostgresShelf(ingest).store_book(
            (await PostgresShelf(ingest).book(book)).club, index_book(MADE), "other file", CANARY
        )
    nothing_told(whole.value)


async def test_a_wrong_password_or_database_is_unavailable_in_a_sentence(databases: Databases) -> None:
    engine = engine_for(databases.url(APP, "no_such_database"), "test")
    with pytest.raises(Unavailable) as missing:
        await PostgresDirectory(engine).club_named("club")
    assert missing.value.code == "database_unavailable"
    await engine.dispose()


async def test_an_error_of_the_caller_inside_an_open_door_stays_what_it_is(app: AsyncEngine) -> None:
    with pytest.raises(FileNotFoundError):
        async with PostgresDoors(app, CLUB).opened():
            raise FileNotFoundError("something of the caller's")


async def test_nothing_of_a_book_is_logged_however_much_is_asked_for(
    databases: Databases, database: str, ingest: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    app = engine_for(databases.url(APP, database), "test")  # made while everything is logged
    shelf = PostgresShelf(engine_for(databases.url(INGEST, database), "test"))
    book = await stored(shelf._engine, MADE)
    ana = MemberId(1)
    boundary = boundary_for(book, private_to(ana), {ana: MADE.body_end})
    async with PostgresDoors(app, CLUB).opened() as door:
        read = await door.passages_read(boundary, [0, 1])
    assert CANARY in "".join(passage.text for passage in read)
    assert CANARY in await shelf.book_text(book, 0, 100)
    assert CANARY not in caplog.text
    assert "select" not in caplog.text.lower()
    await app.dispose()
    await shelf._engine.dispose()


async def test_settings_of_a_transaction_go_with_it_on_the_embedded_servers_pool(
    app: AsyncEngine, ingest: AsyncEngine
) -> None:
    book = await stored(ingest, MADE)
    ana = MemberId(1)
    for offset in (20, MADE.body_end, 20):
        async with PostgresDoors(app, CLUB).opened() as door:
            await door.titles_met(boundary_for(book, private_to(ana), {ana: offset}))
            assert isinstance(door, PostgresDoor)
            assert await scalar(door._connection, "show transaction_read_only") == "on"
            assert await scalar(door._connection, "show transaction_isolation") == "repeatable read"
    async with app.connect() as connection:
        assert await scalar(connection, "show transaction_read_only") == "off"
        assert await scalar(connection, "show transaction_isolation") == "read committed"
        assert not await scalar(connection, "select current_setting('dogear.boundary', true)")


async def test_a_book_that_no_one_has_is_told_without_a_trace_of_the_driver(app: AsyncEngine) -> None:
    for number in (2**62, 2**70, -1):
        with pytest.raises(Refused) as refused:
            async with PostgresDoors(app, CLUB).opened() as door:
                await door.book(BookId(number))
        nothing_told(refused.value)


async def test_however_many_hold_a_door_each_gets_the_second_connection_that_it_wants(
    databases: Databases, database: str
) -> None:
    engine = engine_for(databases.url(APP, database), "test", pool_size=3)
    club = await PostgresDirectory(engine).club_named("club")
    doors, roster = PostgresDoors(engine, club), PostgresRoster(engine, club)

    async def looks() -> int:
        async with doors.opened() as door:
            return len(await door.members()) + len(await roster.members())

    async with asyncio.timeout(40):  # less than anybody waits for a connection
        assert await asyncio.gather(*(looks() for _ in range(40))) == [0] * 40
    await engine.dispose()


async def test_a_pool_of_which_nothing_is_given_back_is_told_in_a_sentence(
    databases: Databases, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "POOL_SECONDS", 0.2)
    engine = engine_for(databases.url(APP, database), "test", pool_size=1)
    async with engine.connect(), engine.connect():
        with pytest.raises(Unavailable, match="All connections to the database are in use"):
            async with connected(engine):
                pass
    await engine.dispose()
