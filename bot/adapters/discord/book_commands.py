"""`/book add|replace|list|switch|remove|chapters|uploads|memory`, for admins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import aiohttp
import discord
from discord import app_commands

from bot.adapters.chat import books, map_review, memories, shelf
from bot.adapters.chat.said import Said
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.commands import Interacted, about, alone, offered
from bot.adapters.discord.replies import acted, sent
from bot.adapters.wording import line
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import CHUNK_BYTES, UPLOAD_BYTES
from bot.core.known_books import book_wanted
from bot.core.rights import require_admin

_DOWNLOAD: Final = aiohttp.ClientTimeout(total=600, sock_read=30)
MANAGES: Final = discord.Permissions(manage_guild=True)
"""Who sees the commands of admins, unless the server's settings let others see them too; the core asks again."""

group = app_commands.Group(name="book", description=about("book"), default_permissions=MANAGES)


@group.command(name="add", description=about("book_add"))
@app_commands.describe(file=about("book_add_file"))
async def add_command(interaction: Interacted, file: discord.Attachment) -> None:
    await acted(interaction, partial(add, interaction=interaction, file=file))


@group.command(name="replace", description=about("book_replace"))
@app_commands.describe(book=about("book_which"), file=about("book_replace_file"))
async def replace_command(interaction: Interacted, book: str, file: discord.Attachment) -> None:
    await acted(interaction, partial(add, interaction=interaction, file=file, instead=book))


alone("list", about("book_list"), shelf.listed, group)


@group.command(name="switch", description=about("book_switch"))
@app_commands.describe(book=about("book_which"))
async def switch_command(interaction: Interacted, book: str) -> None:
    await acted(interaction, partial(books.switch, named=book))


@group.command(name="remove", description=about("book_remove"))
@app_commands.describe(book=about("book_which"))
async def remove_command(interaction: Interacted, book: str) -> None:
    await acted(interaction, partial(books.remove, named=book))


@group.command(name="chapters", description=about("book_chapters"))
async def chapters_command(interaction: Interacted) -> None:
    async def shown(scene: Scene) -> Said:
        return await (map_review.review if scene.member.admin else shelf.chapters)(scene)

    await acted(interaction, shown)


alone("uploads", about("book_uploads"), books.underway, group)


@group.command(name="memory", description=about("book_memory"))
@app_commands.describe(book=about("book_which"))
async def memory_command(interaction: Interacted, book: str) -> None:
    await acted(interaction, partial(memories.standing, named=book))


@replace_command.autocomplete("book")
@memory_command.autocomplete("book")
@switch_command.autocomplete("book")
@remove_command.autocomplete("book")
async def _books(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, shelf.titles_typed)


async def add(scene: Scene, interaction: Interacted, file: discord.Attachment, instead: str | None = None) -> Said:
    """Take a file in: refused by its size or its name before anything of it is fetched, then streamed. ``instead``
    names the book whose place it may take.

    Discord takes no more in answer to a command after a quarter of an hour: what came of a file is then told to who
    brought it in a direct message.
    """
    require_admin(scene.member)
    limit = min(UPLOAD_BYTES, interaction.filesize_limit)
    if file.size > limit:
        raise Refused("too_large", line("discord_too_large", scene.language, most=limit >> 20))
    old = None if instead is None else await book_wanted(scene.house, scene.member, instead)
    told = await books.taken_in(scene, file.filename, _streamed(file.url), limit, old)
    if interaction.is_expired():
        await interaction.client.sent_directly(scene.member, sent(told))
    return told


async def _streamed(url: str) -> AsyncIterator[bytes]:
    try:
        async with aiohttp.ClientSession(timeout=_DOWNLOAD) as session, session.get(url) as response:
            response.raise_for_status()
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                yield chunk
    except (aiohttp.ClientError, TimeoutError):
        raise Unavailable(line("discord_no_download")) from None
