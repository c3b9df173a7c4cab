"""`/club setup`, and what a group is told when the bot comes to it or its rights change."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot.adapters.chat import render
from bot.adapters.chat.parts import Content, Part
from bot.adapters.chat.said import said
from bot.adapters.telegram import zones
from bot.adapters.telegram.keys import chat_key, spoken
from bot.adapters.telegram.scene import scene_in
from bot.adapters.telegram.telling import told_alone, told_openly
from bot.adapters.telegram.where import Speaker, Where
from bot.adapters.wording import line
from bot.core.club_settings import settings_of
from bot.core.clubs import Founding, club_set_up, set_up_in
from bot.core.errors import Refused
from bot.core.life import welcome

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

FIRST_CLUB = "club"
"""What a group's club is called unless it is given a name."""


async def set_up(client: Dogear, speaker: Speaker, where: Where, name: str) -> None:
    """Set up a club in a group or topic: by an administrator of it. What is said of it is said there."""
    if where.private:
        raise Refused("no_room", line("telegram_setup_where"))
    if not await client.is_administrator(where.chat, speaker.id):
        raise Refused("group_admins_only", line("telegram_setup_rights"))
    directory, room_name = client.clubs.directory, where.topic_name or where.name
    known = await directory.club_of_room(where.room)
    if known is None:
        founding = Founding(
            chat_key(where.chat), name or FIRST_CLUB, where.room, room_name, speaker.person, speaker.name
        )
        made = await club_set_up(directory, client.clubs.clubhouse, founding)
    else:
        made = await set_up_in(client.clubs.clubhouse(known), where.room, room_name, speaker.person, speaker.name)
    house = client.clubs.clubhouse(made.club)
    language = spoken(settings_of(await house.rooms.settings()).language)
    greeted = await welcome(house, made.admin)
    if made.new:
        await client.announce(where.room, render.greeting(greeted, made.club, language), "")
    lines = [line("setup_done", language, room=made.room.name, name=made.admin.name)]
    if greeted.book is None:
        lines.append(line("telegram_setup_book", language))
    administers = await _administers(client, where.chat)
    sees = "telegram_sees_all" if administers or client.bot.can_read_all_group_messages else "telegram_privacy_mode"
    lines += [line(sees, language), line("setup_spectators", language)]
    if not administers:
        lines.append(line("telegram_no_rights", language))
    await told_openly(client, where, *lines, to=speaker)
    scene = await scene_in(client, speaker, where, made.club, as_admin=True)
    if await zones.unset(scene):
        asked = said(line("telegram_zone", language), buttons=zones.offered(scene))
        await told_alone(client, speaker, where, asked, made.club, None)


async def _administers(client: Dogear, chat: int) -> bool:
    """Whether the bot is an administrator: it is then told who leaves, and all that is said."""
    try:
        return await client.is_administrator(chat, client.bot.id)
    except TelegramError:
        return False


async def came(client: Dogear, chat: int) -> None:
    """Say, once, what to do first; where nothing may be written it is left."""
    with suppress(Refused, TelegramError):
        await client.announce(chat_key(chat), Content((Part(line("telegram_hello")),)), "")


async def lost_rights(client: Dogear, chat: int) -> None:
    """Tell a club that nobody says who leaves any more."""
    if await client.clubs.directory.club_of_room(chat_key(chat)) is not None:
        with suppress(Refused, TelegramError):
            await client.announce(chat_key(chat), Content((Part(line("telegram_no_rights")),)), "")
