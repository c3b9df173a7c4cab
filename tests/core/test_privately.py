"""Direct messages of somebody who is in several clubs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.core.club import BookId, ClubId
from bot.core.clubhouse import Clubhouse
from bot.core.outcomes import NotAnswered
from bot.core.ports import BookRecord
from bot.core.privately import chosen_privately, house_meant, private_books
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.doors import FakeDoors
from tests.fakes.library import LANTERN, Library, in_memory
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf


@dataclass
class Two:
    """Two clubs in memory with a book each; you have joined both."""

    libraries: tuple[Library[FakeShelf, FakeRoster, FakeDoors], ...]
    houses: list[Clubhouse]
    book: BookId

    async def chosen(self) -> list[ClubId]:
        return [one.club for one in await private_books(self.houses, "you") if one.chosen]


@pytest.fixture
async def two() -> Two:
    libraries, houses = [], []
    for number in (1, 2):
        library = in_memory()
        book = await library.add(LANTERN)
        await library.member("you")
        libraries.append(library)
        houses.append(replace(house_of(library, FakeClock()), club=ClubId(number)))
    return Two(tuple(libraries), houses, book)


async def test_who_is_in_one_club_means_it(two: Two) -> None:
    assert await house_meant(two.houses[:1], "you") is two.houses[0]
    assert await house_meant([], "you") is None


async def test_who_is_in_two_clubs_is_asked_until_they_have_chosen_and_may_choose_anew(two: Two) -> None:
    assert await house_meant(two.houses, "you") is None
    for house in (two.houses[1], two.houses[0]):
        book = await chosen_privately(two.houses, house, "you", str(two.book))
        assert isinstance(book, BookRecord)
        assert await house_meant(two.houses, "you") is house
        assert await two.chosen() == [house.club]


async def test_who_has_left_a_club_is_offered_none_of_its_books(two: Two) -> None:
    left = two.libraries[0]
    await left.roster.leave((await left.roster.member_known("you")).id)
    assert [one.club for one in await private_books(two.houses, "you")] == [ClubId(2)]
    assert isinstance(await chosen_privately(two.houses, two.houses[0], "you", str(two.book)), NotAnswered)


async def test_a_choice_lapses_when_the_club_is_done_with_the_book_and_reads_another(two: Two) -> None:
    await chosen_privately(two.houses, two.houses[0], "you", str(two.book))
    library, house = two.libraries[0], two.houses[0]
    await house.ballots.book_finished(two.book, house.clock())
    assert await house_meant(two.houses, "you") is house
    await library.roster.switch_book(await library.add(LANTERN, file="another"))
    assert await house_meant(two.houses, "you") is None


async def test_a_book_that_the_club_does_not_have_is_not_chosen(two: Two) -> None:
    assert isinstance(await chosen_privately(two.houses, two.houses[0], "you", "99"), NotAnswered)
    assert await two.chosen() == []
