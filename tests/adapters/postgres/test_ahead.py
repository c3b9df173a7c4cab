"""Looking ahead passes the suite, and what it opens is shut for everything else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.ahead import PostgresAhead
from bot.adapters.postgres.connect import sqlstate
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.core.ahead import LookAhead, Step
from tests.ahead_suite import AheadSuite, Looking
from tests.databases import Databases
from tests.fakes.library import LANTERN, Library, end_of
from tests.made_books import CLUB

FORGETFUL = (
    "create function dogear.forgets_its_where_v1(_book bigint, _boundary int) returns setof int language plpgsql "
    "volatile strict security definer set search_path = dogear, pg_temp as $$ begin "
    "perform boundary_opened_v1(_book, _boundary); "
    "return query select s.revealed_at from sentence s union all select p.revealed_at from passage p "
    "union all select v.revealed_at from passage_vector v union all select t.revealed_at from title t "
    "union all select n.revealed_at from name n; end $$",
    "alter function dogear.forgets_its_where_v1(bigint, int) owner to dogear_guard",
)


@asynccontextmanager
async def looking(databases: Databases, database: str) -> AsyncIterator[tuple[Looking, AsyncEngine]]:
    async def minutes_pass() -> None:
        await databases.run(
            "update dogear.look_ahead set written_at = written_at - interval '6 minutes'", database=database
        )

    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf = PostgresShelf(ingest)
        await shelf.club_named("club")
        other = await shelf.club_named("other")
        library = Library(shelf, PostgresRoster(app, CLUB), PostgresDoors(app, CLUB))
        kept = Looking(
            library, PostgresLedger(app, CLUB), PostgresAhead(app, CLUB), PostgresAhead(app, other), minutes_pass
        )
        yield kept, app


class TestPostgresAhead(AheadSuite):
    @pytest.fixture
    async def kept(self, databases: Databases, database: str) -> AsyncIterator[Looking]:
        async with looking(databases, database) as (kept, _):
            yield kept


async def in_second_step(kept: Looking) -> LookAhead:
    """A member who has read one chapter chose the second step; the first is done."""
    ana = await kept.reader("ana", 1)
    question = await kept.asked(ana)
    await kept.used(await kept.choice(ana, question))
    return await kept.choice(ana, question, Step.ANSWER)


async def reached(connection: AsyncConnection, book: int, boundary: int) -> int:
    """The furthest that a function reaches which forgets its condition."""
    rows = await connection.exec_driver_sql(f"select max(r) from dogear.forgets_its_where_v1({book}, {boundary}) r")
    return int(rows.scalar_one())


async def test_what_was_looked_ahead_at_is_open_for_no_other_function(databases: Databases, database: str) -> None:
    await databases.run(*FORGETFUL, database=database)
    async with looking(databases, database) as (kept, app):
        look, read_to = await in_second_step(kept), end_of(LANTERN, 1)
        run = f"{look.run}, {look.member}, {look.question}"
        async with app.connect() as connection:
            await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")
            await connection.exec_driver_sql(f"select * from dogear.looked_ahead_v1({run}, '{{}}', '{{}}')")
            rows = await connection.exec_driver_sql(f"select text from dogear.read_ahead_v1({run}, '{{1,2,3}}')")
            assert "confessed" in str(rows.all())
            assert await reached(connection, kept.book, read_to) == read_to
            with pytest.raises(DBAPIError) as refused:
                await connection.exec_driver_sql("select * from dogear.sentence")
            assert sqlstate(refused.value) == "42501"


async def test_the_setting_alone_opens_nothing(databases: Databases, database: str) -> None:
    """Neither the number of a choice that was made but not used, nor of one that was used in another transaction."""
    await databases.run(*FORGETFUL, database=database)
    async with looking(databases, database) as (kept, app):
        look, read_to = await in_second_step(kept), end_of(LANTERN, 1)
        for run in (look.run, look.run - 1):
            async with app.connect() as connection:
                await connection.exec_driver_sql(
                    f"select set_config('dogear.club', '{CLUB}', true), "
                    f"set_config('dogear.looking_ahead', '{run}', true)"
                )
                assert await reached(connection, kept.book, read_to) == read_to


async def test_in_the_first_step_not_even_the_policy_opens_a_sentence(databases: Databases, database: str) -> None:
    opens = (
        "create function dogear.looks_on_v1(_run bigint, _book bigint) returns bigint language plpgsql volatile strict "
        "security definer set search_path = dogear, pg_temp as $$ begin "
        "perform set_config('dogear.looking_ahead', _run::text, true), set_config('dogear.book', _book::text, true), "
        "set_config('dogear.boundary', '0', true); return (select count(*) from sentence); end $$",
        "alter function dogear.looks_on_v1(bigint, bigint) owner to dogear_guard",
    )
    await databases.run(*opens, database=database)
    async with looking(databases, database) as (kept, app):
        ana = await kept.reader("ana", 1)
        question = await kept.asked(ana)
        for step, sentences in ((Step.WHETHER, 0), (Step.ANSWER, 20)):
            look = await kept.choice(ana, question, step)
            async with app.begin() as connection:
                await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")
                run = f"{look.run}, {look.member}, {look.question}"
                await connection.exec_driver_sql(f"select * from dogear.looked_ahead_v1({run}, '{{}}', '{{}}')")
                seen = await connection.exec_driver_sql(f"select dogear.looks_on_v1({look.run}, {kept.book})")
                assert (seen.scalar_one() > 0) is (sentences > 0)


async def test_the_answering_role_cannot_mark_a_choice_as_used_or_write_its_moment(
    databases: Databases, database: str
) -> None:
    async with looking(databases, database) as (kept, app):
        await in_second_step(kept)
        for statement in (
            "update dogear.look_ahead set used_in = 1",
            "update dogear.look_ahead set shown = false",
            "update dogear.look_ahead set written_at = now()",
            "delete from dogear.look_ahead",
            "insert into dogear.look_ahead (club_id, question_id, member_id, step, chosen_at, written_at) "
            f"select {CLUB}, 1, 1, 'answer', now(), now() + interval '1 day'",
        ):
            async with app.connect() as connection:
                await connection.exec_driver_sql(f"select set_config('dogear.club', '{CLUB}', true)")
                with pytest.raises(DBAPIError) as refused:
                    await connection.exec_driver_sql(statement)
                assert sqlstate(refused.value) == "42501", statement
