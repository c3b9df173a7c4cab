"""Uploads and the jobs made of them: what a club sees of its own, and what a worker does with anybody's.

A job is queued, run by one worker under a lease, and ends as done, failed or cancelled. A worker that is gone lets its
lease run out, and another takes the job; a worker that lost its lease can write nothing more of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType, Protocol

from bot.core.club import BookId, ClubId, MemberId
from bot.core.errors import DogearError
from bot.core.indexed import IndexedBook
from bot.core.job_refusals import empty_file, too_large, unreadable
from bot.core.memory import Kept
from bot.core.ports import EmbeddingModel

JobId = NewType("JobId", int)

CHUNK_BYTES: Final = 1 << 20
"""The most bytes of a file that are stored as one piece."""

UPLOAD_BYTES: Final = 100 << 20
"""The largest file that is taken at all, in bytes; what each kind of file may have is said when it is read."""

LEASE: Final = timedelta(seconds=30)
"""How long a worker has a job without saying that it is still at it."""

ATTEMPTS: Final = 5
"""How often a job is begun before it is given up: each time but the last its worker was gone."""

KEPT_FOR_RETRY: Final = timedelta(days=1)
"""How long the file of a job that failed is kept, so that it can be tried again."""


class JobKind(StrEnum):
    """What a job makes: a book of a file, the vectors of a book, or what a model remembers of its chapters."""

    INGEST = "ingest"
    EMBED = "embed"
    REMEMBER = "remember"


class JobState(StrEnum):
    """Where a job stands in its life."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


class Stage(StrEnum):
    """What is being done to a file: it waits, is read, indexed, its vectors are made, its chapters remembered."""

    WAIT = "wait"
    READ = "read"
    INDEX = "index"
    EMBED = "embed"
    REMEMBER = "remember"


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its club sees it. Nothing in it is of the file: no name, no title, no text.

    ``percent`` of its stage is a multiple of ten, so that a run of them does not count passages. ``failure`` is one
    sentence that says why, where the job failed; ``by`` who gave the file; ``cancelling`` that it is to end. Of a job
    that waits ``code`` is why it was put off.
    """

    id: JobId
    kind: JobKind
    state: JobState
    stage: Stage
    percent: int
    book: BookId | None
    by: MemberId | None
    cancelling: bool = False
    code: str | None = None
    failure: str | None = None
    finished_at: datetime | None = None
    has_file: bool = False

    @property
    def put_off(self) -> bool:
        """Whether it waits for a time: for money, or for a model that can be reached."""
        return self.state is JobState.QUEUED and self.code is not None

    def __post_init__(self) -> None:
        if self.percent not in range(0, 101, 10):
            raise ValueError(f"{self.percent} is no multiple of ten percent")
        if (self.failure is not None) != (self.state is JobState.FAILED):
            raise ValueError("a job that failed says why, and no other does")


@dataclass(frozen=True, slots=True)
class Received:
    """A file on its way into a club: what it was called, who gives it, and its bytes as they arrive.

    ``name`` may tell the story, and is never shown. ``most_bytes`` is what may arrive.
    """

    name: str
    by: MemberId | None
    chunks: AsyncIterable[bytes]
    most_bytes: int = UPLOAD_BYTES


class Jobs(Protocol):
    """The uploads and jobs of one club, as the club's side has them: files go in and never come out."""

    async def upload_received(self, file: Received, now: datetime) -> JobId:
        """Keep a file and queue its job, both or neither. A file that the club has gives the job that it had.

        Where that job failed or was cancelled, or its book was removed, it begins anew. Raises `Refused` for a file
        that is empty or too large.
        """

    async def job(self, job: JobId) -> Job:
        """Raises `Refused` where the club has no such job."""

    async def jobs(self) -> tuple[Job, ...]:
        """The club's jobs, the first made first."""

    async def job_cancelled(self, job: JobId, now: datetime) -> Job:
        """End a job: at once where it waits or has failed, as soon as its worker looks where it runs. One that is done
        or cancelled stays as it is, but what was remembered is forgotten."""

    async def memory_wanted(self, book: BookId, by: MemberId | None, now: datetime) -> JobId:
        """The job that has a model remember a book's chapters, queued where it was not, failed or was cancelled.

        Raises `Refused` where the club has no such book.
        """

    async def job_retried(self, job: JobId, now: datetime) -> Job:
        """Queue a job that failed again. Raises `Refused` where it has not, or its file is no longer kept."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's hold on a job: ``worker`` and ``attempt`` tell it from every other.

    ``name`` is what the file was called and ``sha256`` its digest, for a job that makes a book; ``book`` is the book
    for one that makes vectors.
    """

    job: JobId
    kind: JobKind
    club: ClubId
    worker: str
    attempt: int
    lease: timedelta = LEASE
    by: MemberId | None = None
    book: BookId | None = None
    name: str = field(default="", repr=False)
    sha256: str = ""


class Lost(DogearError):
    """The job is no longer this worker's: its lease ran out and another has it, or it was removed with its book."""


class CancelRequested(DogearError):
    """The club does not want the job any more."""


@dataclass(frozen=True, slots=True)
class Taking:
    """What a worker takes: jobs of these kinds; ``model`` is its embedder's, or None where it makes no vectors;
    ``only`` is one job alone."""

    worker: str
    model: EmbeddingModel | None = None
    kinds: frozenset[JobKind] = frozenset(JobKind)
    lease: timedelta = LEASE
    only: JobId | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What a worker can make of a book: vectors of ``model``, and memories, which a club may want of every book."""

    model: EmbeddingModel | None = None
    memories: bool = False


class JobQueue(Protocol):
    """Everybody's jobs, as workers have them. Every method that takes a `Claim` raises `Lost` where it is over, and
    writes nothing then."""

    async def server_time(self) -> datetime:
        """What time it is at the database, by which all workers on all machines measure leases."""

    async def job_claimed(self, taking: Taking, now: datetime) -> Claim | None:
        """The next job, for this worker alone until its lease is over; None where there is none to take.

        A job whose worker is gone is taken again, at most `ATTEMPTS` times, and then fails with a sentence.
        """

    async def job_continues(self, claim: Claim, stage: Stage, done: float, now: datetime) -> None:
        """Say how far a stage is (0 to 1) and hold the lease on. Raises `CancelRequested`."""

    def upload_read(self, claim: Claim) -> AsyncIterator[bytes]:
        """The bytes of the file, in order, as they were stored."""

    async def book_stored(self, claim: Claim, indexed: IndexedBook, title: str, made: Made, now: datetime) -> BookId:
        """Write the whole book, end the job, drop the file and queue the jobs for what is ``made`` of it: all of it or
        nothing.

        Where the club has this file as a book, that book is it. Raises `CancelRequested`.
        """

    async def job_done(self, claim: Claim, book: BookId, now: datetime) -> None:
        """End a job well; ``book`` is what came of it. Its file is dropped."""

    async def job_failed(self, claim: Claim, code: str, sentence: str, now: datetime) -> None:
        """End a job with the reason; its file is kept for `KEPT_FOR_RETRY`."""

    async def job_given_up(self, claim: Claim, now: datetime) -> None:
        """End a job that the club does not want any more, with all that was made of it: file, vectors, memories."""

    async def job_given_back(self, claim: Claim) -> None:
        """Let another worker have the job at once; this attempt does not count."""

    async def job_put_off(self, claim: Claim, until: datetime, code: str, *, counted: bool) -> None:
        """Let nobody have the job before ``until``; ``code`` says why. The attempt counts where it is ``counted``."""

    async def memory_wanted(self, book: BookId, now: datetime) -> JobId | None:
        """As `Jobs.memory_wanted`, for the host; None where there is no such book."""

    async def chapters_remembered(self, claim: Claim) -> tuple[int, ...]:
        """The chapters (``#N``) of the job's book that are done, on its map as it is now."""

    async def chapter_stored(self, claim: Claim, kept: Kept) -> None:
        """Store a chapter's memory and let the job go on in its turn, or end it well after the last; both or neither.

        The club whose last chapter is the longest ago is next. Where the map has changed meanwhile nothing is stored.
        """

    async def job_wanted(self, book: BookId, model: EmbeddingModel, now: datetime) -> JobId | None:
        """The job that makes the vectors of a book, queued where it was not or had ended as done.

        None where the book has them all or is gone; a job that failed or was cancelled stays as it is.
        """

    async def books_unembedded(self, model: EmbeddingModel) -> Mapping[BookId, int]:
        """Books that lack vectors of a model, each with its last passage that has some (or -1).

        A book for whose vectors a job is open is not among them, whatever the model, nor one whose job for this model
        failed or was cancelled.
        """

    async def job_state(self, job: JobId) -> Job | None:
        """The job as its club sees it; None where it was removed."""

    async def uploads_swept(self, now: datetime) -> int:
        """Drop the files of jobs that failed long ago, and say how many."""


def percent_of(done: float) -> int:
    """``done`` (0 to 1) in steps of ten percent, rounded down."""
    return 10 * min(10, max(0, int(done * 10 + 1e-9)))


async def pieces(chunks: AsyncIterable[bytes], most_bytes: int) -> AsyncIterator[bytes]:
    """What arrives, in pieces of at most `CHUNK_BYTES`, none of them empty.

    Raises `Refused` as soon as more than ``most_bytes`` have come, at the end where none have, and where they stop.
    """
    held, total = bytearray(), 0
    try:
        async for chunk in chunks:
            total += len(chunk)
            if total > most_bytes:
                raise too_large(most_bytes)
            held += chunk
            while len(held) >= CHUNK_BYTES:
                yield bytes(held[:CHUNK_BYTES])
                del held[:CHUNK_BYTES]
    except OSError:
        raise unreadable() from None
    if held:
        yield bytes(held)
    if not total:
        raise empty_file()
