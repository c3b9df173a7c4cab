"""Files that become books: refused by size and name before anything of them is fetched, then streamed."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx
import telegram
from telegram.error import BadRequest, TelegramError

from bot.adapters.chat import books
from bot.adapters.chat.said import Said
from bot.adapters.chat.scene import Scene
from bot.adapters.telegram.keys import chat_key
from bot.adapters.wording import line
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import CHUNK_BYTES
from bot.core.rights import require_admin

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

DOWNLOAD: Final = 20_000_000
"""Bytes of a file that Telegram gives to bots at most."""
_TIMEOUT: Final = httpx.Timeout(30, read=60)


async def taken_in(client: Dogear, scene: Scene, document: telegram.Document, private_chat: int | None) -> Said:
    """Take a document in. In the private chat (its number) the admin is shown how far it is; else the room."""
    require_admin(scene.member)
    language, most = scene.language, client.largest
    if (document.file_size or 0) > most:
        raise Refused("too_large", line("telegram_too_large", language, most=most // 1_000_000))
    name = document.file_name or ""
    show_in = None if private_chat is None else chat_key(private_chat)
    return await books.taken_in(scene, name, _streamed(client, document, language), most, show_in=show_in)


async def _streamed(client: Dogear, document: telegram.Document, language: str) -> AsyncIterator[bytes]:
    try:
        file = await client.bot.get_file(document.file_id)
    except BadRequest as error:
        if "file is too big" in error.message.lower():
            raise Refused("too_large", line("telegram_too_large", language, most=client.largest // 1_000_000)) from None
        raise Unavailable(line("telegram_no_download", language)) from None
    except TelegramError:
        raise Unavailable(line("telegram_no_download", language)) from None
    path = file.file_path or ""
    chunks = _from_disk(Path(path)) if path.startswith("/") else _from_wire(path)
    try:
        async for chunk in chunks:
            yield chunk
    except (httpx.HTTPError, OSError):
        raise Unavailable(line("telegram_no_download", language)) from None


@cache
def _trusted() -> ssl.SSLContext:
    """Whom to trust, read once: that computes for 60 to 90 ms, and takes megabytes."""
    return httpx.create_ssl_context()


async def _from_wire(url: str) -> AsyncIterator[bytes]:
    trusted = await asyncio.to_thread(_trusted)
    async with httpx.AsyncClient(timeout=_TIMEOUT, verify=trusted) as http, http.stream("GET", url) as response:
        response.raise_for_status()
        async for chunk in response.aiter_bytes(CHUNK_BYTES):
            yield chunk


async def _from_disk(path: Path) -> AsyncIterator[bytes]:
    """What a Bot API server on this machine has fetched."""
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk
