"""What the terminal club stands on: the use cases of the core, handed over by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bot.core.club import BookId, ClubId
from bot.core.ports import BookRecord, Doors, Roster
from bot.core.search import Searching

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """One club at one keyboard.

    ``add`` makes a file of the club searchable and returns its book; ``fill`` fills in a book's vectors; ``remove`` takes
    a book away with every trace of it.
    """

    club: ClubId
    doors: Doors
    roster: Roster
    searching: Searching
    add: Callable[[Path, Progress], Awaitable[BookRecord]]
    fill: Callable[[BookId], Awaitable[None]]
    remove: Callable[[BookId], Awaitable[None]]
