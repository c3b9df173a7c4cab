"""A worker on jobs in memory: books, vectors, refusals, cancelling, crashes and clocks."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.core.book import BookText
from bot.core.club import BookId, ClubId
from bot.core.errors import FileRefused, Unavailable
from bot.core.jobs import LEASE, Claim, Job, JobId, JobKind, JobState, Received, Stage, Taking
from bot.core.offsets import Span
from bot.core.ports import Embedder, EmbeddingModel
from bot.ingest.scratch import scratch_folder
from bot.ingest.worker import Progress
from bot.ingest.working import Pace, Worker
from tests.fakes.embedder import HashEmbedder
from tests.fakes.jobs import FakeJobQueue, FakeJobs, JobStore
from tests.fakes.library import LANTERN
from tests.fakes.shelf import FakeShelf
from tests.ingest.at_work import at_work
from tests.jobs_suite import NOW, chunks

PACE = Pace(beat=0.01, poll=0.01, look=0.02)
Act = Callable[[], None]


@dataclass
class Reader:
    """Reads any file as `LANTERN`, after doing ``first``; ``paths`` is what it was given."""

    first: Callable[[Progress], object] = lambda _progress: None
    paths: list[tuple[str, bytes]] = field(default_factory=list)
    slow: asyncio.Event | None = None

    async def __call__(self, path: Path, *, name: str, progress: Progress) -> BookText:
        self.paths.append((name, read_from(path)))
        self.first(progress)
        if self.slow is not None:
            await self.slow.wait()
        return LANTERN


@dataclass
class Hall:
    """One club's jobs, and a worker on them."""

    shelf: FakeShelf
    jobs: FakeJobs
    queue: FakeJobQueue
    worker: Worker

    async def upload(self, content: bytes = b"a book", name: str = "the butler.txt") -> JobId:
        return await self.jobs.upload_received(Received(name, None, chunks(content)), NOW)

    async def job(self, number: int = 0) -> Job:
        return (await self.jobs.jobs())[number]

    def at_work(self) -> AbstractAsyncContextManager[None]:
        return at_work(self.worker)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not done():  # noqa: ASYNC110
                await asyncio.sleep(0.005)


def hall(tmp_path: Path, read: Reader | None = None, embedder: Embedder | None = None) -> Hall:
    shelf = FakeShelf()
    shelf.clubs["club"] = ClubId(1)
    store = JobStore(shelf)
    queue = FakeJobQueue(store, NOW)
    worker = Worker(queue, shelf, embedder, tmp_path, lambda: NOW, "one", LEASE, PACE, read or Reader())
    return Hall(shelf, FakeJobs(store, ClubId(1)), queue, worker)


def left_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def read_from(path: Path) -> bytes:
    return path.read_bytes()


def silent(_stage: str, _done: float) -> None:
    """Tell nobody."""


async def test_a_file_becomes_a_book_and_then_its_vectors_are_made(tmp_path: Path) -> None:
    reader = Reader()
    made = hall(tmp_path, reader, HashEmbedder(32))
    await made.upload()
    async with made.at_work():
        await made.until(lambda: any(k.record.status == "ready" for k in made.shelf.kept.values()))
        await made.until(lambda: all(j.state is JobState.DONE for j in made.queue.store.kept.values()))
    assert reader.paths == [("the butler.txt", b"a book")]
    assert [job.kind for job in await made.jobs.jobs()] == [JobKind.INGEST, JobKind.EMBED]
    assert left_in(tmp_path) == []


async def test_a_file_that_the_club_has_as_a_book_is_not_read_again(tmp_path: Path) -> None:
    reader = Reader()
    made = hall(tmp_path, reader)
    job = await made.upload()
    first = await made.worker.see_through(job, silent)
    assert first is not None
    made.queue.store.kept.clear()
    again = await made.worker.see_through(await made.upload(name="b.txt"), silent)
    assert again is not None
    assert (again.book, again.state) == (first.book, JobState.DONE)
    assert len(reader.paths) == 1


async def test_a_file_that_is_no_book_fails_with_its_sentence(tmp_path: Path) -> None:
    def refuse(_progress: Progress) -> None:
        raise FileRefused("not_epub", "This is no EPUB.")

    made = hall(tmp_path, Reader(refuse))
    job = await made.worker.see_through(await made.upload(), silent)
    assert job is not None
    assert (job.state, job.code, job.failure) == (JobState.FAILED, "not_epub", "This is no EPUB.")
    assert job.has_file
    assert left_in(tmp_path) == []


async def test_a_bug_fails_the_job_and_leaves_no_text_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    def fail(_progress: Progress) -> None:
        raise ZeroDivisionError("The butler did it.")

    made = hall(tmp_path, Reader(fail))
    job = await made.worker.see_through(await made.upload(), silent)
    assert job is not None
    assert job.code == "fault"
    assert "butler" not in caplog.text + str(job)
    assert "ZeroDivisionError" in caplog.text


async def test_log_lines_hold_numbers_and_codes_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dogear.worker")
    made = hall(tmp_path)
    await made.worker.see_through(await made.upload(), silent)
    assert [record.getMessage() for record in caplog.records] == [
        "event=taken job=1 kind=ingest club=1 book=- attempt=1 code=-",
        "event=done job=1 kind=ingest club=1 book=- attempt=1 code=-",
    ]


async def test_cancelling_ends_the_reading_and_leaves_nothing(tmp_path: Path) -> None:
    reader = Reader(slow=asyncio.Event())
    made = hall(tmp_path, reader)
    job = await made.upload()
    async with made.at_work():
        await made.until(lambda: bool(reader.paths))
        assert (await made.jobs.job_cancelled(job, NOW)).cancelling
        await made.until(lambda: made.queue.store.kept[job].state is JobState.CANCELLED)
    assert made.shelf.kept == {}
    assert made.queue.store.kept[job].upload is None
    assert left_in(tmp_path) == []


@pytest.mark.parametrize("stage", ["read", "index", "embed"])
async def test_cancelling_works_at_every_stage(tmp_path: Path, stage: str) -> None:
    made = hall(tmp_path, Reader(lambda progress: progress("read", 0.5)), HashEmbedder(32))

    def cancel(at: str, _done: float) -> None:
        if at == stage:
            for job in made.queue.store.kept.values():
                job.cancel = job.cancel or job.state is JobState.RUNNING

    job = await made.worker.see_through(await made.upload(), cancel)
    if stage == "embed":
        filling = await made.job(1)
        job = await made.worker.see_through(filling.id, cancel)
        assert [(k.record.status, k.vectors) for k in made.shelf.kept.values()] == [("searchable", {})]
    else:
        assert made.shelf.kept == {}
    assert job is not None
    assert job.state is JobState.CANCELLED


async def test_a_file_for_which_the_machine_has_no_room_fails_with_a_sentence_and_is_read_once_there_is(
    tmp_path: Path,
) -> None:
    full = [True]

    def first(_: Progress) -> None:
        if full.pop():
            raise OSError(errno.ENOSPC, "No space left on device")
        full.append(False)

    full.insert(0, False)
    made = hall(tmp_path, Reader(first))
    job = await made.upload()
    async with made.at_work():
        await made.until(lambda: made.queue.store.kept[job].state is JobState.FAILED)
        failed = await made.job()
        assert failed.code == "no_room"
        assert (failed.failure or "").endswith("tell the host, and then try it again.")
        await made.jobs.job_retried(job, NOW)
        await made.until(lambda: made.queue.store.kept[job].state is JobState.DONE)
    assert left_in(tmp_path) == []


async def test_a_worker_that_is_ended_gives_its_job_back_at_once(tmp_path: Path) -> None:
    reader = Reader(slow=asyncio.Event())
    made = hall(tmp_path, reader)
    job = await made.upload()
    async with made.at_work():
        await made.until(lambda: bool(reader.paths))
    kept = made.queue.store.kept[job]
    assert (kept.state, kept.attempts) == (JobState.QUEUED, 0)


async def test_a_worker_that_lost_its_job_stores_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "dogear.worker")
    reader = Reader(slow=asyncio.Event())
    made = hall(tmp_path, reader)
    await made.upload()
    async with made.at_work():
        await made.until(lambda: bool(reader.paths))
        other = await made.queue.job_claimed(Taking("two"), NOW + LEASE + timedelta(seconds=1))
        assert other is not None
        await made.until(lambda: "event=lost" in caplog.text)
    assert made.shelf.kept == {}
    assert made.queue.store.kept[other.job].worker == "two"


async def test_the_lease_is_held_while_a_file_is_read(tmp_path: Path) -> None:
    reader = Reader(slow=asyncio.Event())
    made = hall(tmp_path, reader)
    job = await made.upload()
    async with made.at_work():
        await made.until(lambda: bool(reader.paths))
        made.queue.time = NOW + timedelta(seconds=49)
        await made.until(lambda: made.queue.store.kept[job].lease_until == NOW + timedelta(seconds=49) + LEASE)


async def test_leases_are_measured_by_the_clock_of_the_database(tmp_path: Path) -> None:
    made = hall(tmp_path)
    made.queue.time = NOW + timedelta(minutes=7)
    async with made.at_work():
        await made.until(lambda: made.worker.now() == NOW + timedelta(minutes=7))


async def test_a_book_left_without_vectors_gets_a_job_and_one_that_is_being_filled_does_not(tmp_path: Path) -> None:
    made = hall(tmp_path, embedder=HashEmbedder(32))
    await made.worker.see_through(await made.upload(), silent)
    made.queue.store.kept.clear()
    (book,) = made.shelf.kept
    looks = 0
    look = made.queue.books_unembedded

    async def advancing(model: object) -> dict[object, int]:
        nonlocal looks
        looks += 1
        found = await look(model)  # type: ignore[arg-type]
        return {book: min(looks, 5) for book in found}

    made.queue.books_unembedded = advancing  # type: ignore[method-assign, assignment]
    async with made.at_work():
        await made.until(lambda: made.shelf.of(book).record.status == "ready")
    assert looks >= 6


class Away(HashEmbedder):
    """An embedder that cannot be used the first two times."""

    away = 2

    def windows(self, text: str) -> list[Span]:
        self.away -= 1
        if self.away >= 0:
            raise Unavailable("The embedder does not answer.", code="embedder_unavailable")
        return super().windows(text)


async def test_an_embedder_that_is_away_for_a_while_fails_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = hall(tmp_path, embedder=Away(32))
    await made.upload()
    async with made.at_work():
        await made.until(lambda: any(k.record.status == "ready" for k in made.shelf.kept.values()))
    assert "event=waiting worker=one kind=embed code=embedder_unavailable" in caplog.text


async def test_a_database_that_is_away_for_a_while_ends_nothing(tmp_path: Path) -> None:
    made = hall(tmp_path)
    await made.upload()
    claimed, calls = made.queue.job_claimed, 0

    async def away(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise Unavailable("The database does not answer.", code="database_unavailable")
        return await claimed(*arguments)  # type: ignore[arg-type]

    made.queue.job_claimed = away  # type: ignore[method-assign, assignment]
    async with made.at_work():
        await made.until(lambda: bool(made.shelf.kept))


async def test_progress_of_a_job_that_another_worker_does_is_passed_on(tmp_path: Path) -> None:
    made = hall(tmp_path)
    job = await made.upload()
    claim = await made.queue.job_claimed(Taking("two"), NOW)
    assert claim is not None
    await made.queue.job_continues(claim, Stage.INDEX, 0.3, NOW)
    told: list[tuple[str, float]] = []
    waiting = asyncio.create_task(made.worker.see_through(job, lambda stage, done: told.append((stage, done))))
    await made.until(lambda: ("index", 0.3) in told)
    await made.queue.job_failed(claim, "x", "It is no book.", NOW)
    seen = await waiting
    assert seen is not None
    assert seen.failure == "It is no book."


def test_what_a_killed_worker_left_is_removed_by_the_next_and_what_a_living_one_has_is_not(tmp_path: Path) -> None:
    left = tmp_path / "worker-left"
    left.mkdir()
    (left / "7-1").write_bytes(b"a book")
    with scratch_folder(tmp_path) as mine:
        assert not left.exists()
        (mine / "8-1").write_bytes(b"a book")
        with scratch_folder(tmp_path) as other:
            assert other != mine
            assert (mine / "8-1").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["making.lock"]


async def test_a_book_that_another_command_fills_with_another_model_is_not_fought_over(tmp_path: Path) -> None:
    made = hall(tmp_path, embedder=HashEmbedder(32))
    await made.worker.see_through(await made.upload(), silent)
    (book,) = made.shelf.kept
    begun = made.shelf.begin_embedding

    async def taken_over(one: BookId, model: EmbeddingModel) -> None:
        await begun(one, model)
        await begun(one, HashEmbedder(64).model)

    made.shelf.begin_embedding = taken_over  # type: ignore[method-assign, assignment]
    filling = await made.worker.see_through((await made.job(1)).id, silent)
    assert filling is not None
    assert (filling.state, filling.code) == (JobState.FAILED, "other_model")
    assert made.shelf.of(book).record.embedder == HashEmbedder(64).model


async def test_a_job_that_ends_while_its_lease_is_held_on_is_done_and_not_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "dogear.worker")
    made = hall(tmp_path)
    job = await made.upload()
    continues = made.queue.job_continues

    async def late(claim: Claim, stage: Stage, done: float, now: datetime) -> None:
        await made.until(lambda: made.queue.store.kept[job].state is JobState.DONE)
        await continues(claim, stage, done, now)

    made.queue.job_continues = late  # type: ignore[method-assign]
    await made.worker.see_through(job, silent)
    assert [record.getMessage().split()[0] for record in caplog.records] == ["event=taken", "event=done"]
