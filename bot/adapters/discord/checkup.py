"""What `dogear doctor` looks at on Discord: the token, what the portal grants, the commands, the rights in rooms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord

from bot.adapters.discord.keys import channel_of, guild_of
from bot.adapters.discord.serving import Address, application_of
from bot.adapters.discord.tree import COMMANDS
from bot.core.errors import Unavailable

MOST_SERVERS: Final = 50
"""Servers whose rooms are looked at: each takes three requests."""
NEEDED: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "attach_files": "Attach Files",
}
"""What the invite link asks for, as the client names it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What Discord says of the bot. ``commands_missing`` are not known to it; ``lacking`` says of a room's name what
    the bot may not do there; ``gone`` are rooms of servers and channels that are not there for the bot, by their names.
    """

    name: str
    members: bool
    commands_missing: tuple[str, ...]
    lacking: Mapping[str, tuple[str, ...]]
    gone: tuple[str, ...]
    rooms: int


async def looked_at(address: Address, rooms: Mapping[str, str]) -> Found:
    """Look at everything; ``rooms`` are names by key. Raises `Unavailable` with one sentence."""
    application = await application_of(address)
    by_server: dict[int, list[tuple[int, str]]] = {}
    for key, name in rooms.items():
        server, channel = guild_of(key), channel_of(key)
        if server is not None and channel is not None:
            by_server.setdefault(server, []).append((channel, name))
    lacking: dict[str, tuple[str, ...]] = {}
    gone: list[str] = []
    try:
        async with discord.Client(intents=discord.Intents(guilds=True)) as probe:
            await probe.login(address.token)
            missing = await _commands_missing(probe)
            for server in list(by_server)[:MOST_SERVERS]:
                found = await _rights(probe, server)
                for channel, name in by_server[server]:
                    rights = found.get(channel)
                    if rights is None:
                        gone.append(name)
                    elif lacks := tuple(told for key, told in NEEDED.items() if not getattr(rights, key)):
                        lacking[name] = lacks
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        raise Unavailable("Discord did not answer all that it was asked: try again in a minute.") from None
    looked = sum(len(by_server[server]) for server in list(by_server)[:MOST_SERVERS])
    return Found(application.name, application.members, missing, lacking, tuple(gone), looked)


async def _commands_missing(probe: discord.Client) -> tuple[str, ...]:
    assert probe.application_id is not None
    known = {command["name"] for command in await probe.http.get_global_commands(probe.application_id)}
    return tuple(command.name for command in COMMANDS if command.name not in known)


async def _rights(probe: discord.Client, server: int) -> dict[int, discord.Permissions]:
    """What the bot may do in every channel and thread of a server that is there for it."""
    assert probe.user is not None
    try:
        guild = await probe.fetch_guild(server, with_counts=False)
        channels: Sequence[Any] = await guild.fetch_channels()
        own = await guild.fetch_member(probe.user.id)
    except (discord.NotFound, discord.Forbidden):
        return {}
    rights = {channel.id: channel.permissions_for(own) for channel in channels}
    try:
        threads: Iterable[discord.Thread] = await guild.active_threads()
    except discord.HTTPException:
        return rights
    return rights | {thread.id: rights[thread.parent_id] for thread in threads if thread.parent_id in rights}
