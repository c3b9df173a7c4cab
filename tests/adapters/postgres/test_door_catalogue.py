"""What the answering role can reach, read from PostgreSQL's own catalogue and tried as that role."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.roles import ALL, APP, INGEST
from bot.core.book import SectionKind
from bot.core.club import BookId
from tests.databases import SUPERUSER, Databases
from tests.made_books import CLUB, book_of, chapter, matter, stored

APART = {
    "club",
    "member",
    "book",
    "position",
    "place",  # the latest of each member's positions
    "quote_try",
    "room",
    "setting",
    "question",
    "citation",
    "posting",
    "spoiled",
    "press",  # who pressed what under which answer: numbers
    "look_ahead",  # who chose to look ahead from which of their own questions: numbers and times
    "verdict",  # whether an answer was useful to whom
    "ballot",  # rounds, titles that members nominated, votes: members' words and numbers, nothing of a book
    "nomination",
    "vote",
    "approval",
    "milestone",  # what is due when, and what was posted and reminded of: numbers, dates and ids
    "weekly_post",
    "weekly_place",
    "daily_round",
    "reminder",
    "section_consent",  # who agreed to see how which section begins, and where pages of whose edition begin: numbers
    "page_calibration",
    "upload",  # that a file was handed over, and how far its job is: of the file itself no column
    "job",
    "forgotten",  # a code, and the day's tries
    "forgotten_try",
    "spending",  # what models were paid for: kinds of tokens and amounts; the model's name
    "club_spent",
}
"""Every relation of Dogear's that the answering role may read in the club that is open."""

READABLE = {*APART, "schema_version"}
"""Every relation of Dogear's that the answering role may read."""

LOCATING = {
    "chapter_map_v1",
    "page_offsets_v1",
    "pages_counted_v1",
    "title_chapters_v1",
    "quote_offsets_v1",
    "section_map_v1",
}
"""Every function without a boundary that looks into a book: they return offsets and numbers, never text."""

CONSENTED = {"section_shown_v1", "looked_ahead_v1", "read_ahead_v1"}
"""Every function that shows text past a boundary: each time to one joined member, who agreed to it minutes ago."""

FINDING = {
    "club_named_v1",
    "club_of_room_v1",
    "clubs_of_person_v1",
    "clubs_v1",
    "clubs_due_v1",  # this and clubs_changed_v1 are asked by processes of the version before
    "clubs_due_v2",
    "clubs_changed_v1",
    "clubs_without_post_v1",
    "clubs_without_round_v1",
    "clubs_that_know_v1",
    "job_of_file_v1",
    "server_moved_v1",  # how many rooms have another key now
}
"""Every function that finds a club before one is open, or a file's job in the one that is: they look into no book and
return ids."""

TIMING = {"club_clocks_v1"}
"""Every function that tells when clubs' posts are due, before one is open: zones, days and times as they can be set,
and ids. Who owns it sees no other setting."""

PAYING = {"spending_reserved_v1", "spending_settled_v1", "host_spent_v1"}
"""Every function that counts money: they look into no book. The sums of the host are of all clubs together."""
REMEMBERING = {"once_first_v1", "reply_owed_v1", "reply_paid_v1"}
"""Every function that remembers a key, of nobody and of no book: it tells whether it was new, or was there."""
OWING = {"replies_owed_v1"}
"""Every function that tells what replies are owed: the keys and tokens of a chat platform, of nobody and of no book."""

INBOX = {"inbox_came_v1", "inbox_begun_v1", "inbox_waiting_v1"}
"""Every function of what came from a chat platform and nobody has begun: it holds what people wrote, and no book."""

NUMBERS = {"int4", "int8", "_int4", "_int8", "bool", "float4", "_float4"}

CANARY = "Zanzibarquondam"

OPENED = f"select set_config('dogear.club', '{CLUB}', true)"
"""Opens the club for the rest of the transaction."""


@pytest.fixture
async def app(databases: Databases, database: str) -> AsyncIterator[AsyncConnection]:
    async with databases.engine(APP, database) as engine, engine.connect() as connection:
        yield connection


@pytest.fixture
async def root(databases: Databases, database: str) -> AsyncIterator[AsyncConnection]:
    async with databases.engine(SUPERUSER, database) as engine, engine.connect() as connection:
        yield connection


@pytest.fixture
async def ingest(databases: Databases, database: str) -> AsyncIterator[AsyncEngine]:
    async with databases.engine(INGEST, database) as engine:
        yield engine


async def test_no_role_of_the_door_is_a_superuser_or_bypasses_row_level_security(root: AsyncConnection) -> None:
    rows = await root.execute(
        text(
            "select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = any(:all)"
        ),
        {"all": list(ALL)},
    )
    found = {row.rolname: tuple(row[1:]) for row in rows}
    assert found == dict.fromkeys(ALL, (False, False, False, False))


async def test_the_answering_role_is_a_member_of_no_other_role(root: AsyncConnection) -> None:
    rows = await root.execute(
        text("select roleid::regrole::text from pg_auth_members where member = cast(:app as regrole)"), {"app": APP}
    )
    assert rows.all() == []


async def test_the_answering_role_reads_only_the_relations_on_the_list(root: AsyncConnection) -> None:
    rows = await root.execute(
        text(
            "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' "
            "and c.relkind in ('r','v','m','p','f','S') and (has_table_privilege(:app, c.oid, 'select') "
            "or has_any_column_privilege(:app, c.oid, 'select'))"
        ),
        {"app": APP},
    )
    assert {row.relname for row in rows} == READABLE


async def test_no_relation_on_the_list_has_a_column_of_text_from_a_book(root: AsyncConnection) -> None:
    rows = await root.execute(
        text(
            "select table_name, column_name from information_schema.columns where table_schema = 'dogear' "
            "and table_name = any(:names) and column_name ~ '(text|revealed|folded|embedding|terms|lead|passage_)'"
        ),
        {"names": sorted(READABLE)},
    )
    assert rows.all() == []


async def test_every_table_of_dogears_has_forced_row_level_security(root: AsyncConnection) -> None:
    rows = await root.execute(
        text(
            "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'dogear' "
            "and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)"
        )
    )
    assert {row.relname for row in rows} == {"schema_version"}


async def test_there_are_no_views_of_any_kind(root: AsyncConnection) -> None:
    rows = await root.execute(
        text(
            "select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace "
            "where n.nspname = 'dogear' and c.relkind in ('v', 'm', 'f')"
        )
    )
    assert rows.all() == []


async def test_every_function_the_answering_role_may_run_demands_a_boundary_or_returns_numbers(
    root: AsyncConnection,
) -> None:
    rows = (
        await root.execute(
            text(
                "select p.proname, p.proargnames, p.prosecdef, p.proisstrict, p.proconfig, "
                "pg_get_userbyid(p.proowner) as owner, "
                "(select array_agg(t.typname::text) from unnest(coalesce(p.proallargtypes, array[p.prorettype])) with "
                "ordinality as u(oid, n) join pg_type t on t.oid = u.oid "
                "where p.proargmodes is null or p.proargmodes[u.n] = 't') as returned "
                "from pg_proc p join pg_namespace n on n.oid = p.pronamespace "
                "where n.nspname = 'dogear' and has_function_privilege(:app, p.oid, 'execute')"
            ),
            {"app": APP},
        )
    ).all()
    assert {r.proname for r in rows} >= LOCATING | FINDING | CONSENTED | PAYING | TIMING
    for row in rows:
        if row.returned == ["trigger"]:  # it cannot be called
            continue
        assert row.prosecdef and row.proisstrict, row.proname
        assert any(c.startswith("search_path=dogear,") and c.endswith("pg_temp") for c in row.proconfig), row.proname
        assert row.proname.rsplit("_", 1)[-1].startswith("v"), row.proname
        if "_boundary" in (row.proargnames or ()) or row.proname in CONSENTED:
            assert row.owner == "dogear_guard", row.proname
        else:
            assert row.owner == "dogear_locator", row.proname
            assert row.proname in LOCATING | FINDING | PAYING | REMEMBERING | OWING | TIMING | INBOX
            told = LOCATING | REMEMBERING | OWING | TIMING | INBOX
            assert row.proname in told or set(row.returned) == {"int8"}, row.proname
            assert set(row.returned) <= NUMBERS or row.proname in TIMING | OWING | INBOX, row.proname


async def test_the_function_that_tells_when_posts_are_due_sees_no_other_setting(
    databases: Databases, database: str, root: AsyncConnection, ingest: AsyncEngine
) -> None:
    await stored(ingest, book_of(chapter(1, "A cat sat.")))
    for name, value in (("time_zone", "Asia/Tokyo"), ("organiser_role", "4217")):
        await root.execute(
            text("insert into dogear.setting (club_id, name, value, changed_at) values (:club, :name, :value, now())"),
            {"club": CLUB, "name": name, "value": value},
        )
    await root.commit()
    await root.exec_driver_sql("set role dogear_locator")
    rows = await root.exec_driver_sql("select name, value from dogear.setting")
    assert [tuple(row) for row in rows] == [("time_zone", "Asia/Tokyo")]
    async with databases.engine(APP, database) as engine, engine.connect() as app:
        rows = await app.exec_driver_sql("select * from dogear.club_clocks_v1()")
        assert [tuple(row) for row in rows] == [("Asia/Tokyo", None, None, None, [CLUB])]


async def test_the_answering_role_cannot_become_anyone_or_create_anything(app: AsyncConnection) -> None:
    for statement in (
        "set role dogear_guard",
        "set role dogear_ingest",
        "create table dogear.loot (x text)",
        "create table public.loot (x text)",
        "create function dogear.loot() returns int language sql as 'select 1'",
        "select * from dogear.sentence",
        "select title from dogear.title",
        "select embedding from dogear.passage_vector",
        "select dogear.boundary_opened_v1(1, 1)",
        "alter table dogear.sentence disable row level security",
        "drop policy guard_reads_up_to_the_boundary on dogear.sentence",
        "copy dogear.sentence to stdout",
    ):
        with pytest.raises(DBAPIError) as refused:
            await app.exec_driver_sql(statement)
        assert getattr(refused.value.orig, "sqlstate", "") == "42501", statement
        await app.rollback()


async def test_setting_the_boundary_by_hand_opens_nothing(app: AsyncConnection, ingest: AsyncEngine) -> None:
    book = await stored(ingest, book_of(chapter(1, "A cat sat."), chapter(2, f"{CANARY} fell.")))
    await app.exec_driver_sql(
        f"select set_config('dogear.book', '{book}', true), set_config('dogear.boundary', '99999', true)"
    )
    with pytest.raises(DBAPIError):
        await app.exec_driver_sql("select * from dogear.sentence")


async def _everything_reachable(app: AsyncConnection, book: BookId, boundary: int) -> str:
    """All that the answering role can read, as one string: relations, functions under the boundary, catalogues."""
    seen = []
    await app.rollback()
    await app.exec_driver_sql(OPENED)
    relations = await app.exec_driver_sql(
        "select quote_ident(n.nspname) || '.' || quote_ident(c.relname) from pg_class c "
        "join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r','v','m') "
        "and has_table_privilege(c.oid, 'select') "
        "and c.relname not in ('pg_prepared_statements', 'pg_stat_activity')"  # the test's own statements
    )
    for (relation,) in relations.all():
        try:
            rows = await app.exec_driver_sql(f"select * from {relation}")
            seen += [str(tuple(row)) for row in rows.all()]
        except DBAPIError:
            await app.rollback()
            await app.exec_driver_sql(OPENED)
    vector = "[" + ",".join(["0.05"] * 384) + "]"
    everything = "(select array_agg(n) from generate_series(0, 500) n)"
    calls = (
        f"passages_admitted_v1({book}, {boundary})",
        f"passages_nearest_v1({book}, {boundary}, '{vector}'::halfvec)",
        f"passages_matching_v1({book}, {boundary}, array[1, 2, 3])",
        f"passages_read_v1({book}, {boundary}, {everything})",
        f"passage_straddling_v1({book}, {boundary})",
        f"names_met_v1({book}, {boundary})",
        f"titles_met_v1({book}, {boundary})",
        f"memory_read_v1({book}, {boundary})",
        f"chapter_map_v1({book})",
        f"page_offsets_v1({book}, '1')",
        f"pages_counted_v1({book})",
        f"title_chapters_v1({book}, 999999, 'chapter2{CANARY.lower()}')",
        f"quote_offsets_v1({book}, array['{CANARY.lower()}'])",
        f"section_map_v1({book})",
        "club_named_v1('club', 'host')",
        "club_of_room_v1('room')",
        "clubs_of_person_v1('ana')",
        "clubs_v1()",
        "clubs_due_v1(now())",
        "clubs_due_v2(now())",
        "clubs_changed_v1(now())",
        "club_clocks_v1()",
        f"clubs_without_post_v1(array[{CLUB}], 2026, 49)",
        f"clubs_without_round_v1(array[{CLUB}], date '2026-12-06')",
    )
    for call in calls:
        rows = await app.exec_driver_sql(f"select * from dogear.{call}")
        seen += [str(tuple(row)) for row in rows.all()]
    return "\n".join(seen)


@pytest.mark.parametrize("place", ["prose", "title", "front", "part", "preview"])
async def test_a_canary_beyond_the_boundary_is_nowhere_the_answering_role_can_look(
    databases: Databases, database: str, app: AsyncConnection, ingest: AsyncEngine, place: str
) -> None:
    parts = ((f"Part of {CANARY}", 2),) if place == "part" else ()
    made = book_of(
        matter(SectionKind.ESSAY, "Introduction", f"It was {CANARY}." if place == "front" else "Nothing."),
        chapter(1, "A cat sat on the mat. It was warm there."),
        chapter(
            2, f"{CANARY} came in." if place == "prose" else "He came in.", CANARY if place == "title" else "", parts
        ),
        matter(SectionKind.PREVIEW, "Next", f"{CANARY} again." if place == "preview" else "More."),
    )
    book = await stored(ingest, made)
    read_to = made.chapters[0].span.end
    reached = await _everything_reachable(app, book, read_to)
    assert "A cat sat on the mat." in reached
    assert CANARY.lower() not in reached.lower()
    finished = await _everything_reachable(app, book, made.body_end)
    assert (CANARY.lower() in finished.lower()) is (place != "preview")
    log = (databases.address.host.parent / "postgres.log").read_text()
    assert CANARY.lower() not in log.lower()


async def test_what_names_a_member_a_book_a_room_or_a_question_is_found_by_it(root: AsyncConnection) -> None:
    """Else each row that is removed is looked for in a whole table of every club's."""
    rows = await root.execute(
        text(
            "select c.conrelid::regclass::text || '.' || a.attname as key from pg_constraint c join pg_attribute a "
            "on a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attname not in ('id', 'club_id') "
            "where c.contype = 'f' and c.confrelid in ('dogear.member'::regclass, 'dogear.book'::regclass, "
            "'dogear.room'::regclass, 'dogear.question'::regclass) and not exists "
            "(select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum)"
        )
    )
    assert rows.all() == []
