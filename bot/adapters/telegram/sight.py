"""Who can see a group, as far as Telegram tells: bots cannot list its members, only count them.

So every member of the club is taken to see every room, and whoever else is in the group counts as a stranger who does.
Both only make a room's boundary lower.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from telegram.error import TelegramError

from bot.core.audience import See, Sight
from bot.core.clubhouse import Clubhouse

Count = Callable[[int], Awaitable[int]]
"""How many people are in a chat, bots too."""


def seen_in(chat: int, house: Clubhouse, count: Count) -> See:
    """What asks Telegram how many see a chat now. Where it does not tell, there is a stranger."""

    async def see() -> Sight:
        joined = sum(member.joined for member in await house.roster.members())
        try:
            return Sight(None, max(0, await count(chat) - 1 - joined))
        except TelegramError:
            return Sight(None, 1)

    return see
