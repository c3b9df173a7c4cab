"""What a process promised and cannot keep any more, since it died, is seen to by another.

That is a reply that somebody waits for, and a message that says that it is still being written. Each is noted, and
forgotten once it is done. A process leads its own notes for as long as it lives (`bot.core.leading`): whoever can lead
another's knows that it is gone, and sees to what it left.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

from bot.adapters.chat import scene as shared
from bot.core.errors import DogearError
from bot.core.leading import Leading
from bot.core.owed import Owed, OwedReply
from bot.core.roster import Posted

NOTED_WITHIN: Final = 0.8
"""Seconds for which the database is waited for before it is gone on without a note: Discord waits for 3 in all."""
LOOK_EVERY: Final = 5.0
"""Seconds between two looks for what others left."""
GRACE: Final = timedelta(seconds=10)
"""How long nobody asks whether who noted something is still there: a session may be lost and made again meanwhile."""

logger = logging.getLogger("dogear.chat")


class Clubs(shared.Clubs, Protocol):
    """How clubs are found and reached, and what all processes know of what is owed."""

    @property
    def owed(self) -> Owed: ...

    @property
    def leading(self) -> Leading: ...


class Away(Exception):
    """A platform cannot be asked now: what is owed there is seen to at another look."""


@dataclass(eq=False)
class Owing:
    """What one client owes, and its looks for what others left.

    ``app`` tells which bot it is on which platform; ``see_to`` gives somebody a reply that another process owes, and
    ``take_down`` takes a message away. Both may raise `Away`.
    """

    clubs: Clubs
    app: Callable[[], str]
    take_down: Callable[[Posted], Awaitable[bool]]
    see_to: Callable[[OwedReply], Awaitable[None]]
    _me: str = field(default_factory=lambda: secrets.token_hex(8))
    _noted: set[str] = field(default_factory=set)
    _paying: set[asyncio.Task[None]] = field(default_factory=set)

    async def note(self, key: str, token: str = "", *, in_place: bool = False) -> None:
        """Note that a reply is owed. Without a database it is gone on all the same."""
        reply = OwedReply(key, self.app(), token, in_place, self._me, datetime.now(UTC))
        try:
            if await asyncio.wait_for(self.clubs.owed.reply_owed(reply), NOTED_WITHIN):
                self._noted.add(key)
        except (DogearError, TimeoutError) as error:
            self._noted.add(key)  # it may stand there
            logger.warning("event=unnoted error=%s", type(error).__name__)

    async def taken_over(self, key: str, token: str = "") -> None:
        """What another process noted, and had not begun when it died, is owed by this one from now on."""
        if key not in self._noted:
            await self._forget(key)
            await self.note(key, token)

    def paid(self, key: str) -> None:
        """A reply was given, or cannot be: forget it, beside whatever else goes on."""
        if key in self._noted:
            self._noted.discard(key)
            task = asyncio.ensure_future(self._forget(key))
            self._paying.add(task)
            task.add_done_callback(self._paying.discard)

    async def _forget(self, key: str) -> None:
        with suppress(DogearError):  # whoever looks after this process sees that it was answered
            await self.clubs.owed.reply_paid(key)

    async def begun(self, posted: Posted) -> None:
        """A message stands that says that it is still being written."""
        await self.note(_stands(posted))

    async def over(self, posted: Posted) -> None:
        """It is about to be whole, or is taken away: it is nobody else's business from now on."""
        key = _stands(posted)
        if key in self._noted:
            self._noted.discard(key)
            await self._forget(key)

    async def settle(self) -> None:
        """Wait until what was answered is forgotten."""
        if self._paying:
            await asyncio.wait(self._paying, timeout=2)

    async def run(self) -> None:
        """Lead the own notes and look for those of who is gone, until it is cancelled: after the last reply."""
        while True:
            try:
                async with self.clubs.leading.led(_notes_of(self._me)) as led:
                    while led is not None and await led.holds():
                        await self.look()
                        await asyncio.sleep(LOOK_EVERY)
            except DogearError as error:
                logger.warning("event=owed-waits error=%s", type(error).__name__)
            await asyncio.sleep(LOOK_EVERY)

    async def look(self) -> None:
        """See to what was left by processes that are gone."""
        replies = await self.clubs.owed.replies_owed(self.app(), datetime.now(UTC) - GRACE)
        for by in {reply.owed_by for reply in replies} - {self._me}:
            async with self.clubs.leading.led(_notes_of(by)) as led:
                for reply in (one for one in replies if led is not None and one.owed_by == by):
                    with suppress(Away):
                        await self._seen_to(reply)
                        await self.clubs.owed.reply_paid(reply.key)

    async def _seen_to(self, reply: OwedReply) -> None:
        kind, _, rest = reply.key.partition(" ")
        place, _, message = rest.rpartition(" ")
        if kind == _STANDS:
            await self.take_down(Posted(place, message))
        else:
            await self.see_to(reply)
        logger.info("event=owed-seen-to kind=%s", kind if kind == _STANDS else "reply")


_STANDS: Final = "stands"


def _stands(posted: Posted) -> str:
    return f"{_STANDS} {posted.place} {posted.message}"


def _notes_of(process: str) -> str:
    return f"replies {process}"
