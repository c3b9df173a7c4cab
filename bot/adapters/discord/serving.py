"""Connecting to Discord, and leaving it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Final

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.adapters.chat.owing import Clubs
from bot.adapters.chat.rates import Rates
from bot.adapters.discord.client import Dogear
from bot.adapters.discord.shards import Shards
from bot.core.errors import Unavailable

ANSWERS_WITHIN: Final = 30.0
"""Seconds in which Discord has something to say to a request. discord.py would wait for five minutes."""
_TURNED_AWAY = "Discord does not take DISCORD_TOKEN: copy the bot's token from the developer portal again."
_NO_DISCORD = "Discord cannot be reached: check the network, and DISCORD_API_BASE where it is set."


@dataclass(frozen=True, slots=True)
class Address:
    """Where Discord is, if not where it always is, and the bot's token.

    ``api_base`` is an origin, to which `/api/v10` is added; ``gateway`` a web socket's URL, by default the one that
    the API names; ``shards`` which of them this process holds (``0,1/4``), by default all.
    """

    token: str = field(repr=False)
    api_base: str | None = None
    gateway: str | None = None
    shards: str | None = None

    def __post_init__(self) -> None:
        if self.api_base is not None:
            Route.BASE = f"{self.api_base.rstrip('/')}/api/v10"
        if self.gateway is not None:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(self.gateway)


@dataclass(frozen=True, slots=True)
class Application:
    """What Discord says of the bot: what it is called, whether the portal grants the members intent, and its number."""

    name: str
    members: bool
    id: int = 0


async def application_of(address: Address) -> Application:
    """Ask Discord about the bot of a token. Raises `Unavailable` with one sentence."""
    try:
        async with discord.Client(intents=discord.Intents(guilds=True)) as probe:
            await probe.login(address.token)
            if address.gateway is None and address.api_base is not None:
                _, url, _ = await probe.http.get_bot_gateway()
                DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
            flags = discord.ApplicationFlags() if probe.application is None else probe.application.flags
            name = "" if probe.user is None else probe.user.name
            number = 0 if probe.application is None else probe.application.id
    except discord.LoginFailure:
        raise Unavailable(_TURNED_AWAY) from None
    except (discord.HTTPException, discord.GatewayNotFound, aiohttp.ClientError, OSError):
        raise Unavailable(_NO_DISCORD) from None
    return Application(name, flags.gateway_guild_members or flags.gateway_guild_members_limited, number)


async def connected(clubs: Clubs, address: Address, commands: int = 0) -> Dogear:
    """The bot, logged in and with its commands known to Discord, but not yet listening.

    Of one person ``commands`` are heard in a minute, where that is not 0. Whether the members intent is granted is read
    from the application. Of discord.py nothing below ``INFO`` is logged, since its debugging shows what is sent. Raises
    `Unavailable` with one sentence.
    """
    logging.getLogger("discord").setLevel(max(logging.INFO, logging.getLogger().getEffectiveLevel()))
    members = (await application_of(address)).members
    shards = None if address.shards is None else Shards.said(address.shards)
    client = Dogear(clubs, members=members, shards=shards, rates=Rates(commands))
    try:
        await client.login(address.token)
        _bounded(client)
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        await client.close()
        raise Unavailable(_NO_DISCORD) from None
    except BaseException:
        await client.close()
        raise
    return client


def _bounded(client: discord.Client) -> None:
    """No request waits longer than `ANSWERS_WITHIN` for a sign of Discord's; discord.py has no setting for that."""
    session: aiohttp.ClientSession = getattr(client.http, "_HTTPClient__session")  # noqa: B009 - its name is private
    session._timeout = aiohttp.ClientTimeout(total=300, sock_connect=ANSWERS_WITHIN, sock_read=ANSWERS_WITHIN)


async def served(client: Dogear, ended: asyncio.Event) -> None:
    """Listen until ``ended``, and then end what is being answered, and the connection. Raises `Unavailable`."""
    listening = asyncio.ensure_future(client.connect(reconnect=True))
    ending = asyncio.ensure_future(ended.wait())
    owing = asyncio.ensure_future(client.owing.run())
    try:
        await asyncio.wait({listening, ending}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        ending.cancel()
        await client.finish()
        owing.cancel()  # after the last reply, and while there is still a connection for what it is about
        await asyncio.gather(owing, return_exceptions=True)
        await client.close()
        if not listening.done():
            await asyncio.wait({listening}, timeout=2)
        listening.cancel()
        (result,) = await asyncio.gather(listening, return_exceptions=True)
    if ended.is_set() or isinstance(result, asyncio.CancelledError):
        return
    if isinstance(result, discord.DiscordException | aiohttp.ClientError | OSError):
        raise Unavailable(_NO_DISCORD) from None
    if result is not None:
        raise result
