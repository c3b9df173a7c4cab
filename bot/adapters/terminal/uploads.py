"""How a book comes in at the keyboard: `/book add FILE`, `announce N`, `jobs`, `cancel N`, `retry N` and `undo`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.adapters import wording
from bot.adapters.terminal import memories
from bot.adapters.terminal.replies import Reply, clear
from bot.adapters.wording.uploads import uploading
from bot.core.club import BookId, Member
from bot.core.job_refusals import unknown_job
from bot.core.jobs import CHUNK_BYTES, JobId, JobKind
from bot.core.library import (
    Arrived,
    Cancelled,
    Failed,
    UploadState,
    book_announced,
    book_undone,
    last_added,
    upload,
    upload_cancelled,
    upload_retried,
    upload_state,
    uploads,
)
from bot.core.ports import BookRecord

if TYPE_CHECKING:
    from bot.adapters.terminal.club import TerminalClub


async def add(club: TerminalClub, name: str) -> list[Reply]:
    """Upload a file and see its job through. The book becomes the current one at once if there is none."""
    file = club.folder / os.path.expanduser(name)  # noqa: ASYNC240, PTH111 - the keyboard's own file
    if not file.is_file():
        return [clear(wording.line("no_file", file=file))]
    member, before = await club.member(), await club.desk.roster.current_book()
    job = await upload(club.desk.house, member, file.name, chunks(file))
    return await _seen_through(club, member, job, before)


async def retry(club: TerminalClub, name: str) -> list[Reply]:
    """Try again what failed."""
    member, before = await club.member(), await club.desk.roster.current_book()
    job = _number(name)
    state = await upload_retried(club.desk.house, member, job)
    if (await club.desk.house.jobs.job(job)).kind is not JobKind.INGEST:  # for a worker that has its model
        return [clear(uploading(state), only=member.name)]
    return await _seen_through(club, member, job, before)


async def chunks(file: Path) -> AsyncIterator[bytes]:
    with file.open("rb") as opened:
        while piece := await asyncio.to_thread(opened.read, CHUNK_BYTES):
            yield piece


async def _seen_through(club: TerminalClub, member: Member, job: JobId, before: BookRecord | None) -> list[Reply]:
    """Wait for a job; what came of it is told to the member who gave the file, alone, unless all know of it."""
    await club.desk.see_through(job, club.show_progress)
    state = await upload_state(club.desk.house, job)
    if not isinstance(state, Arrived):
        return [clear(*ended(state), only=member.name)]
    await club.fill(state.book.id)
    book = state.book
    if state.announced:
        there = wording.line("book_there", title=book.title, book=book.id)
        return [clear(there, *_which_is_read(book, before))]
    return _offered(club, member, book, before, await memories.offered(club, member, book))


def ended(state: UploadState) -> list[str]:
    """What is said of a file that became no book."""
    match state:
        case Failed(job=job, sentence=sentence, can_retry=can_retry):
            return [sentence, wording.line("upload_retry" if can_retry else "upload_forget", job=job)]
        case Cancelled():
            return [wording.line("upload_cancelled")]
    return [wording.line("upload_cancelling")]


def _which_is_read(book: BookRecord, before: BookRecord | None) -> list[str]:
    if before is None:
        return [wording.line("book_now", title=book.title)]
    return [] if before.id == book.id else [wording.line("book_switch", book=book.id)]


def _offered(
    club: TerminalClub, member: Member, book: BookRecord, before: BookRecord | None, notes: list[str]
) -> list[Reply]:
    """Title, author and chapters for who brought the book alone, who announces it or takes it back."""
    club.choices[member.name] = (
        partial(_announced, club, member, book, before),
        partial(_taken_back, club, member, book.id),
    )
    labels = (wording.line("upload_announce"), wording.line("upload_not_this"))
    author = wording.line("upload_author", author=book.author) if book.author else wording.line("upload_no_author")
    lines = [
        wording.line("book_added", title=book.title, count=book.chapters, book=book.id),
        author,
        *_which_is_read(book, before),
        *notes,
        wording.line("upload_right"),
        *(wording.line("choice", number=number, label=label) for number, label in enumerate(labels, start=1)),
    ]
    return [clear(*lines, only=member.name)]


async def _announced(club: TerminalClub, member: Member, book: BookRecord, before: BookRecord | None) -> list[Reply]:
    now = await club.desk.roster.member_known(member.person, member.name)
    await book_announced(club.desk.house, now, book.id)
    told = wording.line("upload_announced", title=book.title, count=book.chapters, book=book.id)
    return [clear(told, *_which_is_read(book, before))]


async def announce(club: TerminalClub, name: str) -> list[Reply]:
    """Announce a book whose offer has gone by."""
    member = await club.member()
    books = [
        b for b in await club.desk.roster.books() if str(b.id) == name and (b.announced or b.added_by == member.id)
    ]
    if not books:
        return [clear(wording.line("no_such_book"))]
    return await _announced(club, member, books[0], await club.desk.roster.current_book())


async def _taken_back(club: TerminalClub, member: Member, book: BookId) -> list[Reply]:
    now = await club.desk.roster.member_known(member.person, member.name)
    await club.stop_filling(book)
    gone = await book_undone(club.desk.house, now, book)
    return [clear(wording.line("upload_taken_back", title=gone.title), only=member.name)]


async def undo(club: TerminalClub) -> list[Reply]:
    """Take back the book that the speaker added last."""
    member = await club.member()
    book = await last_added(club.desk.house, member)
    if book is None:
        return [clear(wording.line("upload_nothing_to_undo"), only=member.name)]
    club.choices.pop(member.name, None)
    return await _taken_back(club, member, book.id)


async def jobs(club: TerminalClub) -> list[Reply]:
    """What is not done: by number, for the speaker alone."""
    member = await club.member()
    rows = [uploading(state) for state in await uploads(club.desk.house, member)]
    return [clear(*(rows or [wording.line("uploads_none")]), only=member.name)]


async def cancel(club: TerminalClub, name: str) -> list[Reply]:
    """End a job at whatever stage it is."""
    member = await club.member()
    state = await upload_cancelled(club.desk.house, member, _number(name))
    if isinstance(state, Arrived):
        return [clear(wording.line("upload_done_already"), only=member.name)]
    return [clear(*ended(state), only=member.name)]


def _number(typed: str) -> JobId:
    if not (typed.isascii() and typed.isdigit() and len(typed) < 19):
        raise unknown_job()
    return JobId(int(typed))
