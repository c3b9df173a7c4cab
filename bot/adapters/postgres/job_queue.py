"""The workers' side of jobs, as the ingest role: taken with SKIP LOCKED, held by a lease, ended in one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres import job_statements as sql
from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.job_values import book_of, claim_of, mine, model_key, model_values
from bot.adapters.postgres.jobs import JOBS, MEMORY_OF_EVERY_BOOK, MEMORY_WANTED, job_of, memory_job
from bot.adapters.postgres.memory_rows import chapters_done, memory_dropped, memory_written
from bot.adapters.postgres.shelf import book_written
from bot.core.club import BookId
from bot.core.indexed import IndexedBook
from bot.core.job_refusals import gave_up, model_gave_up
from bot.core.jobs import (
    ATTEMPTS,
    KEPT_FOR_RETRY,
    CancelRequested,
    Claim,
    Job,
    JobId,
    JobKind,
    Lost,
    Made,
    Stage,
    Taking,
    percent_of,
)
from bot.core.memory import Kept
from bot.core.ports import EmbeddingModel


class PostgresJobQueue:
    """`JobQueue` over the ingest role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def _begun(self) -> AsyncIterator[AsyncConnection]:
        with translated():
            async with self._engine.begin() as connection:
                yield connection

    async def server_time(self) -> datetime:
        """What time it is at the database."""
        async with self._begun() as connection:
            time: datetime = (await connection.execute(text("select clock_timestamp()"))).scalar_one()
        return time

    async def job_claimed(self, taking: Taking, now: datetime) -> Claim | None:
        """End what is to end, and take the next job that waits or whose lease is over."""
        async with self._begun() as connection:
            for row in (await connection.execute(sql.TO_END, {"now": now, "most": ATTEMPTS})).all():
                await _ended_for_its_worker(connection, row, now)
        async with self._begun() as connection:
            values = {
                "worker": taking.worker,
                "until": now + taking.lease,
                "now": now,
                "most": ATTEMPTS,
                "kinds": [kind.value for kind in taking.kinds],
                "model": None if taking.model is None else model_key(taking.model),
                "only": taking.only,
            }
            taken = (await connection.execute(sql.CLAIMED, values)).first()
            if taken is None:
                return None
            file = await connection.execute(
                text("select name, sha256 from dogear.upload where id = :upload"), {"upload": taken.upload_id}
            )
            return claim_of(taken, file.first(), taking)

    async def job_continues(self, claim: Claim, stage: Stage, done: float, now: datetime) -> None:
        """Say how far a stage is, and hold the lease on."""
        values = {**mine(claim), "stage": stage.value, "percent": percent_of(done), "until": now + claim.lease}
        async with self._begun() as connection:
            row = (await connection.execute(sql.CONTINUES, values)).first()
        _require(row)

    async def upload_read(self, claim: Claim) -> AsyncIterator[bytes]:
        """The bytes of the file, a piece at a time, each in a transaction of its own."""
        statement = text(
            "select c.content from dogear.upload_chunk c join dogear.job j on j.upload_id = c.upload_id "
            "where j.id = :job and c.ordinal = :ordinal"
        )
        ordinal = 0
        while True:
            async with self._begun() as connection:
                found = await connection.execute(statement, {"job": claim.job, "ordinal": ordinal})
                content: bytes | None = found.scalar_one_or_none()
            if content is None:
                return
            yield content
            ordinal += 1

    async def book_stored(self, claim: Claim, indexed: IndexedBook, title: str, made: Made, now: datetime) -> BookId:
        """Write the book and end the job in one transaction."""
        while True:
            async with self._begun() as connection:
                _require(await _held(connection, claim))
                new = await book_written(connection, claim.club, indexed, claim.sha256, title)
                if new is not None:
                    await connection.execute(sql.OF_NEW_BOOK, {"book": new, "by": claim.by, "now": now})
                    await _done(connection, claim, new, now)
                    if made.model is not None:
                        await _wanted(connection, new, made.model, now)
                    if made.memories:
                        await memory_job(connection, MEMORY_OF_EVERY_BOOK, new, claim.by, now)
                    return new
            async with self._begun() as connection:  # the club has this file as a book, since a moment ago
                _require(await _held(connection, claim))
                found = await connection.execute(
                    text("select book_id from dogear.source where club_id = :club and file_sha256 = :sha"),
                    {"club": claim.club, "sha": claim.sha256},
                )
                there = found.scalar_one_or_none()
                if there is not None:  # else it has been removed meanwhile
                    await _done(connection, claim, BookId(there), now)
                    return BookId(there)

    async def job_done(self, claim: Claim, book: BookId, now: datetime) -> None:
        """End a job well."""
        async with self._begun() as connection:
            _require(await _held(connection, claim))
            await _done(connection, claim, book, now)

    async def job_failed(self, claim: Claim, code: str, sentence: str, now: datetime) -> None:
        """End a job with the reason."""
        async with self._begun() as connection:
            _require(await _held(connection, claim))
            await _ended(connection, claim.job, now, state="failed", code=code, sentence=sentence)

    async def job_given_up(self, claim: Claim, now: datetime) -> None:
        """End a job that is not wanted any more, with what was made of it."""
        async with self._begun() as connection:
            if await _held(connection, claim) is None:
                raise Lost
            await _given_up(connection, claim.job, claim.kind, claim.book, now)

    async def job_given_back(self, claim: Claim) -> None:
        """Let another worker have the job at once."""
        async with self._begun() as connection:
            if (await connection.execute(sql.GIVEN_BACK, mine(claim))).rowcount == 0:
                raise Lost

    async def job_put_off(self, claim: Claim, until: datetime, code: str, *, counted: bool) -> None:
        """Let nobody have the job before ``until``."""
        values = {**mine(claim), "until": until, "code": code, "back": 0 if counted else 1}
        async with self._begun() as connection:
            _require(await _held(connection, claim))
            await connection.execute(sql.PUT_OFF, values)

    async def memory_wanted(self, book: BookId, now: datetime) -> JobId | None:
        """The job that has a model remember a book."""
        async with self._begun() as connection:
            return await memory_job(connection, MEMORY_WANTED, book, None, now)

    async def chapters_remembered(self, claim: Claim) -> tuple[int, ...]:
        """The chapters of the job's book that are done."""
        async with self._begun() as connection:
            _require(await _held(connection, claim))
            return await chapters_done(connection, book_of(claim))

    async def chapter_stored(self, claim: Claim, kept: Kept) -> None:
        """Store a chapter's memory and let the job go on."""
        book = book_of(claim)
        async with self._begun() as connection:
            _require(await _held(connection, claim))
            if not await memory_written(connection, book, kept):
                await connection.execute(sql.GIVEN_BACK, mine(claim))
                return
            done = len(await chapters_done(connection, book))
            if done >= kept.chapters:
                await _done(connection, claim, book, kept.at)
                return
            values = {**mine(claim), "now": kept.at, "percent": percent_of(done / kept.chapters)}
            await connection.execute(sql.PASSED_ON, values)

    async def job_wanted(self, book: BookId, model: EmbeddingModel, now: datetime) -> JobId | None:
        """The job that makes the vectors of a book."""
        async with self._begun() as connection:
            return await _wanted(connection, book, model, now)

    async def books_unembedded(self, model: EmbeddingModel) -> Mapping[BookId, int]:
        """Books that lack vectors of a model and have no job for them."""
        async with self._begun() as connection:
            rows = await connection.execute(sql.UNEMBEDDED, model_values(model))
            return {BookId(row.id): row.reached for row in rows}

    async def job_state(self, job: JobId) -> Job | None:
        """The job as its club sees it."""
        async with self._begun() as connection:
            row = (await connection.execute(text(f"{JOBS} where id = :job"), {"job": job})).first()
        return None if row is None else job_of(row)

    async def jobs_open(self) -> Mapping[tuple[str, str], int]:
        """How many jobs of all clubs wait (``queued``) or are worked on (``running``), by kind and state."""
        counted = text(
            "select kind, state, count(*) as n from dogear.job where state in ('queued', 'running') group by 1, 2"
        )
        async with self._begun() as connection:
            return {(row.kind, row.state): row.n for row in await connection.execute(counted)}

    async def uploads_swept(self, now: datetime) -> int:
        """Drop the files of jobs that failed long ago, and files that no job has."""
        async with self._begun() as connection:
            gone = await connection.execute(
                sql.SWEPT,
                {"before": now - KEPT_FOR_RETRY},
            )
            return gone.rowcount


async def _held(connection: AsyncConnection, claim: Claim) -> Any:
    """The job's row, locked, while it is this worker's; else None."""
    return (await connection.execute(sql.HELD, mine(claim))).first()


def _require(row: Any) -> None:
    """Raises `Lost` where the job is another's, and `CancelRequested`."""
    if row is None:
        raise Lost
    if row.cancel_requested:
        raise CancelRequested


async def _ended(connection: AsyncConnection, job: JobId, now: datetime, *, state: str, **more: object) -> None:
    values = {"book": None, "code": None, "sentence": None, "cancelled": False, **more}
    values["percent"] = 100 if state == "done" else 0
    await connection.execute(sql.ENDED, {"job": job, "state": state, "now": now, **values})


async def _done(connection: AsyncConnection, claim: Claim, book: BookId, now: datetime) -> None:
    await connection.execute(sql.UPLOAD_DROPPED, {"job": claim.job})
    await _ended(connection, claim.job, now, state="done", book=book)


async def _given_up(connection: AsyncConnection, job: JobId, kind: JobKind, book: BookId | None, now: datetime) -> None:
    """End it with what it made of its book."""
    await connection.execute(sql.UPLOAD_DROPPED, {"job": job})
    if kind is JobKind.REMEMBER and book is not None:
        await memory_dropped(connection, book)
    if kind is JobKind.EMBED and book is not None:
        for statement in sql.VECTORS_DROPPED:
            await connection.execute(statement, {"book": book})
    await _ended(connection, job, now, state="cancelled", cancelled=True)


async def _ended_for_its_worker(connection: AsyncConnection, row: Any, now: datetime) -> None:
    """End a job whose worker is gone: it was cancelled, or begun too often."""
    if row.cancel_requested:
        await _given_up(connection, row.id, JobKind(row.kind), row.book_id, now)
    else:
        why = model_gave_up if row.kind == JobKind.REMEMBER else gave_up
        code, sentence = why(row.attempts)
        await _ended(connection, row.id, now, state="failed", code=code, sentence=sentence)


async def _wanted(connection: AsyncConnection, book: BookId, model: EmbeddingModel, now: datetime) -> JobId | None:
    key = f"{book}:{model_key(model)}"
    values = {"book": book, "key": key, "now": now, **model_values(model)}
    row = (await connection.execute(sql.WANTED, values)).first()
    if row is None:
        row = (await connection.execute(sql.WANTED_ALREADY, {"key": key, "book": book})).first()
    return None if row is None else JobId(row.id)
