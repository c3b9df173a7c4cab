"""The composition root: builds adapters, hands them to use cases, closes what it opened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.health.counted import CountedDoors, CountedEmbedder, counted_ledger
from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.models.choose import ChosenEmbedder, embedder_from, reranker_from
from bot.adapters.postgres.ahead import PostgresAhead
from bot.adapters.postgres.ballots import PostgresBallots
from bot.adapters.postgres.chapter_maps import PostgresChapterMaps
from bot.adapters.postgres.club_books import PostgresClubBooks
from bot.adapters.postgres.connect import engine_for
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.embedded import EmbeddedPostgres, ServerAddress, default_home
from bot.adapters.postgres.emptying import club_emptied
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.logins import SETTINGS, Logins, require_door_closed
from bot.adapters.postgres.migrate import SchemaVersion, schema_version, upgrade
from bot.adapters.postgres.once import PostgresOnce
from bot.adapters.postgres.rebuilding import PostgresRebuilding
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresDirectory, PostgresRoster
from bot.adapters.postgres.server import check_server, connected, parse_database_url
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.spending import PostgresSpending
from bot.adapters.postgres.timetable import PostgresAgenda, PostgresTimetable
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.desk import Desk, Fill
from bot.adapters.terminal.schedule import ShiftedClock
from bot.core.club import BookId, ClubId, Person
from bot.core.clubhouse import Clock, Clubhouse
from bot.core.errors import Refused
from bot.core.jobs import LEASE
from bot.core.ports import Reranker
from bot.core.retrieve import Fusion, Ranking
from bot.core.search import Searching
from bot.core.turns import Turns
from bot.ingest.replace import changes_by
from bot.ingest.scratch import scratch_folder
from bot.ingest.working import Worker
from bot.model import HostsModel
from bot.settings import Settings

Note = Callable[[str], None]

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
        return defaultdict(Turns)

    @cached_property
    def figures(self) -> PrometheusFigures:
        """What this process counts."""
        return PrometheusFigures()

    @cached_property
    def model(self) -> HostsModel:
        return HostsModel(self.settings, utc_now)

    def spending(self, club: ClubId) -> PostgresSpending:
        """What one club pays models."""
        return PostgresSpending(self.app_engine, club)

    def searching(self, club: ClubId) -> Searching:
        """What searches the books of one club, counted, and writes answers out of them."""
        ranking = Ranking(fusion=Fusion(self.settings.fusion))
        embedder = None if self.embedder is None else CountedEmbedder(self.embedder, self.figures)
        writing = self.model.writing(club, self.spending(club))
        return Searching(CountedDoors(self.doors(club), self.figures), embedder, self.reranker, ranking, writing)

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
        )

    async def emptied(self, club: ClubId, keep: BookId) -> None:
        """Drop everything that a club keeps but one book."""
        await club_emptied(self.app_engine, self.ingest_engine, club, keep)

    async def houses(self, person: Person) -> tuple[Clubhouse, ...]:
        """Every club that keeps anything of a person."""
        return tuple(self.clubhouse(club) for club in await self.directory.clubs_that_know(person))

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


def home_of(settings: Settings) -> Path:
    """Where everything is kept that a host would back up."""
    return settings.home or default_home()


def embedder_for(settings: Settings) -> ChosenEmbedder | None:
    """The embedder that the settings name; None for text search only. Raises `Unavailable`."""
    return embedder_from(settings.embedder)


@asynccontextmanager
async def opened(settings: Settings, note: Note) -> AsyncIterator[App]:
    """An `App` on the embedded server, which upgrades itself, or on the real one of ``DATABASE_URL``.

    Raises `Unavailable` with one sentence when the database cannot be used.
    """
    home, logins = home_of(settings), None
    async with AsyncExitStack() as stack:
        if settings.database_url is None:
            address = await stack.enter_async_context(EmbeddedPostgres(home, note))
            await _upgrade_embedded(address)
            urls = (address.url(APP), address.url(INGEST))
        else:
            logins = _logins(settings)
            urls = (logins.url(APP), logins.url(INGEST))
        app, ingest = (engine_for(url, "dogear") for url in urls)
        stack.push_async_callback(app.dispose)
        stack.push_async_callback(ingest.dispose)
        if logins:
            await _check_real(logins, app, ingest)
        made = App(settings, home, app, ingest)
        stack.push_async_callback(made.model.close)
        yield made


async def _upgrade_embedded(address: ServerAddress) -> None:
    engine = engine_for(address.url(), "dogear-upgrade", pool_size=1)
    try:
        async with engine.connect() as connection:
            version = await schema_version(connection)
        version.require_known()
        if not version.up_to_date:
            async with engine.connect() as connection:
                await upgrade(connection, {})
    finally:
        await engine.dispose()


def _server(settings: Settings) -> URL:
    """The owner's address on a server of the host's own, with its password where that is set apart from it."""
    assert settings.database_url is not None
    url = parse_database_url(settings.database_url.get_secret_value())
    apart = settings.database_password
    return url if apart is None or url.password is not None else url.set(password=apart.get_secret_value())


def logins_of(settings: Settings) -> Logins | None:
    """How the runtime's roles log in on a real server; None on the embedded one. Raises `Unavailable`."""
    return None if settings.database_url is None else _logins(settings)


def _logins(settings: Settings) -> Logins:
    set_by_host = {APP: settings.app_database_url, INGEST: settings.ingest_database_url}
    return Logins(
        server=_server(settings),
        home=home_of(settings),
        given={
            role: parse_database_url(value.get_secret_value(), SETTINGS[role])
            for role, value in set_by_host.items()
            if value is not None
        },
    )


async def _check_real(logins: Logins, app: AsyncEngine, ingest: AsyncEngine) -> None:
    await logins.try_role(APP, app)
    async with connected(app, SETTINGS[APP]) as connection:
        await check_server(connection)
        (await schema_version(connection)).require_up_to_date()
        await require_door_closed(connection)
    await logins.try_role(INGEST, ingest)


@asynccontextmanager
async def owner_engine(settings: Settings, note: Note) -> AsyncIterator[AsyncEngine]:
    """The owner's login, on the embedded server or on the real one. Raises `Unavailable`."""
    async with AsyncExitStack() as stack:
        if settings.database_url is None:
            address = await stack.enter_async_context(EmbeddedPostgres(home_of(settings), note))
            url = address.url()
        else:
            url = _server(settings)
        engine = engine_for(url, "dogear-upgrade", pool_size=1)
        stack.push_async_callback(engine.dispose)
        yield engine


async def upgrade_database(settings: Settings, note: Note) -> SchemaVersion:
    """`dogear db upgrade`: roles, extension and migrations, with the owner's login.

    Raises `Unavailable` with one sentence; where a right is missing it holds the SQL for an administrator.
    """
    logins = logins_of(settings)
    async with owner_engine(settings, note) as engine:
        async with connected(engine) as connection:
            await upgrade(connection, logins.verifiers() if logins else {})
        if logins:
            await logins.make_work(engine, note)
        async with connected(engine) as connection:
            return await schema_version(connection)


async def database_status(settings: Settings, note: Note) -> SchemaVersion:
    """`dogear db status`: where the database stands, with the owner's login."""
    async with owner_engine(settings, note) as engine, connected(engine) as connection:
        version = await schema_version(connection)
        if version.current is None:
            await check_server(connection)
        return version


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
        yield Worker(app.queue, app.shelf, app.embedder, folder, utc_now, lease=timedelta(seconds=lease))


def _filling(app: App, worker: Worker) -> Fill:
    """Fills in the vectors of a book by its job. Raises what it failed with."""

    async def fill(book: BookId, progress: Callable[[str, float], None]) -> None:
        model = await worker.model()
        job = None if model is None else await app.queue.job_wanted(book, model, worker.now())
        seen = None if job is None else await worker.see_through(job, progress)
        if seen is not None and seen.failure is not None:
            raise Refused(seen.code or "failed", seen.failure)

    return fill
