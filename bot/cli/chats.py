"""The chat adapters as commands use them: where each is, and the bot over an `App`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.app import App
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear
    from bot.adapters.discord.serving import Address


async def discord_bot(app: App) -> Dogear | None:
    """The bot on Discord, logged in, where there is a token. Raises `Unavailable` with one sentence."""
    from bot.adapters.discord.serving import connected

    address = discord_address(app.settings)
    return None if address is None else await connected(app, address)


def discord_address(settings: Settings) -> Address | None:
    """Where Discord is, and the token; None without a token."""
    from bot.adapters.discord.serving import Address

    token = settings.discord_token
    if token is None:
        return None
    given = (settings.discord_api_base, settings.discord_gateway, settings.discord_shards)
    return Address(token.get_secret_value(), *given)
