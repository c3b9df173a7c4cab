"""The master test: whatever is done for a boundary is the same, byte for byte, for two books equal up to it."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import Phase, example, given, settings
from sqlalchemy.exc import DBAPIError

from bot.adapters.postgres.club_connections import OPENED
from bot.adapters.terminal.club import CLUB_COMMANDS, COMMANDS
from bot.adapters.terminal.completions import completions
from bot.adapters.terminal.people import Whispers
from bot.cli import COMMANDS as VERBS
from bot.core.away import check_away
from bot.core.club import Audience, MemberId, private_to
from bot.core.membership import join, members_listed
from bot.core.personal import export
from bot.core.ports import Door
from bot.core.privacy import privacy
from bot.core.replying import ask
from bot.core.search import Asked, find
from bot.core.terms import term_id, terms
from tests.conftest import STRESS
from tests.databases import Databases
from tests.fakes.embedder import HashEmbedder
from tests.made_books import CLUB
from tests.noninterference.cutting import cut_at_chapter
from tests.noninterference.surfaces import (
    COMMAND_LINE,
    COMPLETED,
    DOOR,
    HOST_ONLY,
    LOOKED_AHEAD,
    OUTSIDE,
    QUESTIONS,
    TYPED,
)
from tests.noninterference.twins import Twins, make_twins, twins
from tests.noninterference.world import NOW, World, world_of

EMBEDDER = HashEmbedder()

UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)
"""Every example costs seconds: a failing one is printed as it is."""

LONG = make_twins(seed=1, chapters=3, parts=False, size=3400, share=0.5, snap=0)
"""The boundary lies inside a piece of a passage of several, in a chapter of several passages."""


async def _transcript(world: World, boundary: int, lines: Sequence[str]) -> list[str]:
    """Every line typed by `you`, who stands at the boundary each time, in a room with one who is further on."""
    seen = []
    for line in lines:
        await world.place("you", boundary)
        said = await world.typed(line)
        seen.append(f"{line!r} -> {'for its member alone' if line in LOOKED_AHEAD else said}")
    return seen


async def _completions(world: World) -> list[str]:
    return [f"{typed} -> {[c.text for c in await completions(world.club, typed)]}" for typed in COMPLETED]


async def _door_rows(world: World, boundary: int) -> list[str]:
    seen = []
    vector = "[" + ",".join(map(str, EMBEDDER.embed_question("the letter"))) + "]"
    ids = ",".join(str(term_id(term)) for term in terms(" ".join(QUESTIONS), "en"))
    for name, template in DOOR.items():
        arguments = template.format(book=world.book, boundary=boundary, vector=vector, terms=ids)
        async with world.app.connect() as connection:
            await connection.execute(OPENED, {"club": CLUB})
            rows = await connection.exec_driver_sql(f"select * from dogear.{name}({arguments})")
            seen.append(f"{name} -> {[tuple(row) for row in rows]}")
    return seen


async def _found(world: World, boundary: int) -> list[str]:
    """Candidates in their order with what found them, and answers as values, for one reader and for two."""

    async def positions(door: Door) -> dict[MemberId, int]:
        del door
        return {MemberId(-1): boundary, MemberId(-2): boundary + 10}

    seen = []
    for audience in (private_to(MemberId(-1)), Audience(frozenset({MemberId(-1), MemberId(-2)}), "room")):
        for question in QUESTIONS:
            asked = Asked(world.book, question, audience, positions)
            found = await find(world.club.desk.searching, asked, 20)
            seen.append(str([(c.ordinal, round(c.score, 9), c.found_by) for c in found.candidates]))
            seen.append(str([e.passage for e in found.evidence]) + str(found.unmet_names))
            reply = await ask(world.club.desk.searching, asked)
            seen.append(str(reply.outcome).replace(f"book={world.book}", "book=ID"))
    return seen


async def _ledger_rows(world: World) -> str:
    """What is kept of all that was asked, byte for byte: databases of twins give equal ids, and their clock stands."""
    seen = []
    async with world.app.connect() as connection:
        await connection.execute(OPENED, {"club": CLUB})
        for table in ("question", "citation", "posting", "press", "spoiled", "verdict"):
            rows = await connection.exec_driver_sql(f"select * from dogear.{table} order by 1, 2, 3")
            seen += [f"{table}: {tuple(row)}" for row in rows]
        rows = await connection.exec_driver_sql(
            "select id, question_id, member_id, step, chosen_at, given_up_at, used_in is not null, shown "
            "from dogear.look_ahead order by id"
        )
        seen += [f"look_ahead: {tuple(row)}" for row in rows]
    return "\n".join(seen)


async def _everything(world: World, boundary: int, further: int) -> list[str]:
    await world.place("you", boundary)
    await world.place("ana", further)
    you = await world.club.member()
    for limit in ("member_questions_hour", "member_questions_day", "club_questions_hour"):
        await world.club.desk.house.rooms.setting_changed(limit, "9999", you.id, NOW)
    seen = [*await _door_rows(world, boundary), *await _found(world, boundary), *await _completions(world)]
    for lines in TYPED.values():
        await world.made_admin("you")
        seen += [*await _transcript(world, boundary, lines), await _ledger_rows(world)]
    return [*seen, *await _people(world, boundary)]


async def _people(world: World, boundary: int) -> list[str]:
    """What members are told alone when they are silent, the list of members, and the bytes of an export."""
    house = replace(world.club.desk.house, clock=lambda: NOW + timedelta(days=40))
    await world.place("you", boundary)
    await join(house, "eve")
    told = Whispers()
    seen = []
    for days in (22, 80):
        later = NOW + timedelta(days=days)
        seen.append(str(await check_away(replace(house, clock=lambda now=later: now), told)))  # type: ignore[misc]
    seen += [f"{reply.only}: {reply.lines}" for reply in told.replies]
    for member in await house.roster.members():
        seen += [await export(house, member), str(await privacy(house, member))]
        seen.append(str(await members_listed(house, member, world.book)) if member.joined else "")
    return seen


async def _seen(databases: Databases, pair: Twins, boundary: int) -> tuple[list[str], list[str]]:
    seen = []
    for text in (pair.first, pair.second):
        async with world_of(databases, text, EMBEDDER) as world:
            seen.append(await _found(world, boundary))
    return seen[0], seen[1]


@settings(max_examples=4 * STRESS, phases=UNSHRUNK)
@given(pair=twins())
@example(pair=LONG)
async def test_every_surface_is_the_same_for_twins(
    databases: Databases, caplog: pytest.LogCaptureFixture, pair: Twins
) -> None:
    caplog.set_level(logging.INFO)
    seen, logged = [], []
    for text in (pair.first, pair.second):
        caplog.clear()
        async with world_of(databases, text, EMBEDDER) as world:
            seen.append(await _everything(world, pair.boundary, pair.first.body_end))
        logged.append([record.getMessage() for record in caplog.records if record.name.startswith(("dogear", "bot"))])
    for one, other in zip(*seen, strict=True):
        assert one == other
    assert logged[0] == logged[1]


@settings(max_examples=3 * STRESS, phases=UNSHRUNK)
@given(pair=twins())
async def test_the_book_cut_at_a_chapters_end_gives_the_same_answers(databases: Databases, pair: Twins) -> None:
    cut, boundary = cut_at_chapter(pair.first, pair.boundary)
    async with world_of(databases, pair.first, EMBEDDER) as world:
        whole = await _found(world, boundary)
    async with world_of(databases, cut, EMBEDDER) as world:
        ended = await _found(world, cut.body_end)  # before the white space that the whole book goes on with
    for one, other in zip(whole, ended, strict=True):
        assert re.sub(r"(offset|revealed_at)=\d+", "", one) == re.sub(r"(offset|revealed_at)=\d+", "", other)


async def test_twins_differ_at_the_end_of_the_book(databases: Databases) -> None:
    pair = make_twins(seed=7, chapters=4, parts=False, size=500, share=0.4, snap=0)
    one, other = await _seen(databases, pair, pair.first.body_end)
    assert sum(a != b for a, b in zip(one, other, strict=True)) > len(one) // 2


async def test_the_unread_part_of_twins_differs_for_the_host(databases: Databases) -> None:
    pair = make_twins(seed=7, chapters=4, parts=False, size=500, share=0.4, snap=0)
    async with world_of(databases, pair.first, None) as one, world_of(databases, pair.second, None) as other:
        first, second = [await w.shelf.book_text(w.book, 0, 10**6) for w in (one, other)]
    assert first == pair.first.text
    assert first != second
    assert first[: pair.boundary] == second[: pair.boundary]


def test_every_command_is_in_the_registry_of_surfaces() -> None:
    assert set(COMMANDS) == set(TYPED)
    typed = [line.split() for lines in TYPED.values() for line in lines]
    assert {words[1] for words in typed if words[:1] == ["/club"] and words[1:]} >= set(CLUB_COMMANDS)
    assert set(VERBS) == COMMAND_LINE | HOST_ONLY


async def test_every_function_of_the_door_is_in_the_registry_of_surfaces(databases: Databases, database: str) -> None:
    async with databases.engine("dogear_app", database) as engine, engine.connect() as connection:
        rows = await connection.exec_driver_sql(
            "select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'dogear' "
            "and has_function_privilege(p.oid, 'execute') and p.prorettype <> 'trigger'::regtype"
        )
        assert {row.proname for row in rows} == DOOR.keys() | OUTSIDE.keys()


async def test_a_wider_second_boundary_in_one_transaction_raises(databases: Databases) -> None:
    pair = make_twins(seed=7, chapters=4, parts=False, size=500, share=0.4, snap=0)
    async with world_of(databases, pair.first, None) as world, world.app.connect() as connection:
        await connection.execute(OPENED, {"club": CLUB})
        await connection.exec_driver_sql(f"select dogear.names_met_v1({world.book}, 100)")
        await connection.exec_driver_sql(f"select dogear.names_met_v1({world.book}, 50)")
        with pytest.raises(DBAPIError) as raised:
            await connection.exec_driver_sql(f"select dogear.names_met_v1({world.book}, 51)")
        assert getattr(raised.value.orig, "sqlstate", "") == "DG001"
