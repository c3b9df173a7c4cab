"""What Discord's servers, channels and people are called in the core: ids alone, since names change."""

from __future__ import annotations

from bot.core.club import Person

PLATFORM = "discord"


def server_key(guild: int) -> str:
    """A server: it may hold several clubs."""
    return f"{PLATFORM}:{guild}"


def room_key(guild: int, channel: int) -> str:
    """A channel or a thread of a server."""
    return f"{PLATFORM}:{guild}/{channel}"


def place_key(guild: int | None, channel: int) -> str:
    """Where a message stands: a channel of a server, or a direct channel."""
    return f"{PLATFORM}:{channel}" if guild is None else room_key(guild, channel)


def person_key(user: int) -> Person:
    return f"{PLATFORM}:{user}"


def channel_of(key: str) -> int | None:
    """The channel of a room or of a place; None for one of another platform."""
    platform, _, rest = key.partition(":")
    number = rest.rpartition("/")[2]
    return int(number) if platform == PLATFORM and number.isdecimal() and number.isascii() else None


def guild_of(key: str) -> int | None:
    """The server of a room; None for whatever else."""
    platform, _, rest = key.partition(":")
    number, slash, _ = rest.partition("/")
    return int(number) if platform == PLATFORM and slash and number.isdecimal() and number.isascii() else None


def user_of(person: Person) -> int | None:
    """The user that a person is; None for one of another platform."""
    platform, _, number = person.partition(":")
    return int(number) if platform == PLATFORM and number.isdecimal() and number.isascii() else None
