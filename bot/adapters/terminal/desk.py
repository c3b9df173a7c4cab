"""What the terminal club stands on: the use cases of the core, handed over by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.core.club import BookId, ClubId
from bot.core.clubhouse import Clubhouse
from bot.core.personal import Houses
from bot.core.ports import BookRecord, Doors
from bot.core.roster import Roster
from bot.core.search import Searching

ROOM: Final = "terminal"
"""The key of the one room there is."""

Progress = Callable[[str, float], None]
"""Called with a stage ("read", "index", "embed") and how much of it is done, 0 to 1. It may be called by any thread."""


@dataclass(frozen=True, slots=True)
class Desk:
    """One club at one keyboard.

    ``add`` makes a file of the club searchable and returns its book, and whether it is new; ``fill`` fills in a book's
    vectors; ``remove`` takes a book away with every trace of it; ``houses`` are the clubs that know a person.
    """

    house: Clubhouse
    add: Callable[[Path, Progress], Awaitable[tuple[BookRecord, bool]]]
    fill: Callable[[BookId, Progress], Awaitable[None]]
    remove: Callable[[BookId], Awaitable[None]]
    houses: Houses

    @property
    def club(self) -> ClubId:
        return self.house.club

    @property
    def doors(self) -> Doors:
        return self.house.searching.doors

    @property
    def roster(self) -> Roster:
        return self.house.roster

    @property
    def searching(self) -> Searching:
        return self.house.searching
