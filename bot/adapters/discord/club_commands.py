"""`/club ...`, for admins: setting up, settings, rooms, people, the schedule, votes, and quiet rooms."""

from __future__ import annotations

from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.adapters.chat import club_admin, people, render, rooms, schedule, settings, voting
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.book_commands import MANAGES
from bot.adapters.discord.commands import Interacted, about, alone, offered
from bot.adapters.discord.keys import guild_of, person_key, room_key, server_key
from bot.adapters.discord.replies import acted, answered
from bot.adapters.discord.scene import name_shown, rights_of
from bot.adapters.wording import line
from bot.core.ballots import MOST_NOMINATIONS
from bot.core.club_settings import SETTINGS, settings_of
from bot.core.clubs import Founding, club_set_up, set_up_in
from bot.core.errors import Refused
from bot.core.life import welcome
from bot.core.rights import acting

FIRST_CLUB: Final = "club"
"""What a server's club is called unless it is given a name."""
LONGEST_SAID: Final = 200

group = app_commands.Group(name="club", description=about("club"), guild_only=True, default_permissions=MANAGES)
room = app_commands.Group(name="room", description=about("club_room"), parent=group)
vote = app_commands.Group(name="vote", description=about("club_vote"), parent=group)


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
    await acted(interaction, partial(settings.settings, name=name, value=value))


@settings_command.autocomplete("value")
async def _values(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    name = str(interaction.namespace.name)
    return await offered(interaction, typed, partial(settings.values_typed, name=name))


@group.command(name="organisers", description=about("club_organisers"))
@app_commands.describe(role=about("club_organisers_role"))
async def organisers_command(interaction: Interacted, role: discord.Role | None = None) -> None:
    async def given(scene: Scene) -> Said:
        if role is not None and role.is_default():
            raise Refused("everyone", line("discord_not_everyone", scene.language))
        return await club_admin.organisers(scene, *((None, None) if role is None else (str(role.id), role.name)))

    await acted(interaction, given)


@group.command(name="schedule", description=about("club_schedule"))
@app_commands.describe(what=about("club_schedule_what"))
async def schedule_command(
    interaction: Interacted, what: app_commands.Range[str, 1, LONGEST_SAID] | None = None
) -> None:
    await acted(interaction, partial(schedule.schedule, what=what))


alone("preview", about("club_preview"), club_admin.preview, group)


@group.command(name="members", description=about("club_members"))
@app_commands.describe(who=about("club_members_who"))
async def members_command(interaction: Interacted, who: discord.User | None = None) -> None:
    if who is None:
        await acted(interaction, people.people)
    else:
        await acted(interaction, partial(people.person_named, who=person_key(who.id), name=name_shown(who)))


alone("finish", about("club_finish"), voting.finished, group)
alone("welcome", about("club_welcome"), voting.welcomed, group)
alone("reports", about("club_reports"), rooms.reported, group)
alone("spent", about("club_spent"), club_admin.spent, group)
alone("list", about("room_list"), rooms.listed, room)


@room.command(name="book", description=about("room_book"))
@app_commands.describe(book=about("room_book_which"))
async def room_book_command(interaction: Interacted, book: str) -> None:
    await acted(interaction, partial(rooms.reads, named=book))


@room_book_command.autocomplete("book")
async def _books(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, rooms.books_typed)


@room.command(name="limit", description=about("room_limit"))
@app_commands.describe(place=about("room_limit_place"))
async def room_limit_command(interaction: Interacted, place: app_commands.Range[str, 1, LONGEST_SAID]) -> None:
    await acted(interaction, partial(rooms.limited, place=place))


@room_limit_command.autocomplete("place")
async def _limits(interaction: Interacted, typed: str) -> list[app_commands.Choice[str]]:
    return await offered(interaction, typed, rooms.limits_typed)


alone("remove", about("room_remove"), rooms.removed, room)
alone("close", about("vote_close"), voting.vote_closed, vote)


@vote.command(name="until", description=about("vote_until"))
@app_commands.describe(day=about("vote_until_day"))
async def vote_until_command(interaction: Interacted, day: app_commands.Range[str, 1, LONGEST_SAID]) -> None:
    await acted(interaction, partial(voting.vote_closes, day=day))


@vote.command(name="choose", description=about("vote_choose"))
@app_commands.describe(number=about("vote_choose_number"))
async def vote_choose_command(interaction: Interacted, number: app_commands.Range[int, 1, MOST_NOMINATIONS]) -> None:
    await acted(interaction, partial(voting.tie_decided, number=number))


@group.command(name="pause", description=about("club_pause"))
@app_commands.describe(how_long=about("club_pause_for"), resume=about("club_pause_resume"))
async def pause_command(interaction: Interacted, how_long: str | None = None, resume: bool = False) -> None:
    await acted(interaction, partial(club_admin.pause, how_long=how_long, resume=resume))


@app_commands.command(name="pause", description=about("club_pause"))
@app_commands.guild_only()
@app_commands.default_permissions(manage_messages=True)
@app_commands.describe(how_long=about("club_pause_for"), resume=about("club_pause_resume"))
async def moderators_pause(interaction: Interacted, how_long: str | None = None, resume: bool = False) -> None:
    await acted(interaction, partial(club_admin.pause, how_long=how_long, resume=resume))


async def setup(interaction: Interacted, name: str) -> Said:
    """Set up a club in a channel: by whoever may manage the server, or is an admin of the club already."""
    client, guild, channel = interaction.client, interaction.guild, interaction.channel
    if guild is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        raise Refused("no_room", line("chat_no_room"))
    key, user = room_key(guild.id, channel.id), interaction.user
    person, called, rights = person_key(user.id), name_shown(user), rights_of(interaction)
    known = await client.clubs.directory.club_of_room(key)
    if known is None:
        if not rights.manages and not await _organises(interaction, guild):
            raise Refused("admins_only", line("discord_setup_rights"))
        founding = Founding(server_key(guild.id), name, key, channel.name, person, called, rights)
        made = await club_set_up(client.clubs.directory, client.clubs.clubhouse, founding)
    else:
        made = await set_up_in(client.clubs.clubhouse(known), key, channel.name, person, called, rights)
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
    person, rights = person_key(interaction.user.id), rights_of(interaction)
    for house in await interaction.client.clubs.houses(person):
        settings = settings_of(await house.rooms.settings())
        here = any(guild_of(room.key) == guild.id for room in await house.rooms.rooms())
        known = [acting(m, rights, settings) for m in await house.roster.members() if m.person == person]
        if here and any(m.admin and not m.removed for m in known):
            return True
    return False
