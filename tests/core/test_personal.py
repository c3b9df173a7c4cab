"""Everything that is kept of a person: as a file, and its end."""

from __future__ import annotations

import json

from bot.core.club import ClubId, Person
from bot.core.clubhouse import Clubhouse
from bot.core.membership import join
from bot.core.personal import FORMAT, FORMAT_VERSION, export, forget, forget_everywhere
from bot.core.places import NotLocated
from bot.core.progress import QUOTE_TRIES, progress
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, Library, in_memory
from tests.fakes.roster import FakeRoster

QUOTED = '"Ana Wren stood on the quay with a brass lantern in her hand"'


async def test_an_export_says_its_format_and_holds_what_was_said_and_understood() -> None:
    library, clock = in_memory(), FakeClock()
    book = await library.add(LANTERN)
    house = house_of(library, clock)
    ana = (await join(house, "ana")).member
    for said in ("finished 1", "in 2", QUOTED):
        await progress(library.doors, library.roster, ana, book, said, clock())
    written = await export(house, ana)
    read = json.loads(written)
    assert (read["format"], read["version"], read["made_at"]) == (FORMAT, FORMAT_VERSION, clock().isoformat())
    assert read["person"]["name"] == "ana"
    assert [p["said"] for p in read["positions"]][:2] == ["finished 1", "in 2"]
    assert all(p["book"] == LANTERN.title and p["understood"] for p in read["positions"])
    assert "brass lantern" not in written


async def test_nothing_in_an_export_can_open_a_cover_or_steer_a_terminal() -> None:
    house = house_of(in_memory(), FakeClock())
    odd = "a||b\u2028c\x9b\u009d"
    ana = (await join(house, "ana", odd)).member
    written = await export(house, ana)
    assert json.loads(written)["person"]["name"] == odd
    assert not {"|", "\u2028", "\x9b"} & set(written)


async def test_being_forgotten_and_joining_again_gives_no_new_tries_with_quoted_words() -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    house = house_of(library, FakeClock())
    tried = []
    for _ in range(QUOTE_TRIES + 2):
        ana = (await join(house, "ana")).member
        outcome = await progress(library.doors, library.roster, ana, book, '"no such seven words stand in this book"')
        assert isinstance(outcome, NotLocated)
        tried.append(outcome.code)
        await forget(house, ana)
    assert tried == ["quote_not_found"] * QUOTE_TRIES + ["too_many_tries"] * 2


async def test_everywhere_is_every_club_that_knows_the_person_left_or_not() -> None:
    clubs: list[Clubhouse] = []
    for number in (1, 2, 3):
        library = in_memory()
        clubs.append(
            house_of(Library(library.shelf, FakeRoster(library.shelf, ClubId(number)), library.doors), FakeClock())
        )
    await join(clubs[0], "ana")
    left = (await join(clubs[1], "ana")).member
    await clubs[1].roster.leave(left.id)
    await join(clubs[2], "ben")

    async def houses(person: Person) -> list[Clubhouse]:
        return [c for c in clubs if any(m.person == person for m in await c.roster.members())]

    assert len(await forget_everywhere(houses, "ana")) == 2
    assert [[m.name for m in await c.roster.members()] for c in clubs] == [[], [], ["ben"]]
