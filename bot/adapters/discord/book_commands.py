"""`/book add|list|switch|remove|chapters`, and the buttons under a book that has come."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import aiohttp
import discord
from discord import app_commands

from bot.adapters.discord import render
from bot.adapters.discord.commands import Interacted, about, book_titles, offered
from bot.adapters.discord.pieces import Button, Weight
from bot.adapters.discord.places import book_here, titled
from bot.adapters.discord.presses import Action, Press
from bot.adapters.discord.replies import Said, acted, said
from bot.adapters.discord.scene import Scene
from bot.adapters.discord.sending import ChannelSurface
from bot.adapters.wording import line
from bot.core.asked_in import book_named, known_to
from bot.core.chapters import chapter_name
from bot.core.club import BookId, private_to
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import CHUNK_BYTES, UPLOAD_BYTES, JobId
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
from bot.core.search import Asked, boundary_of

KINDS: Final = (".epub", ".pdf", ".txt", ".text")
"""How the names of files end that ingest reads."""
_DOWNLOAD: Final = aiohttp.ClientTimeout(total=600, sock_read=30)

group = app_commands.Group(name="book", description=about("book"))


@group.command(name="add", description=about("book_add"))
@app_commands.describe(file=about("book_add_file"))
async def add_command(interaction: Interacted, file: discord.Attachment) -> None:
    await acted(interaction, partial(add, interaction=interaction, file=file))


@group.command(name="list", description=about("book_list"))
async def list_command(interaction: Interacted) -> None:
    await acted(interaction, listed)


@group.command(name="switch", description=about("book_switch"))
@app_commands.describe(book=about("book_which"))
async def switch_command(interaction: Interacted, book: str) -> None:
    await acted(interaction, partial(switch, named=book))


@group.command(name="remove", description=about("book_remove"))
@app_commands.describe(book=about("book_which"))
async def remove_command(interaction: Interacted, book: str) -> None:
    await acted(interaction, partial(remove, named=book))


@group.command(name="chapters", description=about("book_chapters"))
async def chapters_command(interaction: Interacted) -> None:
    await acted(interaction, chapters)


@switch_command.autocomplete("book")
@remove_command.autocomplete("book")
async def _books(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, book_titles)


async def add(scene: Scene, interaction: Interacted, file: discord.Attachment) -> Said:
    """Take a file in: refused by its size or its name before anything of it is fetched, then streamed."""
    require_admin(scene.member)
    limit = min(UPLOAD_BYTES, interaction.filesize_limit)
    if file.size > limit:
        raise Refused("too_large", line("discord_too_large", scene.language, most=limit >> 20))
    if not file.filename.lower().endswith(KINDS):
        raise Refused("not_a_book", line("discord_not_a_book", scene.language))
    job = await upload(scene.house, scene.member, file.filename, _streamed(file.url), limit)
    return await followed(scene, job, interaction)


async def _streamed(url: str) -> AsyncIterator[bytes]:
    try:
        async with aiohttp.ClientSession(timeout=_DOWNLOAD) as session, session.get(url) as response:
            response.raise_for_status()
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                yield chunk
    except (aiohttp.ClientError, TimeoutError):
        raise Unavailable(line("discord_no_download")) from None


@dataclass
class _InRoom:
    """One message in a room that says how far a file is; none where nothing may be said."""

    surface: ChannelSurface | None
    job: JobId
    language: str
    message: discord.Message | None = None

    async def progress_posted(self, progress: RoomProgress) -> None:
        if self.surface is not None:
            self.message = await self.surface.send(render.upload_in_room(progress, self.language)[0], f"job{self.job}")

    async def progress_edited(self, progress: RoomProgress) -> None:
        if self.surface is not None and self.message is not None:
            await self.surface.edit(self.message, render.upload_in_room(progress, self.language)[0])


async def followed(scene: Scene, job: JobId, interaction: Interacted) -> Said:
    """See a job through: the room is told how far it is, who brought the file what came of it."""
    channel, surface = interaction.channel, None
    if isinstance(channel, discord.abc.Messageable) and not await scene.quiet():
        surface = ChannelSurface(channel)
    post = _InRoom(surface, job, scene.plain_language)
    before = await scene.house.roster.current_book()
    state = await upload_followed(scene.house, job, post, scene.client.pause)
    return _came(scene, state, before)


def _came(scene: Scene, state: UploadState, before: BookRecord | None) -> Said:
    language, club, person = scene.language, scene.house.club, render.snowflake(scene.member.person)
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
            drop = Button(Press(Action.CANCEL_JOB, club, job, person), line("discord_upload_drop", language))
            again = Button(Press(Action.RETRY_JOB, club, job, person), line("discord_upload_again", language))
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
        await scene.client.announce(scene.room, said(told, *more).pieces, f"b{scene.house.club}.{book.id}")
    return said(told)


async def taken_back(scene: Scene, press: Press) -> Said:
    """Take a book back with every trace of it."""
    gone = await book_undone(scene.house, scene.member, BookId(press.subject))
    return said(line("upload_taken_back", scene.language, title=gone.title))


async def retried(scene: Scene, press: Press, interaction: Interacted) -> Said:
    """Try a file again that failed."""
    await upload_retried(scene.house, scene.member, JobId(press.subject))
    return await followed(scene, JobId(press.subject), interaction)


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
        key = "discord_book_now" if current is not None and current.id == book.id else "discord_book"
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
