"""What Telegram tells of the people in a chat, as of the last minute."""

from __future__ import annotations

from typing import Any

import telegram
from telegram.error import BadRequest
from telegram.ext import ExtBot

from bot.adapters.chat.remembered import Remembered


class Census:
    """Asks, and remembers for a minute. All raise what Telegram says instead, and then nothing is remembered."""

    def __init__(self, bot: ExtBot[Any]) -> None:
        self._bot = bot
        self._told = Remembered()

    async def count(self, chat: int) -> int:
        """How many people are in it, bots too."""
        return await self._told.asked(chat, "count", lambda: self._bot.get_chat_member_count(chat))

    async def open_to_all(self, chat: int) -> bool:
        """Whether who is not in it can read it: it has a public name, or a channel whose readers discuss there."""

        async def ask() -> bool:
            told = await self._bot.get_chat(chat)
            return bool(told.username or told.active_usernames or told.linked_chat_id)

        return await self._told.asked(chat, "open", ask)

    async def present(self, chat: int, number: int) -> bool:
        """Whether somebody is in it."""

        async def ask() -> bool:
            try:
                return is_inside(await self._bot.get_chat_member(chat, number))
            except BadRequest:
                return False

        return await self._told.asked(chat, number, ask)

    def forget(self, chat: int) -> None:
        """Somebody came or went."""
        self._told.forget(chat)


def is_inside(member: telegram.ChatMember) -> bool:
    """Whether this is how Telegram says that somebody is in a chat."""
    if isinstance(member, telegram.ChatMemberRestricted):
        return member.is_member
    return member.status not in (telegram.ChatMember.LEFT, telegram.ChatMember.BANNED)
