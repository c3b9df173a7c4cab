"""What somebody's direct messages are about who is in several clubs: a book that they chose once, in one of them.

The choice is a member's own book for private questions, which one club alone keeps of them at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.asked_in import known_to
from bot.core.club import ClubId, Member, Person
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import read_privately
from bot.core.outcomes import NotAnswered
from bot.core.ports import BookRecord


@dataclass(frozen=True, slots=True)
class PrivateBook:
    """A book that somebody's direct messages may be about. ``current`` says that its club reads it now, ``chosen`` that
    it is what they are about.
    """

    club: ClubId
    book: BookRecord
    current: bool
    chosen: bool


async def private_books(houses: Iterable[Clubhouse], person: Person) -> tuple[PrivateBook, ...]:
    """Every book that they may be told of in clubs that they have joined: a club's current one first."""
    found: list[PrivateBook] = []
    for house in houses:
        async with house.searching.doors.opened() as door:
            member = await door.member_of_person(person)
            books, current = await door.books(), await door.current_book()
        if member is not None and member.joined and not member.removed:
            number = None if current is None else current.id
            ranked = sorted(known_to(member, books), key=lambda book: book.id != number)
            found += [PrivateBook(house.club, b, b.id == number, b.id == member.dm_book) for b in ranked]
    return tuple(found)


async def house_meant(houses: Sequence[Clubhouse], person: Person) -> Clubhouse | None:
    """The club that a direct message is meant for, of those a person is in: the only one, else the one whose book they
    chose. None where they have to be asked: they chose none, or their club is done with it and reads another.
    """
    if len(houses) == 1:
        return houses[0]
    books = await private_books(houses, person)
    chosen = {one.club for one in books if one.chosen and (one.current or not one.book.finished)}
    return next((house for house in houses if chosen == {house.club}), None)


async def chosen_privately(
    houses: Iterable[Clubhouse], house: Clubhouse, person: Person, named: str
) -> BookRecord | NotAnswered:
    """Make a book of one club, by number or title, the one that a person's direct messages are about, and no other.

    ``houses`` are all clubs that they are in.
    """
    book = await read_privately(house, person, named)
    if isinstance(book, NotAnswered):
        return book
    for other in houses:
        member = None if other.club == house.club else await _known(other, person)
        if member is not None and member.dm_book is not None:
            await other.roster.dm_book(member.id, None)
    return book


async def _known(house: Clubhouse, person: Person) -> Member | None:
    async with house.searching.doors.opened() as door:
        return await door.member_of_person(person)
