"""A worker: takes jobs from the queue, says how far it is, and ends each in one transaction, whatever happens to it.

Its log lines hold numbers and codes alone: no title, no name, nothing of a file.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import platform
import secrets
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from bot.core.book import BookText
from bot.core.club import BookId, ClubId
from bot.core.errors import DogearError, Refused, Unavailable
from bot.core.job_refusals import no_room
from bot.core.jobs import LEASE, CancelRequested, Claim, Job, JobId, JobKind, JobQueue, Lost, Made, Stage, Taking
from bot.core.ports import Embedder, EmbeddingModel
from bot.core.shelf import Shelf
from bot.ingest.files import read_book_in_child
from bot.ingest.remembering import AGAIN_AFTER, Chapters, Remembering
from bot.ingest.worker import Progress, fill_vectors, indexed_book, title_of

logger = logging.getLogger("dogear.worker")

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
FAULT: Final = ("fault", "Something went wrong on our side, and nothing was stored: try it again, or tell the host.")

_FIRST: Final = {JobKind.INGEST: Stage.READ, JobKind.EMBED: Stage.EMBED, JobKind.REMEMBER: Stage.REMEMBER}


class Read(Protocol):
    """Reads a file that was stored at ``path`` and had this name: `read_book_in_child`."""

    def __call__(self, path: Path, *, name: str, progress: Progress) -> Awaitable[BookText]: ...


def worker_name() -> str:
    """A name that no other worker has: the machine, the process, and a random word."""
    return f"{platform.node()[:40]}-{os.getpid()}-{secrets.token_hex(4)}"


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a worker does what it does again and again, in seconds.

    ``beat``: says that it is at a job; ``poll``: looks for a job; ``look``: looks for books left without vectors.
    ``again`` is how long a job waits whose model could not be used.
    """

    beat: float = 1.0
    poll: float = 0.5
    look: float = 5.0
    again: timedelta = AGAIN_AFTER


@dataclass
class Worker:
    """Works on jobs with what it is given; ``folder`` is its own. Several work on one database without each other.

    ``remembering`` is what remembers the books of a club, where a model is set.
    """

    queue: JobQueue
    shelf: Shelf
    embedder: Embedder | None
    folder: Path
    clock: Callable[[], datetime]
    name: str = field(default_factory=worker_name)
    lease: timedelta = LEASE
    pace: Pace = field(default_factory=Pace)
    read: Read = read_book_in_child
    remembering: Callable[[ClubId], Remembering | None] | None = None
    _ahead: timedelta = timedelta(0)

    async def run(self) -> None:
        """Work until cancelled. Books are made while the vectors of others are: neither waits for the other."""
        logger.info("event=started worker=%s", self.name)
        with suppress(Unavailable):
            await self.timed()
        async with asyncio.TaskGroup() as lanes:
            lanes.create_task(self._lane(JobKind.INGEST))
            lanes.create_task(self._looking())
            if self.embedder is not None:
                lanes.create_task(self._lane(JobKind.EMBED))
            if self.remembering is not None:
                lanes.create_task(self._lane(JobKind.REMEMBER))

    def now(self) -> datetime:
        """What time it is at the database: leases of workers on several machines are measured by one clock."""
        return self.clock() + self._ahead

    async def timed(self) -> None:
        """Learn how far the database's clock is ahead of ours."""
        self._ahead = await self.queue.server_time() - self.clock()

    async def _lane(self, kind: JobKind) -> None:
        while True:
            try:
                model = await self.model() if kind is JobKind.EMBED else None
                claim = await self.queue.job_claimed(self._taking(model, kind), self.now())
                if claim is not None:
                    await self.work_on(claim)
                    continue
            except Unavailable as error:
                logger.warning("event=waiting worker=%s kind=%s code=%s", self.name, kind.value, error.code)
                await asyncio.sleep(self.pace.look)
            await asyncio.sleep(self.pace.poll)

    def _taking(self, model: EmbeddingModel | None, kind: JobKind, only: JobId | None = None) -> Taking:
        return Taking(self.name, model, frozenset({kind}), self.lease, only)

    async def _looking(self) -> None:
        """See to books that were left without vectors, files that nobody comes back for, and the clock."""
        reached: Mapping[BookId, int] = {}
        while True:
            try:
                await self.timed()
                await self.queue.uploads_swept(self.now())
                reached = await self._looked(reached)
            except Unavailable as error:
                logger.warning("event=waiting worker=%s kind=look code=%s", self.name, error.code)
            await asyncio.sleep(self.pace.look)

    async def _looked(self, before: Mapping[BookId, int]) -> Mapping[BookId, int]:
        """One look: a book whose vectors have not become more since the look before was left, and gets a job."""
        model = await self.model()
        if model is None:
            return {}
        reached = await self.queue.books_unembedded(model)
        for book, passage in reached.items():
            if before.get(book) == passage:
                await self.queue.job_wanted(book, model, self.now())
        return reached

    async def model(self) -> EmbeddingModel | None:
        """The embedder's model, which may be loaded here. Raises `Unavailable`."""
        embedder = self.embedder
        return None if embedder is None else await asyncio.to_thread(lambda: embedder.model)

    async def see_through(self, job: JobId, progress: Progress) -> Job | None:
        """Do this one job, or wait until another worker has: how it ended, or None where it was removed.

        Raises `Unavailable` where it cannot be done now; it is queued then. One that is put off is not waited for.
        """
        while True:
            seen = await self.queue.job_state(job)
            if seen is None or seen.state.ended or seen.put_off:
                return seen
            model = await self.model() if seen.kind is JobKind.EMBED else None
            claim = await self.queue.job_claimed(self._taking(model, seen.kind, job), self.now())
            if claim is not None:
                await self.work_on(claim, progress)
            else:
                progress(seen.stage.value, seen.percent / 100)
                await asyncio.sleep(self.pace.poll)

    async def work_on(self, claim: Claim, progress: Progress = lambda _stage, _done: None) -> None:
        """Do what was claimed, to its end. Raises `Unavailable` after giving it back; so does being cancelled."""
        self._log("taken", claim)
        try:
            await self._watched(claim, progress)
            self._log("done", claim)
        except Lost:
            self._log("lost", claim)
        except CancelRequested:
            with suppress(Lost):
                await self.queue.job_given_up(claim, self.now())
            self._log("cancelled", claim)
        except (Unavailable, asyncio.CancelledError):
            with suppress(DogearError):
                await asyncio.shield(self.queue.job_given_back(claim))
            self._log("given_back", claim)
            raise
        except Refused as refusal:
            await self._failed(claim, refusal.code, refusal.message)
        except Exception as error:
            places = traceback.extract_tb(error.__traceback__)[-4:]
            where = ",".join(f"{Path(place.filename).name}:{place.lineno}" for place in places)
            logger.error("event=fault job=%d type=%s at=%s", claim.job, type(error).__name__, where)  # noqa: TRY400
            await self._failed(claim, *FAULT)

    async def _failed(self, claim: Claim, code: str, sentence: str) -> None:
        """End a job with the reason."""
        try:
            await self.queue.job_failed(claim, code, sentence, self.now())
            self._log("failed", claim, code)
        except CancelRequested:
            with suppress(Lost):
                await self.queue.job_given_up(claim, self.now())
            self._log("cancelled", claim)
        except Lost:
            self._log("lost", claim)

    def _log(self, event: str, claim: Claim, code: str = "-") -> None:
        logger.info(
            "event=%s job=%d kind=%s club=%d book=%s attempt=%d code=%s",
            *(event, claim.job, claim.kind.value, claim.club, claim.book or "-", claim.attempt, code),
        )

    async def _watched(self, claim: Claim, progress: Progress) -> None:
        """Do the work, and meanwhile hold the lease on. Raises `Lost` and `CancelRequested` as soon as it is known."""
        at = (_FIRST[claim.kind], 0.0)

        def tell(stage: str, done: float) -> None:
            nonlocal at
            at = (Stage(stage), done)
            progress(stage, done)

        working = asyncio.ensure_future(self._made(claim, tell))
        try:
            while not working.done():
                lost = await self._continued(claim, *at)
                await asyncio.wait({working}, timeout=self.pace.beat)
                if lost and not working.done():  # else it was lost to its own end
                    raise Lost
        finally:
            working.cancel()
            await asyncio.wait({working})
        await working

    async def _continued(self, claim: Claim, stage: Stage, done: float) -> bool:
        """Hold the lease on, and say whether it is lost; it outlasts an outage. Raises `CancelRequested`."""
        try:
            await self.queue.job_continues(claim, stage, done, self.now())
        except Unavailable:
            return False
        except Lost:
            return True
        return False

    async def _made(self, claim: Claim, tell: Progress) -> None:
        if claim.kind is JobKind.INGEST:
            await self._book_made(claim, tell)
        elif claim.book is not None and claim.kind is JobKind.REMEMBER:
            club = None if self.remembering is None else self.remembering(claim.club)
            if club is None:
                raise Unavailable("No model is set here.", code="no_model")
            chapters = Chapters(self.queue, self.shelf, self.now, self.pace.again)
            await chapters.one_more(claim, claim.book, club, tell)
        elif claim.book is not None and self.embedder is not None:
            await fill_vectors(self.shelf, self.embedder, claim.book, tell)
            await self.queue.job_done(claim, claim.book, self.now())

    async def _book_made(self, claim: Claim, tell: Progress) -> None:
        """The file becomes a book, or the one that it already is."""
        if (there := await self.shelf.book_of_file(claim.club, claim.sha256)) is not None:
            await self.queue.job_done(claim, there.id, self.now())
            return
        path = self.folder / f"{claim.job}-{claim.attempt}"
        try:
            await self._fetched(claim, path)
            book = await self.read(path, name=claim.name, progress=lambda _stage, done: tell("read", done))
        except OSError as error:
            raise (no_room() if error.errno in NO_ROOM else error) from None
        finally:
            path.unlink(missing_ok=True)
        indexed = await indexed_book(book, None, tell)
        model = None
        with suppress(Unavailable):  # the vectors can wait until there is an embedder
            model = await self.model()
        made = Made(model, self.remembering is not None)
        await self.queue.book_stored(claim, indexed, title_of(book), made, self.now())
        tell("index", 1.0)

    async def _fetched(self, claim: Claim, path: Path) -> None:
        with path.open("xb") as file:
            async for piece in self.queue.upload_read(claim):
                file.write(piece)
