"""Uploads and jobs in memory: fits ``Jobs`` and ``JobQueue`` over one store, as two roles do over one database."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.core.club import BookId, ClubId, MemberId
from bot.core.indexed import IndexedBook
from bot.core.job_refusals import gave_up, model_gave_up, not_failed, unknown_job, upload_gone
from bot.core.jobs import (
    ATTEMPTS,
    KEPT_FOR_RETRY,
    CancelRequested,
    Claim,
    Job,
    JobId,
    JobKind,
    JobState,
    Lost,
    Made,
    Received,
    Stage,
    Taking,
    percent_of,
    pieces,
)
from bot.core.memory import Kept
from bot.core.ports import EmbeddingModel
from tests.fakes.shelf import FakeShelf


@dataclass
class FakeUpload:
    """A file as it was stored."""

    name: str
    sha256: str
    chunks: list[bytes]
    received_at: datetime


@dataclass
class FakeJob:
    """A job with all that its club does not see."""

    id: JobId
    club: ClubId
    kind: JobKind
    key: str
    queued_at: datetime
    by: MemberId | None = None
    upload: FakeUpload | None = None
    model: EmbeddingModel | None = None
    book: BookId | None = None
    state: JobState = JobState.QUEUED
    stage: Stage = Stage.WAIT
    percent: int = 0
    attempts: int = 0
    cancel: bool = False
    code: str | None = None
    failure: str | None = None
    worker: str | None = None
    lease_until: datetime | None = None
    finished_at: datetime | None = None
    wait_until: datetime | None = None

    @property
    def seen(self) -> Job:
        return Job(
            id=self.id, kind=self.kind, state=self.state, stage=self.stage, percent=self.percent, book=self.book,
            by=self.by, cancelling=self.cancel and not self.state.ended, code=self.code, failure=self.failure,
            finished_at=self.finished_at, has_file=self.upload is not None,
        )  # fmt: skip

    def anew(self, now: datetime) -> None:
        """Queue it from the start."""
        self.state, self.stage, self.percent, self.attempts = JobState.QUEUED, Stage.WAIT, 0, 0
        self.cancel, self.code, self.failure, self.finished_at, self.queued_at = False, None, None, None, now
        self.wait_until = None

    def ended(self, state: JobState, now: datetime, code: str | None = None, failure: str | None = None) -> None:
        """Let go of it, in its last state."""
        self.state, self.code, self.failure, self.finished_at = state, code, failure, now
        self.percent = 100 if state is JobState.DONE else 0
        self.cancel = state is JobState.CANCELLED
        self.worker = self.lease_until = None
        if state is not JobState.FAILED:
            self.upload = None

    def over(self, now: datetime) -> bool:
        return self.state is JobState.RUNNING and self.lease_until is not None and self.lease_until < now


@dataclass
class JobStore:
    """What both sides share: all clubs' jobs, and the shelf on which books are written."""

    shelf: FakeShelf
    kept: dict[JobId, FakeJob] = field(default_factory=dict)
    numbers: int = 0
    served: dict[ClubId, datetime] = field(default_factory=dict)
    every_book: set[ClubId] = field(default_factory=set)
    """Clubs that want every book remembered."""

    def made(self, club: ClubId, kind: JobKind, key: str, now: datetime) -> FakeJob:
        self.numbers += 1
        job = FakeJob(JobId(self.numbers), club, kind, key, now)
        self.kept[job.id] = job
        return job

    def of_key(self, club: ClubId, kind: JobKind, key: str) -> FakeJob | None:
        self.without_books()
        return next((j for j in self.kept.values() if (j.club, j.kind, j.key) == (club, kind, key)), None)

    def memory_wanted(self, book: BookId, by: MemberId | None, now: datetime, club: ClubId | None) -> JobId | None:
        """The job that remembers a book of a club (None: of any)."""
        if book not in self.shelf.kept or club not in {None, self.shelf.of(book).record.club}:
            return None
        record = self.shelf.of(book).record
        job = self.of_key(record.club, JobKind.REMEMBER, str(book))
        if job is None:
            job = self.made(record.club, JobKind.REMEMBER, str(book), now)
            job.book, job.by = book, by or record.added_by
        elif job.state is JobState.RUNNING:
            job.cancel = False
        elif job.cancel or job.state in {JobState.FAILED, JobState.CANCELLED}:
            job.anew(now)
        return job.id

    def without_books(self) -> None:
        """Jobs go with their books."""
        self.kept = {i: j for i, j in self.kept.items() if j.book is None or j.book in self.shelf.kept}


class FakeJobs:
    """The club's side."""

    def __init__(self, store: JobStore, club: ClubId) -> None:
        self.store = store
        self._club = club

    async def upload_received(self, file: Received, now: datetime) -> JobId:
        chunks = [piece async for piece in pieces(file.chunks, file.most_bytes)]
        sha = hashlib.sha256(b"".join(chunks)).hexdigest()
        job = self.store.of_key(self._club, JobKind.INGEST, sha)
        if job is None:
            job = self.store.made(self._club, JobKind.INGEST, sha, now)
        elif job.state not in {JobState.FAILED, JobState.CANCELLED}:
            return job.id
        job.anew(now)
        job.upload, job.by = FakeUpload(file.name, sha, chunks, now), file.by
        return job.id

    def _of(self, job: JobId) -> FakeJob:
        self.store.without_books()
        found = self.store.kept.get(job)
        if found is None or found.club != self._club:
            raise unknown_job()
        return found

    async def job(self, job: JobId) -> Job:
        return self._of(job).seen

    async def jobs(self) -> tuple[Job, ...]:
        self.store.without_books()
        return tuple(j.seen for j in self.store.kept.values() if j.club == self._club)

    async def job_cancelled(self, job: JobId, now: datetime) -> Job:
        found = self._of(job)
        kept = found.kind is JobKind.REMEMBER and found.state is JobState.DONE
        if found.state is JobState.CANCELLED or (found.state is JobState.DONE and not kept):
            return found.seen
        if found.kind is not JobKind.INGEST or found.state is JobState.RUNNING:
            found.cancel, found.code, found.failure = True, None, None
            if found.state in {JobState.FAILED, JobState.DONE}:
                found.state = JobState.QUEUED
        else:
            found.ended(JobState.CANCELLED, now)
        return found.seen

    async def memory_wanted(self, book: BookId, by: MemberId | None, now: datetime) -> JobId:
        job = self.store.memory_wanted(book, by, now, self._club)
        if job is None:
            raise unknown_job()
        return job

    async def job_retried(self, job: JobId, now: datetime) -> Job:
        found = self._of(job)
        if found.state is not JobState.FAILED:
            raise not_failed()
        if found.kind is JobKind.INGEST and found.upload is None:
            raise upload_gone()
        found.anew(now)
        return found.seen


class FakeJobQueue:
    """The workers' side; ``time`` is the database's."""

    def __init__(self, store: JobStore, time: datetime) -> None:
        self.store = store
        self.time = time

    async def server_time(self) -> datetime:
        return self.time

    async def job_claimed(self, taking: Taking, now: datetime) -> Claim | None:
        self.store.without_books()
        for job in self.store.kept.values():
            if job.cancel and (job.state is JobState.QUEUED or job.over(now)):
                self._given_up(job, now)
            elif job.over(now) and job.attempts >= ATTEMPTS:
                why = model_gave_up if job.kind is JobKind.REMEMBER else gave_up
                job.ended(JobState.FAILED, now, *why(job.attempts))
        waiting = [
            j for j in self.store.kept.values()
            if (j.state is JobState.QUEUED or j.over(now)) and j.kind in taking.kinds
            and (j.kind is not JobKind.EMBED or j.model == taking.model) and taking.only in {None, j.id}
            and (j.wait_until is None or j.wait_until <= now)
        ]  # fmt: skip
        if not waiting:
            return None
        job = min(waiting, key=lambda j: (self._last_served(j), j.queued_at, j.id))
        job.state, job.worker, job.lease_until = JobState.RUNNING, taking.worker, now + taking.lease
        job.attempts += 1
        return Claim(
            job=job.id, kind=job.kind, club=job.club, worker=taking.worker, attempt=job.attempts, lease=taking.lease,
            by=job.by, book=job.book, name=job.upload.name if job.upload else "",
            sha256=job.upload.sha256 if job.upload else "",
        )  # fmt: skip

    def _last_served(self, job: FakeJob) -> datetime:
        """When the last chapter of its club was remembered, for a job that remembers."""
        never = datetime.min.replace(tzinfo=self.time.tzinfo)
        return self.store.served.get(job.club, never) if job.kind is JobKind.REMEMBER else never

    def _held(self, claim: Claim) -> FakeJob:
        self.store.without_books()
        job = self.store.kept.get(claim.job)
        if job is None or (job.state, job.worker, job.attempts) != (JobState.RUNNING, claim.worker, claim.attempt):
            raise Lost
        return job

    def _wanted(self, claim: Claim) -> FakeJob:
        job = self._held(claim)
        if job.cancel:
            raise CancelRequested
        return job

    async def job_continues(self, claim: Claim, stage: Stage, done: float, now: datetime) -> None:
        job = self._held(claim)
        before = job.percent if job.kind is JobKind.REMEMBER else 0
        job.stage, job.percent, job.lease_until = stage, max(before, percent_of(done)), now + claim.lease
        self._wanted(claim)

    async def upload_read(self, claim: Claim) -> AsyncIterator[bytes]:
        upload = self._held(claim).upload
        for chunk in upload.chunks if upload else ():
            yield chunk

    async def book_stored(self, claim: Claim, indexed: IndexedBook, title: str, made: Made, now: datetime) -> BookId:
        job = self._wanted(claim)
        book, new = await self.store.shelf.store_book(claim.club, indexed, claim.sha256, title)
        if new:
            self.store.shelf.held_back(book, claim.by, now)
            if made.model is not None:
                await self.job_wanted(book, made.model, now)
            if made.memories and claim.club in self.store.every_book:
                self.store.memory_wanted(book, claim.by, now, claim.club)
        job.book = book
        job.ended(JobState.DONE, now)
        return book

    async def job_done(self, claim: Claim, book: BookId, now: datetime) -> None:
        job = self._wanted(claim)
        job.book = job.book or book
        job.ended(JobState.DONE, now)

    async def job_failed(self, claim: Claim, code: str, sentence: str, now: datetime) -> None:
        self._wanted(claim).ended(JobState.FAILED, now, code, sentence)

    async def job_given_up(self, claim: Claim, now: datetime) -> None:
        self._given_up(self._held(claim), now)

    def _given_up(self, job: FakeJob, now: datetime) -> None:
        if job.kind is JobKind.EMBED and job.book is not None:
            self.store.shelf.without_vectors(job.book)
        if job.kind is JobKind.REMEMBER and job.book is not None:
            self.store.shelf.of(job.book).memory = {}
        job.ended(JobState.CANCELLED, now)

    async def job_given_back(self, claim: Claim) -> None:
        job = self._held(claim)
        job.state, job.stage, job.percent, job.attempts = JobState.QUEUED, Stage.WAIT, 0, job.attempts - 1
        job.worker = job.lease_until = None

    async def job_put_off(self, claim: Claim, until: datetime, code: str, *, counted: bool) -> None:
        job = self._wanted(claim)
        job.state, job.stage, job.wait_until, job.code = JobState.QUEUED, Stage.WAIT, until, code
        job.attempts -= 0 if counted else 1
        job.worker = job.lease_until = None

    async def memory_wanted(self, book: BookId, now: datetime) -> JobId | None:
        return self.store.memory_wanted(book, None, now, None)

    def _done(self, book: BookId) -> tuple[int, ...]:
        kept = self.store.shelf.of(book)
        return tuple(sorted(n for n, m in kept.memory.items() if m.map_version == kept.record.map_version))

    async def chapters_remembered(self, claim: Claim) -> tuple[int, ...]:
        job = self._wanted(claim)
        if job.book is None:
            raise Lost
        return self._done(job.book)

    async def chapter_stored(self, claim: Claim, kept: Kept) -> None:
        job = self._wanted(claim)
        if job.book is None:
            raise Lost
        book = self.store.shelf.of(job.book)
        if kept.memory.map_version != book.record.map_version:
            await self.job_given_back(claim)
            return
        book.memory[kept.memory.chapter] = kept.memory
        self.store.served[job.club] = kept.at
        done = len(self._done(job.book))
        if done >= kept.chapters:
            job.ended(JobState.DONE, kept.at)
            return
        job.anew(kept.at)
        job.stage, job.percent = Stage.REMEMBER, percent_of(done / kept.chapters)
        job.worker = job.lease_until = None

    async def job_wanted(self, book: BookId, model: EmbeddingModel, now: datetime) -> JobId | None:
        if book not in self.store.shelf.kept:
            return None
        record = self.store.shelf.of(book).record
        key = f"{book}:{model.name}:{model.sha256}"
        job = self.store.of_key(record.club, JobKind.EMBED, key)
        complete = record.status == "ready" and record.embedder == model
        if job is not None and job.state in {JobState.QUEUED, JobState.RUNNING}:
            return job.id
        if complete or (job is not None and job.state is not JobState.DONE):
            return None
        if job is None:
            job = self.store.made(record.club, JobKind.EMBED, key, now)
            job.book, job.model, job.by = book, model, record.added_by
        job.anew(now)
        return job.id

    async def books_unembedded(self, model: EmbeddingModel) -> Mapping[BookId, int]:
        self.store.without_books()
        engaged = {
            j.book
            for j in self.store.kept.values()
            if j.kind is JobKind.EMBED and (not j.state.ended or (j.model == model and j.state is not JobState.DONE))
        }
        return {
            kept.record.id: max(kept.vectors, default=-1)
            for kept in self.store.shelf.kept.values()
            if (kept.record.status, kept.record.embedder) != ("ready", model) and kept.record.id not in engaged
        }

    async def job_state(self, job: JobId) -> Job | None:
        self.store.without_books()
        return self.store.kept[job].seen if job in self.store.kept else None

    async def uploads_swept(self, now: datetime) -> int:
        before = now - KEPT_FOR_RETRY
        failed = [j for j in self.store.kept.values() if j.upload and j.state is JobState.FAILED]
        old = [j for j in failed if j.finished_at is not None and j.finished_at < before]
        for job in old:
            job.upload = None
        return len(old)


def after(now: datetime, seconds: float) -> datetime:
    """``seconds`` later."""
    return now + timedelta(seconds=seconds)
