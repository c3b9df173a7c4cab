"""Which books somebody may be told of, what is meant by a name, and which book a file may take the place of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from bot.core.club import BookId, Member, Role
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.known_books import book_wanted, books_listed, books_to_nominate, may_be_named
from bot.core.replacing import left_as_it_was, replaceable, replacement
from tests.fakes.clubhouse import FakeClock, house_of
from tests.fakes.library import LANTERN, in_memory
from tests.made_books import book_of, chapter

HERON = book_of(chapter(1, "A heron stood in the mill race all that morning."), title="The Heron")


@dataclass
class Shelf:
    """The club reads LANTERN; its admin ana has brought HERON, and told nobody. ben is no admin."""

    house: Clubhouse
    ana: Member
    ben: Member
    read: BookId
    brought: BookId = field(default=BookId(0))


@pytest.fixture
async def shelf() -> Shelf:
    library = in_memory()
    read = await library.add(LANTERN)
    brought = await library.add(HERON, file="other")
    ana, ben = await library.member("ana"), await library.member("ben")
    await library.roster.role_given(ana.id, Role.ADMIN)
    for book, by in ((read, None), (brought, ana.id)):
        kept = library.shelf.of(book)
        kept.record = replace(kept.record, announced=by is None, added_by=by)
    ana = await library.roster.member_known("ana")
    return Shelf(house_of(library, FakeClock()), ana, ben, read, brought)


async def test_a_book_that_is_not_announced_is_listed_for_who_brought_it_alone(shelf: Shelf) -> None:
    ana = [(one.book.id, one.current, one.told) for one in await books_listed(shelf.house, shelf.ana)]
    ben = [(one.book.id, one.current, one.told) for one in await books_listed(shelf.house, shelf.ben)]
    assert ana == [(shelf.read, True, True), (shelf.brought, False, False)]
    assert ben == [(shelf.read, True, True)]


async def test_an_admin_names_any_book_by_number_and_by_title_those_they_know(shelf: Shelf) -> None:
    await shelf.house.roster.role_given(shelf.ben.id, Role.ADMIN)
    ben = await shelf.house.roster.member_known("ben")
    assert (await book_wanted(shelf.house, shelf.ana, "“the heron”")).id == shelf.brought
    assert (await book_wanted(shelf.house, ben, f"#{shelf.brought}")).id == shelf.brought
    assert not await may_be_named(shelf.house, ben, await book_wanted(shelf.house, ben, str(shelf.brought)))
    with pytest.raises(Refused, match="no such book"):
        await book_wanted(shelf.house, ben, "The Heron")


async def test_who_is_no_admin_names_no_book(shelf: Shelf) -> None:
    with pytest.raises(Refused, match="Only an admin"):
        await book_wanted(shelf.house, shelf.ben, str(shelf.read))


async def test_what_is_read_now_or_is_not_announced_cannot_be_nominated(shelf: Shelf) -> None:
    assert await books_to_nominate(shelf.house) == ()
    await shelf.house.books.book_announced(shelf.brought, shelf.house.clock())
    assert [book.id for book in await books_to_nominate(shelf.house)] == [shelf.brought]


async def test_a_file_may_take_the_place_of_the_book_that_is_read_until_it_is_announced(shelf: Shelf) -> None:
    new = await book_wanted(shelf.house, shelf.ana, str(shelf.brought))
    old = await replaceable(shelf.house, shelf.ana, None, new)
    assert old is not None
    assert old.id == shelf.read
    assert await replaceable(shelf.house, shelf.ana, None, replace(new, announced=True)) is None
    assert await replaceable(shelf.house, shelf.ana, None, old) is None


async def test_the_same_file_replaces_nothing(shelf: Shelf) -> None:
    old, new = await replacement(shelf.house, shelf.ana, shelf.read, shelf.brought)
    assert (old.id, new.id) == (shelf.read, shelf.brought)
    with pytest.raises(Refused, match="That is the file"):
        await replacement(shelf.house, shelf.ana, shelf.read, shelf.read)


async def test_what_was_brought_for_nothing_goes_and_what_the_club_knows_stays(shelf: Shelf) -> None:
    new = await book_wanted(shelf.house, shelf.ana, str(shelf.brought))
    await left_as_it_was(shelf.house, shelf.ana, replace(new, announced=True))
    assert await may_be_named(shelf.house, shelf.ana, new)
    await left_as_it_was(shelf.house, shelf.ana, new)
    assert not await may_be_named(shelf.house, shelf.ana, new)
