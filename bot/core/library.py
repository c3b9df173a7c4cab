"""How a book comes into a club and leaves it: uploaded by an admin, made by a worker, announced or taken back.

Until a book is announced, what is said of it in a room is how far it is; its title and author are for who brought it.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from bot.core.club import BookId, Member
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.jobs import UPLOAD_BYTES, Job, JobId, JobKind, JobState, Received, Stage
from bot.core.ports import BookRecord
from bot.core.rights import require_admin

UNDO_FOR: Final = timedelta(hours=1)
"""How long after it was added a book that is announced can be taken back."""

EDIT_EVERY: Final = timedelta(seconds=1.5)
"""The least time between two edits of one message: no platform stalls at that."""

LOOK_EVERY: Final = 0.5
"""Seconds between two looks at a job that is followed."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A file that waits or is being worked on: ``percent`` of its stage. ``cancelling``: it is about to end; ``code``:
    why it was put off.
    """

    job: JobId
    stage: Stage
    percent: int
    cancelling: bool
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Arrived:
    """A book that can be asked about. Its title is for who brought it alone until it is ``announced``."""

    job: JobId
    book: BookRecord
    announced: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """A file that did not become a book, why, in one sentence, and whether it can be tried again as it is."""

    job: JobId
    sentence: str
    can_retry: bool


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A file that is not wanted any more. Nothing of it is left."""

    job: JobId


UploadState = Underway | Arrived | Failed | Cancelled


async def upload(
    house: Clubhouse, member: Member, name: str, chunks: AsyncIterable[bytes], most_bytes: int = UPLOAD_BYTES
) -> JobId:
    """Take a file in, for a worker to make a book of. The same file twice in one club gives the same book.

    ``name`` is what the file is called; nobody is shown it. Raises `Refused` for whoever is no admin, and for a file
    that is empty or has more than ``most_bytes``.
    """
    require_admin(member)
    return await house.jobs.upload_received(Received(name, member.id, chunks, most_bytes), house.clock())


async def upload_state(house: Clubhouse, job: JobId) -> UploadState:
    """How far a file is. One whose book was removed again counts as cancelled."""
    try:
        return await _state(house, await house.jobs.job(job))
    except Refused:
        return Cancelled(job)


async def _state(house: Clubhouse, job: Job) -> UploadState:
    if job.state is JobState.FAILED:
        assert job.failure is not None
        return Failed(job.id, job.failure, job.has_file or job.kind is not JobKind.INGEST)
    if job.state is JobState.CANCELLED:
        return Cancelled(job.id)
    if job.state is JobState.DONE and job.book is not None:
        book = await _own(house, job.book)
        return Arrived(job.id, book, book.announced)
    return Underway(job.id, job.stage, job.percent, job.cancelling, job.code if job.put_off else None)


async def uploads(house: Clubhouse, member: Member) -> tuple[UploadState, ...]:
    """The club's files and vectors that are not done, the first made first. Raises `Refused` for who is no admin."""
    require_admin(member)
    return tuple([await _state(house, job) for job in await house.jobs.jobs() if job.state not in _OVER])


_OVER: Final = frozenset({JobState.DONE, JobState.CANCELLED})


async def upload_cancelled(house: Clubhouse, member: Member, job: JobId) -> UploadState:
    """End a job at whatever stage it is; of a book that is not announced nothing is left either.

    One whose book is announced stays as it is: `book_undone` and `book_removed` take a book away.
    """
    require_admin(member)
    ended = await house.jobs.job_cancelled(job, house.clock())
    if ended.kind is JobKind.INGEST and ended.state is JobState.DONE and ended.book is not None:
        book = await _own(house, ended.book)
        if not book.announced:
            await house.books.book_removed(book.id)
            return Cancelled(job)
    return await _state(house, ended)


async def upload_retried(house: Clubhouse, member: Member, job: JobId) -> UploadState:
    """Try a file again that failed. Raises `Refused` where it has not, or is no longer kept."""
    require_admin(member)
    return await _state(house, await house.jobs.job_retried(job, house.clock()))


async def book_announced(house: Clubhouse, member: Member, book: BookId) -> BookRecord:
    """Let the whole club know of a book: from now on its title may be said in rooms.

    Who brought it decides that, or any admin where nobody knows who did. Raises `Refused`.
    """
    require_admin(member)
    record = await _own(house, book)
    if not record.announced and record.added_by not in {None, member.id}:
        raise _unknown()
    await house.books.book_announced(book, house.clock())
    return record


async def book_undone(house: Clubhouse, member: Member, book: BookId) -> BookRecord:
    """Take a book back with every trace of it: one that is not announced, or was added within the hour."""
    require_admin(member)
    record = await _own(house, book)
    if not may_be_undone(house, record):
        raise Refused("too_late", f"That was more than an hour ago: /book remove {book} removes the book for good.")
    await house.books.book_removed(book)
    return record


def may_be_undone(house: Clubhouse, book: BookRecord) -> bool:
    """Whether a book can be taken back now."""
    return not book.announced or (book.added_at is not None and house.clock() - book.added_at <= UNDO_FOR)


async def book_removed(house: Clubhouse, member: Member, book: BookId) -> BookRecord:
    """Remove a book with every trace of it: text, vectors, places, questions, answers and citations."""
    require_admin(member)
    record = await _own(house, book)
    await house.books.book_removed(book)
    return record


async def last_added(house: Clubhouse, member: Member) -> BookRecord | None:
    """The book that a member brought last."""
    return next((book for book in reversed(await house.roster.books()) if book.added_by == member.id), None)


async def _own(house: Clubhouse, book: BookId) -> BookRecord:
    record = next((one for one in await house.roster.books() if one.id == book), None)
    if record is None:
        raise _unknown()
    return record


def _unknown() -> Refused:
    return Refused("unknown_book", "The club has no such book: /book list shows those it has.")


@dataclass(frozen=True, slots=True)
class RoomProgress:
    """What a room is shown of a file: no title, no name, no sentence about it."""

    state: JobState
    stage: Stage
    percent: int


class ProgressPost(Protocol):
    """One message in a room that says how far a file is, and is edited as it goes on."""

    async def progress_posted(self, progress: RoomProgress) -> None:
        """Say it for the first time."""

    async def progress_edited(self, progress: RoomProgress) -> None:
        """Say it in the same message."""


async def upload_followed(
    house: Clubhouse,
    job: JobId,
    post: ProgressPost,
    pause: Callable[[float], Awaitable[None]],
    every: timedelta = EDIT_EVERY,
) -> UploadState:
    """Show a room how far a job is until it has ended: at most once in ``every``, and always the last.

    ``pause`` waits so many seconds, by the house's clock.
    """
    shown, at = None, house.clock() - every
    while True:
        now = await _room_progress(house, job)
        if now != shown:
            if (early := at + every - house.clock()) > timedelta(0):
                await pause(early.total_seconds())
                continue  # it may be further by then
            await (post.progress_posted if shown is None else post.progress_edited)(now)
            shown, at = now, house.clock()
        if now.state.ended:
            return await upload_state(house, job)
        await pause(LOOK_EVERY)


async def _room_progress(house: Clubhouse, job: JobId) -> RoomProgress:
    try:
        seen = await house.jobs.job(job)
    except Refused:  # removed with its book
        return RoomProgress(JobState.CANCELLED, Stage.WAIT, 0)
    return RoomProgress(seen.state, seen.stage, seen.percent)
