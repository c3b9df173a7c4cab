"""`/book ...` at the keyboard."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal import asking, uploads
from bot.adapters.terminal import chapter_map as maps
from bot.adapters.terminal.replies import Reply, clear
from bot.core.asked_in import known_to
from bot.core.chapters import chapter_name
from bot.core.club import private_to
from bot.core.library import book_removed
from bot.core.life import next_book_started
from bot.core.ports import BookRecord
from bot.core.rights import require_admin
from bot.core.search import Asked, boundary_of

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub


async def book_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/book add FILE`, `list`, `switch N`, `remove N`, `chapters`, `jobs` ...; a name with spaces may be quoted.

    Privately `N` alone makes that book the one that the speaker's private questions are about.
    """
    what, *after = rest.split(None, 1)[:2] or [""]
    try:
        name = _named(after[0] if after else "")
    except ValueError:
        return [clear(wording.line("quotation_mark"))]
    if what.lower() in _WITH_NAME and name:
        require_admin(await club.member())
        return await _WITH_NAME[what.lower()](club, name)
    if what.lower() in _ALONE and not name:
        return await _ALONE[what.lower()](club)
    if private and what and what.lower() not in _WITH_NAME:
        return await asking.dm_book(club, _named(rest))
    return [clear(wording.line("book_how"))]


def _named(typed: str) -> str:
    """What was named: quotation marks and backslashes as in a shell, else as it was typed, spaces and all."""
    words = shlex.split(typed)
    return words[0] if len(words) == 1 else typed


async def _listed(club: TerminalClub) -> list[Reply]:
    """The club's books by title, never more; who brought one that is not announced sees it too, alone."""
    current, member = await club.desk.roster.current_book(), await club.member()
    books = await club.desk.roster.books()
    known = [b for b in books if b.announced or b == current]
    own = [b for b in books if b not in known and b.added_by == member.id]
    if not known and not own:
        return [clear(wording.line("no_book"))]
    mark = {current.id: "*"} if current else {}

    def rows(some: list[BookRecord]) -> list[str]:
        return [wording.line("book_row", mark=mark.get(b.id, " "), book=b.id, title=b.title) for b in some]

    replies = [clear(*rows(known))] if known else []
    return [*replies, clear(*rows(own), only=club.speaker)] if own else replies


async def _switch(club: TerminalClub, name: str) -> list[Reply]:
    """Make another book of the club its current one, which announces it."""
    book = await _found(club, name)
    if book is None:
        return [clear(wording.line("no_such_book"))]
    await next_book_started(club.desk.house, await club.member(), book.id)
    return [clear(wording.line("book_now", title=book.title))]


async def _remove(club: TerminalClub, name: str) -> list[Reply]:
    """Remove a book of the club with every trace of it. One that is not announced is not named in the room."""
    book, member = await _found(club, name), await club.member()
    if book is None:
        return [clear(wording.line("no_such_book"))]
    current = await club.desk.roster.current_book()
    await club.stop_filling(book.id)
    await book_removed(club.desk.house, member, book.id)
    if book.announced or (current is not None and current.id == book.id):
        return [clear(wording.line("book_gone", title=book.title))]
    told = [clear(wording.line("book_gone_untitled", number=book.id))]
    own = [clear(wording.line("book_gone", title=book.title), only=member.name)]
    return [*told, *(own if book.added_by == member.id else [])]


async def chapters(club: TerminalClub) -> list[Reply]:
    """The chapters by number, with the titles the speaker has met; for the speaker alone, a member. An admin sees the
    map of all sections.
    """
    member, book = await club.member(), await club.book()
    if not member.joined:
        return [clear(wording.line("members_only"))]
    if member.admin:
        return await maps.review(club)
    if book is None:
        return [clear(wording.line("no_book"))]
    async with club.desk.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book.id, "", private_to(member.id)))
        chapter_map = await door.chapter_map(book.id)
        titles = {t.chapter: t.title for t in await door.titles_met(boundary) if t.chapter}
    lines = []
    for chapter in chapter_map.chapters:
        name = chapter_name(chapter, chapter_map)
        title = " ".join(titles.get(chapter.ordinal, "").split())
        lines.append(wording.line("chapter_row", ordinal=chapter.ordinal, name=name, title=title).rstrip())
    return [clear(*lines, only=club.speaker)]


async def _found(club: TerminalClub, name: str) -> BookRecord | None:
    """The book of this number or title; the title of one that is not announced is known to who brought it."""
    books, member = await club.desk.roster.books(), await club.member()
    current = await club.desk.roster.current_book()
    known = {b.id for b in (*known_to(member, books), *([current] if current else []))}
    titled = (b for b in books if b.id in known and b.title.casefold() == name.casefold())
    return next((b for b in books if str(b.id) == name), next(titled, None))


_WITH_NAME: Final = {
    "add": uploads.add,
    "chapters": maps.change,
    "replace": maps.replace,
    "announce": uploads.announce,
    "cancel": uploads.cancel,
    "retry": uploads.retry,
    "switch": _switch,
    "remove": _remove,
}
_ALONE: Final = {"list": _listed, "chapters": chapters, "jobs": uploads.jobs, "undo": uploads.undo}
