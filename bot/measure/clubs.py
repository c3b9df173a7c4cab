"""`dogear bench clubs`: a week of thousands of clubs on a real database, and whether anybody was shown too much.

Clubs live side by side; within one of them steps follow each other, and what happens in the middle of a step happens
between two of its transactions, so that one seed is always the same week.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.app import App, opened
from bot.core.audience import for_room
from bot.core.club import MemberId
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.search import boundary_of
from bot.core.weekly import IsoWeek
from bot.measure.club_book import DrawnEmbedder
from bot.measure.club_platform import InterruptedDoors, Platform
from bot.measure.club_stock import StockedClub, crowded, stocked
from bot.measure.club_week import ClubWeek
from bot.measure.intervals import percentile
from bot.settings import Settings

WEEK: Final = IsoWeek(2026, 10)
"""Clocks go forward in New York at its end."""
START: Final = datetime.combine(date.fromisocalendar(WEEK.year, WEEK.week, 1), time.min, UTC)
CROWD: Final = 500
"""Members of the room whose boundary is looked up."""
LOOKUPS: Final = 200
STEPS: Final = 5
"""Steps of people in each club: with the nine ticks of its week, 5,000 clubs take half an hour on two cores."""
TARGET: Final = 5.0
"""Milliseconds that such a lookup may take."""
_TOLD: Final = 20
"""Violations that are listed; all are counted."""
_NOTES: Final = 20
_OWNER: Final = "postgres"


@dataclass(frozen=True, slots=True)
class ClubsSize:
    """So many clubs of so many people for so many days; ``steps`` of people a club, ``at_once`` clubs at a time.

    ``crowd`` is how many are in the room whose boundary is looked up.
    """

    clubs: int = 5_000
    members: int = 20
    days: int = 7
    steps: int = STEPS
    at_once: int = 4
    seed: int = 1
    crowd: int = CROWD

    def __post_init__(self) -> None:
        if min(self.clubs, self.members, self.days, self.steps, self.at_once, self.crowd) < 1 or self.seed < 0:
            raise Refused("bad_size", "Each size of a benchmark is at least 1.")


@dataclass
class Lived:
    """What came of all clubs together; ``note`` is told now and then how far they are."""

    note: Callable[[str], None]
    clubs: int
    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    outcomes: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    posts: Counter[int] = field(default_factory=Counter)
    highlights: int = 0
    violations: list[str] = field(default_factory=list)
    began: float = field(default_factory=perf_counter)

    def add(self, week: ClubWeek, days: int) -> None:
        """Add one club at the end of its week, in which it got exactly one post if that is a whole one."""
        for kind, times in week.times.items():
            self.times[kind] += times
        posts = week.platform.posts[WEEK]
        if days >= 7 and posts != 1:
            week.log.violated(f"{posts} weekly posts")
        self.outcomes += week.outcomes
        self.notices += week.platform.notices
        self.posts[posts] += 1
        self.highlights += week.platform.highlights
        self.violations += week.log.violations
        done = self.posts.total()
        if done % max(1, self.clubs // _NOTES) == 0:
            left = (perf_counter() - self.began) / done * (self.clubs - done)
            self.note(f"{done} of {self.clubs} clubs, {len(self.violations)} violations, about {left:,.0f} s to go")


async def bench_clubs(settings: Settings, size: ClubsSize, note: Callable[[str], None]) -> dict[str, Any]:
    """Run everything in a temporary home with an embedded server, removed at the end."""
    home = Path(tempfile.mkdtemp(prefix="dogear-bench-"))
    try:
        own = settings.model_copy(update={"home": home, "database_url": None})
        async with opened(own, note) as app:
            owner = create_async_engine(app.ingest_engine.url.set(username=_OWNER))
            try:
                return await measured(app, owner, size, note)
            finally:
                await owner.dispose()
    finally:
        shutil.rmtree(home, ignore_errors=True)


async def measured(app: App, owner: AsyncEngine, size: ClubsSize, note: Callable[[str], None]) -> dict[str, Any]:
    """Make the clubs, look up a crowd's boundary, and let the clubs live; ``owner`` may write anything."""
    note(f"Making {size.clubs} clubs of {size.members} people ...")
    began = perf_counter()
    clubs = await stocked(app.shelf, owner, size.clubs, size.members, START, size.seed)
    crowd = await crowded(app.shelf, owner, size.crowd, START, size.seed)
    made = perf_counter() - began
    lookup = await looked_up(app, crowd)
    note(f"Living {size.days} days: {size.steps} steps a club, and its clock ...")
    began = perf_counter()
    lived = Lived(note, size.clubs)
    waiting = iter(clubs)
    await asyncio.gather(*(_lives(app, waiting, size, lived) for _ in range(size.at_once)))
    seconds = perf_counter() - began
    return {
        "clubs": size.clubs,
        "members": size.members,
        "days": size.days,
        "seed": size.seed,
        "at_once": size.at_once,
        "made_seconds": round(made, 1),
        "seconds": round(seconds, 1),
        "steps": sum(map(len, lived.times.values())),
        "kinds": [_kind(kind, times) for kind, times in sorted(lived.times.items())],
        "outcomes": dict(sorted(lived.outcomes.items())),
        "notices": dict(sorted(lived.notices.items())),
        "weekly": {"week": f"{WEEK.year}-W{WEEK.week:02}", "clubs_by_posts": dict(sorted(lived.posts.items()))},
        "highlights": lived.highlights,
        "violations": {"count": len(lived.violations), "first": lived.violations[:_TOLD]},
        "boundary_lookup": lookup,
    }


def _kind(kind: str, times: Sequence[float]) -> dict[str, Any]:
    return {"kind": kind, "n": len(times), **_percentiles(times)}


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    return {f"p{p}": round(1000 * percentile(times, p), 2) for p in (50, 95)}


async def _lives(app: App, waiting: Iterable[StockedClub], size: ClubsSize, lived: Lived) -> None:
    """Let one club after another live, until none is left."""
    for club in waiting:
        week = simulated(app, club, size.seed)
        await week.lived(START, size.days, size.steps)
        await agrees(week)
        lived.add(week, size.days)


def simulated(app: App, club: StockedClub, seed: int) -> ClubWeek:
    """A club before its week: the program's own clubhouse, on the simulation's clock."""
    house = app.clubhouse(club.id)
    doors = InterruptedDoors(house.searching.doors)
    searching = replace(house.searching, doors=doors, embedder=DrawnEmbedder(), reranker=None)
    house = replace(house, searching=searching, clock=lambda: club.log.now)
    rng = np.random.default_rng([seed, club.log.number, 2])
    return ClubWeek(house, doors, club.log, Platform(club.log), club.book, club.host, rng)


async def agrees(week: ClubWeek) -> None:
    """See that the database and the simulation's log say the same of everybody: else the checks are worth nothing."""
    async with week.doors.doors.opened() as door:
        members = {m.person: m for m in await door.members()}
        places = await door.positions_latest(week.book, [m.id for m in members.values()])
    for person, reader in week.log.people.items():
        member = members[person]
        kept = (member.joined, member.joined and member.away, member.joined and member.aside, places.get(member.id))
        told = (reader.joined, reader.joined and reader.away, reader.joined and reader.aside, None)
        if kept != (*told[:3], reader.place if reader.joined else None):
            week.log.violated("the database says something else of a member than the log")


async def looked_up(app: App, crowd: StockedClub) -> dict[str, Any]:
    """How long the boundary of a room takes, in milliseconds: in an open transaction, and with opening it."""
    house: Clubhouse = app.clubhouse(crowd.id)
    room = next(iter(crowd.log.rooms))
    asked = for_room(room, crowd.book)
    inside, whole = [], []
    counted: frozenset[MemberId] = frozenset()
    for _ in range(LOOKUPS):
        began = perf_counter()
        async with house.searching.doors.opened() as door:
            opened_at = perf_counter()
            counted = (await boundary_of(door, asked)).audience.members
            inside.append(perf_counter() - opened_at)
        whole.append(perf_counter() - began)
    return {
        "members": len(counted),
        "n": LOOKUPS,
        "target": TARGET,
        **_percentiles(inside),
        "with_opening": _percentiles(whole),
    }
