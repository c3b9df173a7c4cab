"""An admin looks over the map and changes it: who may, what they see, what is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from bot.core.chapter_map_review import (
    MustConsent,
    book_replaced,
    first_words,
    first_words_consented,
    map_confirmed,
    map_marked,
    map_review,
    opening_words,
)
from bot.core.chapter_maps import FirstWords, SectionConsent
from bot.core.club import Member, Role
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.ports import BookRecord
from bot.core.remarking import NotStory, Story, StoryEnds
from tests.doors_suite import Any_
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, end_of, in_memory
from tests.made_books import book_of, chapter


@dataclass
class Place:
    """A club in memory with one book and an admin who has finished chapter 1."""

    library: Any_
    house: Clubhouse
    admin: Member
    book: BookRecord

    async def other(self, name: str, joined: bool = True) -> Member:
        member = await self.library.roster.member_known(name)
        if joined:
            await self.library.roster.join(member.id)
        known: Member = await self.library.roster.member_known(name)
        return known


@pytest.fixture
async def place() -> Place:
    library = in_memory()
    book = await library.add(LANTERN)
    ana = await library.place("ana", book, end_of(LANTERN, 1))
    await library.roster.role_given(ana.id, Role.ADMIN)
    admin = await library.roster.member_known("ana")
    return Place(library, house_of(library, FakeClock()), admin, await library.shelf.book(book))


async def test_the_map_has_all_sections_and_the_titles_that_were_met(place: Place) -> None:
    seen = await map_review(place.house, place.admin, place.book)
    assert [s.number for s in seen.sections] == [1, 2, 3, 4, 5]
    assert seen.titles == {2: "Chapter 1: The Ferry"}
    assert not seen.confirmed
    await map_confirmed(place.house, place.admin, place.book)
    assert (await map_review(place.house, place.admin, place.book)).confirmed


async def test_a_map_is_confirmed_only_as_it_was_shown(place: Place) -> None:
    kept = place.library.shelf.of(place.book.id)
    kept.record = replace(kept.record, map_version=kept.record.map_version + 1)
    with pytest.raises(Refused, match="changed since you were shown it"):
        await map_confirmed(place.house, place.admin, place.book)
    assert not (await map_review(place.house, place.admin, kept.record)).confirmed


async def test_only_an_admin_who_has_joined_sees_the_map_and_only_an_admin_changes_it(place: Place) -> None:
    bob = await place.other("bob")
    for refused in (
        map_review(place.house, bob, place.book),
        map_confirmed(place.house, bob, place.book),
        map_marked(place.house, bob, place.book, Story(1, 1)),
        first_words(place.house, bob, place.book, 2),
        first_words_consented(place.house, bob, place.book, 4),
        book_replaced(place.house, bob, place.book, place.book),
    ):
        with pytest.raises(Refused) as error:
            await refused
        assert error.value.code == "admins_only"
    await place.library.roster.leave(place.admin.id)
    await place.library.roster.role_given(place.admin.id, Role.ADMIN)
    gone = await place.library.roster.member_known("ana")
    for refused in (
        map_review(place.house, gone, place.book),
        first_words(place.house, gone, place.book, 2),
        first_words_consented(place.house, gone, place.book, 4),
    ):
        with pytest.raises(Refused) as error:
            await refused
        assert error.value.code == "members_only"


async def test_what_was_read_is_shown_at_once_and_what_was_not_needs_consent(place: Place) -> None:
    shown = await first_words(place.house, place.admin, place.book, 2)
    assert shown == FirstWords(
        2, "Chapter 1: The Ferry", "The ferry came late to Saltmouth. Ana Wren stood on the quay"
    )
    for number in (1, 3, 4, 5):
        assert await first_words(place.house, place.admin, place.book, number) == MustConsent(number)
    assert await place.house.maps.consents(place.admin.id) == ()


async def test_a_section_that_was_begun_is_shown_once_its_title_is_settled(place: Place) -> None:
    made = book_of(chapter(1, "\n\n".join(f"The ferry came late on day {n}." for n in range(9)), "The Ferry"))
    book = await place.library.shelf.book(await place.library.add(made, file="other"))
    await place.library.place("ana", book.id, made.text.index("The ferry came late on day 7"))
    shown = await first_words(place.house, place.admin, book, 1)
    assert shown == FirstWords(1, "Chapter 1: The Ferry", "The ferry came late on day 0. The ferry came late on")
    await place.library.place("ana", book.id, made.text.index("The ferry came late on day 1"))
    assert await first_words(place.house, place.admin, book, 1) == MustConsent(1)


async def test_a_consent_is_kept_with_its_section_and_its_time(place: Place) -> None:
    shown = await first_words_consented(place.house, place.admin, place.book, 4)
    assert shown.words.startswith("Captain Marrable confessed")
    assert await place.house.maps.consents(place.admin.id) == (SectionConsent(place.book.id, 4, place.house.clock()),)


@pytest.mark.parametrize("number", [0, 6, -1])
async def test_a_section_that_is_not_there_is_refused_and_nothing_is_kept(place: Place, number: int) -> None:
    for refused in (first_words, first_words_consented):
        with pytest.raises(Refused) as error:
            await refused(place.house, place.admin, place.book, number)
        assert error.value.code == "no_such_section"
    assert await place.house.maps.consents(place.admin.id) == ()


async def test_a_mark_is_made_and_who_was_past_it_is_lowered(place: Place) -> None:
    changed = await map_marked(place.house, place.admin, place.book, Story(1, 1))
    assert changed.lowered == 1
    seen = await map_review(place.house, place.admin, place.book)
    assert [s.chapter for s in seen.sections] == [1, 2, 3, 4, None]
    assert seen.titles == {}
    (lowered, *_) = await place.library.roster.positions(place.admin.id, place.book.id)
    assert (lowered.offset, lowered.said, lowered.at) == (0, "the chapter map was changed", place.house.clock())
    with pytest.raises(Refused) as error:
        await map_marked(place.house, place.admin, place.book, NotStory(1, 5))
    assert error.value.code == "no_story"


async def test_a_book_of_another_club_is_neither_marked_nor_replaced(place: Place) -> None:
    other = await place.library.shelf.club_named("other")
    indexed = place.library.shelf.of(place.book.id).indexed
    theirs, _ = await place.library.shelf.store_book(other, indexed, "theirs", "Theirs")
    record = await place.library.shelf.book(theirs)
    for refused in (
        map_marked(place.house, place.admin, record, StoryEnds(3)),
        book_replaced(place.house, place.admin, place.book, record),
        book_replaced(place.house, place.admin, record, place.book),
    ):
        with pytest.raises(Refused) as error:
            await refused
        assert error.value.code == "unknown_book"


async def test_a_book_is_replaced_by_another_of_the_club(place: Place) -> None:
    new = await place.library.add(LANTERN, file="again")
    await book_replaced(place.house, place.admin, place.book, await place.library.shelf.book(new))
    assert [b.id for b in await place.library.roster.books()] == [new]
    (record,) = await place.library.roster.positions(place.admin.id, new)
    assert (record.offset, record.at) == (end_of(LANTERN, 1), place.house.clock())


def test_first_words_are_twelve_and_short() -> None:
    assert opening_words("\n\none two\nthree  four five six seven eight nine ten eleven twelve thirteen") == (
        "one two three four five six seven eight nine ten eleven twelve"
    )
    assert len(opening_words("話" * 500)) == 120
