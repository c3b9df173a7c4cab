"""Who was promised a reply and gets none, since the process died that promised it, is told so by another.

An interaction is noted before it is acknowledged, and forgotten once it is answered. Each process leads its own notes
for as long as it lives (`bot.core.leading`): whoever can lead another's knows that it is gone, and says so for it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

import discord

from bot.adapters.chat import scene as shared
from bot.adapters.chat.presses import Action, parsed
from bot.adapters.discord.faults import AWAY, unsent
from bot.adapters.wording import line
from bot.core.errors import DogearError
from bot.core.leading import Leading
from bot.core.owed import Owed, OwedReply

NOTED_WITHIN: Final = 0.8
"""Seconds for which the database is waited for before an interaction is acknowledged all the same: Discord waits 3."""
LOOK_EVERY: Final = 5.0
"""Seconds between two looks for what others owe."""
GRACE: Final = timedelta(seconds=10)
"""How long nobody asks whether who owes a reply is still there: a session may be lost and made again meanwhile."""
_NO_MENTIONS: Final = discord.AllowedMentions.none()

logger = logging.getLogger("dogear.discord")


class Clubs(shared.Clubs, Protocol):
    """How clubs are found and reached, and what all processes know of the replies that are owed."""

    @property
    def owed(self) -> Owed: ...

    @property
    def leading(self) -> Leading: ...


class Owing:
    """What one client owes, and its looks for what others owe who are gone."""

    def __init__(self, client: discord.Client, owed: Owed, leading: Leading) -> None:
        self._client, self._owed, self._leading = client, owed, leading
        self._me = secrets.token_hex(8)
        self._notes: set[str] = set()
        self._paying: set[asyncio.Task[None]] = set()

    @property
    def _app(self) -> str:
        return str(self._client.application_id)

    async def note(self, interaction: discord.Interaction[Any], *, in_place: bool) -> None:
        """Note that an interaction is to be answered: ``in_place`` where that changes the message that it came from.

        Without a database it is answered all the same.
        """
        key = f"discord:{interaction.id}"
        reply = OwedReply(key, self._app, interaction.token, in_place, self._me, datetime.now(UTC))
        try:
            if await asyncio.wait_for(self._owed.reply_owed(reply), NOTED_WITHIN):
                self._notes.add(key)
        except (DogearError, TimeoutError) as error:
            self._notes.add(key)  # it may stand there
            logger.warning("event=unnoted error=%s", type(error).__name__)

    def paid(self, interaction: discord.Interaction[Any]) -> None:
        """An interaction was answered, or cannot be: forget it, beside whatever else goes on."""
        key = f"discord:{interaction.id}"
        if key in self._notes:
            self._notes.discard(key)
            task = asyncio.ensure_future(self._forget(key))
            self._paying.add(task)
            task.add_done_callback(self._paying.discard)

    async def _forget(self, key: str) -> None:
        with suppress(DogearError):  # whoever looks after this process sees that it was answered
            await self._owed.reply_paid(key)

    async def settle(self) -> None:
        """Wait until what was answered is forgotten."""
        if self._paying:
            await asyncio.wait(self._paying, timeout=2)

    async def run(self, ended: asyncio.Event) -> None:
        """Lead the own notes and look for those of who is gone, until ``ended``."""
        while not ended.is_set():
            try:
                async with self._leading.led(_notes_of(self._me)) as led:
                    while led is not None and not await _over(ended) and await led.holds():
                        await self.look()
            except DogearError as error:
                logger.warning("event=owed-waits error=%s", type(error).__name__)
            await _over(ended)

    async def look(self) -> None:
        """Tell everybody who waits for a process that is gone."""
        replies = await self._owed.replies_owed(self._app, datetime.now(UTC) - GRACE)
        for by in {reply.owed_by for reply in replies} - {self._me}:
            async with self._leading.led(_notes_of(by)) as led:
                if led is not None:
                    await self._told([reply for reply in replies if reply.owed_by == by])

    async def _told(self, replies: Sequence[OwedReply]) -> None:
        for reply in replies:
            try:
                await self._tell(reply)
            except discord.NotFound:
                logger.debug("event=owed-gone")  # it was never acknowledged, or was answered in the room
            except AWAY as error:
                unsent("owed reply", error)
                if not isinstance(error, discord.HTTPException) or error.status >= 500:
                    continue  # it is told at another look
            await self._owed.reply_paid(reply.key)

    async def _tell(self, reply: OwedReply) -> None:
        webhook = discord.Webhook.partial(int(reply.app), reply.token, client=self._client)
        sentence = line("discord_was_stopped")
        if reply.in_place:
            await webhook.send(sentence, ephemeral=True, allowed_mentions=_NO_MENTIONS)
            return
        original: Any = "@original"  # where discord.py asks for a number
        message = await webhook.fetch_message(original)
        if under_way(message):
            await webhook.edit_message(original, content=sentence, view=None, allowed_mentions=_NO_MENTIONS)
            logger.info("event=owed-told")


def under_way(message: discord.Message) -> bool:
    """Whether a reply says that it is still being made: it is deferred, or may be stopped."""
    presses = [
        parsed(getattr(item, "custom_id", None) or "")
        for row in message.components
        for item in getattr(row, "children", ())
    ]
    return message.flags.loading or any(press is not None and press.action is Action.STOP for press in presses)


def _notes_of(process: str) -> str:
    return f"replies {process}"


async def _over(ended: asyncio.Event) -> bool:
    """Whether it is to end, a while from now or before."""
    with suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), LOOK_EVERY)
    return ended.is_set()
