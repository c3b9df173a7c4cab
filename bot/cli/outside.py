"""What `dogear doctor` looks at outside: the chats and the model."""

from __future__ import annotations

import errno
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from bot.app import App
from bot.cli.chats import discord_address, telegram_address
from bot.cli.check import Check
from bot.cli.machine import not_listening, taken
from bot.core.chat_model import Failed
from bot.core.errors import DogearError
from bot.model import claude_for, prices_for
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.discord.checkup import Found
    from bot.adapters.telegram import serving as telegram

_NAMED: Final = 10
"""Rooms that are named in one sentence."""


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


async def telegram_checks(settings: Settings) -> list[Check]:
    """Whether Telegram takes the token, what the bot sees of what is said in groups, and whether it is called."""
    address = telegram_address(settings)
    if address is None:
        return [Check("telegram", True, "TELEGRAM_TOKEN is not set: no group is served there.", off=True)]
    from bot.adapters.telegram.checkup import looked_at

    try:
        found = await looked_at(address)
    except DogearError as error:
        return [Check("telegram", False, str(error)), *_webhook(address, "")]
    told = f"Telegram knows the bot as @{found.name}"
    if found.privacy:
        seen = "sees commands and replies alone in groups where it is no administrator"
        checks = [Check("telegram", True, f"{told}, which {seen}.")]
    else:
        seen = "and tells it everything that is said in groups, which it does not need"
        checks = [Check("telegram", True, f"{told}, {seen}: send /setprivacy to @BotFather, and choose Enable.")]
    return [*checks, *_webhook(address, found.trouble)]


def _webhook(address: telegram.Address, trouble: str) -> list[Check]:
    if address.webhook is None:
        return []
    from bot.adapters.telegram.checkup import PORTS

    public, (host, _, port) = urlsplit(address.webhook), address.listen.rpartition(":")
    try:
        outside = public.port or 443
    except ValueError:
        outside = 0
    fault = None
    if not public.hostname or outside not in PORTS:
        fault = f"Telegram calls no other ports than {', '.join(map(str, PORTS))}: correct TELEGRAM_WEBHOOK"
    elif (number := taken(host or "127.0.0.1", int(port))) is not None and number != errno.EADDRINUSE:
        fault = not_listening(address.listen, number, "TELEGRAM_LISTEN")
    elif trouble:
        through = f"let your web server pass on what is under it to {address.listen}"
        fault = f"Telegram did not get through to TELEGRAM_WEBHOOK when it last called ({trouble}): {through}"
    elif number is not None:
        through = f"where that is no Dogear, end it (`ss -ltnp 'sport = :{port}'` names it) or change TELEGRAM_LISTEN"
        return [Check("webhook", True, f"Something listens at {address.listen}: {through}.")]
    if fault is not None:
        return [Check("webhook", False, f"{fault}.")]
    told = "Telegram is to call TELEGRAM_WEBHOOK at a path, and with a secret token, that are made of TELEGRAM_TOKEN."
    return [Check("webhook", True, told)]


_NOT_USABLE: Final = defaultdict(
    lambda: "{where} does not answer for {model} now: answers are quotes meanwhile",
    {
        Failed.NOT_ALLOWED: "{where} does not take ANTHROPIC_API_KEY, or does not know {model}: correct it or "
        "DOGEAR_MODEL, and DOGEAR_SMALL_MODEL",
        Failed.UNREACHABLE: "{where} cannot be reached, or has a fault of its own: check the network, and "
        "ANTHROPIC_BASE_URL if it is set",
    },
)
"""What a model's server that cannot be used is told as."""


async def model_check(settings: Settings) -> Check:
    """Whether the model's server takes the key and knows the models, and whether their prices are known."""
    claude = claude_for(settings)
    if claude is None:
        return Check(
            "model", True, "Neither ANTHROPIC_API_KEY nor ANTHROPIC_BASE_URL is set: answers are quotes.", off=True
        )
    from bot.adapters.models.claude_check import models_known

    where = re.sub("//[^/]*@", "//", settings.anthropic_base_url or "Anthropic")  # without a login that it may hold
    try:
        found = await models_known(claude)
    finally:
        await claude.close()
    for known in found:
        if known.failed is not None:
            said = _NOT_USABLE[known.failed].format(where=where, model=known.model)
            return Check("model", False, f"{said} ({known.note}).")
    names = " and ".join(known.model for known in found)
    if unpriced := [known.model for known in found if prices_for(settings).price_of(known.model) is None]:
        how = f"budgets count it as the dearest: set DOGEAR_PRICES={unpriced[0]}=INPUT/OUTPUT (0/0 where it is free)"
        return Check("model", True, f"{where} has {names}; what {unpriced[0]} costs is not known, and {how}.")
    return Check("model", True, f"{where} has {names}; {_budgets(settings)}.")


def _budgets(settings: Settings) -> str:
    limits = {"a club a day": settings.club_day, "a club a month": settings.club_month}
    limits |= {"in all a day": settings.host_day, "in all a month": settings.host_month}
    told = ", ".join(f"{amount} USD {what}" for what, amount in limits.items() if amount is not None)
    return f"at most {told}" if told else "no budget is set"
