"""`/club setup|settings|schedule|preview|members|pause`: for admins, but for the list of members and the schedule."""

from __future__ import annotations

from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.adapters.bulletins import weekly_bulletin
from bot.adapters.discord import render
from bot.adapters.discord.commands import Interacted, about, offered
from bot.adapters.discord.keys import guild_of, person_key, room_key, server_key
from bot.adapters.discord.places import book_here
from bot.adapters.discord.replies import Said, acted, answered, said
from bot.adapters.discord.scene import Scene, name_shown
from bot.adapters.wording import line, schedules
from bot.adapters.wording import people as said_of
from bot.core import membership
from bot.core.audience import cannot_tell
from bot.core.club_rooms import mute_room, pause_room, resume_room
from bot.core.club_settings import SETTINGS, settings_of
from bot.core.clubs import DEFAULT, Founding, change_setting, club_set_up, set_up_in, settings_listed
from bot.core.errors import Refused
from bot.core.life import welcome
from bot.core.rights import require_admin, require_member
from bot.core.rounds import room_of_posts, weekly_preview
from bot.core.scheduling import schedule_seen, set_schedule

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
    await acted(interaction, partial(settings, name=name, value=value))


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
    await acted(interaction, partial(schedule, what=what))


@group.command(name="preview", description=about("club_preview"))
async def preview_command(interaction: Interacted) -> None:
    await acted(interaction, preview)


@group.command(name="members", description=about("club_members"))
async def members_command(interaction: Interacted) -> None:
    await acted(interaction, members)


@group.command(name="pause", description=about("club_pause"))
@app_commands.describe(how_long=about("club_pause_for"), resume=about("club_pause_resume"))
async def pause_command(interaction: Interacted, how_long: str | None = None, resume: bool = False) -> None:
    await acted(interaction, partial(pause, how_long=how_long, resume=resume))


async def setup(interaction: Interacted, name: str) -> Said:
    """Set up a club in a channel: by whoever may manage the server, or is an admin of the club already."""
    client, guild, channel = interaction.client, interaction.guild, interaction.channel
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        raise Refused("no_room", line("discord_no_room"))
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
    greeted = await welcome(house, made.admin)
    if made.new:
        await client.announce(key, render.greeting(greeted, made.club, language), f"g{made.room.id}")
    spoken = render.spoken(language)
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


async def settings(scene: Scene, name: str | None, value: str | None) -> Said:
    """Show the settings, or change one."""
    language = scene.language
    require_admin(scene.member)
    if name is not None and value is not None:
        changed = await change_setting(scene.house, scene.member, name, value)
        return said(line("setting_now", language, name=changed.name, value=changed.value))
    rows = []
    for setting in await settings_listed(scene.house):
        if name in (None, setting.name):
            told = line(f"setting_{setting.name}", language)
            if setting.choices:
                told = line("setting_choices", language, about=told, choices=", ".join(setting.choices))
            key = "setting_row_changed" if setting.changed else "setting_row"
            rows.append(
                line(key, language, name=setting.name, value=setting.value, default=setting.default, about=told)
            )
    return said(*rows, line("discord_settings_how", language))


async def schedule(scene: Scene, what: str | None) -> Said:
    """Show the schedule, or set it; setting it is told to the room."""
    language, room = scene.language, scene.in_room()
    if what is None:
        require_member(scene.member)
        seen = await schedule_seen(scene.house, room)
        rows = schedules.schedule(seen.book.title, seen.schedule.milestones, seen.chapter_map, seen.today, language)
        return said(*rows, *schedules.due(seen.due, seen.chapter_map, seen.today, language))
    seen = await set_schedule(scene.house, scene.member, room, scene.see, what)
    if not seen.schedule.milestones:
        return said(line("schedule_off", language, title=seen.book.title))
    rows = schedules.schedule(seen.book.title, seen.schedule.milestones, seen.chapter_map, seen.today, language)
    return said(*rows, *schedules.spread(seen.schedule.spread, language))


async def preview(scene: Scene) -> Said:
    """The next weekly post as the room would be sent it now, for an admin who is a member, alone."""
    require_admin(scene.member)
    room = await room_of_posts(scene.house)
    see = cannot_tell if room is None else await scene.client.see_in(room.key, scene.house)
    seen = await weekly_preview(scene.house, scene.member, see)
    if seen is None:
        return said(line("preview_no_room", scene.language))
    bulletin = await weekly_bulletin(seen.room, seen.post, scene.plain_language)
    head = line("preview", scene.language, week=seen.post.week.week, year=seen.post.week.year)
    return Said((head,), after=render.bulletin(bulletin, scene.plain_language))


async def members(scene: Scene) -> Said:
    """The members by name, with the last whole chapter of those who show their place."""
    book = await book_here(scene)
    seen = await membership.members_listed(scene.house, scene.member, None if book is None else book.id)
    rows = [said_of.listed(m, seen.chapter_map, scene.language) for m in seen.members]
    return said(line("members", scene.language), *rows)


async def pause(scene: Scene, how_long: str | None, resume: bool) -> Said:
    """Say nothing in the room until it is resumed, or for so long."""
    language, room = scene.language, scene.in_room()
    if resume:
        resumed = await resume_room(scene.house, scene.quieting, room)
        return said(line("room_resumed", language, room=resumed.name))
    if how_long is None:
        paused = await pause_room(scene.house, scene.quieting, room)
        return said(line("discord_room_paused", language, room=paused.name))
    muted = await mute_room(scene.house, scene.quieting, room, how_long)
    zone = settings_of(await scene.house.rooms.settings()).time_zone
    assert muted.muted_until is not None
    until = f"{muted.muted_until.astimezone(zone):%Y-%m-%d %H:%M} {zone.key}"
    return said(line("room_muted", language, room=muted.name, until=until))
