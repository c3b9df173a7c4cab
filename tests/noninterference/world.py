"""A club over the real database and the real pipeline, with one of two twins as its book."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.ahead import PostgresAhead
from bot.adapters.postgres.ballots import PostgresBallots
from bot.adapters.postgres.chapter_maps import PostgresChapterMaps
from bot.adapters.postgres.club_books import PostgresClubBooks
from bot.adapters.postgres.directory import PostgresDirectory
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.job_queue import PostgresJobQueue
from bot.adapters.postgres.jobs import PostgresJobs
from bot.adapters.postgres.ledger import PostgresLedger
from bot.adapters.postgres.rebuilding import PostgresRebuilding
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.spending import PostgresSpending
from bot.adapters.postgres.timetable import PostgresTimetable
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.desk import Desk
from bot.adapters.terminal.replies import barred
from bot.adapters.terminal.schedule import ShiftedClock
from bot.core.book import BookText
from bot.core.club import BookId, ClubId, Person, Role
from bot.core.clubhouse import Clubhouse
from bot.core.ports import Embedder, PositionRecord
from bot.core.search import Searching
from bot.ingest.pipeline import index_book
from bot.ingest.replace import changes_by
from bot.ingest.worker import Progress, fill_vectors
from bot.ingest.working import Worker
from tests.databases import Databases

NOW = datetime(2031, 3, 1, 12, 0, tzinfo=UTC)
"""What time it is in every world."""


@dataclass
class World:
    """One club with one book, and the roles it is reached by."""

    app: AsyncEngine
    book: BookId
    shelf: PostgresShelf
    club: TerminalClub
    worker: Worker

    async def place(self, name: str, offset: int) -> None:
        """Make ``name`` a member who has read up to ``offset``."""
        roster = self.club.desk.roster
        member = await roster.member_known(name)
        await roster.join(member.id, NOW)
        said = PositionRecord(member.id, self.book, offset, "offset", f"offset:{offset}", "a place", at=NOW)
        await roster.position_appended(said)

    async def made_admin(self, name: str) -> None:
        """Make ``name`` an admin, whoever is one besides."""
        member = await self.club.desk.roster.member_known(name)
        await self.club.desk.roster.role_given(member.id, Role.ADMIN)

    async def typed(self, line: str) -> str:
        """What the keyboard shows for one line."""
        return "\n".join(barred(s) for reply in await self.club.handle(line) for s in reply.plain)


@asynccontextmanager
async def world_of(databases: Databases, text: BookText, embedder: Embedder | None) -> AsyncIterator[World]:
    """A club with ``text`` as its book, in a database of its own: equal books have equal ids.

    Its worker reads whatever file is uploaded as ``text`` too.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(databases.cloned())
        app = await stack.enter_async_context(databases.engine(APP, database))
        ingest = await stack.enter_async_context(databases.engine(INGEST, database))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        shelf = PostgresShelf(ingest)
        club = await shelf.club_named("club")
        book, _ = await shelf.store_book(club, index_book(text), "file", text.title)
        if embedder is not None:
            await fill_vectors(shelf, embedder, book)

        async def read(path: Path, *, name: str, progress: Progress) -> BookText:
            del path, name
            progress("reading", 1.0)
            return text

        worker = Worker(PostgresJobQueue(ingest), shelf, embedder, folder, lambda: NOW, "worker", read=read)

        async def fill(filled: BookId, progress: object) -> None:
            del filled, progress

        def house_of(one: ClubId) -> Clubhouse:
            return Clubhouse(
                club=one,
                roster=PostgresRoster(app, one),
                rooms=PostgresRooms(app, one),
                ballots=PostgresBallots(app, one),
                timetable=PostgresTimetable(app, one),
                maps=PostgresChapterMaps(app, one),
                changes=changes_by(PostgresRebuilding(ingest)),
                ledger=PostgresLedger(app, one),
                spending=PostgresSpending(app, one),
                ahead=PostgresAhead(app, one),
                jobs=PostgresJobs(app, one),
                books=PostgresClubBooks(app, one),
                searching=Searching(PostgresDoors(app, one), embedder),
                clock=lambda: NOW,
            )

        async def houses(person: Person) -> list[Clubhouse]:
            return [house_of(one) for one in await PostgresDirectory(app).clubs_that_know(person)]

        desk = Desk(replace(house_of(club), clock=ShiftedClock(lambda: NOW)), worker.see_through, fill, houses)
        yield World(app, book, shelf, TerminalClub(desk), worker)
