"""The commands as discord.py has them: who is too quick for one, and what goes wrong in one."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.adapters.discord import book_commands, club_commands, commands, member_commands, personal, too_quick
from bot.adapters.discord.faults import sentence_of, unwrapped
from bot.adapters.discord.sending import NO_MENTIONS

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear

COMMANDS: Final[tuple[app_commands.Command[Any, ..., None] | app_commands.Group | app_commands.ContextMenu, ...]] = (
    *commands.COMMANDS, *personal.COMMANDS, *member_commands.COMMANDS, book_commands.group, club_commands.group,
    club_commands.moderators_pause,
)  # fmt: skip
"""Everything that is registered."""
TYPED: Final = 10
"""So many completions of what is typed come with each command at most."""


class Tree(app_commands.CommandTree["Dogear"]):
    """The commands, with the one place where what goes wrong in them ends."""

    async def interaction_check(self, interaction: discord.Interaction[Dogear], /) -> bool:
        """Whether somebody is not too quick for it. What is typed may be completed more often than anything is done."""
        typed = interaction.type is discord.InteractionType.autocomplete
        rates = interaction.client.typing if typed else interaction.client.rates
        return await too_quick.followed(rates, interaction)

    async def on_error(self, interaction: discord.Interaction[Dogear], error: app_commands.AppCommandError) -> None:
        sentence = sentence_of(unwrapped(error))
        with suppress(discord.HTTPException, discord.InteractionResponded):
            if sentence is not None and not interaction.response.is_done():
                await interaction.response.send_message(sentence, ephemeral=True, allowed_mentions=NO_MENTIONS)
