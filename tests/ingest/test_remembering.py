"""A worker that has a model remember books, in memory: chapter by chapter, within its money, through outages."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final

import pytest

from bot.core.chat_model import Failed, ModelFailed, ModelRequest, Purpose, Usage
from bot.core.club import BookId, ClubId
from bot.core.jobs import LEASE, Claim, Job, JobId, JobKind, JobState, Taking
from bot.core.metered import MeteredModel
from bot.core.prices import price, price_list
from bot.core.spending import Budgets
from bot.core.writing import Writing
from bot.ingest.remembering import Remembering
from bot.ingest.working import Pace, Worker
from tests.fakes.chat_model import FakeModel, notes_reply
from tests.fakes.clubhouse import FakeClock
from tests.fakes.jobs import FakeJobQueue, FakeJobs, JobStore
from tests.fakes.library import LANTERN, in_memory
from tests.fakes.spending import FakeSpending
from tests.hostile.scene import passages_of
from tests.ingest.at_work import at_work

PACE: Final = Pace(beat=0.01, poll=0.01, look=0.02)
BEGIN: Final = datetime(2026, 3, 1, 18, tzinfo=UTC)


class Bounded(FakeModel):
    """A fake model that says how much a request can use: a thousand tokens."""

    def most(self, request: ModelRequest) -> Usage:
        del request
        return Usage("fake", 1000, 0, 0, 0)


def first_sentences(request: ModelRequest) -> str:
    """The first sentence of each passage, as a note."""
    notes = []
    for number, passage in enumerate(passages_of(request), start=1):
        sentence = passage.split("\n\n")[-1].split(". ")[0].strip().rstrip(".")
        notes.append((f"{sentence}.", number, sentence, "", ""))
    return notes_reply(*notes)


@dataclass
class Bench:
    """A club whose one book is wanted, a model with a price, and a worker."""

    worker: Worker
    queue: FakeJobQueue
    jobs: FakeJobs
    model: Bounded
    spending: FakeSpending
    clock: FakeClock
    book: BookId
    job: JobId
    budgets: Budgets

    async def state(self) -> Job:
        return await self.jobs.job(self.job)

    def done(self) -> list[int]:
        return sorted(self.queue.store.shelf.of(self.book).memory)

    def at_work(self) -> AbstractAsyncContextManager[None]:
        return at_work(self.worker)

    async def until(self, state: JobState | None = None, *, put_off: bool = False) -> Job:
        async with asyncio.timeout(30):
            while True:
                seen = await self.state()
                if seen.state is state or (put_off and seen.put_off):
                    return seen
                await asyncio.sleep(0.005)


async def bench(tmp_path: Path, budgets: Budgets | None = None, says: object = first_sentences) -> Bench:
    library, clock, spending = in_memory(), FakeClock(BEGIN), FakeSpending()
    book = await library.add(LANTERN)
    store = JobStore(library.shelf)
    queue = FakeJobQueue(store, clock())
    jobs = FakeJobs(store, library.club)
    model = Bounded(says)  # type: ignore[arg-type]
    within = Budgets() if budgets is None else budgets
    prices = price_list({"fake": price("1000", "1000")})  # a dollar a request

    def remembering(club: ClubId) -> Remembering:
        assert club == library.club
        metered = MeteredModel(model, spending, prices, within, clock)
        return Remembering(library.doors, Writing(metered), spending)

    worker = Worker(queue, library.shelf, None, tmp_path, clock, "one", LEASE, PACE, remembering=remembering)
    job = await jobs.memory_wanted(book, None, clock())
    return Bench(worker, queue, jobs, model, spending, clock, book, job, within)


def passing(made: Bench, **time: float) -> None:
    """Let time pass, for the database too."""
    made.clock.passes(**time)
    made.queue.time = made.clock()


async def test_every_chapter_is_remembered_once_and_in_order(tmp_path: Path) -> None:
    made = await bench(tmp_path)
    async with made.at_work():
        seen = await made.until(JobState.DONE)
    assert (seen.kind, seen.percent) == (JobKind.REMEMBER, 100)
    assert made.done() == [1, 2, 3]
    asked = made.model.asked(Purpose.MEMORY)
    assert len(asked) == 3
    assert [f'chapter="{n}"' in request.question for n, request in enumerate(asked, start=1)] == [True] * 3
    assert all(made.queue.store.shelf.of(made.book).memory[n].claims for n in (1, 2, 3))


async def test_what_it_costs_is_booked_to_the_job(tmp_path: Path) -> None:
    made = await bench(tmp_path)
    async with made.at_work():
        await made.until(JobState.DONE)
    assert {entry.job for entry in made.spending.entries.values()} == {made.job}
    assert {entry.reservation.purpose for entry in made.spending.entries.values()} == {
        Purpose.MEMORY,
        Purpose.MEMORY_CHECK,
    }
    (spent,) = await made.spending.spent_on_jobs(BEGIN, BEGIN + timedelta(days=1))
    assert (spent.job, spent.requests) == (made.job, len(made.model.requests))


async def test_without_money_it_waits_until_the_next_day_and_goes_on_with_the_chapter_that_is_next(
    tmp_path: Path,
) -> None:
    made = await bench(tmp_path, Budgets(club_day=Decimal(2)))
    async with made.at_work():
        seen = await made.until(put_off=True)
        assert seen.code == "over_budget"
        before, asked = made.done(), len(made.model.asked(Purpose.MEMORY))
        assert before != [1, 2, 3]
        passing(made, hours=5)
        await asyncio.sleep(0.05)
        assert len(made.model.asked(Purpose.MEMORY)) == asked
        for _ in range(4):
            passing(made, days=1)
            await asyncio.sleep(0)
            seen = await made.until(JobState.DONE, put_off=True)
            if seen.state is not JobState.DONE:
                await settled(made)
        await made.until(JobState.DONE)
    assert made.done() == [1, 2, 3]


async def settled(made: Bench) -> None:
    """Until it waits for a time that has not come."""
    async with asyncio.timeout(30):
        while True:
            kept = made.queue.store.kept[made.job]
            if kept.state is JobState.DONE or (kept.wait_until is not None and kept.wait_until > made.clock()):
                return
            await asyncio.sleep(0.005)


async def test_an_outage_puts_it_off_and_fails_nothing(tmp_path: Path) -> None:
    made = await bench(tmp_path)
    made.model.fails = ModelFailed(Failed.UNREACHABLE)
    async with made.at_work():
        seen = await made.until(put_off=True)
        assert seen.code == "unreachable"
        for _ in range(7):  # more often than a job may be begun
            passing(made, minutes=6)
            await settled(made)
        assert (await made.state()).state is not JobState.FAILED
        made.model.fails = None
        passing(made, minutes=6)
        await made.until(JobState.DONE)
    assert made.done() == [1, 2, 3]
    record = made.queue.store.shelf.of(made.book).record
    assert record.status == "searchable"


async def test_a_chapter_that_the_model_will_not_read_is_left_without_and_the_others_are_read(tmp_path: Path) -> None:
    def says(request: ModelRequest) -> str:
        return "no JSON" if 'chapter="2"' in request.question else first_sentences(request)

    made = await bench(tmp_path, says=says)
    async with made.at_work():
        for _ in range(3):
            seen = await made.until(JobState.DONE, put_off=True)
            if seen.put_off:
                assert seen.code == "bad_reply"
                passing(made, minutes=6)
                await settled(made)
        await made.until(JobState.DONE)
    memory = made.queue.store.shelf.of(made.book).memory
    assert [bool(memory[n].claims) for n in (1, 2, 3)] == [True, False, True]
    assert len(made.model.asked(Purpose.MEMORY)) == 5


async def test_cancelling_ends_the_request_and_forgets_what_was_remembered(tmp_path: Path) -> None:
    made = await bench(tmp_path)
    made.model.hangs = True
    async with made.at_work():
        async with asyncio.timeout(30):
            while not made.model.asked(Purpose.MEMORY):  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        await made.jobs.job_cancelled(made.job, made.clock())
        await made.until(JobState.CANCELLED)
    assert made.model.ended == 1
    assert made.done() == []
    assert all(entry.settlement is not None for entry in made.spending.entries.values())


async def test_a_worker_that_is_gone_loses_no_chapter_that_was_done(tmp_path: Path) -> None:
    made = await bench(tmp_path)
    await made.worker.work_on(await claimed(made))
    assert made.done() == [1]
    await claimed(made)  # and its worker is gone
    passing(made, minutes=2)
    async with made.at_work():
        await made.until(JobState.DONE)
    asked = [request.question.split('chapter="')[1][0] for request in made.model.asked(Purpose.MEMORY)]
    assert asked == ["1", "2", "3"]


async def claimed(made: Bench) -> Claim:
    claim = await made.queue.job_claimed(Taking("one", None, frozenset({JobKind.REMEMBER})), made.clock())
    assert claim is not None
    return claim


@pytest.mark.parametrize("failed", [Failed.OVERLOADED, Failed.RATE_LIMITED, Failed.OUT_OF_TIME, Failed.NOT_ALLOWED])
async def test_whatever_keeps_a_model_from_answering_is_waited_out(tmp_path: Path, failed: Failed) -> None:
    made = await bench(tmp_path)
    made.model.fails = ModelFailed(failed)
    await made.worker.work_on(await claimed(made))
    seen = await made.state()
    assert (seen.state, seen.code, made.queue.store.kept[made.job].attempts) == (JobState.QUEUED, failed.value, 0)
