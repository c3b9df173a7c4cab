"""The names that complete what is typed after `/who`: met ones alone, under the boundary of the place."""

from __future__ import annotations

from typing import Final

from bot.core.asked_in import Place, asker_at, books_meant, matter_in
from bot.core.club import Person
from bot.core.clubhouse import Clubhouse
from bot.core.names import NAME_WORD, name_folded
from bot.core.outcomes import NotAnswered
from bot.core.people import sound_names
from bot.core.search import boundary_of
from bot.core.wanted import WHO

MOST: Final = 25
"""As many choices as the chat platforms allow."""


async def names_offered(house: Clubhouse, person: Person, place: Place, typed: str) -> tuple[str, ...]:
    """At most `MOST` names of which a word begins with ``typed``, as they were met; none for who would get no card.

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
    fitting = [name for name in sound_names(names) if _fits(wanted, name)]
    return tuple(sorted(fitting, key=lambda name: len(NAME_WORD.findall(name)) > 3)[:MOST])


def _fits(wanted: list[str], name: str) -> bool:
    """Whether each word that is typed begins a word of the name, in order."""
    words = iter(map(name_folded, NAME_WORD.findall(name)))
    return all(any(word.startswith(begun) for word in words) for begun in wanted)
