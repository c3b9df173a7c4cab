"""The chat adapters as commands use them: where each is, and the bot over an `App`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bot.app import App
from bot.core.club import ClubId
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.discord import serving as discord
    from bot.adapters.scheduler import Outlet
    from bot.adapters.telegram import serving as telegram


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat platform that is connected: ``served`` listens until its event is set, and ``ready`` is set meanwhile.
    ``works`` asks whether it can be used now; ``closed`` leaves a platform that was never listened to.
    """

    name: str
    ready: asyncio.Event
    served: Callable[[asyncio.Event], Awaitable[None]]
    outlet_of: Callable[[ClubId], Awaitable[Outlet | None]]
    works: Callable[[], Awaitable[bool]]
    closed: Callable[[], Awaitable[None]]


async def discord_chat(app: App) -> Chat | None:
    """Discord, where there is a token. Raises `Unavailable` with one sentence."""
    address = discord_address(app.settings)
    if address is None:
        return None
    from bot.adapters.discord.outlet import outlet_of
    from bot.adapters.discord.serving import connected, served

    client = await connected(app, address, app.settings.commands_minute)
    served_by, outlet = partial(served, client), partial(outlet_of, client)
    return Chat("Discord", client.ready, served_by, outlet, client.works, client.close)


async def telegram_chat(app: App) -> Chat | None:
    """Telegram, where there is a token. Raises `Unavailable` with one sentence."""
    address = telegram_address(app.settings)
    if address is None:
        return None
    from bot.adapters.telegram.outlet import outlet_of
    from bot.adapters.telegram.serving import connected, served

    client = await connected(app, address, app.settings.commands_minute)
    served_by, outlet = partial(served, client, address), partial(outlet_of, client)
    return Chat("Telegram", client.ready, served_by, outlet, client.works, client.bot.shutdown)


async def connected_chats(app: App) -> list[Chat]:
    """Every chat that has a token, connected; where one cannot be, none is. Raises `Unavailable` with one sentence."""
    chats: list[Chat] = []
    try:
        for connecting in (discord_chat, telegram_chat):
            chat = await connecting(app)
            chats += [] if chat is None else [chat]
    except BaseException:
        for chat in chats:
            await chat.closed()
        raise
    return chats


def discord_address(settings: Settings) -> discord.Address | None:
    """Where Discord is, and the token; None without a token."""
    token = settings.discord_token
    if token is None:
        return None
    from bot.adapters.discord.serving import Address

    given = (settings.discord_api_base, settings.discord_gateway, settings.discord_shards)
    return Address(token.get_secret_value(), *given)


def telegram_address(settings: Settings) -> telegram.Address | None:
    """Where Telegram is, and the token; None without a token."""
    token = settings.telegram_token
    if token is None:
        return None
    from bot.adapters.telegram.serving import Address

    return Address(
        token.get_secret_value(),
        settings.telegram_api_base,
        settings.telegram_local,
        settings.telegram_webhook,
        settings.telegram_listen,
    )
