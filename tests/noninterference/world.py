"""A club over the real database and the real pipeline, with one of two twins as its book."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.ballots import PostgresBallots
from bot.adapters.postgres.chapter_maps import PostgresChapterMaps
from bot.adapters.postgres.door import PostgresDoors
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.rooms import PostgresRooms
from bot.adapters.postgres.roster import PostgresRoster
from bot.adapters.postgres.shelf import PostgresShelf
from bot.adapters.postgres.timetable import PostgresTimetable
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.desk import Desk
from bot.adapters.terminal.replies import barred
from bot.app import utc_now
from bot.core.book import BookText
from bot.core.club import BookId
from bot.core.clubhouse import Clubhouse
from bot.core.ports import BookRecord, Embedder, PositionRecord
from bot.core.search import Searching
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from tests.databases import Databases
from tests.made_books import CLUB


@dataclass
class World:
    """One club with one book, and the roles it is reached by."""

    app: AsyncEngine
    book: BookId
    shelf: PostgresShelf
    club: TerminalClub

    async def place(self, name: str, offset: int) -> None:
        """Make ``name`` a member who has read up to ``offset``."""
        roster = self.club.desk.roster
        member = await roster.member_known(name)
        await roster.join(member.id)
        said = PositionRecord(member.id, self.book, offset, "offset", f"offset:{offset}", "a place")
        await roster.position_appended(said)

    async def typed(self, line: str) -> str:
        """What the keyboard shows for one line."""
        return "\n".join(barred(s) for reply in await self.club.handle(line) for s in reply.plain)


@asynccontextmanager
async def world_of(databases: Databases, text: BookText, embedder: Embedder | None) -> AsyncIterator[World]:
    """A club with ``text`` as its book, in a database of its own: equal books have equal ids."""
    database = await databases.clone()
    async with databases.engine(APP, database) as app, databases.engine(INGEST, database) as ingest:
        shelf, roster = PostgresShelf(ingest), PostgresRoster(app, CLUB)
        doors = PostgresDoors(app, CLUB)
        club = await shelf.club_named("club")
        book, _ = await shelf.store_book(club, index_book(text), "file", text.title)
        if embedder is not None:
            await fill_vectors(shelf, embedder, book)

        async def add(file: Path, progress: object) -> BookRecord:
            raise AssertionError(f"no case adds {file} with {progress}")

        async def fill(filled: BookId) -> None:
            del filled

        desk = Desk(
            Clubhouse(
                club=club,
                roster=roster,
                rooms=PostgresRooms(app, club),
                ballots=PostgresBallots(app, club),
                timetable=PostgresTimetable(app, club),
                maps=PostgresChapterMaps(app, club),
                searching=Searching(doors, embedder),
                clock=utc_now,
            ),
            add,
            fill,
            shelf.remove_book,
        )
        yield World(app, book, shelf, TerminalClub(desk))
