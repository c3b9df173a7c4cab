"""Being forgotten: no table holds anything of the person afterwards, and all of it was told before."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.forgetting import ROWS
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.roster import PostgresRoster
from bot.core.club import BookId, Member
from bot.core.roster import Posted
from tests.club_rows import OF_A_CLUB, filled
from tests.databases import SUPERUSER, Databases
from tests.made_books import CLUB, book_of, chapter, stored

NUMBER = 918273645
"""The number of the first member: it stands nowhere by chance."""
NAME = "Zanzibarquondam"

PART_OF_ANOTHER = {
    "job": "the club's file, of which no name is kept any more",
    "upload": "the club's file, of which no name is kept any more",
    "place": "the latest of their positions, which are told",
}
"""Tables that name a member and are no kind of their own, and why."""


@dataclass
class Known:
    """A club that keeps a row of every kind of Zanzibarquondam, and a question of Eve's whom they heard."""

    databases: Databases
    database: str
    app: AsyncEngine
    roster: PostgresRoster
    member: Member
    eve: Member
    book: BookId

    async def rows(self, query: str) -> list[str]:
        """As the superuser: past all policies."""
        async with self.databases.engine(SUPERUSER, self.database) as engine, engine.connect() as connection:
            return [str(row[0]) for row in await connection.execute(text(query))]

    async def everything(self) -> dict[str, list[str]]:
        """Every row of every table, as text."""
        tables = await self.rows(
            "select relname from pg_class where relnamespace = 'dogear'::regnamespace and relkind = 'r'"
        )
        return {table: await self.rows(f"select t::text from dogear.{table} t") for table in tables}

    async def naming(self) -> set[str]:
        """The tables in which the person's number or name stands."""
        everything = await self.everything()
        return {t for t, rows in everything.items() if any(str(NUMBER) in row or NAME in row for row in rows)}


@pytest.fixture
async def known(databases: Databases, database: str) -> AsyncIterator[Known]:
    await databases.run(f"alter table dogear.member alter column id restart with {NUMBER}", database=database)
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        book = await stored(ingest, book_of(chapter(1, "A cat sat on the mat."), chapter(2, "It slept.")))
        roster = PostgresRoster(app, CLUB)
        member = await roster.member_known(NAME)
        await roster.join(member.id)
        assert member.id == NUMBER
        await databases.run("alter table dogear.member alter column id restart with 7", database=database)
        eve = await roster.member_known("eve")
        await filled(databases, database, OF_A_CLUB, CLUB, member.id, book)
        await databases.run(
            f"update dogear.book set added_by = {NUMBER}",
            'insert into dogear.question (club_id, member_id, book_id, said, "boundary", audience, status, engine, '
            f"seconds, asked_at) values ({CLUB}, {eve.id}, {book}, 'Who?', 5, array[{eve.id}, {NUMBER}], 'answered', "
            "'quotes', 0.1, now())",
            f"update dogear.weekly_post set audience = array[{eve.id}, {NUMBER}]",
            database=database,
        )
        yield Known(databases, database, app, roster, member, eve, book)


async def test_no_table_holds_the_number_or_the_name_of_who_was_forgotten(known: Known) -> None:
    before = await known.naming()
    assert {"member", "position", "question", "setting", "book", "weekly_post", "vote"} <= before
    await known.roster.forget(known.member.id)
    assert await known.naming() == set()
    assert [m.name for m in await known.roster.members()] == ["eve"]
    heard = await known.rows(
        "select audience::text from dogear.question union all select audience::text from dogear.weekly_post"
    )
    assert heard == [f"{{{known.eve.id}}}"] * 2


async def test_every_table_that_names_a_member_is_told_and_counted(known: Known) -> None:
    naming = set(
        await known.rows(
            "select distinct c.relname from pg_constraint k join pg_class c on c.oid = k.conrelid "
            "where k.contype = 'f' and k.confrelid = 'dogear.member'::regclass"
        )
    )
    told = {table for table in naming for query in ROWS.values() if f"from dogear.{table} " in query}
    assert naming - told == PART_OF_ANOTHER.keys()
    kept = await known.roster.kept(known.member.id)
    assert kept is not None
    assert {kind: len(rows) for kind, rows in kept.rows.items()} == dict.fromkeys(ROWS, 1)
    forgotten = await known.roster.forget(known.member.id)
    assert forgotten.counts == dict.fromkeys(ROWS, 1)
    assert forgotten.postings == (Posted(f"room {CLUB}", "message"),)


async def test_every_list_of_members_in_a_row_is_one_that_forgetting_goes_through(known: Known) -> None:
    columns = await known.rows(
        "select table_name || '.' || column_name from information_schema.columns where table_schema = 'dogear' "
        "and udt_name = '_int8' order by 1"
    )
    of_books = ["member.asked_where_of"]
    assert columns == [*of_books, "question.audience", "weekly_post.audience"]


async def test_what_is_told_is_plain_values_and_of_nobody_elses_place(known: Known) -> None:
    kept = await known.roster.kept(known.member.id)
    assert kept is not None
    written = json.dumps([dict(kept.person), {kind: [dict(row) for row in rows] for kind, rows in kept.rows.items()}])
    assert NAME in written
    assert kept.rows["questions"][0]["quoted"] == ["0-5"]
    assert "boundary" not in written
    assert "audience" not in written
    assert "It was so." not in written
    assert known.eve.name not in written


async def test_what_stays_is_a_code_without_a_name_for_a_day_or_for_who_was_removed(known: Known) -> None:
    await known.databases.run("delete from dogear.forgotten", database=known.database)
    await known.roster.forget(known.member.id)
    (row,) = (await known.everything())["forgotten"]
    tries = await known.rows("select kind from dogear.forgotten_try order by kind")
    assert tries == ["question", "quote"]
    assert NAME not in row
    now = await known.rows("select now() + interval '23 hours' union all select now() + interval '25 hours'")
    for at, left in zip(map(datetime.fromisoformat, now), (1, 0), strict=True):
        await known.roster.forgotten_expired(at)
        assert len((await known.everything())["forgotten"]) == left


async def test_being_forgotten_and_coming_back_gives_no_new_questions_that_day(known: Known) -> None:
    ledger = PostgresLedger(known.app, CLUB)
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    latest = await ledger.nths_latest([(1, known.member.id)], long_ago)
    wanted = [(n, None) for n in (1, 2, 3, 4)]
    everybody = await ledger.nths_latest(wanted, long_ago)
    await known.roster.forget(known.member.id)
    again = await known.roster.member_known(NAME)
    assert await ledger.nths_latest([(1, again.id)], long_ago) == latest != (None,)
    assert await ledger.nths_latest([(2, again.id)], long_ago) == (None,)
    assert await ledger.nths_latest(wanted, long_ago) == everybody
    assert everybody[1] is not None and everybody[-1] is None
    assert await ledger.nths_latest([(1, known.eve.id), (2, known.eve.id)], long_ago) == (everybody[0], None)


async def test_what_was_deleted_is_of_one_club_alone_and_the_others_are_found(known: Known) -> None:
    directory = PostgresDirectory(known.app)
    other = await directory.club_named("other")
    elsewhere = PostgresRoster(known.app, other)
    person = await elsewhere.member_known(NAME)
    assert await directory.clubs_that_know(NAME) == (CLUB, other)
    assert await directory.clubs_of_person(NAME) == (CLUB,)
    await known.roster.forget(known.member.id)
    assert await elsewhere.member(person.id) == person
    assert await directory.clubs_that_know(NAME) == (other,)
    assert await directory.clubs_that_know("nobody") == ()
