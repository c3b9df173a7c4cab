"""The one catalogue of sentences: a domain value or an error becomes plain words, the same on every platform.

``CATALOGUE`` maps a language to its lines, and "en@discord" to the same lines as that platform says them; a line with a
count has two forms, ``one | other``. Nothing here adds markup or looks into a book: quotes and titles stand in a line
only where they are handed over with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.adapters.wording.english import ENGLISH, chat, discord_messages, telegram
from bot.core.boundary import Boundary
from bot.core.chapters import Chapter, ChapterMap, chapter_name, place_name
from bot.core.club import Audience
from bot.core.errors import DogearError, Refused, SpoilerLeak, Unavailable
from bot.core.reading import Located, NotLocated, Unclear, candidate_label

_CHAT: Final = {**ENGLISH, **chat.IN_PLACE_OF}

CATALOGUE: Final[Mapping[str, Mapping[str, str]]] = {
    "en": ENGLISH,
    "en@discord": {**_CHAT, **discord_messages.IN_PLACE_OF},
    "en@telegram": {**_CHAT, **telegram.IN_PLACE_OF},
}

REFUSALS: Final[Mapping[str, Mapping[str, str]]] = {
    "en@discord": chat.REFUSALS,
    "en@telegram": {**chat.REFUSALS, **telegram.REFUSALS},
}
"""What is refused under a code, where a platform says it otherwise than the core."""


def line(key: str, language: str = "en", **values: object) -> str:
    """The line ``key`` with its values; a language without a catalogue, or without the line, reads in English.

    ``count`` chooses between the two forms of a line that has two. Raises ``KeyError`` for an unknown key or value.
    """
    one, _, other = CATALOGUE.get(language, ENGLISH).get(key, ENGLISH[key]).partition(" | ")
    return (other if other and values.get("count") != 1 else one).format_map(values)


def refusal(audience: Audience, language: str = "en") -> str:
    """The one fixed refusal: the same whether the answer comes later, never, or was cut."""
    return line("refused_private" if audience.private else "refused_room", language)


def closest(audience: Audience, language: str = "en") -> str:
    """The heading over quotes that no model chose."""
    return line("closest_private" if audience.private else "closest_room", language)


def cited_chapter(chapter: Chapter | None, chapter_map: ChapterMap, language: str = "en") -> str:
    """Where a quote stands, in short: "ch. 6", "part 2, ch. 3"."""
    if chapter is None:
        return line("outside_chapters", language)
    return chapter_name(chapter, chapter_map).replace("chapter ", "ch. ")


def understood(place: Located | Unclear, before: int | None, language: str = "en") -> str:
    """What a member's statement was taken for; ``before`` is their offset until now, or None."""
    if isinstance(place, Unclear):
        return line("choose", language, understood=place.understood)
    key = "went_back" if before is not None and place.offset < before else "noted"
    return line(key if place.certain else "noted_unsure", language, understood=place.understood)


def choices(place: Unclear, chapter_map: ChapterMap) -> tuple[str, ...]:
    """The candidates of an ambiguous statement, in order, by numbers only."""
    return tuple(candidate_label(candidate, chapter_map) for candidate in place.candidates)


def boundary_line(boundary: Boundary, chapter_map: ChapterMap, language: str = "en") -> str:
    """For whom a reply in a room is: "for everyone who has read to the end of chapter 6"."""
    place = place_name(boundary.offset, chapter_map)
    if place.startswith("the end"):
        return line("up_to_end", language, place=place)
    return line("up_to_nothing" if place == "nothing yet" else "up_to_in_progress", language, place=place)


def member_place(offset: int | None, chapter_map: ChapterMap, language: str = "en") -> str:
    """Where a member is, told to that member; ``offset`` is None where they never said."""
    if offset is None:
        return line("no_place", language)
    place = place_name(offset, chapter_map)
    key = "your_place_nothing" if place == "nothing yet" else "your_place"
    return line(key, language, place=place, percent=chapter_map.percent(offset))


def club_place(offset: int, chapter_map: ChapterMap, language: str = "en") -> str:
    """Where the club is: the offset of its room's boundary, told no more exactly than by chapter."""
    place = place_name(offset, chapter_map)
    return line("club_place_nothing" if place == "nothing yet" else "club_place", language, place=place)


def pending(count: int, language: str = "en") -> str:
    """How many members have no place yet, without names; empty where all have."""
    return line("pending", language, count=count) if count else ""


def sentence(error: DogearError | NotLocated, language: str = "en") -> str:
    """An error in one plain sentence, for the person who met it; no book text, and no detail of a guard."""
    if isinstance(error, NotLocated | Refused | Unavailable):
        return REFUSALS.get(language, {}).get(error.code, error.message)
    return line("leak" if isinstance(error, SpoilerLeak) else "fault", language)
