"""Who does more than can be followed is told so, alone, and not heard with it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord

from bot.adapters.chat.rates import Heard, Rates
from bot.adapters.discord.asking import meant
from bot.adapters.discord.faults import AWAY
from bot.adapters.discord.sending import NO_MENTIONS
from bot.adapters.wording import line

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear


async def followed(rates: Rates, interaction: discord.Interaction[Any]) -> bool:
    """Whether somebody is heard with a command, a press, or what they type."""
    found = await rates.heard(interaction.user.id)
    if found is Heard.TOLD:
        with suppress(*AWAY, discord.InteractionResponded):
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            else:
                sentence = line("chat_too_quick", most=rates.most)
                await interaction.response.send_message(sentence, ephemeral=True, allowed_mentions=NO_MENTIONS)
    return found is Heard.YES


async def followed_written(client: Dogear, message: discord.Message) -> bool:
    """Whether somebody is heard with what they wrote to the bot; what is not for it is not counted."""
    if not meant(client, message):
        return False
    found = await client.rates.heard(message.author.id)
    if found is Heard.TOLD:
        with suppress(*AWAY):
            await message.author.send(line("chat_too_quick", most=client.rates.most), allowed_mentions=NO_MENTIONS)
    return found is Heard.YES
