"""The books of a club as one of its people may speak of them: by number, and by title where that is theirs to know."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.asked_in import book_named, known_to
from bot.core.club import Member
from bot.core.club_rooms import books_read, unknown_book
from bot.core.clubhouse import Clubhouse
from bot.core.ports import BookRecord
from bot.core.rights import require_admin


@dataclass(frozen=True, slots=True)
class BookListed:
    """A book of the club. ``current`` says that the club reads it now; ``told`` that its title may be said to anybody
    in the club: else it is for who brought it alone.
    """

    book: BookRecord
    current: bool
    told: bool


async def books_listed(house: Clubhouse, member: Member) -> tuple[BookListed, ...]:
    """The club's books that ``member`` may be told of, oldest first."""
    current = await house.roster.current_book()
    number = None if current is None else current.id
    books = await house.roster.books()
    known = {book.id for book in known_to(member, books)} | {number}
    return tuple(BookListed(b, b.id == number, b.announced or b.id == number) for b in books if b.id in known)


async def book_wanted(house: Clubhouse, admin: Member, named: str) -> BookRecord:
    """The book that an admin names: any of the club's by its number, by its title one that they may be told of.

    Raises `Refused` for who is no admin, and where there is none.
    """
    require_admin(admin)
    books = await house.roster.books()
    number = named.strip().strip("“”\"'").lstrip("#")
    known = tuple(listed.book for listed in await books_listed(house, admin))
    found = next((b for b in books if str(b.id) == number), None) or book_named(known, named)
    if found is None:
        raise unknown_book()
    return found


async def may_be_named(house: Clubhouse, member: Member, book: BookRecord) -> bool:
    """Whether the title of a book may be said to a member alone."""
    return book.id in {listed.book.id for listed in await books_listed(house, member)}


async def books_to_nominate(house: Clubhouse) -> tuple[BookRecord, ...]:
    """What stands on the shelf, is known to the club, and is not read now."""
    reads = {book.id for book in await books_read(house)}
    return tuple(book for book in known_to(None, await house.roster.books()) if book.id not in reads)
