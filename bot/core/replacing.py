"""Whether a file that has just come in is a better one of a book that the club has: then it may take its place."""

from __future__ import annotations

from bot.core.club import BookId, Member
from bot.core.club_rooms import book_read
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.known_books import book_wanted
from bot.core.library import book_undone
from bot.core.ports import BookRecord
from bot.core.rights import require_admin


async def replaceable(house: Clubhouse, admin: Member, room: str | None, new: BookRecord) -> BookRecord | None:
    """The book whose place ``new`` may take: the one that is read in ``room`` (its key), if that is another, and
    ``new`` is not known to the club yet. Raises `Refused` for who is no admin.
    """
    require_admin(admin)
    old = await book_read(house, room)
    return None if new.announced or old is None or old.id == new.id else old


async def replacement(house: Clubhouse, admin: Member, old: BookId, new: BookId) -> tuple[BookRecord, BookRecord]:
    """Two books of the club, of which the second is to take the place of the first.

    Raises `Refused` for who is no admin, where either is gone, or where both are of the same file.
    """
    require_different(old, new)
    return await book_wanted(house, admin, str(old)), await book_wanted(house, admin, str(new))


def require_different(old: BookId, new: BookId) -> None:
    """Raises `Refused` where a file was given that the book was made from: the same file is the same book."""
    if old == new:
        raise Refused("same_file", "That is the file the book was made from: nothing was replaced.")


async def left_as_it_was(house: Clubhouse, admin: Member, new: BookRecord) -> None:
    """Replace nothing: the file that was brought for it goes, unless the club knows its book already."""
    require_admin(admin)
    if not new.announced:
        await book_undone(house, admin, new.id)
