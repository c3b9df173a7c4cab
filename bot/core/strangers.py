"""Who sees a room of which a platform tells how many see it, and not who."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from bot.core.audience import Sight, Spectators
from bot.core.club import Person
from bot.core.club_settings import settings_of
from bot.core.ports import Door

There = Callable[[Person], Awaitable[bool]]
"""Asks the platform whether a person is certainly among those who see the room."""

OpenToAll = Callable[[], Awaitable[bool]]
"""Asks the platform whether somebody may see the room whom it does not count."""

ASKED_MOST: Final = 50
"""Members about whom a platform is asked: of more, somebody is taken to be gone."""


async def counted(door: Door, people: int, there: There, open_to_all: OpenToAll) -> Sight:
    """The sight of a room that ``people`` see, the bot not counted: whoever is not of the club is a stranger.

    Under `Spectators.STRICT` a member stands for one of them only if they are certainly there: one who has left unseen,
    or is of the club on another platform, would stand for a stranger who is.
    """
    members = [member.person for member in await door.present()]
    strangers = people - len(members)
    if strangers <= 0 and Spectators(settings_of(await door.settings()).spectators) is Spectators.STRICT:
        if len(members) > ASKED_MOST or await open_to_all():
            return Sight(None, 1)
        strangers = people - sum([await there(person) for person in members])
    return Sight(None, max(0, strangers))
