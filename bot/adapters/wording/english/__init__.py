"""The English catalogue, one module an area. No key stands in two of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.adapters.wording.english import (
    answers,
    asking,
    books,
    chapter_map,
    chat,
    clubs,
    discord_commands,
    faults,
    keyboard,
    life,
    looking_ahead,
    members,
    memories,
    places,
    recaps,
    rooms,
    schedule,
    screen,
    spending,
    telegram,
    uploads,
)

_AREAS: Final = (
    answers,
    asking,
    books,
    chapter_map,
    chat,
    clubs,
    discord_commands,
    faults,
    keyboard,
    life,
    looking_ahead,
    members,
    memories,
    places,
    recaps,
    rooms,
    schedule,
    screen,
    spending,
    telegram,
    uploads,
)

ENGLISH: Final[Mapping[str, str]] = {key: line for area in _AREAS for key, line in area.LINES.items()}

if len(ENGLISH) != sum(len(area.LINES) for area in _AREAS):
    raise ValueError("a line of the catalogue has two wordings")
