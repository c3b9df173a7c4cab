"""`/book ...` at the keyboard."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from bot.adapters import wording
from bot.adapters.terminal import asking, memories, uploads
from bot.adapters.terminal import chapter_map as maps
from bot.adapters.terminal.replies import Reply, clear
from bot.core.chapter_list import chapters_listed
from bot.core.known_books import book_wanted, books_listed
from bot.core.library import book_removed
from bot.core.life import next_book_started
from bot.core.rights import require_admin

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
    listed = await books_listed(club.desk.house, await club.member())
    if not listed:
        return [clear(wording.line("no_book"))]

    def rows(told: bool) -> list[str]:
        return [
            wording.line("book_row", mark="*" if one.current else " ", book=one.book.id, title=one.book.title)
            for one in listed
            if one.told is told
        ]

    known, own = rows(told=True), rows(told=False)
    replies = [clear(*known)] if known else []
    return [*replies, clear(*own, only=club.speaker)] if own else replies


async def _switch(club: TerminalClub, name: str) -> list[Reply]:
    """Make another book of the club its current one, which announces it."""
    member = await club.member()
    book = await book_wanted(club.desk.house, member, name)
    await next_book_started(club.desk.house, member, book.id)
    return [clear(wording.line("book_now", title=book.title))]


async def _remove(club: TerminalClub, name: str) -> list[Reply]:
    """Remove a book of the club with every trace of it. One that is not announced is not named in the room."""
    member = await club.member()
    book = await book_wanted(club.desk.house, member, name)
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
    listed = (await chapters_listed(club.desk.house, member, book.id)).chapters
    lines = [wording.line("chapter_row", ordinal=c.ordinal, name=c.name, title=c.title).rstrip() for c in listed]
    return [clear(*lines, only=club.speaker)]


_WITH_NAME: Final = {
    "add": uploads.add,
    "chapters": maps.change,
    "replace": maps.replace,
    "announce": uploads.announce,
    "cancel": uploads.cancel,
    "retry": uploads.retry,
    "memory": memories.memory,
    "switch": _switch,
    "remove": _remove,
}
_ALONE: Final = {"list": _listed, "chapters": chapters, "jobs": uploads.jobs, "undo": uploads.undo}
