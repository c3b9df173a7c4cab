"""One thing that `dogear doctor` looked at, and what it looks at on Discord."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bot.app import App
from bot.cli.chats import discord_address
from bot.core.errors import DogearError
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.discord.checkup import Found

_NAMED: Final = 10
"""Rooms that are named in one sentence."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it works, and a sentence that says so or says what to do.

    Where something that is ``needed`` does not work, nothing does. What is not set up is ``off``, and in order.
    """

    name: str
    ok: bool
    message: str
    needed: bool = False
    off: bool = False


async def rooms_of(app: App) -> dict[str, str]:
    """The rooms of all clubs, by key, with their names."""
    clubs = await app.directory.clubs()
    return {room.key: room.name for club in clubs for room in await app.clubhouse(club).rooms.rooms()}


async def discord_checks(settings: Settings, rooms: Mapping[str, str]) -> list[Check]:
    """Whether Discord takes the token, what the portal grants, whether it knows the commands, and what the bot may not
    do in which of the clubs' rooms.
    """
    address = discord_address(settings)
    if address is None:
        return [Check("discord", True, "DISCORD_TOKEN is not set: no room is served there.", off=True)]
    from bot.adapters.discord.checkup import looked_at
    from bot.adapters.discord.shards import Shards

    try:
        if address.shards is not None:
            Shards.said(address.shards)
        found = await looked_at(address, rooms)
    except DogearError as error:
        return [Check("discord", False, str(error))]
    return [_portal(found), _commands(found), _rooms(found)]


def _portal(found: Found) -> Check:
    if found.members:
        return Check("discord", True, f"Discord knows the bot as {found.name}, and the members intent is granted.")
    stricter = "so everybody in a club counts in each of its rooms: switch it on in the developer portal"
    told = f"Discord knows the bot as {found.name}; the members intent is not granted, {stricter}."
    return Check("discord", True, told)


def _commands(found: Found) -> Check:
    if not found.commands_missing:
        return Check("commands", True, "Discord knows all commands.")
    names = ", ".join(found.commands_missing)
    return Check(
        "commands", False, f"Discord does not know these commands: {names}. Starting dogear run registers them."
    )


def _rooms(found: Found) -> Check:
    told = [f"{name} lacks {', '.join(lacks)}" for name, lacks in found.lacking.items()]
    told += [f"{name} is not there for the bot" for name in found.gone]
    if not told:
        return Check("rooms", True, f"The bot has its rights in the {found.rooms} rooms that were looked at.")
    more = f"; and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    what = "give the bot these rights there, or invite it again with the link of docs/discord.md"
    return Check("rooms", False, f"{'; '.join(told[:_NAMED])}{more}: {what}.")
