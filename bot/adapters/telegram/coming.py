"""Who comes to a group and goes, the bot among them, and what it may do there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import telegram

from bot.adapters.chat.scene import inherited
from bot.adapters.telegram import setting_up
from bot.adapters.telegram.keys import room_key
from bot.adapters.telegram.scene import groups_of
from bot.adapters.telegram.where import Speaker
from bot.core.membership import lost

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

_GONE: Final = frozenset((telegram.ChatMember.LEFT, telegram.ChatMember.BANNED))


async def came_or_went(client: Dogear, changed: telegram.ChatMemberUpdated) -> None:
    """Who leaves a group leaves its clubs; Telegram tells it to bots that are administrators."""
    now = changed.new_chat_member
    client.recount(changed.chat.id)
    away = now.status in _GONE or (isinstance(now, telegram.ChatMemberRestricted) and not now.is_member)
    if not away or now.user.is_bot:
        return
    speaker = Speaker.of(now.user)
    owner = await client.owner(room_key(changed.chat.id))
    for house in await client.clubs.houses(speaker.person):
        if changed.chat.id in await groups_of(house):
            gone = await lost(house, speaker.person, owner)
            await inherited(client, None if gone is None else gone.admin)


async def own_rights(client: Dogear, changed: telegram.ChatMemberUpdated) -> None:
    """The bot came to a group, or has other rights in it; or somebody blocked it, or does no more."""
    before, now, chat = changed.old_chat_member.status, changed.new_chat_member.status, changed.chat
    if chat.type == telegram.Chat.PRIVATE:
        await client.unreachable(chat.id, reachable=now not in _GONE)
        return
    if before in _GONE and now not in _GONE:
        await setting_up.came(client, chat.id)
    elif before == telegram.ChatMember.ADMINISTRATOR and now == telegram.ChatMember.MEMBER:
        await setting_up.lost_rights(client, chat.id)
