"""What Telegram says of a bot: whether it takes the token, what the bot sees, and whether its webhook is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.adapters.telegram.connection import bot_of, hush, translated
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.serving import Address, path_of

PORTS: Final = (80, 88, 443, 8443)
"""The ports that Telegram calls a webhook at (core.telegram.org/bots/webhooks)."""


@dataclass(frozen=True, slots=True)
class Found:
    """What Telegram says of the bot: its name, whether it sees commands and replies alone in groups, and what went
    wrong when it last called the webhook that is set here, if anything did.
    """

    name: str
    privacy: bool
    trouble: str = ""


async def looked_at(address: Address) -> Found:
    """Ask Telegram. Raises `Unavailable` with one sentence."""
    hush()
    async with translated(), bot_of(address, Pace()) as bot:
        me = await bot.get_me()
        trouble = ""
        if address.webhook is not None:
            called = await bot.get_webhook_info()
            if called.url.endswith(path_of(address)):
                trouble = called.last_error_message or ""
    return Found(me.username or "", not me.can_read_all_group_messages, trouble)
