"""The fake jobs pass the suite of the real ones."""

from __future__ import annotations

import pytest

from bot.core.club import ClubId
from tests.fakes.club_books import FakeClubBooks
from tests.fakes.jobs import FakeJobQueue, FakeJobs, JobStore
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.jobs_suite import NOW, JobsSuite, Side


class TestFakeJobs(JobsSuite):
    @pytest.fixture
    async def side(self) -> Side:
        shelf = FakeShelf()
        club, other = await shelf.club_named("club"), await shelf.club_named("other")
        assert club == ClubId(1)
        store = JobStore(shelf)

        async def stored() -> int:
            return sum(job.upload is not None for job in store.kept.values())

        return Side(
            shelf, FakeRoster(shelf, club), FakeClubBooks(shelf, club), FakeJobs(store, club), FakeJobs(store, other),
            FakeJobQueue(store, NOW), club, stored,
        )  # fmt: skip
