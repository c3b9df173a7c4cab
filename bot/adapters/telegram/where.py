"""Who wrote or pressed something, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import telegram
from telegram.constants import ChatType

from bot.adapters.chat.marked import shortened
from bot.adapters.telegram.keys import chat_key, person_key, room_key
from bot.core.club import Person
from bot.core.club_rooms import LONGEST_NAME
from bot.core.roster import Posted

_NOBODY: Final = frozenset((1087968824, 136817688, 777000))
"""Telegram's own users: an anonymous admin, whoever writes as a channel, and posts that a channel forwards."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person by their number, and what they are called in one line."""

    id: int
    name: str

    @property
    def person(self) -> Person:
        return person_key(self.id)

    @classmethod
    def of(cls, user: telegram.User) -> Speaker:
        return cls(user.id, shortened(user.full_name, LONGEST_NAME) or str(user.id))


@dataclass(frozen=True, slots=True)
class Where:
    """A chat, with its topic where there is one; ``name`` is the chat's, ``topic_name`` the topic's if it is known."""

    chat: int
    private: bool
    name: str = ""
    topic: int | None = None
    topic_name: str = ""

    @property
    def room(self) -> str:
        return room_key(self.chat, self.topic)

    @classmethod
    def of(cls, message: telegram.Message) -> Where:
        """Where a message stands. Replies have a thread too, which is no topic."""
        chat = message.chat
        private = chat.type == ChatType.PRIVATE
        topic = message.message_thread_id if message.is_topic_message and not private else None
        begun = None if message.reply_to_message is None else message.reply_to_message.forum_topic_created
        named = "" if begun is None else shortened(begun.name, LONGEST_NAME)
        return cls(chat.id, private, shortened(chat.title or "", LONGEST_NAME) or str(chat.id), topic, named)


def speaker_of(message: telegram.Message) -> Speaker | None:
    """Who wrote a message, if it is a person who can be known: not somebody who writes as the group or a channel."""
    user = message.from_user
    if user is None or user.is_bot or user.id in _NOBODY or message.sender_chat is not None:
        return None
    return Speaker.of(user)


def borne_by(query: telegram.CallbackQuery) -> Posted | None:
    """The message that has the button that was pressed; None where it has not: a client may send another's."""
    message = query.message
    if not isinstance(message, telegram.Message) or message.reply_markup is None:
        return None
    buttons = (button for row in message.reply_markup.inline_keyboard for button in row)
    if not any(button.callback_data == query.data for button in buttons):
        return None
    return Posted(chat_key(message.chat.id), str(message.message_id))
