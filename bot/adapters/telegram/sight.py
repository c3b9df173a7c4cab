"""Who can see a group, as far as Telegram tells: bots cannot list its members, only count them.

So every member of the club is taken to see every room, and whoever else is in the group counts as a stranger who does,
as whoever can read it does who is in no group. All of it only makes a room's boundary lower.
"""

from __future__ import annotations

from typing import Protocol

from telegram.error import TelegramError

from bot.adapters.telegram.keys import user_of
from bot.core.audience import See, Sight
from bot.core.club import Person
from bot.core.ports import Door
from bot.core.strangers import counted


class Counts(Protocol):
    """What Telegram tells of a chat. All raise what Telegram says instead."""

    async def count(self, chat: int) -> int:
        """How many people are in it, bots too."""

    async def open_to_all(self, chat: int) -> bool:
        """Whether who is not in it can read it."""

    async def present(self, chat: int, number: int) -> bool:
        """Whether somebody is in it."""


def seen_in(chat: int, counts: Counts) -> See:
    """What asks Telegram how many see a chat now. Where it does not tell, there is a stranger."""

    async def there(person: Person) -> bool:
        number = user_of(person)
        return number is not None and await counts.present(chat, number)

    async def open_to_all() -> bool:
        return await counts.open_to_all(chat)

    async def see(door: Door) -> Sight:
        try:
            return await counted(door, await counts.count(chat) - 1, there, open_to_all)
        except TelegramError:
            return Sight(None, 1)

    return see
