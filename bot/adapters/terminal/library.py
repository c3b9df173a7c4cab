"""`/book ...` at the keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bot.adapters.terminal.replies import Reply, clear
from bot.core.chapters import chapter_name
from bot.core.club import private_to
from bot.core.ports import BookRecord
from bot.core.search import Asked, boundary_of

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub


async def add(club: TerminalClub, file: Path) -> list[Reply]:
    """Add a file of the club's own. It becomes the current book if there is none."""
    if not file.is_file():
        return [clear(f"There is no file {file}: check the path.")]
    book = await club.desk.add(file, club.show_progress)
    await club.fill(book.id)
    current = await club.desk.roster.current_book(club.desk.club)
    lines = [f"“{book.title}” is ready to be asked about: {book.chapters} chapters. It is book {book.id}."]
    if current is None or current.id != book.id:
        lines.append(f"/book switch {book.id} makes it the club's current book.")
    return [clear(*lines)]


async def listed(club: TerminalClub) -> list[Reply]:
    """The club's books by title, never more."""
    current = await club.desk.roster.current_book(club.desk.club)
    books = await club.desk.roster.books(club.desk.club)
    if not books:
        return [clear("There are no books yet: /book add FILE.")]
    return [clear(*(f"{'*' if current and b.id == current.id else ' '} {b.id}  {b.title}" for b in books))]


async def switch(club: TerminalClub, name: str) -> list[Reply]:
    """Make another book of the club its current one."""
    book = await _named(club, name)
    if book is None:
        return [clear("The club has no such book: /book list shows those it has.")]
    await club.desk.roster.switch_book(club.desk.club, book.id)
    return [clear(f"The club reads “{book.title}” now.")]


async def remove(club: TerminalClub, name: str) -> list[Reply]:
    """Remove a book of the club with every trace of it."""
    book = await _named(club, name)
    if book is None:
        return [clear("The club has no such book: /book list shows those it has.")]
    await club.desk.remove(book.id)
    return [clear(f"“{book.title}” and everything made from it is gone.")]


async def chapters(club: TerminalClub) -> list[Reply]:
    """The chapters by number, with the titles the speaker has met; for the speaker alone."""
    member, book = await club.member(), await club.desk.roster.current_book(club.desk.club)
    if book is None:
        return [clear("The club has no book yet: /book add FILE.")]
    async with club.desk.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book.id, "", private_to(member.id)))
        chapter_map = await door.chapter_map(book.id)
        titles = {t.chapter: t.title for t in await door.titles_met(boundary) if t.chapter}
    lines = []
    for chapter in chapter_map.chapters:
        name = chapter_name(chapter, chapter_map)
        title = " ".join(titles.get(chapter.ordinal, "").split())
        lines.append(f"#{chapter.ordinal}  {name}" + (f"  {title}" if title else ""))
    return [clear(*lines, only=club.speaker)]


async def _named(club: TerminalClub, name: str) -> BookRecord | None:
    books = await club.desk.roster.books(club.desk.club)
    return next((b for b in books if str(b.id) == name or b.title.casefold() == name.casefold()), None)
