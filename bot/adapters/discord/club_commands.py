"""`/club setup|settings|schedule|preview|members|pause`: for admins, but for the list of members and the schedule."""

from __future__ import annotations

from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.adapters.chat import club_admin, render
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.commands import Interacted, about, offered
from bot.adapters.discord.keys import guild_of, person_key, room_key, server_key
from bot.adapters.discord.replies import acted, answered
from bot.adapters.discord.scene import name_shown
from bot.adapters.wording import line
from bot.core.club_settings import SETTINGS, settings_of
from bot.core.clubs import DEFAULT, Founding, club_set_up, set_up_in
from bot.core.errors import Refused
from bot.core.life import welcome

FIRST_CLUB: Final = "club"
"""What a server's club is called unless it is given a name."""
LONGEST_SAID: Final = 200

group = app_commands.Group(name="club", description=about("club"), guild_only=True)


@group.command(name="setup", description=about("club_setup"))
@app_commands.describe(name=about("club_setup_name"))
async def setup_command(interaction: Interacted, name: app_commands.Range[str, 1, 60] = FIRST_CLUB) -> None:
    async def work() -> Said:
        return await setup(interaction, name)

    await answered(interaction, work)


@group.command(name="settings", description=about("club_settings"))
@app_commands.describe(name=about("club_settings_name"), value=about("club_settings_value"))
@app_commands.choices(name=[app_commands.Choice(name=name, value=name) for name in SETTINGS])
async def settings_command(interaction: Interacted, name: str | None = None, value: str | None = None) -> None:
    await acted(interaction, partial(club_admin.settings, name=name, value=value))


@settings_command.autocomplete("value")
async def _values(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    async def found(scene: Scene, begun: str) -> list[tuple[str, str]]:
        del scene
        setting = SETTINGS.get(str(interaction.namespace.name))
        words = () if setting is None else (*setting.choices, DEFAULT)
        return [(word, word) for word in words if word.startswith(begun.lower())]

    return await offered(interaction, typed, found)


@group.command(name="schedule", description=about("club_schedule"))
@app_commands.describe(what=about("club_schedule_what"))
async def schedule_command(
    interaction: Interacted, what: app_commands.Range[str, 1, LONGEST_SAID] | None = None
) -> None:
    await acted(interaction, partial(club_admin.schedule, what=what))


@group.command(name="preview", description=about("club_preview"))
async def preview_command(interaction: Interacted) -> None:
    await acted(interaction, club_admin.preview)


@group.command(name="members", description=about("club_members"))
async def members_command(interaction: Interacted) -> None:
    await acted(interaction, club_admin.members)


@group.command(name="pause", description=about("club_pause"))
@app_commands.describe(how_long=about("club_pause_for"), resume=about("club_pause_resume"))
async def pause_command(interaction: Interacted, how_long: str | None = None, resume: bool = False) -> None:
    await acted(interaction, partial(club_admin.pause, how_long=how_long, resume=resume))


async def setup(interaction: Interacted, name: str) -> Said:
    """Set up a club in a channel: by whoever may manage the server, or is an admin of the club already."""
    client, guild, channel = interaction.client, interaction.guild, interaction.channel
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        raise Refused("no_room", line("chat_no_room"))
    key, user = room_key(guild.id, channel.id), interaction.user
    known = await client.clubs.directory.club_of_room(key)
    if known is None:
        if not interaction.permissions.manage_guild and not await _organises(interaction, guild):
            raise Refused("admins_only", line("discord_setup_rights"))
        founding = Founding(server_key(guild.id), name, key, channel.name, person_key(user.id), name_shown(user))
        made = await club_set_up(client.clubs.directory, client.clubs.clubhouse, founding)
    else:
        made = await set_up_in(client.clubs.clubhouse(known), key, channel.name, person_key(user.id), name_shown(user))
    house = client.clubs.clubhouse(made.club)
    language = settings_of(await house.rooms.settings()).language
    spoken = client.spoken(language)
    greeted = await welcome(house, made.admin)
    if made.new:
        await client.announce(key, render.greeting(greeted, made.club, spoken), f"g{made.room.id}")
    lines = [line("setup_done", spoken, room=made.room.name, name=made.admin.name)]
    if greeted.book is None:
        lines.append(line("discord_setup_book", spoken))
    lines.append(line("setup_spectators", spoken))
    if not client.intents.members:
        lines.append(line("discord_no_members", spoken))
    return said(*lines)


async def _organises(interaction: Interacted, guild: discord.Guild) -> bool:
    """Whether somebody is an admin of a club of the server: that may get one more room."""
    person = person_key(interaction.user.id)
    for house in await interaction.client.clubs.houses(person):
        here = any(guild_of(room.key) == guild.id for room in await house.rooms.rooms())
        if here and any(m.person == person and m.admin and not m.removed for m in await house.roster.members()):
            return True
    return False
