"""What stands around the clubs whose growth is measured: a clock, a few that are due, and where posts go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from bot.adapters.bulletins import Bulletin
from bot.adapters.scheduler import Outlet
from bot.app import App
from bot.core.audience import cannot_tell
from bot.core.club import ClubId, Member
from bot.core.club_settings import ClubSettings
from bot.core.notices import Notice
from bot.core.weekly import IsoWeek


@dataclass
class Clock:
    """Says what it was set to."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Few:
    """An agenda of which no more than ``most`` clubs are said to be due."""

    inner: Any
    most: int
    given: int = 0

    async def club_clocks(self) -> Mapping[ClubSettings, tuple[ClubId, ...]]:
        """Every club, by when its posts are due."""
        found: Mapping[ClubSettings, tuple[ClubId, ...]] = await self.inner.club_clocks()
        return found

    async def clubs_without_post(self, clubs: Sequence[ClubId], week: IsoWeek) -> tuple[ClubId, ...]:
        """Those that have no post of a week noted."""
        found: tuple[ClubId, ...] = await self.inner.clubs_without_post(clubs, week)
        return found

    async def clubs_without_round(self, clubs: Sequence[ClubId], day: date) -> tuple[ClubId, ...]:
        """Those that have no round of a day noted."""
        found: tuple[ClubId, ...] = await self.inner.clubs_without_round(clubs, day)
        return found

    async def clubs_due(self, now: datetime) -> tuple[ClubId, ...]:
        """Some that are due, spread over all."""
        found: tuple[ClubId, ...] = await self.inner.clubs_due(now)
        few = found[:: max(1, len(found) // self.most)][: self.most]
        self.given = len(few)
        return few


@dataclass
class Nowhere:
    """Where posts and notices go: they are counted."""

    posts: int = 0
    told: int = 0

    async def post(self, bulletin: Bulletin) -> bool:
        """Count it."""
        del bulletin
        self.posts += 1
        return True

    async def tell(self, member: Member, notice: Notice) -> bool:
        """Count it."""
        del member, notice
        self.told += 1
        return True

    def outlet_in(self, app: App, clubs: set[ClubId]) -> Callable[[ClubId], Awaitable[Outlet | None]]:
        """How the clubs that there are, are reached."""

        async def outlet(club: ClubId) -> Outlet | None:
            return Outlet(app.clubhouse(club), cannot_tell, self, self) if club in clubs else None

        return outlet
