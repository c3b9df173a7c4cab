"""Who speaks on Telegram, in which club and where: what every command and button begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot.adapters.chat.scene import Scene
from bot.adapters.telegram.keys import chat_of, person_key, room_key, spoken
from bot.adapters.telegram.sight import seen_in
from bot.adapters.telegram.where import Speaker, Where
from bot.adapters.wording import line
from bot.core.audience import cannot_tell
from bot.core.away import sign_of_life
from bot.core.club import ClubId, Role
from bot.core.club_rooms import room_branched
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.membership import lost
from bot.core.privately import house_meant

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

THERE = frozenset(("creator", "administrator", "member"))
"""How Telegram says that somebody is in a chat; who is restricted may be."""


class SeveralClubs(Refused):
    """Somebody in a private chat is in several clubs, and has to say which one they mean."""

    def __init__(self, houses: list[Clubhouse]) -> None:
        super().__init__("several_clubs", line("telegram_several_clubs"))
        self.houses = houses


async def scene_in(
    client: Dogear, speaker: Speaker, where: Where, club: ClubId | None = None, *, as_admin: bool = False
) -> Scene:
    """Where a person speaks. With ``as_admin`` Telegram is asked whether they are an administrator of the club's group
    now, and they have the rights of one only if so. Raises `Refused` where no club is meant, or several may be.
    """
    room, found = None, None
    if not where.private:
        found, room = await _club_of_chat(client, where)
        if club is None:
            club = found
        elif club != found:
            room = None
    house = await _house(client, speaker, where, club, as_admin=as_admin)
    if club is not None and club != found and not await _theirs(client, speaker, house):
        raise Refused("no_club", line("telegram_no_club_of_yours"))
    member = await house.roster.member_known(speaker.person, speaker.name)
    moderates = False
    if as_admin:
        moderates = await administers(client, speaker, house)
        member = replace(member, role=Role.ADMIN if moderates else Role.MEMBER)
    back = await sign_of_life(house, member, private=where.private)
    language = settings_of(await house.rooms.settings()).language
    see = cannot_tell if room is None else seen_in(where.chat, client.census)
    return Scene(client, house, member, spoken(language), room, see, back, moderates)


async def _club_of_chat(client: Dogear, where: Where) -> tuple[ClubId | None, str | None]:
    """The club of a group or topic, and the key of the room; a topic of a club's group is a room of its own,
    in which the same is read at first."""
    directory, key = client.clubs.directory, where.room
    if where.topic is not None:
        group = room_key(where.chat)
        club = await directory.club_of_room(group)
        if club is not None:
            house = client.clubs.clubhouse(club)
            if await house.rooms.room(key) is None:
                named = where.topic_name or line("telegram_topic", number=where.topic)
                await room_branched(house, group, key, named)
            return club, key
    club = await directory.club_of_room(key)
    return club, None if club is None else key


async def _house(client: Dogear, speaker: Speaker, where: Where, club: ClubId | None, *, as_admin: bool) -> Clubhouse:
    """The club that is meant: the one that is named, else the only one of theirs, or the one they chose. What is for
    administrators is first meant for a club whose group they administer, whether they have joined it or not.
    """
    if club is not None:
        return client.clubs.clubhouse(club)
    if not where.private:
        raise Refused("no_club", line("telegram_no_club"))
    houses = await administered(client, speaker) if as_admin else []
    houses = houses or await houses_of(client, speaker)
    if not houses:
        raise Refused("no_club", line("telegram_administers_none" if as_admin else "telegram_no_club_of_yours"))
    meant = await house_meant(houses, speaker.person)
    if meant is None:
        raise SeveralClubs(houses)
    return meant


async def houses_of(client: Dogear, speaker: Speaker) -> list[Clubhouse]:
    """The clubs that a person has joined, and whose group they are still in."""
    clubs = await client.clubs.directory.clubs_of_person(speaker.person)
    houses = [client.clubs.clubhouse(club) for club in clubs]
    return [house for house in houses if await still_there(client, speaker, house)]


async def groups_of(house: Clubhouse) -> list[int]:
    """The groups that a club's rooms are in."""
    chats = (chat_of(room.key) for room in await house.rooms.rooms())
    return list(dict.fromkeys(chat for chat in chats if chat is not None and chat < 0))


async def still_there(client: Dogear, speaker: Speaker, house: Clubhouse) -> bool:
    """Whether a person is in a group of a club; who is not has left the club with it, whoever saw them go. Where
    Telegram does not tell they are taken to be there.
    """
    groups = await groups_of(house)
    if not groups or any([await client.is_in(group, speaker.id) for group in groups]):
        return True
    await lost(house, person_key(speaker.id), await client.owner(room_key(groups[0])))
    return False


async def in_group_of(client: Dogear, speaker: Speaker, house: Clubhouse) -> bool:
    """Whether a person is in a group of a club that has one; who is not has left the club with it."""
    return bool(await groups_of(house)) and await still_there(client, speaker, house)


async def _theirs(client: Dogear, speaker: Speaker, house: Clubhouse) -> bool:
    """Whether a club that was named from elsewhere is a person's to reach: they are in a group of it, or it keeps
    something of them, of which they may ask what it is and have it deleted.
    """
    if await in_group_of(client, speaker, house):
        return True
    return house.club in await client.clubs.directory.clubs_that_know(speaker.person)


async def administered(client: Dogear, speaker: Speaker) -> list[Clubhouse]:
    """The clubs that know a person and whose group they administer now."""
    known = await client.clubs.houses(speaker.person)
    return [house for house in known if await administers(client, speaker, house)]


async def administers(client: Dogear, speaker: Speaker, house: Clubhouse) -> bool:
    """Whether a person is an administrator of a group of the club now. Where Telegram does not tell, they are not."""
    for group in await groups_of(house):
        try:
            if await client.is_administrator(group, speaker.id):
                return True
        except TelegramError:
            continue
    return False
