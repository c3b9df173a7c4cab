"""What may be typed next: never a title the speaker has not met."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.core.chapters import ChapterMap, chapter_at, chapter_name
from bot.core.club import private_to
from bot.core.search import Asked, boundary_of

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_MOST: Final = 25
"""As many choices as the chat platforms allow."""
_BOOK: Final = ("add ", "list", "switch ", "remove ", "chapters")


@dataclass(frozen=True, slots=True)
class Choice:
    """A completion; ``whole`` says that it replaces all that follows the command, not the last word alone."""

    text: str
    whole: bool = False


async def completions(club: TerminalClub, typed: str) -> list[Choice]:
    """Completions of the arguments of a command that has been typed so far."""
    command, space, rest = typed.partition(" ")
    if not space:
        return []
    match command.lower():
        case "/as":
            members = await club.desk.roster.members()
            return [Choice(m.name) for m in members if m.name.startswith(rest)][:_MOST]
        case "/book":
            return await _books(club, rest)
        case "/club":
            return [Choice("members")] if "members".startswith(rest) else []
        case "/progress":
            return await _places(club, rest)
    return []


async def _books(club: TerminalClub, rest: str) -> list[Choice]:
    what, space, name = rest.partition(" ")
    if not space:
        return [Choice(word) for word in _BOOK if word.startswith(what)]
    if what not in {"switch", "remove"}:
        return []
    books = await club.desk.roster.books()
    return [Choice(str(b.id)) for b in books if str(b.id).startswith(name)][:_MOST]


async def _places(club: TerminalClub, typed: str) -> list[Choice]:
    """Places that fit what is typed: chapters by number, from the speaker's own on, and titles the speaker has met."""
    book = await club.book()
    if book is None:
        return []
    member = await club.member()
    async with club.desk.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book.id, "", private_to(member.id)))
        chapter_map = await door.chapter_map(book.id)
        titles = [" ".join(t.title.split()) for t in await door.titles_met(boundary) if t.chapter]
    offered = [*_named(chapter_map, boundary.offset), *titles]
    return [Choice(text, whole=True) for text in dict.fromkeys(offered) if fits(typed, text)][:_MOST]


def _named(chapter_map: ChapterMap, here: int) -> Iterator[str]:
    """Places by number, those that are most likely next first."""
    yield from ("finished", "none", "undo")
    reached = chapter_at(here, chapter_map)
    split = reached.ordinal - 1 if reached else 0
    chapters = [*chapter_map.chapters[split:], *chapter_map.chapters[:split]]
    for prefix in ("finished ", "in "):
        for chapter in chapters:
            yield prefix + chapter_name(chapter, chapter_map)


def fits(typed: str, text: str) -> bool:
    """Whether each word that is typed begins a word of ``text``, in order: "in 2 3" fits "in part 2, chapter 3"."""
    words = iter(text.casefold().replace(",", " ").replace("(", " ").split())
    return all(
        any(word.startswith(wanted) or word.lstrip("#").startswith(wanted) for word in words)
        for wanted in typed.casefold().split()
    )
