"""Who speaks, in which club and where: what every command and button begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.adapters.chat.marked import shortened
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.keys import guild_of, person_key, room_key
from bot.adapters.discord.render import spoken
from bot.adapters.discord.sight import Viewed, seen_in
from bot.adapters.wording import line
from bot.core.audience import cannot_tell
from bot.core.away import sign_of_life
from bot.core.club import ClubId
from bot.core.club_rooms import LONGEST_NAME, room_branched
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.membership import lost
from bot.core.privately import house_meant
from bot.core.rights import NO_RIGHTS, ServerRights, acting

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear


_UNKNOWN_MEMBER: Final = 10007

Speaker = discord.User | discord.Member


async def scene_of(interaction: discord.Interaction[Any], club: ClubId | None = None, *, sign: bool = True) -> Scene:
    """Where an interaction comes from; ``club`` is the one that a button names. Raises `Refused`.

    It is a ``sign`` of life, but where somebody is only typing. Who reads `Scene.back` tells them of it.
    """
    scene = await _scene(interaction.client, interaction.user, interaction.channel, club, rights_of(interaction))
    scene = replace(scene, moderates=interaction.guild_id is not None and interaction.permissions.manage_messages)
    return await _noticed(scene, private=interaction.guild_id is None) if sign else scene


async def scene_written(client: Dogear, message: discord.Message) -> Scene:
    """Where a message was written, which is a sign of life. Raises `Refused`, `SeveralClubs`."""
    scene = await _scene(client, message.author, message.channel)
    return await _noticed(scene, private=message.guild is None)


async def _noticed(scene: Scene, *, private: bool) -> Scene:
    return replace(scene, back=await sign_of_life(scene.house, scene.member, private=private))


def rights_of(interaction: discord.Interaction[Any]) -> ServerRights:
    """What somebody may do on the server that an interaction comes from; nothing in a direct message."""
    if interaction.guild_id is None:
        return NO_RIGHTS
    roles = interaction.user.roles if isinstance(interaction.user, discord.Member) else []
    held = frozenset(str(role.id) for role in roles if not role.is_default())
    return ServerRights(interaction.permissions.manage_guild, held)


class SeveralClubs(Refused):
    """Somebody is in several clubs, and has not said which one they mean in direct messages."""

    def __init__(self) -> None:
        super().__init__("several_clubs", line("discord_several_clubs"))


async def _scene(
    client: Dogear, user: Speaker, channel: Any, club: ClubId | None = None, rights: ServerRights = NO_RIGHTS
) -> Scene:
    """Where a person speaks, with the ``rights`` that they have on the server they speak on.

    Raises `Refused` where no club is meant, or one that is not theirs, `SeveralClubs` where several may be.
    """
    guild = getattr(channel, "guild", None)
    found, room = (None, None) if guild is None else await _club_of_channel(client, channel)
    if club is None:
        house = await _house(client, user, guild, found)
    else:
        house = client.clubs.clubhouse(club)
        room = room if club == found else None
    here = guild is not None and await _stands_on(house, guild)
    if club is not None and not here:
        await _require_theirs(client, user, house)
    member = await house.roster.member_known(person_key(user.id), name_shown(user))
    settings = settings_of(await house.rooms.settings())
    if here:
        member = acting(member, rights, settings)
    see = cannot_tell if room is None else seen_in(channel, client.told, members_known=client.intents.members)
    return Scene(client, house, member, spoken(settings.language), room, see)


def name_shown(user: Speaker) -> str:
    """What a person is called: as their server shows them, in one line."""
    return shortened(user.display_name, LONGEST_NAME) or str(user.id)


async def _club_of_channel(client: Dogear, channel: Viewed) -> tuple[ClubId | None, str | None]:
    """The club of a channel, and the key of the room; a thread of a club's room is a room of its own."""
    key = room_key(channel.guild.id, channel.id)
    directory = client.clubs.directory
    if isinstance(channel, discord.Thread):
        parent = room_key(channel.guild.id, channel.parent_id)
        club = await directory.club_of_room(parent)
        if club is not None:
            name = shortened(channel.name, LONGEST_NAME) or str(channel.id)
            await room_branched(client.clubs.clubhouse(club), parent, key, name)
            return club, key
    club = await directory.club_of_room(key)
    return club, None if club is None else key


async def _house(client: Dogear, user: Speaker, guild: discord.Guild | None, club: ClubId | None) -> Clubhouse:
    """The club that is meant: that of the room, else the only one of theirs, on the server if they are on one."""
    if club is not None:
        return client.clubs.clubhouse(club)
    houses = await houses_of(client, user)
    if guild is not None:
        houses = [house for house in houses if await _stands_on(house, guild)]
    meant = await house_meant(houses, person_key(user.id)) if guild is None or len(houses) == 1 else None
    if meant is not None:
        return meant
    if houses and guild is None:
        raise SeveralClubs
    key = "discord_several_clubs" if houses else "discord_no_club" if guild else "discord_no_club_of_yours"
    raise Refused("no_club", line(key))


async def houses_of(client: Dogear, user: discord.abc.Snowflake) -> list[Clubhouse]:
    """The clubs that a person has joined, and whose server they are still on."""
    houses = [
        client.clubs.clubhouse(club) for club in await client.clubs.directory.clubs_of_person(person_key(user.id))
    ]
    return [house for house in houses if await still_there(client, user, house)]


async def _require_theirs(client: Dogear, user: Speaker, house: Clubhouse) -> None:
    """A club that is named elsewhere than on its server is reached by who is in it; who has left the server has left
    it, but may still ask what it keeps of them, and have that deleted. Raises `Refused` where it keeps nothing.
    """
    if house.club not in await client.clubs.directory.clubs_that_know(person_key(user.id)):
        raise Refused("no_club", line("discord_no_club_of_yours"))
    await still_there(client, user, house)


async def _stands_on(house: Clubhouse, guild: discord.Guild) -> bool:
    return any(guild_of(room.key) == guild.id for room in await house.rooms.rooms())


async def still_there(client: Dogear, user: discord.abc.Snowflake, house: Clubhouse) -> bool:
    """Whether a person is on the server of a club; who is not has left the club with it, whoever saw them go.

    Discord is asked about a server that another process holds. One on which the bot is no more tells nothing.
    """
    for server in {guild_of(room.key) for room in await house.rooms.rooms()} - {None}:
        assert server is not None
        guild = client.get_guild(server)
        if guild is not None and guild.get_member(user.id) is not None:
            return True
        try:
            await client.http.get_member(server, user.id)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MEMBER:
                return True
            owner = None if guild is None or guild.owner_id is None else person_key(guild.owner_id)
            await lost(house, person_key(user.id), owner)
            return False
        except discord.Forbidden:
            return True
        return True
    return True
