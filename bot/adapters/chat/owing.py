"""What a process promised and cannot keep any more, since it died, is seen to by another.

That is a reply that somebody waits for, and a message that says that it is still being written. Each is noted, and
forgotten once it is done. A process leads its own notes for as long as it lives (`bot.core.leading`): whoever can lead
another's knows that it is gone, and sees to what it left.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Final, Protocol

from bot.adapters.chat import scene as shared
from bot.core.errors import DogearError, Refused, Unavailable, trace_of
from bot.core.leading import Leading
from bot.core.owed import OWED_FOR, Owed, OwedReply
from bot.core.roster import Posted

NOTED_WITHIN: Final = 10.0
"""Seconds for which the database is waited for before it is gone on without a note."""
HURRIED_WITHIN: Final = 0.8
"""The same where Discord waits, which does so for 3 in all."""
LOOK_EVERY: Final = 5.0
"""Seconds between two looks for what others left."""
AGAIN: Final = 1.0
"""Seconds after which the own notes are led again, where a session was lost."""
GRACE: Final = 10.0
"""Seconds for which nobody leads what a process noted before it is taken to be gone: where the database is started
again all sessions are lost at once, and made again one after another.
"""
_ANY_CLOCK: Final = timedelta(days=1)
"""How far ahead the clock of a process may have been that noted something."""

logger = logging.getLogger("dogear.chat")


class Clubs(shared.Clubs, Protocol):
    """How clubs are found and reached, and what all processes know of what is owed."""

    @property
    def owed(self) -> Owed: ...

    @property
    def leading(self) -> Leading: ...


@dataclass(eq=False)
class Owing:
    """What one client owes, and its looks for what others left.

    ``app`` tells which bot it is on which platform; ``see_to`` gives somebody a reply that another process owes, and
    ``take_down`` takes a message away, or raise what the platform says. Where it is ``away`` by that both are done
    again at another look.
    """

    clubs: Clubs
    app: Callable[[], str]
    take_down: Callable[[Posted], Awaitable[object]]
    see_to: Callable[[OwedReply], Awaitable[None]]
    away: Callable[[Exception], bool]
    _me: str = field(default_factory=lambda: secrets.token_hex(8))
    _noted: set[str] = field(default_factory=set)
    _paying: set[asyncio.Task[None]] = field(default_factory=set)
    _missed: dict[str, float] = field(default_factory=dict)
    """Since when nobody leads the notes of a process (seconds of a clock that is never set)."""
    _left: dict[str, float] = field(default_factory=dict)
    """Since when what is to be taken away could not be."""

    async def note(self, key: str, token: str = "", *, in_place: bool = False, hurried: bool = False) -> bool:
        """Note that a reply is owed; false where it is noted already. Without a database it is gone on all the same."""
        reply = OwedReply(key, self.app(), token, in_place, self._me, datetime.now(UTC))
        return await self._noted_by(self.clubs.owed.reply_owed, reply, HURRIED_WITHIN if hurried else NOTED_WITHIN)

    async def taken_over(self, key: str, token: str = "") -> None:
        """What another process noted, and had not begun when it died, is owed by this one from now on."""
        if key not in self._noted:
            reply = OwedReply(key, self.app(), token, False, self._me, datetime.now(UTC))
            await self._noted_by(self.clubs.owed.reply_taken_over, reply, NOTED_WITHIN)

    async def _noted_by(self, do: Callable[[OwedReply], Awaitable[bool]], reply: OwedReply, within: float) -> bool:
        try:
            new = await asyncio.wait_for(do(reply), within)
        except (DogearError, TimeoutError) as error:
            new = True  # it may stand there
            logger.warning("event=unnoted error=%s", type(error).__name__)
        if new:
            self._noted.add(reply.key)
        return new

    def paid(self, key: str) -> None:
        """What was noted is done, or cannot be: forget it, beside whatever else goes on."""
        if key in self._noted:
            self._noted.discard(key)
            task = asyncio.ensure_future(self._forget(key))
            self._paying.add(task)
            task.add_done_callback(self._paying.discard)

    def passed_on(self, key: str) -> None:
        """Another process does what is noted here, and owes the reply: what stands of this note is forgotten soon."""
        self._noted.discard(key)

    async def _forget(self, key: str) -> None:
        with suppress(DogearError):  # it is forgotten at a look then
            await self.clubs.owed.reply_paid(key)

    async def begun(self, posted: Posted) -> None:
        """A message stands that says that it is still being written."""
        await self.note(_stands(posted))

    async def over(self, posted: Posted) -> None:
        """It is whole and recorded, or is taken away: it is nobody else's business from now on."""
        self.paid(_stands(posted))

    async def left(self, posted: Posted) -> None:
        """It could not be taken away: that is tried again at each look."""
        key = _stands(posted)
        await self.note(key)
        self._noted.discard(key)
        self._left[key] = monotonic()

    async def settle(self) -> None:
        """Wait until what is done is forgotten."""
        if self._paying:
            await asyncio.wait(self._paying, timeout=2)

    async def run(self) -> None:
        """Lead the own notes and look for those of who is gone, until it is cancelled: after the last reply."""
        while True:
            with _another_time():
                async with self.clubs.leading.led(_notes_of(self._me)) as led:
                    while led is not None and await led.holds():
                        with _another_time():
                            await self.look()
                        await asyncio.sleep(LOOK_EVERY)
            self._missed.clear()  # who lost a session with this one's is missed anew
            await asyncio.sleep(AGAIN)

    async def look(self) -> None:
        """See to what was left by processes that are gone, and forget what is owed here no more."""
        replies = await self._all()
        await self._tidied([reply for reply in replies if reply.owed_by == self._me])
        others = {reply.owed_by for reply in replies} - {self._me}
        now = monotonic()
        self._missed = {by: self._missed.get(by, now) for by in others}
        for by in others:
            async with self.clubs.leading.led(_notes_of(by)) as led:
                if led is None:
                    del self._missed[by]
                elif now - self._missed[by] >= GRACE:
                    await self._seen_to([reply for reply in await self._all() if reply.owed_by == by])

    async def _all(self) -> tuple[OwedReply, ...]:
        """All that is owed now: what one process owed another may have taken over since the last time."""
        return await self.clubs.owed.replies_owed(self.app(), datetime.now(UTC) + _ANY_CLOCK)

    async def _tidied(self, own: list[OwedReply]) -> None:
        """Take away what could not be till now, and forget what is owed no more."""
        await self._seen_to([reply for reply in own if reply.key in self._left])
        self._left = {key: since for key, since in self._left.items() if monotonic() - since < OWED_FOR.total_seconds()}
        before = datetime.now(UTC) - timedelta(seconds=GRACE)  # what is noted now may not be known here yet
        for reply in own:
            if reply.key not in self._noted and reply.key not in self._left and reply.noted_at < before:
                await self.clubs.owed.reply_paid(reply.key)

    async def _seen_to(self, replies: list[OwedReply]) -> None:
        """See to each, and forget it, unless its platform is away."""
        for reply in replies:
            try:
                await self._given(reply)
            except Unavailable:
                raise
            except Refused as refused:
                logger.info("event=owed-untold error=%s", type(refused).__name__)
            except Exception as error:
                if self.away(error):
                    continue
                logger.error("event=owed-failed\n%s", trace_of(error))  # noqa: TRY400 - no message
            self._left.pop(reply.key, None)
            await self.clubs.owed.reply_paid(reply.key)

    async def _given(self, reply: OwedReply) -> None:
        kind, _, rest = reply.key.partition(" ")
        place, _, message = rest.rpartition(" ")
        if kind == _STANDS:
            await self.take_down(Posted(place, message))
        else:
            await self.see_to(reply)
        logger.info("event=owed-seen-to kind=%s", kind if kind == _STANDS else "reply")


@contextmanager
def _another_time() -> Iterator[None]:
    """What fails is logged, and done again another time."""
    try:
        yield
    except DogearError as error:
        logger.warning("event=owed-waits error=%s", type(error).__name__)
    except Exception as error:
        logger.error("event=owed-failed\n%s", trace_of(error))  # noqa: TRY400 - no message


_STANDS: Final = "stands"


def _stands(posted: Posted) -> str:
    return f"{_STANDS} {posted.place} {posted.message}"


def _notes_of(process: str) -> str:
    return f"replies {process}"
