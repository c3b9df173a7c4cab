"""A few simulated clubs on the real database; and what would be a violation is seen to be one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.roles import APP, INGEST
from bot.app import App
from bot.core import search, standing
from bot.core.boundary import Boundary, boundary_for
from bot.core.club import Audience, BookId, MemberId
from bot.measure import club_stock, club_week
from bot.measure.club_book import CHAPTERS, club_book
from bot.measure.club_log import NOBODY, ClubLog, Reader, SeenRoom
from bot.measure.clubs import START, ClubsSize, measured
from bot.settings import Settings
from tests.databases import SUPERUSER, Databases

SIZE = ClubsSize(clubs=6, members=5, steps=16, crowd=12)
FEW = ClubsSize(clubs=2, members=5, days=1, steps=16, crowd=1)
QUESTIONS = {"ask_room": 4, "forward": 1}
BOOK = club_book(1)


@pytest.fixture
async def place(databases: Databases, database: str, tmp_path: Path) -> AsyncIterator[tuple[App, AsyncEngine]]:
    async with (
        databases.engine(APP, database) as app,
        databases.engine(INGEST, database) as ingest,
        databases.engine(SUPERUSER, database) as owner,
    ):
        yield App(Settings(), tmp_path, app, ingest), owner


async def lived(place: tuple[App, AsyncEngine], size: ClubsSize = SIZE) -> dict[str, Any]:
    return await measured(*place, size, lambda _: None)


async def test_a_week_of_clubs_shows_nobody_too_much_and_posts_once_a_week(place: tuple[App, AsyncEngine]) -> None:
    value = await lived(place)
    assert value["violations"] == {"count": 0, "first": []}
    assert value["weekly"]["clubs_by_posts"] == {1: SIZE.clubs}
    assert value["boundary_lookup"]["members"] == SIZE.crowd
    assert value["outcomes"]["answer"] > 10
    assert value["outcomes"]["interrupted"] > 5
    assert value["steps"] == sum(row["n"] for row in value["kinds"])


async def test_a_program_that_takes_the_furthest_place_for_the_boundary_is_found_out(
    place: tuple[App, AsyncEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    def furthest(book: BookId, audience: Audience, positions: Mapping[MemberId, int]) -> Boundary:
        return boundary_for(book, audience, dict.fromkeys(audience.members, max(positions.values(), default=0)))

    monkeypatch.setattr(search, "boundary_for", furthest)
    monkeypatch.setattr(club_week, "WEIGHTS", QUESTIONS)
    assert (await lived(place, FEW))["violations"]["count"] > 0


async def test_a_program_that_forgets_who_is_pending_is_found_out(
    place: tuple[App, AsyncEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    def placed_alone(book: BookId, audience: Audience, positions: Mapping[MemberId, int]) -> Boundary:
        placed = Audience(audience.members & positions.keys(), audience.room)
        return boundary_for(book, placed, positions)

    monkeypatch.setattr(search, "boundary_for", placed_alone)
    monkeypatch.setattr(club_stock, "PLACED", 0.0)  # but for the host
    monkeypatch.setattr(club_week, "WEIGHTS", QUESTIONS)
    assert (await lived(place, FEW))["violations"]["count"] > 0


async def test_a_program_that_does_not_look_again_before_it_sends_is_found_out(
    place: tuple[App, AsyncEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing, "_covers", lambda now, boundary: True)
    monkeypatch.setattr(club_week, "WEIGHTS", QUESTIONS)
    monkeypatch.setattr(club_week, "INTERRUPTED", 1.0)
    monkeypatch.setattr(club_week, "GROWS", 1.0)
    violations = (await lived(place, replace(FEW, clubs=3)))["violations"]
    assert violations["count"] > 0
    assert "still there" in " ".join(violations["first"])


def a_log(**people: Reader) -> ClubLog:
    rooms = {"lounge": SeenRoom("lounge"), "den": SeenRoom("den", frozenset({"ana", "eve"}), limit=BOOK.ends[1])}
    return ClubLog(1, BOOK, False, START - START, rooms, people, START)


def test_the_log_knows_the_lowest_place_of_those_who_count() -> None:
    ana, eve, bob = Reader(joined=True).at(BOOK.ends[4]), Reader(joined=True).at(BOOK.ends[2]), Reader(joined=True)
    log = a_log(ana=ana, eve=eve, bob=bob)
    assert log.allowed("lounge", "ana") == 0
    assert log.allowed("den", "ana") == BOOK.ends[1]
    assert log.allowed(None, "ana") == BOOK.ends[4]
    log.away("bob")
    assert log.allowed("lounge", "ana") == BOOK.ends[2]
    log.becomes("eve", Reader())
    assert log.allowed("lounge", "ana") == BOOK.ends[4]
    assert log.allowed(None, "eve") == NOBODY
    log.becomes("bob", Reader(joined=True).at(BOOK.ends[0]))
    assert log.allowed("den", "ana") == BOOK.ends[1]
    assert log.allowed("den", "bob") == BOOK.ends[0]  # who asks sees the reply
    log.strict = True
    assert log.allowed("den", "ana") == 0


def test_the_log_takes_places_back_one_by_one() -> None:
    reader = Reader(joined=True).at(10).at(30)
    assert [reader.undone().place, reader.undone().undone().place] == [10, 0]
    assert reader.undone().undone().undone() == reader.undone().undone()


def test_sealed_matter_of_the_book_opens_at_its_very_end() -> None:
    first, *_, last = BOOK.text.sections
    assert BOOK.opens_at(first.span) == BOOK.opens_at(last.span) == BOOK.text.body_end
    assert len(BOOK.ends) == CHAPTERS
    assert [BOOK.opens_at(c.span) for c in BOOK.text.chapters] == list(BOOK.ends)
