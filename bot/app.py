"""The composition root: builds adapters, hands them to use cases, closes what it opened."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.health.counted import CountedDoors, CountedEmbedder, counted_ledger
from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.models.choose import ChosenEmbedder, embedder_from, reranker_from
from bot.adapters.postgres.ahead import PostgresAhead
from bot.adapters.postgres.ballots import PostgresBallots
from bot.adapters.postgres.chapter_maps import PostgresChapterMaps
from bot.adapters.postgres.club_books import PostgresClubBooks
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.emptying import club_emptied
from bot.adapters.postgres.inbox import PostgresInbox
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.leading import PostgresLeading
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.logins import SETTINGS, require_door_closed
from bot.adapters.postgres.migrate import schema_version
from bot.adapters.postgres.once import PostgresOnce
from bot.adapters.postgres.owed import PostgresOwed
from bot.adapters.postgres.rebuilding import PostgresRebuilding
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.server import connected
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.slots import PostgresSlots
from bot.adapters.postgres.spending import PostgresSpending
from bot.adapters.postgres.stopping import PostgresStopping
from bot.adapters.postgres.timetable import PostgresAgenda, PostgresTimetable
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.desk import Desk, Fill
from bot.adapters.terminal.schedule import ShiftedClock
from bot.core.club import BookId, ClubId, MemberId, Person
from bot.core.clubhouse import Clock, Clubhouse
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import LEASE
from bot.core.ports import Reranker
from bot.core.retrieve import Fusion, Ranking
from bot.core.search import Searching
from bot.core.turns import EVERYWHERE, Turns
from bot.database import Note, database_opened, home_of
from bot.ingest.remembering import Remembering
from bot.ingest.replace import changes_by
from bot.ingest.scratch import scratch_folder
from bot.ingest.working import Worker
from bot.model import HostsModel, model_set
from bot.settings import Settings

DEFAULT_CLUB = "club"
"""The club that the command line and the terminal club use unless one is named."""


@dataclass(frozen=True)
class App:
    """Everything a command needs, over one database."""

    settings: Settings
    home: Path
    app_engine: AsyncEngine
    ingest_engine: AsyncEngine

    @cached_property
    def directory(self) -> PostgresDirectory:
        return PostgresDirectory(self.app_engine)

    @cached_property
    def once(self) -> PostgresOnce:
        return PostgresOnce(self.app_engine)

    @cached_property
    def owed(self) -> PostgresOwed:
        return PostgresOwed(self.app_engine)

    @cached_property
    def inbox(self) -> PostgresInbox:
        return PostgresInbox(self.app_engine)

    @cached_property
    def leading(self) -> PostgresLeading:
        return PostgresLeading(self.app_engine)

    @cached_property
    def agenda(self) -> PostgresAgenda:
        return PostgresAgenda(self.app_engine)

    def doors(self, club: ClubId) -> PostgresDoors:
        """The door, in one club."""
        return PostgresDoors(self.app_engine, club)

    def roster(self, club: ClubId) -> PostgresRoster:
        """The members of one club."""
        return PostgresRoster(self.app_engine, club)

    @cached_property
    def shelf(self) -> PostgresShelf:
        return PostgresShelf(self.ingest_engine)

    @cached_property
    def queue(self) -> PostgresJobQueue:
        return PostgresJobQueue(self.ingest_engine)

    @cached_property
    def embedder(self) -> ChosenEmbedder | None:
        return embedder_for(self.settings)

    @cached_property
    def reranker(self) -> Reranker | None:
        return reranker_from(self.settings.reranker)

    @cached_property
    def turns(self) -> defaultdict[ClubId, Turns]:
        """Whose turn it is in each club, however often it is opened."""
        everywhere = asyncio.Semaphore(EVERYWHERE)
        return defaultdict(lambda: Turns(everywhere=everywhere))

    @cached_property
    def stopping(self) -> PostgresStopping:
        """The other processes over this database, and what this one stops for them."""

        def stop(club: ClubId, members: Collection[MemberId]) -> int:
            return self.turns[club].stop(*members) if members and club in self.turns else 0

        return PostgresStopping(self.app_engine, stop)

    @cached_property
    def figures(self) -> PrometheusFigures:
        """What this process counts."""
        return PrometheusFigures()

    @cached_property
    def model(self) -> HostsModel:
        slots = PostgresSlots(self.app_engine, self.settings.model_calls)
        return HostsModel(self.settings, utc_now, self.figures, slots)

    def spending(self, club: ClubId) -> PostgresSpending:
        """What one club pays models."""
        return PostgresSpending(self.app_engine, club)

    def searching(self, club: ClubId) -> Searching:
        """What searches the books of one club, counted, and writes answers out of them."""
        ranking = Ranking(fusion=Fusion(self.settings.fusion))
        embedder = None if self.embedder is None else CountedEmbedder(self.embedder, self.figures)
        writing = self.model.writing(club, self.spending(club))
        return Searching(CountedDoors(self.doors(club), self.figures), embedder, self.reranker, ranking, writing)

    def remembering(self, club: ClubId) -> Remembering | None:
        """What remembers the books of one club; None where no model is set."""
        writing = self.model.writing(club, self.spending(club))
        return None if writing is None else Remembering(self.doors(club), writing, self.spending(club))

    def clubhouse(self, club: ClubId) -> Clubhouse:
        """What one club is reached by."""
        return Clubhouse(
            club=club,
            roster=self.roster(club),
            rooms=PostgresRooms(self.app_engine, club),
            ballots=PostgresBallots(self.app_engine, club),
            timetable=PostgresTimetable(self.app_engine, club),
            maps=PostgresChapterMaps(self.app_engine, club),
            changes=changes_by(PostgresRebuilding(self.ingest_engine)),
            ledger=counted_ledger(PostgresLedger(self.app_engine, club), self.figures),
            spending=self.spending(club),
            ahead=PostgresAhead(self.app_engine, club),
            jobs=PostgresJobs(self.app_engine, club),
            books=PostgresClubBooks(self.app_engine, club),
            searching=self.searching(club),
            clock=utc_now,
            turns=self.turns[club],
            budgets=self.model.budgets,
            elsewhere=self.stopping.of(club),
        )

    async def emptied(self, club: ClubId, keep: BookId) -> None:
        """Drop everything that a club keeps but one book."""
        await club_emptied(self.app_engine, self.ingest_engine, club, keep)

    async def houses(self, person: Person) -> tuple[Clubhouse, ...]:
        """Every club that keeps anything of a person."""
        return tuple(self.clubhouse(club) for club in await self.directory.clubs_that_know(person))

    def warm(self) -> None:
        """Load what the first question would hold everybody up with, and may take seconds: the model's library, and
        the embedder, where they can be.
        """
        _ = self.model.claude
        with suppress(Unavailable):
            if self.embedder is not None:
                self.embedder.embed_question("warm")

    def stop_all(self) -> None:
        """Stop whatever is being answered in this process."""
        for turns in self.turns.values():
            turns.stop()

    async def database_answers(self) -> bool:
        """Whether both logins reach the database, and it stands where this program needs it. Raises `Unavailable`."""
        async with connected(self.ingest_engine, SETTINGS[INGEST]):
            pass
        async with connected(self.app_engine, SETTINGS[APP]) as connection:
            return (await schema_version(connection)).up_to_date

    async def require_in_step(self) -> None:
        """Raises `Unavailable` where the database does not stand where this program needs it, or does not answer."""
        async with connected(self.app_engine, SETTINGS[APP]) as connection:
            (await schema_version(connection)).require_up_to_date()

    async def figures_refreshed(self) -> None:
        """Bring the figures up to date that are of this moment: questions in turn, and jobs. Raises `Unavailable`."""
        turns = self.turns.values()
        self.figures.queued(sum(t.running for t in turns), sum(t.waiting for t in turns))
        self.figures.jobs(await self.queue.jobs_open())

    async def check_door(self) -> None:
        """Raises `Unavailable` unless the answering role may run the door's functions and nothing past them."""
        async with connected(self.app_engine, SETTINGS[APP]) as connection:
            await require_door_closed(connection)
        async with self.doors(ClubId(0)).opened() as door:
            await door.page_offsets(BookId(0), "1")


def utc_now() -> datetime:
    """What time it is."""
    return datetime.now(UTC)


def embedder_for(settings: Settings) -> ChosenEmbedder | None:
    """The embedder that the settings name; None for text search only. Raises `Unavailable`."""
    return embedder_from(settings.embedder)


@asynccontextmanager
async def opened(settings: Settings, note: Note) -> AsyncIterator[App]:
    """An `App` on the embedded server, which upgrades itself, or on the real one of ``DATABASE_URL``.

    Raises `Unavailable` with one sentence when the database cannot be used.
    """
    async with database_opened(settings, note) as engines:
        made = App(settings, home_of(settings), engines.app, engines.ingest)
        try:
            yield made
        finally:
            await made.model.close()


@asynccontextmanager
async def terminal_club(app: App, club: ClubId, clock: Clock = utc_now) -> AsyncIterator[TerminalClub]:
    """A terminal club over the database, closed at the end. Its clock starts from ``clock``."""

    with working(app) as worker:
        await worker.timed()
        house = replace(app.clubhouse(club), clock=ShiftedClock(clock))
        desk = Desk(house, worker.see_through, _filling(app, worker), app.houses)
        sitting = TerminalClub(desk, charts=app.home / "charts" / str(club))
        try:
            yield sitting
        finally:
            sitting.stop()
            await sitting.stop_filling()


@contextmanager
def working(app: App, lease: float = LEASE.total_seconds()) -> Iterator[Worker]:
    """A worker with a folder of its own; ``lease`` is in seconds."""
    with scratch_folder(app.home / "uploads") as folder:
        worker = Worker(app.queue, app.shelf, app.embedder, folder, utc_now, lease=timedelta(seconds=lease))
        worker.remembering = app.remembering if model_set(app.settings) else None
        yield worker


def _filling(app: App, worker: Worker) -> Fill:
    """Fills in the vectors of a book by its job. Raises what it failed with."""

    async def fill(book: BookId, progress: Callable[[str, float], None]) -> None:
        model = await worker.model()
        job = None if model is None else await app.queue.job_wanted(book, model, worker.now())
        seen = None if job is None else await worker.see_through(job, progress)
        if seen is not None and seen.failure is not None:
            raise Refused(seen.code or "failed", seen.failure)

    return fill
