"""A club in memory, whole: what use cases take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.core.clubhouse import Clubhouse
from bot.core.ports import Embedder
from bot.core.search import Searching
from bot.ingest.replace import changes_by
from tests.fakes.ahead import FakeAhead
from tests.fakes.ballots import FakeBallots
from tests.fakes.chapter_maps import FakeChapterMaps
from tests.fakes.club_books import FakeClubBooks
from tests.fakes.doors import FakeDoors
from tests.fakes.jobs import FakeJobs, JobStore
from tests.fakes.ledger import FakeLedger
from tests.fakes.library import Library
from tests.fakes.rebuilding import FakeRebuilding
from tests.fakes.rooms import FakeRooms
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.fakes.spending import FakeSpending
from tests.fakes.timetable import FakeTimetable


@dataclass
class FakeClock:
    """Says what it was set to."""

    now: datetime = datetime(2026, 3, 1, 18, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def passes(self, **time: float) -> None:
        """Let so much time pass: ``days``, ``hours``, ``minutes``."""
        self.now += timedelta(**time)


def house_of(
    library: Library[FakeShelf, FakeRoster, FakeDoors], clock: FakeClock, embedder: Embedder | None = None
) -> Clubhouse:
    """The club of a library in memory."""
    ledger = FakeLedger(library.shelf, library.roster)
    return Clubhouse(
        club=library.club,
        roster=library.roster,
        rooms=FakeRooms(library.roster, library.club),
        ballots=FakeBallots(library.roster, library.shelf),
        timetable=FakeTimetable(),
        maps=FakeChapterMaps(library.shelf, library.roster),
        changes=changes_by(FakeRebuilding(library.shelf, library.roster)),
        ledger=ledger,
        spending=FakeSpending(),
        ahead=FakeAhead(library.shelf, library.roster, ledger),
        jobs=FakeJobs(JobStore(library.shelf), library.club),
        books=FakeClubBooks(library.shelf, library.club),
        searching=Searching(library.doors, embedder),
        clock=clock,
    )
