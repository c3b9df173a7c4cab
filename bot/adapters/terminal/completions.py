"""What may be typed next: never a title the speaker has not met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.core.chapters import chapter_name
from bot.core.club import private_to
from bot.core.search import Asked, boundary_of

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_MOST = 25
"""As many choices as the chat platforms allow."""


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
    if command == "/as":
        members = await club.desk.roster.members(club.desk.club)
        return [Choice(m.name) for m in members if m.name.startswith(rest)]
    if command == "/book":
        words = ("add ", "list", "switch ", "remove ", "chapters")
        return [Choice(word) for word in words if word.startswith(rest)]
    if command == "/club":
        return [Choice("members")] if "members".startswith(rest) else []
    if command == "/progress":
        return await _places(club, rest)
    return []


async def _places(club: TerminalClub, rest: str) -> list[Choice]:
    """Places that fit what is typed: chapters by number, and titles the speaker has met."""
    book = await club.desk.roster.current_book(club.desk.club)
    if book is None:
        return []
    member = await club.member()
    async with club.desk.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book.id, "", private_to(member.id)))
        chapter_map = await door.chapter_map(book.id)
        titles = [t.title for t in await door.titles_met(boundary) if t.chapter]
    wanted = rest.casefold()
    offered = ["finished", "none", "undo", *(chapter_name(c, chapter_map) for c in chapter_map.chapters)]
    met = [" ".join(title.split()) for title in titles]
    return [Choice(text, whole=True) for text in [*offered, *met] if text.casefold().startswith(wanted)][:_MOST]
