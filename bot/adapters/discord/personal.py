"""`/privacy`, `/export` and `/forget`: what is kept of a person."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from bot.adapters.chat import personal
from bot.adapters.chat.said import Said
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.replies import acted
from bot.adapters.wording import line


@app_commands.command(name="privacy", description=line("discord_about_privacy"))
async def privacy_command(interaction: discord.Interaction[Any]) -> None:
    await acted(interaction, personal.privacy)


@app_commands.command(name="export", description=line("discord_about_export"))
async def export_command(interaction: discord.Interaction[Any]) -> None:
    await acted(interaction, personal.exported)


@app_commands.command(name="forget", description=line("discord_about_forget"))
@app_commands.describe(everywhere=line("discord_about_forget_everywhere"))
async def forget_command(interaction: discord.Interaction[Any], everywhere: bool = False) -> None:
    async def asked(scene: Scene) -> Said:
        return await personal.forget_asked(scene, everywhere)

    await acted(interaction, asked)


COMMANDS: Final[tuple[app_commands.Command[Any, ..., None], ...]] = (privacy_command, export_command, forget_command)
