"""What uploads, jobs and their queue must do, the fakes and the real ones: subclassed with a `side` fixture by each."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.club import BookId, ClubId
from bot.core.club_books import ClubBooks
from bot.core.errors import Refused
from bot.core.jobs import (
    ATTEMPTS,
    CHUNK_BYTES,
    KEPT_FOR_RETRY,
    LEASE,
    CancelRequested,
    Claim,
    JobId,
    JobKind,
    JobQueue,
    Jobs,
    JobState,
    Lost,
    Made,
    Received,
    Stage,
    Taking,
)
from bot.core.memory import ChapterMemory, Kept, Remembered
from bot.core.offsets import Span
from bot.core.ports import BookRecord
from bot.core.roster import Roster
from bot.core.shelf import Shelf
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
EMBEDDER = HashEmbedder(32)
INDEXED = index_book(LANTERN)
ONE, TWO = Taking("one", EMBEDDER.model), Taking("two", EMBEDDER.model)


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


AFTER_LEASE = NOW + LEASE + timedelta(seconds=1)


@dataclass
class Side:
    """Both sides of the jobs of one club, and the club's side of another; ``stored`` counts the files kept."""

    shelf: Shelf
    roster: Roster
    books: ClubBooks
    jobs: Jobs
    others: Jobs
    queue: JobQueue
    club: ClubId
    stored: Callable[[], Awaitable[int]]

    async def upload(self, content: bytes = b"a book", name: str = "a.txt", now: datetime = NOW) -> JobId:
        return await self.jobs.upload_received(Received(name, None, chunks(content)), now)

    async def claimed(self, taking: Taking = ONE, now: datetime = NOW) -> Claim:
        claim = await self.queue.job_claimed(taking, now)
        assert claim is not None
        return claim

    async def book_made(self, content: bytes = b"a book") -> BookId:
        await self.upload(content)
        return await self.queue.book_stored(await self.claimed(), INDEXED, "The Lantern", Made(EMBEDDER.model), NOW)

    async def record(self, book: BookId) -> BookRecord:
        return next(b for b in await self.roster.books() if b.id == book)


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


class JobsSuite:
    """Every test has the fixture `side`: an empty club, and another."""

    async def test_a_file_comes_back_to_a_worker_as_it_was_and_is_named_to_nobody_else(self, side: Side) -> None:
        content = bytes(range(256)) * (CHUNK_BYTES // 100)
        parts = [content[at : at + 700_001] for at in range(0, len(content), 700_001)]
        job = await side.jobs.upload_received(Received("the murderer.txt", None, chunks(*parts, b"")), NOW)
        claim = await side.claimed()
        read = [piece async for piece in side.queue.upload_read(claim)]
        assert b"".join(read) == content
        assert max(map(len, read)) <= CHUNK_BYTES
        assert (claim.job, claim.name, claim.sha256) == (job, "the murderer.txt", hashlib.sha256(content).hexdigest())
        assert "murderer" not in repr(claim) + repr(await side.jobs.jobs())

    @pytest.mark.parametrize("parts", [(), (b"",), (b"x" * 60, b"x" * 60)])
    async def test_a_file_that_is_empty_or_too_large_leaves_nothing(self, side: Side, parts: tuple[bytes, ...]) -> None:
        with pytest.raises(Refused) as refused:
            await side.jobs.upload_received(Received("a.txt", None, chunks(*parts), most_bytes=100), NOW)
        assert refused.value.code in {"empty_file", "file_too_large"}
        assert await side.jobs.jobs() == ()
        assert await side.stored() == 0

    async def test_a_file_whose_sending_breaks_off_leaves_nothing(self, side: Side) -> None:
        async def broken() -> AsyncIterator[bytes]:
            yield b"x" * (CHUNK_BYTES + 1)
            raise OSError

        with pytest.raises(Refused, match="try again"):
            await side.jobs.upload_received(Received("a.txt", None, broken()), NOW)
        assert await side.jobs.jobs() == ()
        assert await side.stored() == 0

    async def test_the_same_file_is_one_job_in_a_club_and_another_in_another(self, side: Side) -> None:
        first = await side.upload(name="a.txt")
        assert await side.upload(name="b.txt") == first
        other = await side.others.upload_received(Received("a.txt", None, chunks(b"a book")), NOW)
        assert other != first
        assert [job.id for job in await side.jobs.jobs()] == [first]
        assert await side.stored() == 2

    async def test_a_job_of_another_club_is_not_there(self, side: Side) -> None:
        job = await side.upload()
        for asked in (side.others.job(job), side.others.job_cancelled(job, NOW), side.others.job_retried(job, NOW)):
            with pytest.raises(Refused, match="no such upload"):
                await asked
        assert (await side.jobs.job(job)).state is JobState.QUEUED

    async def test_a_job_is_taken_by_one_worker_the_longest_waiting_first(self, side: Side) -> None:
        first, second = await side.upload(b"1"), await side.upload(b"2", now=later(1))
        assert (await side.claimed(ONE)).job == first
        assert (await side.claimed(TWO)).job == second
        assert await side.queue.job_claimed(ONE, NOW) is None
        assert {job.state for job in await side.jobs.jobs()} == {JobState.RUNNING}

    async def test_a_worker_takes_only_what_it_can_do(self, side: Side) -> None:
        book = await side.book_made()
        other = HashEmbedder(64).model
        assert await side.queue.job_claimed(Taking("none"), NOW) is None
        assert await side.queue.job_claimed(Taking("other", other), NOW) is None
        assert await side.queue.job_claimed(Taking("one", EMBEDDER.model, frozenset({JobKind.INGEST})), NOW) is None
        claim = await side.claimed(Taking("one", EMBEDDER.model, frozenset({JobKind.EMBED})))
        assert (claim.kind, claim.book) == (JobKind.EMBED, book)

    async def test_one_job_alone_can_be_taken(self, side: Side) -> None:
        first, second = await side.upload(b"1"), await side.upload(b"2")
        assert (await side.claimed(Taking("one", only=second))).job == second
        assert await side.queue.job_claimed(Taking("two", only=second), NOW) is None
        assert (await side.claimed(Taking("two"))).job == first

    async def test_how_far_a_job_is_can_be_read_in_steps_of_ten(self, side: Side) -> None:
        job = await side.upload()
        claim = await side.claimed()
        await side.queue.job_continues(claim, Stage.READ, 0.437, NOW)
        seen = await side.jobs.job(job)
        assert (seen.stage, seen.percent, seen.state) == (Stage.READ, 40, JobState.RUNNING)

    async def test_a_job_whose_worker_is_gone_is_taken_again_when_its_lease_is_over(self, side: Side) -> None:
        await side.upload()
        gone = await side.claimed(ONE)
        assert await side.queue.job_claimed(TWO, NOW + LEASE) is None
        assert (await side.claimed(TWO, AFTER_LEASE)).attempt == 2
        for late in (
            side.queue.job_continues(gone, Stage.READ, 0.5, AFTER_LEASE),
            side.queue.book_stored(gone, INDEXED, "The Lantern", Made(), AFTER_LEASE),
            side.queue.job_failed(gone, "x", "A sentence.", AFTER_LEASE),
            side.queue.job_given_up(gone, AFTER_LEASE),
            side.queue.job_given_back(gone),
        ):
            with pytest.raises(Lost):
                await late
        assert await side.roster.books() == ()

    async def test_a_heartbeat_holds_the_lease_on(self, side: Side) -> None:
        await side.upload()
        claim = await side.claimed(ONE)
        await side.queue.job_continues(claim, Stage.READ, 0.0, NOW + LEASE)
        assert await side.queue.job_claimed(TWO, AFTER_LEASE) is None
        assert await side.queue.job_claimed(TWO, AFTER_LEASE + LEASE) is not None

    async def test_a_job_that_ends_its_worker_time_and_again_is_given_up_with_a_sentence(self, side: Side) -> None:
        job = await side.upload()
        for attempt in range(ATTEMPTS):
            assert (await side.claimed(now=NOW + attempt * (2 * LEASE))).attempt == attempt + 1
        assert await side.queue.job_claimed(ONE, NOW + ATTEMPTS * (2 * LEASE)) is None
        seen = await side.jobs.job(job)
        assert (seen.state, seen.code) == (JobState.FAILED, "gave_up")
        assert f"{ATTEMPTS} times" in str(seen.failure)

    async def test_a_job_given_back_is_taken_at_once_and_the_attempt_does_not_count(self, side: Side) -> None:
        await side.upload()
        await side.queue.job_given_back(await side.claimed(ONE))
        assert (await side.claimed(TWO)).attempt == 1

    async def test_a_book_is_stored_whole_its_job_done_its_file_gone_and_its_vectors_queued(self, side: Side) -> None:
        book = await side.book_made()
        record = await side.record(book)
        assert (record.title, record.status, record.announced, record.added_at) == (
            "The Lantern",
            "searchable",
            False,
            NOW,
        )
        assert await side.shelf.book_text(book, 0, len(LANTERN.text)) == LANTERN.text
        made, filling = await side.jobs.jobs()
        assert (made.state, made.book, made.percent) == (JobState.DONE, book, 100)
        assert (filling.kind, filling.state, filling.book) == (JobKind.EMBED, JobState.QUEUED, book)
        assert await side.stored() == 0
        assert await side.upload() == made.id
        assert await side.stored() == 0

    async def test_a_file_that_the_host_added_is_that_book(self, side: Side) -> None:
        sha = hashlib.sha256(b"a book").hexdigest()
        there, _ = await side.shelf.store_book(side.club, INDEXED, sha, "The Lantern")
        await side.upload()
        assert (
            await side.queue.book_stored(await side.claimed(), INDEXED, "Another", Made(EMBEDDER.model), NOW) == there
        )
        assert [(b.id, b.title, b.announced) for b in await side.roster.books()] == [(there, "The Lantern", True)]

    async def test_a_job_that_failed_says_why_and_can_be_tried_again(self, side: Side) -> None:
        job = await side.upload()
        await side.queue.job_failed(await side.claimed(), "too_complex", "It is no book.", NOW)
        seen = await side.jobs.job(job)
        assert (seen.state, seen.code, seen.failure) == (JobState.FAILED, "too_complex", "It is no book.")
        assert await side.queue.job_claimed(ONE, AFTER_LEASE) is None
        again = await side.jobs.job_retried(job, later(1))
        assert (again.state, again.failure) == (JobState.QUEUED, None)
        claim = await side.claimed()
        assert claim.attempt == 1
        assert [piece async for piece in side.queue.upload_read(claim)] == [b"a book"]

    async def test_only_what_failed_and_has_its_file_can_be_tried_again(self, side: Side) -> None:
        job = await side.upload()
        with pytest.raises(Refused, match="Only an upload that failed"):
            await side.jobs.job_retried(job, NOW)
        await side.queue.job_failed(await side.claimed(), "x", "It is no book.", NOW)
        assert await side.queue.uploads_swept(NOW + KEPT_FOR_RETRY) == 0
        assert await side.queue.uploads_swept(NOW + KEPT_FOR_RETRY + timedelta(seconds=1)) == 1
        with pytest.raises(Refused, match="add it again"):
            await side.jobs.job_retried(job, NOW)

    async def test_a_file_whose_job_failed_begins_anew_when_it_is_uploaded_again(self, side: Side) -> None:
        job = await side.upload()
        await side.queue.job_failed(await side.claimed(), "x", "It is no book.", NOW)
        assert await side.upload(name="b.txt") == job
        assert await side.stored() == 1
        assert (await side.claimed()).name == "b.txt"

    async def test_a_job_that_waits_or_failed_is_cancelled_at_once_with_its_file(self, side: Side) -> None:
        waits, failed = await side.upload(b"1"), await side.upload(b"2")
        await side.queue.job_failed(await side.claimed(Taking("one", only=failed)), "x", "It is no book.", NOW)
        for job in (waits, failed):
            assert (await side.jobs.job_cancelled(job, NOW)).state is JobState.CANCELLED
        assert await side.stored() == 0
        assert await side.queue.job_claimed(ONE, AFTER_LEASE) is None

    async def test_a_job_that_runs_is_cancelled_when_its_worker_looks(self, side: Side) -> None:
        job = await side.upload()
        claim = await side.claimed()
        assert (await side.jobs.job_cancelled(job, NOW)).cancelling
        for step in (
            side.queue.job_continues(claim, Stage.INDEX, 0.5, NOW),
            side.queue.book_stored(claim, INDEXED, "The Lantern", Made(), NOW),
            side.queue.job_failed(claim, "x", "It is no book.", NOW),
        ):
            with pytest.raises(CancelRequested):
                await step
        await side.queue.job_given_up(claim, NOW)
        assert (await side.jobs.job(job)).state is JobState.CANCELLED
        assert await side.stored() == 0
        assert await side.roster.books() == ()

    async def test_a_cancelled_job_whose_worker_is_gone_ends_when_another_looks(self, side: Side) -> None:
        job = await side.upload()
        await side.claimed(ONE)
        await side.jobs.job_cancelled(job, NOW)
        assert await side.queue.job_claimed(TWO, AFTER_LEASE) is None
        assert (await side.jobs.job(job)).state is JobState.CANCELLED
        assert await side.stored() == 0

    async def test_what_is_done_is_not_cancelled(self, side: Side) -> None:
        book = await side.book_made()
        (done, _) = await side.jobs.jobs()
        assert (await side.jobs.job_cancelled(done.id, NOW)).state is JobState.DONE
        assert await side.record(book)

    async def test_a_cancelled_filling_leaves_no_vectors_and_is_not_wanted_again(self, side: Side) -> None:
        book = await side.book_made()
        (_, filling) = await side.jobs.jobs()
        await fill_vectors(side.shelf, EMBEDDER, book)
        await side.jobs.job_cancelled(filling.id, NOW)
        assert await side.queue.job_claimed(ONE, NOW) is None
        record = await side.record(book)
        assert (record.status, record.embedder) == ("searchable", None)
        assert len(await side.shelf.passages_unembedded(book, 999)) == await side.shelf.passage_count(book)
        assert await side.queue.job_wanted(book, EMBEDDER.model, NOW) is None

    async def test_a_book_has_one_job_for_the_vectors_of_one_model(self, side: Side) -> None:
        book, _ = await side.shelf.store_book(side.club, INDEXED, "file", "The Lantern")
        job = await side.queue.job_wanted(book, EMBEDDER.model, NOW)
        assert await side.queue.job_wanted(book, EMBEDDER.model, NOW) == job
        other = await side.queue.job_wanted(book, HashEmbedder(64).model, NOW)
        assert None is not other != job
        claim = await side.claimed()
        await fill_vectors(side.shelf, EMBEDDER, book)
        await side.queue.job_done(claim, book, NOW)
        assert await side.queue.job_wanted(book, EMBEDDER.model, NOW) is None
        await fill_vectors(side.shelf, HashEmbedder(64), book)
        assert await side.queue.job_wanted(book, EMBEDDER.model, NOW) == job

    async def test_books_that_lack_vectors_and_have_no_job_are_found(self, side: Side) -> None:
        book, _ = await side.shelf.store_book(side.club, INDEXED, "file", "The Lantern")
        assert await side.queue.books_unembedded(EMBEDDER.model) == {book: -1}
        await side.queue.job_wanted(book, EMBEDDER.model, NOW)
        for model in (EMBEDDER.model, HashEmbedder(64).model):
            assert await side.queue.books_unembedded(model) == {}
        await fill_vectors(side.shelf, EMBEDDER, book)
        await side.queue.job_done(await side.claimed(), book, NOW)
        assert await side.queue.books_unembedded(EMBEDDER.model) == {}
        last = await side.shelf.passage_count(book) - 1
        assert await side.queue.books_unembedded(HashEmbedder(64).model) == {book: last}

    async def test_a_book_that_is_removed_takes_its_jobs_along(self, side: Side) -> None:
        book = await side.book_made()
        claim = await side.claimed()
        assert await side.books.book_removed(book)
        assert not await side.books.book_removed(book)
        assert await side.jobs.jobs() == ()
        assert await side.queue.job_state(claim.job) is None
        with pytest.raises(Lost):
            await side.queue.job_continues(claim, Stage.EMBED, 0.5, NOW)
        assert await side.queue.job_wanted(book, EMBEDDER.model, NOW) is None

    async def test_a_book_is_announced_once(self, side: Side) -> None:
        book = await side.book_made()
        await side.books.book_announced(book, NOW)
        await side.books.book_announced(book, later(9))
        assert (await side.record(book)).announced

    async def test_a_book_is_remembered_chapter_by_chapter_and_the_job_ends_with_the_last(self, side: Side) -> None:
        job = await wanted(side)
        assert await side.jobs.memory_wanted((await side.roster.books())[0].id, None, later(1)) == job
        for chapter, percent in ((1, 30), (2, 60), (3, 100)):
            claim = await side.claimed(REMEMBERS)
            assert (claim.kind, claim.book) == (JobKind.REMEMBER, (await side.roster.books())[0].id)
            assert await side.queue.chapters_remembered(claim) == tuple(range(1, chapter))
            await side.queue.chapter_stored(claim, kept(chapter))
            assert (await side.jobs.job(job)).percent == percent
        assert (await side.jobs.job(job)).state is JobState.DONE
        assert await side.queue.job_claimed(REMEMBERS, later(9)) is None

    async def test_a_chapter_whose_worker_lost_the_job_is_not_stored_and_one_that_is_done_stays(
        self, side: Side
    ) -> None:
        job = await wanted(side)
        await side.queue.chapter_stored(await side.claimed(REMEMBERS), kept(1))
        gone = await side.claimed(REMEMBERS)
        again = await side.claimed(REMEMBERS, AFTER_LEASE)
        with pytest.raises(Lost):
            await side.queue.chapter_stored(gone, kept(2))
        assert await side.queue.chapters_remembered(again) == (1,)
        await side.queue.chapter_stored(again, kept(2))
        assert (await side.jobs.job(job)).percent == 60

    async def test_a_job_that_is_put_off_is_taken_by_nobody_before_its_time(self, side: Side) -> None:
        job = await wanted(side)
        await side.queue.job_put_off(await side.claimed(REMEMBERS), later(100), "over_budget", counted=False)
        seen = await side.jobs.job(job)
        assert (seen.state, seen.stage, seen.code, seen.put_off) == (JobState.QUEUED, Stage.WAIT, "over_budget", True)
        assert await side.queue.job_claimed(REMEMBERS, later(99)) is None
        claim = await side.claimed(REMEMBERS, later(100))
        assert claim.attempt == 1
        await side.queue.job_put_off(claim, later(200), "refused", counted=True)
        claim = await side.claimed(REMEMBERS, later(200))
        assert claim.attempt == 2
        await side.queue.chapter_stored(claim, kept(1))
        assert not (await side.jobs.job(job)).put_off
        assert (await side.claimed(REMEMBERS, later(201))).attempt == 1

    async def test_what_is_remembered_is_forgotten_when_it_is_not_wanted_and_made_anew_when_it_is(
        self, side: Side
    ) -> None:
        job = await wanted(side)
        for chapter in (1, 2, 3):
            await side.queue.chapter_stored(await side.claimed(REMEMBERS), kept(chapter))
        await side.jobs.job_cancelled(job, NOW)
        assert await side.queue.job_claimed(REMEMBERS, NOW) is None
        assert (await side.jobs.job(job)).state is JobState.CANCELLED
        assert await side.queue.job_claimed(REMEMBERS, NOW) is None
        assert await wanted(side) == job
        assert await side.queue.chapters_remembered(await side.claimed(REMEMBERS)) == ()

    async def test_a_chapter_of_a_map_that_has_changed_is_not_stored(self, side: Side) -> None:
        job = await wanted(side)
        await side.queue.chapter_stored(await side.claimed(REMEMBERS), kept(1, version=7))
        assert (await side.jobs.job(job)).state is JobState.QUEUED
        assert await side.queue.chapters_remembered(await side.claimed(REMEMBERS)) == ()

    async def test_a_book_that_is_removed_takes_its_memory_along(self, side: Side) -> None:
        job = await wanted(side)
        claim = await side.claimed(REMEMBERS)
        await side.books.book_removed((await side.roster.books())[0].id)
        assert await side.queue.job_state(job) is None
        with pytest.raises(Lost):
            await side.queue.chapter_stored(claim, kept(1))
        with pytest.raises(Refused):
            await side.jobs.memory_wanted(BookId(999), None, NOW)
        assert await side.queue.memory_wanted(BookId(999), NOW) is None

    async def test_another_clubs_book_is_not_remembered(self, side: Side) -> None:
        book, _ = await side.shelf.store_book(side.club, INDEXED, "file", "The Lantern")
        with pytest.raises(Refused):
            await side.others.memory_wanted(book, None, NOW)

    async def test_clubs_take_turns_however_many_books_each_has(self, side: Side) -> None:
        books = [(await side.shelf.store_book(side.club, INDEXED, f"{n}", "The Lantern"))[0] for n in range(3)]
        other = await side.shelf.club_named("other")
        theirs, _ = await side.shelf.store_book(other, INDEXED, "file", "The Lantern")
        for n, book in enumerate((*books, theirs)):
            await side.queue.memory_wanted(book, later(n))
        served = []
        for turn in range(5):
            claim = await side.claimed(REMEMBERS, later(10 + turn))
            served.append(claim.club == other)
            await side.queue.chapter_stored(claim, kept(len(await side.queue.chapters_remembered(claim)) + 1, turn))
        assert served == [False, True, False, True, False]

    async def test_a_book_at_which_workers_end_time_and_again_is_given_up_and_keeps_what_is_done(
        self, side: Side
    ) -> None:
        job = await wanted(side)
        await side.queue.chapter_stored(await side.claimed(REMEMBERS), kept(1))
        for n in range(ATTEMPTS):
            await side.claimed(REMEMBERS, later(100 * (n + 1)))
        assert await side.queue.job_claimed(REMEMBERS, later(100 * (ATTEMPTS + 1))) is None
        seen = await side.jobs.job(job)
        assert (seen.state, seen.code) == (JobState.FAILED, "gave_up")
        assert "The chapters that were done stay." in (seen.failure or "")
        await side.jobs.job_retried(job, later(1000))
        assert await side.queue.chapters_remembered(await side.claimed(REMEMBERS, later(1001))) == (1,)

    async def test_a_worker_without_a_model_leaves_what_is_to_be_remembered(self, side: Side) -> None:
        await wanted(side)
        assert await side.queue.job_claimed(Taking("one", None, frozenset({JobKind.INGEST})), NOW) is None


REMEMBERS = Taking("one", None, frozenset({JobKind.REMEMBER}))


async def wanted(side: Side) -> JobId:
    """The job that remembers the one book of the club, which is made if there is none."""
    book, _ = await side.shelf.store_book(side.club, INDEXED, "file", "The Lantern")
    return await side.jobs.memory_wanted(book, None, NOW)


def kept(chapter: int, turn: int = 0, version: int = 0) -> Kept:
    """One sentence remembered of a chapter."""
    span = LANTERN.chapters[chapter - 1].span
    passage = next(p for p in INDEXED.passages if p.cut.span.start >= span.start)
    start = passage.cut.span.start
    claim = Remembered(chapter, "It rained.", passage.cut.ordinal, Span(start, start + 9), span.end)
    return Kept(ChapterMemory(chapter, version, span.end, (claim,)), later(10 + turn), 3)
