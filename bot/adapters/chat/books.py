"""The books of a club as admins see to them: added, announced, replaced, switched, removed; and what is under way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from dataclasses import dataclass
from typing import Final

from bot.adapters.chat import memories, render
from bot.adapters.chat.marked import shortened
from bot.adapters.chat.parts import Button, Content, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, tell_room
from bot.adapters.chat.voting import started
from bot.adapters.wording import line
from bot.adapters.wording.uploads import uploading
from bot.core.chapter_map_review import book_replaced
from bot.core.club import BookId
from bot.core.errors import Refused
from bot.core.jobs import JobId
from bot.core.known_books import book_wanted, books_listed, may_be_named
from bot.core.library import (
    Arrived,
    Cancelled,
    Failed,
    RoomProgress,
    UploadState,
    book_announced,
    book_removed,
    book_undone,
    last_added,
    may_be_undone,
    upload,
    upload_cancelled,
    upload_followed,
    upload_retried,
    uploads,
)
from bot.core.ports import BookRecord
from bot.core.replacing import left_as_it_was, replaceable, replacement
from bot.core.rights import require_admin
from bot.core.roster import Posted

KINDS: Final = (".epub", ".pdf", ".txt", ".text")
"""How the names of files end that ingest reads."""
MOST: Final = 25
"""Buttons of one message."""
_TITLE: Final = 40


@dataclass
class _InRoom:
    """One message in a room that says how far a file is; none where nothing may be said."""

    scene: Scene
    room: str | None
    job: JobId
    standing: Posted | None = None

    async def progress_posted(self, progress: RoomProgress) -> None:
        if self.room is not None:
            self.standing = await self.scene.client.posted_in(self.room, self._content(progress), f"job{self.job}")
            if self.standing is not None and not progress.state.ended:
                await self.scene.client.owing.begun(self.standing)

    async def progress_edited(self, progress: RoomProgress) -> None:
        if self.standing is not None:
            await self.scene.client.edited(self.standing, self._content(progress))
            if progress.state.ended:
                await self.scene.client.owing.over(self.standing)

    def _content(self, progress: RoomProgress) -> Content:
        cancel = Press(Action.CANCEL_JOB, self.scene.house.club, self.job, number_of(self.scene.member.person))
        return render.upload_in_room(progress, cancel, self.scene.language)


async def taken_in(
    scene: Scene,
    name: str,
    chunks: AsyncIterable[bytes],
    limit: int,
    instead: BookRecord | None = None,
    *,
    show_in: str | None = None,
) -> Said:
    """Take a file of at most ``limit`` bytes in, and see it through; it may take the place of ``instead``, else of what
    is read there. ``show_in`` is where it is told how far it is, by default the room they speak in.

    Raises `Refused` for what is no book by its name, `Unavailable` where it does not arrive.
    """
    require_admin(scene.member)
    if not name.lower().endswith(KINDS):
        raise Refused("not_a_book", line("chat_not_a_book", scene.language))
    job = await upload(scene.house, scene.member, name, chunks, limit)
    return await followed(scene, job, instead, show_in=show_in)


async def followed(scene: Scene, job: JobId, instead: BookRecord | None = None, *, show_in: str | None = None) -> Said:
    """See a job through: the room is told how far it is, who brought the file what came of it."""
    room = show_in or (None if await scene.quiet() else scene.room)
    before = await scene.house.roster.current_book()
    shown = _InRoom(scene, room, job)
    try:
        state = await upload_followed(scene.house, job, shown, scene.client.pause, scene.client.edits_every(room))
    except asyncio.CancelledError:  # the program ends, and nobody would tell the room any more
        if shown.standing is not None:
            await scene.client.taken_down(shown.standing)
        raise
    return await _came(scene, state, before, instead)


async def _came(scene: Scene, state: UploadState, before: BookRecord | None, instead: BookRecord | None = None) -> Said:
    language, club, person = scene.language, scene.house.club, number_of(scene.member.person)
    match state:
        case Arrived(book=book, announced=True):
            return said(line("book_there", language, title=book.title, book=book.id))
        case Arrived(book=book):
            author = "upload_author" if book.author else "upload_no_author"
            now = [line("book_now", language, title=book.title)] if before is None else []
            old = instead or await replaceable(scene.house, scene.member, scene.room, book)
            notes, choose = await memories.offered(scene, book)
            better = [] if old is None or old.id == book.id else [_instead(scene, old, book)]
            return said(
                line("book_added", language, title=book.title, count=book.chapters, book=book.id),
                line(author, language, author=book.author),
                *now,
                *notes,
                line("chat_look_over", language),
                line("upload_right", language),
                buttons=[
                    Button(
                        Press(Action.ANNOUNCE, club, book.id, person), line("upload_announce", language), Weight.MAIN
                    ),
                    Button(Press(Action.TAKE_BACK, club, book.id, person), line("upload_not_this", language)),
                    *better,
                    *choose,
                ],
            )
        case Failed(job=job, sentence=sentence, can_retry=can_retry):
            drop = Button(Press(Action.CANCEL_JOB, club, job, person), line("chat_upload_drop", language))
            again = Button(Press(Action.RETRY_JOB, club, job, person), line("chat_upload_again", language))
            return said(sentence, buttons=[again, drop] if can_retry else [drop])
        case Cancelled():
            return said(line("upload_cancelled", language))
    return said(line("upload_cancelling", language))


def _instead(scene: Scene, old: BookRecord, new: BookRecord) -> Button:
    press = Press(Action.REPLACE, scene.house.club, new.id, number_of(scene.member.person), str(old.id))
    return Button(press, line("chat_replace", scene.language, title=shortened(old.title, _TITLE)))


async def announced(scene: Scene, press: Press) -> Said:
    """Let the whole club know of a book, in the room."""
    book = await book_announced(scene.house, scene.member, BookId(press.subject))
    told = line("upload_announced", scene.language, title=book.title, count=book.chapters, book=book.id)
    current = await scene.house.roster.current_book()
    read_now = current is not None and current.id == book.id
    more = [line("book_now", scene.language, title=book.title)] if read_now else []
    place = Button(Press(Action.SET_PLACE, scene.house.club), line("set_my_place", scene.language), Weight.MAIN)
    await tell_room(scene, told, *more, key=f"a{book.id}", buttons=[place] if read_now else [])
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
    return await _came(scene, await upload_cancelled(scene.house, scene.member, JobId(press.subject)), before)


async def switch(scene: Scene, named: str) -> Said:
    """Make a book the club's current one, which announces it."""
    return await started(scene, (await book_wanted(scene.house, scene.member, named)).id)


async def remove(scene: Scene, named: str) -> Said:
    """Ask once whether a book is to be removed; one that is not theirs to know of is not named to them."""
    require_admin(scene.member)
    book = await book_wanted(scene.house, scene.member, named)
    known = await may_be_named(scene.house, scene.member, book)
    club, person, language = scene.house.club, number_of(scene.member.person), scene.language
    buttons = [
        Button(Press(Action.REMOVE_BOOK, club, book.id, person), line("book_remove_yes", language), Weight.GRAVE),
        Button(Press(Action.KEEP_BOOK, club, book.id, person), line("keep_it", language)),
    ]
    sure = line(
        "book_remove_sure" if known else "book_remove_sure_untitled", language, title=book.title, number=book.id
    )
    return said(sure, line("book_remove_what", language), buttons=buttons)


async def left_there(scene: Scene, press: Press) -> Said:
    """Remove nothing."""
    require_admin(scene.member)
    await book_wanted(scene.house, scene.member, str(press.subject))
    return said(line("book_kept", scene.language))


async def removed(scene: Scene, press: Press) -> Said:
    """Remove a book with every trace of it."""
    book = await book_wanted(scene.house, scene.member, str(press.subject))
    known = await may_be_named(scene.house, scene.member, book)
    await book_removed(scene.house, scene.member, book.id)
    key = "book_gone" if known else "book_gone_untitled"
    return said(line(key, scene.language, title=book.title, number=book.id))


async def replace_asked(scene: Scene, press: Press) -> Said:
    """Ask once more whether a file's book is to take the place of another, whose number is the value."""
    old, new = await replacement(scene.house, scene.member, BookId(int(press.value or 0)), BookId(press.subject))
    club, person, language = scene.house.club, number_of(scene.member.person), scene.language
    buttons = [
        Button(Press(Action.REPLACE_SURE, club, new.id, person, str(old.id)), line("replace_yes", language)),
        Button(Press(Action.LEAVE_AS_IS, club, new.id, person), line("replace_no", language)),
    ]
    sure = line("replace_sure", language, new=new.title, old=old.title, count=new.chapters)
    return said(sure, line("replace_what", language), buttons=buttons)


async def replaced(scene: Scene, press: Press) -> Said:
    """Let a file's book take the place of another; the room is told."""
    old, new = await replacement(scene.house, scene.member, BookId(int(press.value or 0)), BookId(press.subject))
    await book_replaced(scene.house, scene.member, old, new)
    told = line("replaced", scene.language, new=new.title, old=old.title)
    await tell_room(scene, told, key=f"x{new.id}")
    return said(told)


async def left_alone(scene: Scene, press: Press) -> Said:
    """Replace nothing."""
    new = await book_wanted(scene.house, scene.member, str(press.subject))
    await left_as_it_was(scene.house, scene.member, new)
    return said(line("not_replaced", scene.language))


async def underway(scene: Scene) -> Said:
    """What is being added, and what was and is not announced, with what may be done about each."""
    language, club, person = scene.language, scene.house.club, number_of(scene.member.person)
    rows, buttons = [], []
    for state in await uploads(scene.house, scene.member):
        rows.append(uploading(state, language))
        if isinstance(state, Failed) and state.can_retry:
            again = Press(Action.RETRY_JOB, club, state.job, person)
            buttons.append(Button(again, line("chat_upload_retry", language, job=state.job)))
        drop = Press(Action.CANCEL_JOB, club, state.job, person)
        buttons.append(Button(drop, line("chat_upload_cancel", language, job=state.job)))
    for one in await books_listed(scene.house, scene.member):
        if not one.book.announced and one.book.added_by == scene.member.id:
            rows.append(line("chat_upload_waits", language, book=one.book.id, title=one.book.title))
            announce = Press(Action.ANNOUNCE, club, one.book.id, person)
            buttons.append(Button(announce, line("chat_upload_announce", language, book=one.book.id), Weight.MAIN))
            back = Press(Action.TAKE_BACK, club, one.book.id, person)
            buttons.append(Button(back, line("chat_upload_back", language, book=one.book.id)))
    last = await last_added(scene.house, scene.member)
    if last is not None and last.announced and may_be_undone(scene.house, last):
        back = Press(Action.TAKE_BACK, club, last.id, person)
        buttons.append(Button(back, line("chat_upload_back", language, book=last.id)))
    return said(*(rows or [line("uploads_none", language)]), buttons=buttons[:MOST])
