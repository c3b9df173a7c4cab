"""The books of a club: `/book add|list|switch|remove|chapters`, and the buttons under a book that has come."""

from __future__ import annotations

from collections.abc import AsyncIterable
from dataclasses import dataclass
from typing import Final

from bot.adapters.chat import render
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.places import book_here, titled
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import line
from bot.core.asked_in import book_named, known_to
from bot.core.chapters import chapter_name
from bot.core.club import BookId, private_to
from bot.core.errors import Refused
from bot.core.jobs import JobId
from bot.core.library import (
    Arrived,
    Cancelled,
    Failed,
    RoomProgress,
    UploadState,
    book_announced,
    book_removed,
    book_undone,
    upload,
    upload_cancelled,
    upload_followed,
    upload_retried,
)
from bot.core.life import next_book_started
from bot.core.ports import BookRecord
from bot.core.rights import require_admin, require_member
from bot.core.roster import Posted
from bot.core.search import Asked, boundary_of

KINDS: Final = (".epub", ".pdf", ".txt", ".text")
"""How the names of files end that ingest reads."""


@dataclass
class _InRoom:
    """One message in a room that says how far a file is; none where nothing may be said."""

    scene: Scene
    room: str | None
    job: JobId
    standing: Posted | None = None

    async def progress_posted(self, progress: RoomProgress) -> None:
        if self.room is not None:
            content = render.upload_in_room(progress, self.scene.language)
            self.standing = await self.scene.client.posted_in(self.room, content, f"job{self.job}")

    async def progress_edited(self, progress: RoomProgress) -> None:
        if self.standing is not None:
            await self.scene.client.edited(self.standing, render.upload_in_room(progress, self.scene.language))


async def taken_in(scene: Scene, name: str, chunks: AsyncIterable[bytes], limit: int) -> Said:
    """Take a file of at most ``limit`` bytes in, and see it through. Raises `Refused` for what is no book by its name,
    `Unavailable` where it does not arrive.
    """
    require_admin(scene.member)
    if not name.lower().endswith(KINDS):
        raise Refused("not_a_book", line("chat_not_a_book", scene.language))
    return await followed(scene, await upload(scene.house, scene.member, name, chunks, limit))


async def followed(scene: Scene, job: JobId) -> Said:
    """See a job through: the room is told how far it is, who brought the file what came of it."""
    room = None if await scene.quiet() else scene.room
    before = await scene.house.roster.current_book()
    state = await upload_followed(scene.house, job, _InRoom(scene, room, job), scene.client.pause)
    return _came(scene, state, before)


def _came(scene: Scene, state: UploadState, before: BookRecord | None) -> Said:
    language, club, person = scene.language, scene.house.club, number_of(scene.member.person)
    match state:
        case Arrived(book=book, announced=True):
            return said(line("book_there", language, title=book.title, book=book.id))
        case Arrived(book=book):
            author = "upload_author" if book.author else "upload_no_author"
            now = [line("book_now", language, title=book.title)] if before is None else []
            return said(
                line("book_added", language, title=book.title, count=book.chapters, book=book.id),
                line(author, language, author=book.author),
                *now,
                line("upload_right", language),
                buttons=[
                    Button(
                        Press(Action.ANNOUNCE, club, book.id, person), line("upload_announce", language), Weight.MAIN
                    ),
                    Button(Press(Action.TAKE_BACK, club, book.id, person), line("upload_not_this", language)),
                ],
            )
        case Failed(job=job, sentence=sentence, can_retry=can_retry):
            drop = Button(Press(Action.CANCEL_JOB, club, job, person), line("chat_upload_drop", language))
            again = Button(Press(Action.RETRY_JOB, club, job, person), line("chat_upload_again", language))
            return said(sentence, buttons=[again, drop] if can_retry else [drop])
        case Cancelled():
            return said(line("upload_cancelled", language))
    return said(line("upload_cancelling", language))


async def announced(scene: Scene, press: Press) -> Said:
    """Let the whole club know of a book, in the room."""
    book = await book_announced(scene.house, scene.member, BookId(press.subject))
    told = line("upload_announced", scene.language, title=book.title, count=book.chapters, book=book.id)
    current = await scene.house.roster.current_book()
    more = [line("book_now", scene.language, title=book.title)] if current and current.id == book.id else []
    if scene.room is not None and not await scene.quiet():
        await scene.client.announce(scene.room, said(told, *more).contents[0], f"b{scene.house.club}.{book.id}")
    return said(told)


async def taken_back(scene: Scene, press: Press) -> Said:
    """Take a book back with every trace of it."""
    gone = await book_undone(scene.house, scene.member, BookId(press.subject))
    return said(line("upload_taken_back", scene.language, title=gone.title))


async def retried(scene: Scene, press: Press) -> Said:
    """Try a file again that failed."""
    await upload_retried(scene.house, scene.member, JobId(press.subject))
    return await followed(scene, JobId(press.subject))


async def cancelled(scene: Scene, press: Press) -> Said:
    """Forget a file."""
    before = await scene.house.roster.current_book()
    return _came(scene, await upload_cancelled(scene.house, scene.member, JobId(press.subject)), before)


async def listed(scene: Scene) -> Said:
    """The club's books by title."""
    require_member(scene.member)
    house, current = scene.house, await scene.house.roster.current_book()
    books = known_to(scene.member, await house.roster.books())
    rows = []
    for book in books:
        key = "chat_book_now" if current is not None and current.id == book.id else "chat_book"
        rows.append(line(key, scene.language, book=book.id, title=book.title))
    return said(*(rows or [line("no_book", scene.language)]))


async def _named(scene: Scene, named: str) -> BookRecord:
    require_admin(scene.member)
    book = book_named(known_to(scene.member, await scene.house.roster.books()), named)
    if book is None:
        raise Refused("unknown_book", line("no_such_book", scene.language))
    return book


async def switch(scene: Scene, named: str) -> Said:
    """Make a book the club's current one, which announces it."""
    book = await _named(scene, named)
    await next_book_started(scene.house, scene.member, book.id)
    return said(line("book_now", scene.language, title=book.title))


async def remove(scene: Scene, named: str) -> Said:
    """Remove a book with every trace of it."""
    book = await _named(scene, named)
    await book_removed(scene.house, scene.member, book.id)
    return said(line("book_gone", scene.language, title=book.title))


async def chapters(scene: Scene) -> Said:
    """The chapters by number, with the titles that the member has met."""
    require_member(scene.member)
    book = await book_here(scene)
    if book is None:
        return said(line("no_book", scene.language))
    async with scene.house.searching.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book.id, "", private_to(scene.member.id)))
        chapter_map = await door.chapter_map(book.id)
        titles = {t.chapter: t.title for t in await door.titles_met(boundary) if t.chapter}
    rows = []
    for chapter in chapter_map.chapters:
        title = " ".join(titles.get(chapter.ordinal, "").split())
        name = chapter_name(chapter, chapter_map)
        rows.append(titled(name, title))
    return said(*rows)
