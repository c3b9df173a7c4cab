"""The roles of the door: what each is, and what SQL makes it."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from bot.adapters.postgres.connect import sqlstate
from bot.adapters.postgres.provision import missing_statements
from bot.adapters.postgres.roles import ALL, APP, GUARD, INGEST, LOCATOR, LOGINS, OWNER, role_statement
from bot.adapters.postgres.secrets import scram_verifier
from tests.databases import SUPERUSER, Databases, scalar


@pytest.mark.parametrize("role", ALL)
def test_every_role_is_made_without_a_way_around_row_level_security(role: str) -> None:
    made = role_statement(role, "SCRAM-SHA-256$x")
    for refused in ("nosuperuser", "nobypassrls", "nocreatedb", "nocreaterole", "noreplication"):
        assert f" {refused}" in made
    assert (" login " in made) is (role in LOGINS)
    assert ("password" in made) is (role in LOGINS)


def test_a_password_stands_in_no_statement() -> None:
    assert "a-password" not in role_statement(APP, scram_verifier("a-password"))


async def test_a_database_that_has_everything_needs_nothing(databases: Databases, database: str) -> None:
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        assert await missing_statements(connection, {}) == []


async def test_the_owner_may_hand_functions_over_and_inherits_nothing(databases: Databases, database: str) -> None:
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        for role in (GUARD, LOCATOR):
            assert await scalar(connection, f"select pg_has_role('{OWNER}', '{role}', 'set')")
            assert not await scalar(connection, f"select pg_has_role('{OWNER}', '{role}', 'usage')")


@pytest.mark.parametrize("role", [OWNER, GUARD, LOCATOR])
async def test_the_roles_that_own_cannot_log_in(databases: Databases, database: str, role: str) -> None:
    with pytest.raises(DBAPIError) as refused:
        async with databases.engine(role, database) as engine, engine.connect():
            pass
    assert sqlstate(refused.value) == "28000"


async def test_the_locator_sees_folded_letters_and_no_text_or_title(databases: Databases, database: str) -> None:
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        seen = await scalar(
            connection,
            "select string_agg(table_name || '.' || column_name, ' ') from information_schema.columns "
            "where table_schema = 'dogear' and table_name in ('section', 'title', 'sentence', 'name', 'passage', "
            f"'passage_vector', 'source') and has_column_privilege('{LOCATOR}', "
            "format('dogear.%I', table_name)::regclass, column_name, 'select')",
        )
        section = {"book_id", "ordinal", "kind", "chapter", "printed_number", "part_numbers", "start", "end"}
        assert set(str(seen).split()) == {
            *(f"section.{column}" for column in section | {"heading_end"}),
            *(f"title.{column}" for column in ("book_id", "chapter", "folded", "revealed_at")),
            *(f"sentence.{column}" for column in ("book_id", "ordinal", "section", "start", "end", "folded")),
        }


async def test_ingest_writes_books_and_of_people_only_the_places_that_a_new_file_takes_over(
    databases: Databases, database: str
) -> None:
    """Of a member it changes which book they talk about; a place it appends; it removes nobody and no place."""
    granted = {("member", "select"), ("member", "update"), ("position", "select"), ("position", "insert")}
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        for table in ("member", "position", "quote_try"):
            for right in ("select", "insert", "update"):
                asked = f"select has_any_column_privilege('{INGEST}', 'dogear.{table}', '{right}')"
                assert await scalar(connection, asked) is ((table, right) in granted), (table, right)
            assert not await scalar(connection, f"select has_table_privilege('{INGEST}', 'dogear.{table}', 'delete')")
        changed = "select string_agg(attname, ' ') from pg_attribute where attrelid = 'dogear.member'::regclass "
        changed += f"and attnum > 0 and has_column_privilege('{INGEST}', attrelid, attnum, 'update')"
        assert await scalar(connection, changed) == "dm_book"
        for table, columns in (
            ("member", {"id", "club_id", "dm_book"}),
            ("position", {"id", "member_id", "book_id", "offset"}),
            ("room", {"id", "book_id", "limit_offset", "limit_book"}),
            *((asked, set[str]()) for asked in ("question", "citation", "claim", "posting", "spoiled", "press")),
        ):
            seen = "select coalesce(string_agg(attname, ' '), '') from pg_attribute where attnum > 0 "
            seen += f"and attrelid = 'dogear.{table}'::regclass "
            seen += f"and has_column_privilege('{INGEST}', attrelid, attnum, 'select')"
            assert set(str(await scalar(connection, seen)).split()) == columns, table
