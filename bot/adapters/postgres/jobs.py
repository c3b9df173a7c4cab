"""The club's side of uploads and jobs: files go in, and how far they are comes out."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any, Final

from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import BigInteger

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.core.club import BookId, ClubId, MemberId
from bot.core.job_refusals import not_failed, unknown_job, upload_gone
from bot.core.jobs import Job, JobId, JobKind, JobState, Received, Stage, pieces

JOB_COLUMNS: Final = (
    "id, kind, state, stage, percent, book_id, member_id, cancel_requested, error_code, error, finished_at, upload_id"
)
JOBS: Final = f"select {JOB_COLUMNS} from dogear.job"  # noqa: S608 - of constants alone

QUEUED_ANEW: Final = (
    "state = 'queued', attempts = 0, stage = 'wait', percent = 0, cancel_requested = false, error_code = null, "
    "error = null, queued_at = :now, finished_at = null, wait_until = null"
)

_RECEIVED = text(
    "insert into dogear.upload (club_id, member_id, name, received_at) values (:club, :by, :name, :now) returning id"
)
_CHUNK = text(
    "insert into dogear.upload_chunk (upload_id, club_id, ordinal, content) values (:upload, :club, :ordinal, :content)"
)
_WHOLE = text("update dogear.upload set bytes = :bytes, sha256 = :sha where id = :upload")
_DROPPED = text("delete from dogear.upload where id = :upload")
_JOB_OF_FILE = text("select dogear.job_of_file_v1(:sha)")
_QUEUED = text(
    "insert into dogear.job (club_id, kind, key, upload_id, member_id, created_at, queued_at) "
    "values (:club, 'ingest', :sha, :upload, :by, :now, :now) on conflict do nothing returning id"
)
_LOCKED = text(f"{JOBS} where id = :job for update")
_ANEW = text(f"update dogear.job set {QUEUED_ANEW}, upload_id = :upload, member_id = :by where id = :job")  # noqa: S608
_RETRIED = text(f"update dogear.job set {QUEUED_ANEW} where id = :job")  # noqa: S608
_CANCELLED = text(
    "update dogear.job set state = 'cancelled', cancel_requested = true, error_code = null, error = null, "
    "finished_at = :now where id = :job"
)
_MEMORY: Final = (
    "insert into dogear.job (club_id, kind, key, book_id, member_id, created_at, queued_at) "
    "select b.club_id, 'remember', cast(b.id as text), b.id, coalesce(:by, b.added_by), :now, :now from dogear.book b "
    "where b.id = :book{} on conflict do nothing"
)
_BY: Final = bindparam("by", type_=BigInteger)
MEMORY_WANTED: Final = text(_MEMORY.format("")).bindparams(_BY)
MEMORY_OF_EVERY_BOOK: Final = text(
    _MEMORY.format(
        " and exists (select from dogear.setting s where s.club_id = b.club_id and s.name = 'memory' "
        "and s.value = 'always')"
    )
).bindparams(_BY)
_MEMORY_ANEW: Final = text(
    f"update dogear.job set {QUEUED_ANEW} where kind = 'remember' and book_id = :book "  # noqa: S608
    "and (state in ('failed', 'cancelled') or cancel_requested) and state <> 'running'"
)
_MEMORY_KEPT: Final = text(
    "update dogear.job set cancel_requested = false where kind = 'remember' and book_id = :book and state = 'running'"
)
_MEMORY_JOB: Final = text("select id from dogear.job where kind = 'remember' and book_id = :book")
_TO_BE_CANCELLED = text(
    "update dogear.job set state = case when state in ('failed', 'done') then 'queued' else state end, "
    "cancel_requested = true, error_code = null, error = null where id = :job"
)


def job_of(row: Any) -> Job:
    """A row of `JOB_COLUMNS` as a `Job`."""
    return Job(
        id=JobId(row.id),
        kind=JobKind(row.kind),
        state=JobState(row.state),
        stage=Stage(row.stage),
        percent=row.percent,
        book=None if row.book_id is None else BookId(row.book_id),
        by=None if row.member_id is None else MemberId(row.member_id),
        cancelling=row.cancel_requested and not JobState(row.state).ended,
        code=row.error_code,
        failure=row.error,
        finished_at=row.finished_at,
        has_file=row.upload_id is not None,
    )


class PostgresJobs:
    """`Jobs` over the answering role's engine, in one club."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def upload_received(self, file: Received, now: datetime) -> JobId:
        """Keep a file and queue its job, in one transaction."""
        with translated():
            async with self._club.begun() as connection:
                upload, sha = await self._kept(connection, file, now)
                made = await connection.execute(
                    _QUEUED,
                    {"club": self._club.club, "sha": sha, "upload": upload, "by": file.by, "now": now},
                )
                if (row := made.first()) is not None:
                    return JobId(row.id)
                there = (await connection.execute(_JOB_OF_FILE, {"sha": sha})).scalar_one()
                return await _begun_anew(connection, JobId(there), upload, file, now)

    async def _kept(self, connection: AsyncConnection, file: Received, now: datetime) -> tuple[int, str]:
        """Store the file piece by piece; its upload's id and its SHA-256."""
        club, digest, size = self._club.club, hashlib.sha256(), 0
        values = {"club": club, "by": file.by, "name": file.name, "now": now}
        upload = int((await connection.execute(_RECEIVED, values)).scalar_one())
        ordinal = 0
        async for piece in pieces(file.chunks, file.most_bytes):
            digest.update(piece)
            size += len(piece)
            await connection.execute(_CHUNK, {"upload": upload, "club": club, "ordinal": ordinal, "content": piece})
            ordinal += 1
        await connection.execute(_WHOLE, {"upload": upload, "bytes": size, "sha": digest.hexdigest()})
        return upload, digest.hexdigest()

    async def job(self, job: JobId) -> Job:
        """Raises `Refused` where the club has no such job."""
        rows = await self._club.run(f"{JOBS} where id = :job", job=job)
        if not rows:
            raise unknown_job()
        return job_of(rows[0])

    async def jobs(self) -> tuple[Job, ...]:
        """The club's jobs, the first made first."""
        return tuple(job_of(row) for row in await self._club.run(f"{JOBS} order by id"))

    async def job_cancelled(self, job: JobId, now: datetime) -> Job:
        """End a job: at once where no worker has anything to undo."""
        with translated():
            async with self._club.begun() as connection:
                found = await _locked(connection, job)
                kept = found.kind is JobKind.REMEMBER and found.state is JobState.DONE
                if found.state is JobState.CANCELLED or (found.state is JobState.DONE and not kept):
                    return found
                if found.kind is not JobKind.INGEST or found.state is JobState.RUNNING:
                    await connection.execute(_TO_BE_CANCELLED, {"job": job})
                else:
                    await connection.execute(_CANCELLED, {"job": job, "now": now})
                    await _upload_dropped(connection, job)
        return await self.job(job)

    async def memory_wanted(self, book: BookId, by: MemberId | None, now: datetime) -> JobId:
        """The job that has a model remember a book's chapters."""
        with translated():
            async with self._club.begun() as connection:
                job = await memory_job(connection, MEMORY_WANTED, book, by, now)
        if job is None:
            raise unknown_job()
        return job

    async def job_retried(self, job: JobId, now: datetime) -> Job:
        """Queue a job that failed again."""
        with translated():
            async with self._club.begun() as connection:
                found = await _locked(connection, job)
                if found.state is not JobState.FAILED:
                    raise not_failed()
                if found.kind is JobKind.INGEST and not found.has_file:
                    raise upload_gone()
                await connection.execute(_RETRIED, {"job": job, "now": now})
        return await self.job(job)


async def memory_job(
    connection: AsyncConnection, wanted: TextClause, book: BookId, by: MemberId | None, now: datetime
) -> JobId | None:
    """The job that remembers a book, queued by ``wanted`` where it is to be; None where there is none."""
    await connection.execute(wanted, {"book": book, "by": by, "now": now})
    await connection.execute(_MEMORY_ANEW, {"book": book, "now": now})
    await connection.execute(_MEMORY_KEPT, {"book": book})
    job: int | None = (await connection.execute(_MEMORY_JOB, {"book": book})).scalar_one_or_none()
    return None if job is None else JobId(job)


async def _locked(connection: AsyncConnection, job: JobId) -> Job:
    row = (await connection.execute(_LOCKED, {"job": job})).first()
    if row is None:
        raise unknown_job()
    return job_of(row)


async def _upload_dropped(connection: AsyncConnection, job: JobId) -> None:
    """Delete the file that a job has, if it has one."""
    found = await connection.execute(text("select upload_id from dogear.job where id = :job"), {"job": job})
    await connection.execute(_DROPPED, {"upload": found.scalar_one()})


async def _begun_anew(connection: AsyncConnection, job: JobId, upload: int, file: Received, now: datetime) -> JobId:
    """Give a job that failed or was cancelled the file that came; any other keeps its own."""
    found = await _locked(connection, job)
    if found.state in {JobState.FAILED, JobState.CANCELLED}:
        await _upload_dropped(connection, job)
        await connection.execute(_ANEW, {"job": job, "upload": upload, "by": file.by, "now": now})
    else:
        await connection.execute(_DROPPED, {"upload": upload})
    return job
