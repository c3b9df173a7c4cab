"""What may be typed next: never a title the speaker has not met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.adapters.terminal.club import CLUB_COMMANDS
from bot.adapters.terminal.rooms import OFF, ROOM_WORDS
from bot.core.asked_in import Place, known_to
from bot.core.chapter_list import chapters_listed
from bot.core.chapters import ChapterMap, chapter_at, chapter_name
from bot.core.club_settings import SETTINGS
from bot.core.clubs import DEFAULT
from bot.core.name_choices import names_offered
from bot.core.wanted import Scope

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub

_MOST: Final = 25
"""As many choices as the chat platforms allow."""
_BOOK: Final = (
    "add ",
    "list",
    "switch ",
    "remove ",
    "replace ",
    "chapters",
    "jobs",
    "announce ",
    "cancel ",
    "retry ",
    "undo",
)


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
    complete = _AFTER.get(command.lower())
    return [] if complete is None else await complete(club, rest)


async def _names(club: TerminalClub, rest: str) -> list[Choice]:
    return _beginning((m.name for m in await club.desk.roster.members()), rest)


async def _rooms(club: TerminalClub, rest: str) -> list[Choice]:
    return _beginning((r.name for r in await club.desk.house.rooms.rooms()), rest)


async def _books(club: TerminalClub, rest: str) -> list[Choice]:
    what, space, name = rest.partition(" ")
    if not space:
        return [Choice(word) for word in _BOOK if word.startswith(what)]
    if what not in {"switch", "remove"}:
        return []
    return [Choice(number) for number in await _book_numbers(club) if number.startswith(name)][:_MOST]


async def _book_numbers(club: TerminalClub) -> list[str]:
    """The numbers of the books that may be spoken of to the speaker."""
    books = await club.desk.roster.books()
    return [str(b.id) for b in known_to(await club.member(), books)]


def _beginning(texts: Iterable[str], typed: str) -> list[Choice]:
    return [Choice(text) for text in texts if text.startswith(typed)][:_MOST]


async def _club(club: TerminalClub, rest: str) -> list[Choice]:
    what, space, more = rest.partition(" ")
    if not space:
        return _beginning((w + " " if w in _AFTER_CLUB else w for w in CLUB_COMMANDS), what)
    after = _AFTER_CLUB.get(what.lower())
    return [] if after is None else await after(club, more)


async def _settings(club: TerminalClub, rest: str) -> list[Choice]:
    del club
    name, space, value = rest.partition(" ")
    if not space:
        return _beginning((f"{name} " for name in SETTINGS), name)
    setting = SETTINGS.get(name.lower())
    return [] if setting is None else _beginning((*setting.choices, DEFAULT), value)


async def _room(club: TerminalClub, rest: str) -> list[Choice]:
    what, space, more = rest.partition(" ")
    if not space:
        return _beginning(ROOM_WORDS, what)
    match what.lower():
        case "book":
            return _beginning((*await _book_numbers(club), OFF), more)
        case "limit":
            return _beginning((OFF,), more)
    return []


async def _admins(club: TerminalClub, rest: str) -> list[Choice]:
    name, space, more = rest.partition(" ")
    if space:
        return _beginning((OFF,), more)
    return _beginning((m.name for m in await club.desk.roster.members() if m.joined or m.admin), name)


async def _mute(club: TerminalClub, rest: str) -> list[Choice]:
    del club
    return _beginning(("30m", "2h", "1d"), rest)


_AFTER_CLUB: Final = {"settings": _settings, "room": _room, "admin": _admins, "mute": _mute}
"""What completes the words after `/club` that take more."""


async def _places(club: TerminalClub, typed: str) -> list[Choice]:
    """Places that fit what is typed: chapters by number, from the speaker's own on, and titles the speaker has met."""
    book = await club.book()
    if book is None:
        return []
    member = await club.member()
    if not member.joined:
        return []
    listed = await chapters_listed(club.desk.house, member, book.id)
    titles = [chapter.title for chapter in listed.chapters if chapter.title]
    offered = [*_named(listed.chapter_map, listed.here), *titles]
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


async def _recaps(club: TerminalClub, typed: str) -> list[Choice]:
    del club
    return [Choice(scope, whole=True) for scope in Scope if scope.startswith(typed)]


async def _who(club: TerminalClub, typed: str) -> list[Choice]:
    """Names that everyone in the room has met."""
    names = await names_offered(club.desk.house, club.speaker, Place(club.room), typed)
    return [Choice(name, whole=True) for name in names]


_AFTER: Final = {
    "/as": _names,
    "/book": _books,
    "/club": _club,
    "/room": _rooms,
    "/progress": _places,
    "/recap": _recaps,
    "/who": _who,
}
"""What completes the words after a command."""
