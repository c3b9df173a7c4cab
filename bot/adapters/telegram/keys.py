"""What Telegram's chats, topics and people are called in the core: ids alone, since names change."""

from __future__ import annotations

from typing import Final

from bot.core.club import Person

PLATFORM: Final = "telegram"


def spoken(language: str) -> str:
    """A club's language as it is spoken on Telegram: "en" and "en@telegram" are both "en@telegram" here."""
    return f"{language.partition('@')[0]}@{PLATFORM}"


def chat_key(chat: int) -> str:
    """A group, which may hold several clubs; or a private chat. A message is named by its chat and its number."""
    return f"{PLATFORM}:{chat}"


def room_key(chat: int, topic: int | None = None) -> str:
    """A group (its general topic, where it has topics), or a topic of it."""
    return chat_key(chat) if topic is None else f"{chat_key(chat)}/{topic}"


def person_key(user: int) -> Person:
    return f"{PLATFORM}:{user}"


def chat_of(key: str) -> int | None:
    """The chat of a room, a message or a person; None for one of another platform."""
    platform, _, rest = key.partition(":")
    number = rest.partition("/")[0]
    digits = number.removeprefix("-")
    return int(number) if platform == PLATFORM and digits.isascii() and digits.isdecimal() else None


def topic_of(key: str) -> int | None:
    """The topic of a room; None for a whole group."""
    topic = key.partition("/")[2]
    return int(topic) if topic.isascii() and topic.isdecimal() else None


def user_of(person: Person) -> int | None:
    """The user that a person is; None for one of another platform."""
    number = chat_of(person)
    return None if number is None or number < 0 else number
