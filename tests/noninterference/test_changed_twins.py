"""The master test for books whose map was marked anew, and for books that were replaced by another file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.core.club import MemberId
from bot.core.remarking import Mark, NotStory, Story, StoryEnds
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from tests.databases import Databases
from tests.noninterference.test_twins import EMBEDDER, _completions, _door_rows, _found, _transcript
from tests.noninterference.twins import Twins, make_twins
from tests.noninterference.world import NOW, World, world_of

PAIR = make_twins(seed=11, chapters=4, parts=True, size=1500, share=0.55, snap=0)
LINES = (
    "/book chapters",
    "/book list",
    "/where",
    "/progress",
    "/ask What happened to the letter?",
    "/progress 2",
    "/export",
)


async def _everything(world: World, boundary: int) -> list[str]:
    seen = [*await _door_rows(world, boundary), *await _found(world, boundary), *await _completions(world)]
    await world.made_admin("you")
    return [*seen, *await _transcript(world, boundary, LINES)]


async def _place(world: World) -> int:
    you = await world.club.member()
    async with world.club.desk.doors.opened() as door:
        return (await door.positions_latest(world.book, [you.id]))[MemberId(you.id)]


async def _remarked(databases: Databases, pair: Twins, mark: Mark) -> list[list[str]]:
    seen = []
    for text in (pair.first, pair.second):
        async with world_of(databases, text, EMBEDDER) as world:
            await world.place("you", pair.boundary)
            await world.place("ana", pair.first.body_end)
            house = world.club.desk.house
            await house.changes.mark(world.book, mark, NOW)
            await fill_vectors(world.shelf, EMBEDDER, world.book)
            place = await _place(world)
            assert place <= pair.boundary
            seen.append([str(place), *await _everything(world, place)])
    return seen


@pytest.mark.parametrize("mark", [Story(1, 1), NotStory(2, 2), StoryEnds(4), Story(3, 6)])
async def test_every_surface_of_a_marked_book_is_the_same_for_twins(databases: Databases, mark: Mark) -> None:
    one, other = await _remarked(databases, PAIR, mark)
    for first, second in zip(one, other, strict=True):
        assert first == second


async def test_every_surface_of_a_replaced_book_is_the_same_for_twins(databases: Databases) -> None:
    seen = []
    for text in (PAIR.first, PAIR.second):
        async with world_of(databases, text, EMBEDDER) as world:
            await world.place("you", PAIR.boundary)
            await world.place("ana", PAIR.first.body_end)
            house = world.club.desk.house
            new, _ = await world.shelf.store_book(
                house.club, index_book(replace(text, title="Again")), "again", "Again"
            )
            await fill_vectors(world.shelf, EMBEDDER, new)
            await house.changes.replace(world.book, new, NOW)
            world.book = new
            place = await _place(world)
            assert 0 < place <= PAIR.boundary
            seen.append([str(place), *await _everything(world, place)])
    for first, second in zip(*seen, strict=True):
        assert first == second


async def test_a_marked_book_still_differs_where_the_twins_do(databases: Databases) -> None:
    seen = []
    for text in (PAIR.first, PAIR.second):
        async with world_of(databases, text, EMBEDDER) as world:
            await world.club.desk.house.changes.mark(world.book, NotStory(2, 2), NOW)
            seen.append(await _found(world, text.body_end))
    assert seen[0] != seen[1]
