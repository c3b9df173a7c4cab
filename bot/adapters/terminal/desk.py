"""What the terminal club stands on: the use cases of the core, handed over by the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from bot.core.club import BookId, ClubId
from bot.core.clubhouse import Clubhouse
from bot.core.jobs import Job, JobId
from bot.core.personal import Houses
from bot.core.ports import Doors
from bot.core.roster import Roster
from bot.core.search import Searching

ROOM: Final = "terminal"
"""The key of the one room there is."""

Progress = Callable[[str, float], None]
"""Called with a stage ("read", "index", "embed") and how much of it is done, 0 to 1. It may be called by any thread."""

SeeThrough = Callable[[JobId, Progress], Awaitable[Job | None]]
Fill = Callable[[BookId, Progress], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Desk:
    """One club at one keyboard.

    ``see_through`` does a job of the club, or waits until a worker has, and says how it ended; ``fill`` fills in a
    book's vectors; ``houses`` are the clubs that know a person.
    """

    house: Clubhouse
    see_through: SeeThrough
    fill: Fill
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
