"""The names that complete what is typed after `/who`: met ones alone, under the boundary of the place."""

from __future__ import annotations

from collections import Counter
from typing import Final

from bot.core.asked_in import Place, asker_at, books_meant, matter_in
from bot.core.club import Person
from bot.core.clubhouse import Clubhouse
from bot.core.names import NAME_WORD, TITLES, name_folded
from bot.core.outcomes import NotAnswered
from bot.core.people import sound_names
from bot.core.search import boundary_of
from bot.core.wanted import WHO

MOST: Final = 25
"""As many choices as the chat platforms allow."""


async def names_offered(house: Clubhouse, person: Person, place: Place, typed: str) -> tuple[str, ...]:
    """At most `MOST` names of which a word begins with ``typed``; none for who would get no card.

    Names of whom many forms were met come first: that many are told of; else the one that was met first.
    In a room they are those that everyone there has met, privately those that the member has.
    """
    moment = await asker_at(house, person, place)
    if isinstance(moment, NotAnswered):
        return ()
    books = books_meant(moment, None, place.room is None)
    if isinstance(books, NotAnswered):
        return ()
    asked = matter_in(place, books[0].id, WHO, moment.member.id).asked
    async with house.searching.doors.opened() as door:
        names = await door.names_met(await boundary_of(door, asked))
    wanted = [name_folded(word) for word in NAME_WORD.findall(typed)]
    sound = sound_names(names)
    forms = Counter(word for name in sound for word in _words(name))
    fitting = [name for name in sound if _fits(wanted, name)]
    fitting.sort(key=lambda name: -max((forms[word] for word in _words(name)), default=0))
    return tuple(fitting[:MOST])


def _words(name: str) -> list[str]:
    return [name_folded(word) for word in NAME_WORD.findall(name) if word.casefold() not in TITLES]


def _fits(wanted: list[str], name: str) -> bool:
    """Whether each word that is typed begins a word of the name, in order."""
    words = iter(map(name_folded, NAME_WORD.findall(name)))
    return all(any(word.startswith(begun) for word in words) for begun in wanted)
