"""`/book add|list|switch|remove|chapters`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import aiohttp
import discord
from discord import app_commands

from bot.adapters.chat import books
from bot.adapters.chat.members import book_titles
from bot.adapters.chat.said import Said
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.commands import Interacted, about, offered
from bot.adapters.discord.replies import acted
from bot.adapters.wording import line
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import CHUNK_BYTES, UPLOAD_BYTES
from bot.core.rights import require_admin

_DOWNLOAD: Final = aiohttp.ClientTimeout(total=600, sock_read=30)

group = app_commands.Group(name="book", description=about("book"))


@group.command(name="add", description=about("book_add"))
@app_commands.describe(file=about("book_add_file"))
async def add_command(interaction: Interacted, file: discord.Attachment) -> None:
    await acted(interaction, partial(add, interaction=interaction, file=file))


@group.command(name="list", description=about("book_list"))
async def list_command(interaction: Interacted) -> None:
    await acted(interaction, books.listed)


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
    await acted(interaction, books.chapters)


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
    return await books.taken_in(scene, file.filename, _streamed(file.url), limit)


async def _streamed(url: str) -> AsyncIterator[bytes]:
    try:
        async with aiohttp.ClientSession(timeout=_DOWNLOAD) as session, session.get(url) as response:
            response.raise_for_status()
            async for chunk in response.content.iter_chunked(CHUNK_BYTES):
                yield chunk
    except (aiohttp.ClientError, TimeoutError):
        raise Unavailable(line("discord_no_download")) from None
