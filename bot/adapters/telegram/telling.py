"""What is said to one person who wrote in a group: in their private chat, or, where nothing reaches them yet, through a
button in the group that opens it. The group sees the same words each time.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot.adapters.chat.parts import Button, Content, Part, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said
from bot.adapters.telegram.faults import Unreached
from bot.adapters.telegram.sending import ChatSurface, told
from bot.adapters.telegram.where import Speaker, Where
from bot.adapters.wording import line
from bot.core.club import ClubId
from bot.core.errors import DogearError
from bot.core.owed import OwedReply

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear, Later


async def told_alone(
    client: Dogear, speaker: Speaker, where: Where, spoken: Said, club: ClubId | None, again: Later | None
) -> None:
    """Tell one person. ``again`` does what they did again, and tells it, once they have opened the private chat."""
    try:
        await client.to_person(speaker.id, *spoken.contents)
    except Unreached:
        if not where.private:
            await pointed(client, speaker, where, club, again)


async def pointed(
    client: Dogear, speaker: Speaker, where: Where, club: ClubId | None, again: Later | None = None
) -> None:
    """Show somebody in a group the way to the private chat, where the group has room for it: answers come first."""
    if again is not None:
        client.remember(speaker.id, again)
    press = Press(Action.OPEN, club or 0, person=speaker.id)
    button = Button(press, line("telegram_open_button"), Weight.MAIN)
    words = Part(line("telegram_open", name=speaker.name))
    with client.pace.claimed(where.chat) as free:
        if free:
            await told(ChatSurface(client, where.chat, where.topic), Content((words,), (button,)))


async def told_openly(client: Dogear, where: Where, *lines: str, to: Speaker | None = None) -> None:
    """Say something where somebody wrote, to whoever reads there: nothing of a book, and of nobody's place.

    A group that is said a lot has no room for it, since answers come first: then ``to`` them alone.
    """
    with client.pace.claimed(where.chat) as free:
        if free:
            await told(ChatSurface(client, where.chat, where.topic), *said(*lines).contents)
        elif to is not None:
            with suppress(Unreached):
                await client.to_person(to.id, *said(*lines).contents)


async def last_word(client: Dogear, speaker: Speaker, where: Where) -> None:
    """Tell who waits that the program ends: what is cancelled is not waited for again."""
    with suppress(DogearError, TelegramError):
        await told_alone(client, speaker, where, said(line("telegram_restarting")), None, None)


async def stopped(client: Dogear, reply: OwedReply) -> None:
    """Tell whom another process owed something, before it died, that it was stopped; what it had not begun is done
    all the same. Raises `Unreached`, `Unavailable`, and what Telegram says.
    """
    if not await client.inlet.untouched(reply.key):
        await client.to_person(int(reply.token), *said(line("telegram_was_stopped")).contents)
