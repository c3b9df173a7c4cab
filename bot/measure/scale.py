"""`dogear bench scale`: clubs, members and books by the thousand, and how what a process does grows with them.

Everything is generated: rows are written straight into PostgreSQL, books are copies of one of generated prose with
drawn vectors. One club in ten or so reads a book (there are fewer books than clubs); all have settings, a room and
members. Each size has a home of its own, opened again from cold before it is measured.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.adapters.scheduler import Schedules
from bot.app import App, opened
from bot.core.audience import for_room
from bot.core.club import BookId, ClubId
from bot.core.errors import Refused
from bot.core.search import boundary_of, find
from bot.measure.club_book import DIMENSION, DrawnEmbedder
from bot.measure.club_stock import analysed, books_copied
from bot.measure.evaluate import reader_at
from bot.measure.intervals import percentile
from bot.measure.library import GeneratedBook, generated_book, generated_question
from bot.measure.scale_world import Clock, Few, Nowhere
from bot.measure.shelving import shelved
from bot.settings import Settings

START: Final = datetime(2031, 3, 3, 12, 0, tzinfo=UTC)
"""A Monday; every club's post is due on the Sunday after."""
SUNDAY: Final = datetime(2031, 3, 9, 18, 0, 5, tzinfo=UTC)
GENERATED: Final = "Rows, prose and vectors are generated; a book has few passages, and is a copy of one other's rows."
LOOKUPS: Final = 100
_CHUNK: Final = 100
_OWNER: Final = "postgres"
_READ: Final = 0.5
"""How far of its book a member has read at most."""


@dataclass(frozen=True, slots=True)
class ScaleSize:
    """How much there is in the larger of the two; the smaller has a tenth of the clubs and of the books."""

    clubs: int = 10_000
    members: int = 20
    books: int = 1_000
    passages: int = 40
    ticked: int = 1_000

    def __post_init__(self) -> None:
        if min(self.clubs, self.members, self.books, self.passages, self.ticked) < 1 or self.books > self.clubs:
            raise Refused("bad_size", "Each size of a benchmark is at least 1, and there are no more books than clubs.")

    @property
    def tenth(self) -> ScaleSize:
        """The smaller."""
        return replace(self, clubs=max(1, self.clubs // 10), books=max(1, self.books // 10))


async def bench_scale(settings: Settings, size: ScaleSize, note: Callable[[str], None]) -> dict[str, Any]:
    """Measure both sizes, the smaller first, each in a temporary home with an embedded server."""
    rows = []
    for one in (size.tenth, size):
        home = Path(tempfile.mkdtemp(prefix="dogear-scale-"))
        try:
            own = settings.model_copy(update={"home": home, "database_url": None, "embedder": "none"})
            rows.append(await _measured(own, one, note))
        finally:
            shutil.rmtree(home, ignore_errors=True)
    return {"generated": GENERATED, "sizes": rows, "growth": growth(rows)}


def growth(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """What each figure of the larger is, divided by that of the smaller."""
    small, large = rows
    kept = {name: value for name, value in small.items() if isinstance(value, int | float) and value > 0}
    return {name: round(large[name] / value, 2) for name, value in kept.items()}


async def _measured(settings: Settings, size: ScaleSize, note: Callable[[str], None]) -> dict[str, Any]:
    note(f"Writing {size.clubs} clubs of {size.members} people, {size.books} books of {size.passages} passages ...")
    began = perf_counter()
    async with opened(settings, note) as app, _owner(app) as owner:
        made = generated_book(1, size.passages, DIMENSION)
        await _written(app, owner, size, made)
        await analysed(owner)
        written = perf_counter() - began
    note("Starting, from cold ...")
    began = perf_counter()
    async with opened(settings, note) as app, _owner(app) as owner:
        open_at = perf_counter() - began
        value = await _figures(app, owner, size, made, note)
    return {
        "clubs": size.clubs,
        "members": size.clubs * size.members,
        "books": size.books,
        "passages": size.passages,
        "written_seconds": round(written, 1),
        "opened_seconds": round(open_at, 2),
        **value,
    }


@asynccontextmanager
async def _owner(app: App) -> AsyncIterator[AsyncEngine]:
    engine = create_async_engine(app.ingest_engine.url.set(username=_OWNER))
    try:
        yield engine
    finally:
        await engine.dispose()


async def _written(app: App, owner: AsyncEngine, size: ScaleSize, made: GeneratedBook) -> None:
    """Clubs with a room, settings and members each, and a book with everybody's place in the first of them."""
    template = (await shelved(app.shelf, await app.shelf.club_named("template"), DrawnEmbedder.model, made)).id
    async with owner.begin() as connection:
        await _run(connection, _CLUBS, {"clubs": size.clubs, "members": size.members, "start": START})
        found = await connection.execute(
            text("select id from dogear.club where server = 'scale' order by id limit :books"), {"books": size.books}
        )
        reading = [ClubId(club) for club in found.scalars()]
    body = made.indexed.body_start, made.indexed.book.body_end
    for at in range(0, size.books, _CHUNK):
        async with owner.begin() as connection:
            await _books(connection, template, reading[at : at + _CHUNK], body)


async def _books(connection: AsyncConnection, template: BookId, clubs: Sequence[ClubId], body: tuple[int, int]) -> None:
    await books_copied(connection, template, dict(enumerate(clubs)))
    given = {"clubs": list(clubs), "start": START, "low": body[0], "most": int(_READ * (body[1] - body[0]))}
    await _run(connection, _READING, given)


async def _run(connection: AsyncConnection, statements: Sequence[str], given: Mapping[str, object]) -> None:
    for statement in statements:
        wanted = {name: value for name, value in given.items() if f":{name}" in statement}
        await connection.execute(text(statement), wanted)


_CLUBS: Final = (
    "insert into dogear.club (name, server) select 'club ' || n, 'scale' from generate_series(1, :clubs) n",
    "insert into dogear.member (club_id, person, name, role, joined_at, seen_at, shown) "
    "select c.id, 'scale:' || c.id || ':' || n, 'P' || n, case n when 1 then 'admin' else 'member' end, "
    "cast(:start as timestamptz) - interval '20 days', :start, n % 2 = 0 "
    "from dogear.club c, generate_series(1, :members) n where c.server = 'scale'",
    "insert into dogear.room (club_id, key, name) select id, 'scale:' || id, 'room' from dogear.club "
    "where server = 'scale'",
    "insert into dogear.setting (club_id, name, value, changed_at) select id, 'away_after_days', '60', "
    "cast(:start as timestamptz) - interval '20 days' from dogear.club where server = 'scale'",
    # this week's post and round are done, so that a start finds nothing to do but what there always is
    "insert into dogear.daily_round (club_id, day, planned_at, done_at) "
    "select id, cast(cast(:start as timestamptz) as date), :start, :start "
    "from dogear.club where server = 'scale'",
    "insert into dogear.weekly_post (club_id, iso_year, iso_week, planned_at, state, settled_at) "
    "select id, 2031, 9, cast(:start as timestamptz) - interval '18 hours', 'posted', :start "
    "from dogear.club where server = 'scale'",
)
_ROUND_DONE: Final = (
    "insert into dogear.daily_round (club_id, day, planned_at, done_at) "
    "select id, cast(cast(:sunday as timestamptz) as date), :sunday, :sunday from dogear.club",
)
_READING: Final = (
    "update dogear.club c set current_book = b.id from dogear.book b where b.club_id = c.id "
    "and c.id = any(cast(:clubs as bigint[]))",
    'insert into dogear.position (club_id, member_id, book_id, "offset", kind, said, understood, created_at) '
    "select m.club_id, m.id, b.id, cast(:low + :most * random() as int), 'offset', 'a place', 'a place', :start "
    "from dogear.member m join dogear.book b on b.club_id = m.club_id where m.club_id = any(cast(:clubs as bigint[]))",
)


async def _figures(
    app: App, owner: AsyncEngine, size: ScaleSize, made: GeneratedBook, note: Callable[[str], None]
) -> dict[str, Any]:
    nowhere = Nowhere()
    clock = Clock(START)
    clubs = set(await app.directory.clubs())
    schedules = Schedules(app.agenda, app.leading, nowhere.outlet_in(app, clubs), clock)
    schedules.scheduler.start(paused=True)
    began, held = perf_counter(), _resident("self")
    await schedules.look()
    looked, grown = perf_counter() - began, _resident("self") - held
    clock.now += timedelta(minutes=1)
    idle_look = await _times(schedules.look, 5)
    clock.now = SUNDAY
    async with owner.begin() as connection:
        await _run(connection, _ROUND_DONE, {"sunday": SUNDAY})
    note(f"Noting a post that was missed in {len(clubs)} clubs ...")
    (noted,) = await _times(schedules.look, 1)
    schedules.scheduler.shutdown(wait=False)
    due = await app.agenda.clubs_due(SUNDAY)
    note(f"{len(due)} clubs have a post due; ticking {min(size.ticked, len(due))} of them ...")
    ticked = Few(app.agenda, size.ticked)
    at_work = Schedules(ticked, app.leading, nowhere.outlet_in(app, clubs), clock)
    spent = await _times(at_work.work, 1)
    asking = await _times(lambda: app.agenda.clubs_due(SUNDAY), 20)
    note("Looking up boundaries, and searching ...")
    lookups, searches = await _read(app, size, made)
    async with owner.connect() as connection:
        stored = (await connection.execute(text("select pg_database_size(current_database())"))).scalar_one()
    return {
        "first_look_seconds": round(looked, 2),
        "look_ms": _p(idle_look),
        "missed_seconds": round(noted, 2),
        "clubs_due_ms": _p(asking),
        "ticked": ticked.given,
        "posts": nowhere.posts,
        "tick_ms": round(1000 * spent[0] / max(1, ticked.given), 2),
        "tick_all_seconds": round(spent[0] / max(1, ticked.given) * len(due), 1),
        "boundary_p50_ms": _p(lookups),
        "boundary_p95_ms": _p(lookups, 95),
        "search_p50_ms": _p(searches),
        "search_p95_ms": _p(searches, 95),
        "process_megabytes": round(_resident("self") / 2**20),
        "triggers_megabytes": round(grown / 2**20, 1),
        "database_megabytes": round(int(stored) / 2**20),
    }


async def _read(app: App, size: ScaleSize, made: GeneratedBook) -> tuple[list[float], list[float]]:
    """Seconds of boundary lookups, and of whole searches, in reading clubs drawn at random."""
    rng = np.random.default_rng(3)
    clubs = [club for club in await app.directory.clubs() if club > 1][: size.books]
    body = made.indexed.body_start, made.indexed.book.body_end
    lookups, searches = [], []
    for number in range(-20, LOOKUPS):
        club = clubs[int(rng.integers(len(clubs)))]
        house = app.clubhouse(club)
        book = await house.roster.current_book()
        assert book is not None
        asked = for_room(f"scale:{club}", book.id)
        began = perf_counter()
        async with house.searching.doors.opened() as door:
            await boundary_of(door, asked)
        looked = perf_counter() - began
        searching = replace(house.searching, embedder=DrawnEmbedder(), reranker=None)
        offset = int(rng.integers(*body))
        began = perf_counter()
        await find(searching, reader_at(book.id, generated_question(rng, made.names), offset), 8)
        if number >= 0:
            lookups.append(looked)
            searches.append(perf_counter() - began)
    return lookups, searches


async def _times(run: Callable[[], Awaitable[object]], count: int) -> list[float]:
    times = []
    for _ in range(count):
        began = perf_counter()
        await run()
        times.append(perf_counter() - began)
    return times


def _p(times: Sequence[float], of: int = 50) -> float:
    return round(1000 * percentile(times, of), 2)


def _resident(process: str) -> int:
    """Bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
