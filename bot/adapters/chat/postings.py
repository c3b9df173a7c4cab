"""An answer that grows: messages that are edited claim by claim, no faster than a platform takes edits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Generic, Protocol, TypeVar

from bot.adapters.chat import render
from bot.adapters.chat.parts import Content
from bot.adapters.chat.patience import WRITING, patiently
from bot.core.club import ClubId
from bot.core.clubhouse import Clock
from bot.core.outcomes import Showing
from bot.core.roster import Posted

logger = logging.getLogger("dogear.chat")

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""

PATIENCE: Final = 2.0
"""Seconds that what is being written is waited for, when all is taken away: a platform may keep it for long."""

_LATER: Final[set[asyncio.Task[None]]] = set()
"""What was on its way when it was to be taken away, and is taken away as soon as it stands."""

M = TypeVar("M")
"""A message that was sent."""
P = TypeVar("P")
"""A message to send."""


async def emptied(standing: list[M], delete: Callable[[M], Awaitable[None]]) -> None:
    """Take every message away, the last first, also where another cannot be; what is not gone is left in ``standing``.
    Raises the first error, after the last message.
    """
    failed: Exception | None = None
    for message in reversed([*standing]):
        try:
            await delete(message)
        except Exception as error:
            failed = failed or error
        else:
            standing.remove(message)
    if failed is not None:
        raise failed


class Surface(Protocol[M, P]):
    """Where messages of one answer stand. ``removes`` says that a deleted message is gone, whatever is edited later."""

    @property
    def removes(self) -> bool: ...

    def pieces(self, content: Content) -> Sequence[P]:
        """What is said at once, as messages."""

    def spare(self) -> bool:
        """Whether what is not whole may be sent now."""

    async def send(self, piece: P, nonce: str) -> M:
        """Send one more message. A second one with the same ``nonce`` is the first one again, where that can be."""

    async def edit(self, message: M, piece: P) -> None: ...

    async def delete(self, message: M) -> None:
        """What is gone already is no error."""

    def posted(self, message: M) -> Posted: ...

    def away(self, error: Exception) -> bool:
        """Whether the platform does not answer for the moment: edits and deletions are done again then."""

    def sends_again(self, error: Exception) -> bool:
        """Whether a message that raised this can be sent again, under its nonce, and does not come twice."""

    def neutral(self) -> P:
        """What stands in place of what does not hold any more."""


class Standing(Protocol):
    """Where messages are noted that are not whole and recorded: another process takes them away where this one dies."""

    async def begun(self, posted: Posted) -> None:
        """A message stands of what is still being written, or recorded."""

    async def over(self, posted: Posted) -> None:
        """It is whole and recorded, or is gone. Nothing is waited for."""

    async def left(self, posted: Posted) -> None:
        """It is to be gone, and could not be taken away."""


async def _over_soon(writing: asyncio.Task[None] | None, patience: float) -> None:
    """Wait so many seconds for what is being written. That it fails is no error: it came too late."""
    if writing is None or writing in _LATER:
        return

    def over(done: asyncio.Task[None]) -> None:
        _LATER.discard(done)
        if not done.cancelled() and (error := done.exception()) is not None:
            logger.info("event=came-too-late error=%s", type(error).__name__)

    _LATER.add(writing)
    writing.add_done_callback(over)
    await asyncio.wait([writing], timeout=patience)


@dataclass(eq=False)
class AnswerPosting(Generic[M, P]):
    """One answer on one surface, edited at most once in ``every``; ``language`` is as its platform speaks it.

    Writing is never broken off, since nobody would know whether it was done: what is still being written when all is to
    be taken away is taken away after it.
    """

    surface: Surface[M, P]
    club: ClubId
    language: str
    clock: Clock
    every: timedelta
    pause: Pause = asyncio.sleep
    noted: Standing | None = None
    _standing: list[tuple[M, P]] = field(default_factory=list)
    _written_at: datetime | None = None
    _writing: asyncio.Task[None] | None = None
    _noting: bool = False

    @property
    def grows(self) -> bool:
        """Messages are edited as more comes."""
        return True

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        """Show it in place of what stands. What is not whole and comes too early is left to what comes after it; what
        is whole waits for its time, and is shown only if it still holds then.
        """
        if not showing.complete and not self.surface.spare():
            return self._places()
        early = self._early()
        if early > timedelta(0):
            if not showing.complete:
                return self._places()
            await self.pause(early.total_seconds())
            if not await showing.holds():
                return self._places()
        self._writing = asyncio.ensure_future(self._write(showing, self._standing))
        await asyncio.shield(self._writing)
        return self._places()

    async def settled(self) -> None:
        """Until now another process would take it away where this one dies: also what is whole, of which nobody would
        know where it stands, and what was not edited in or sent yet.
        """
        for message, _ in self._standing:
            await self._over(message)

    async def withdraw(self) -> None:
        """Take away every message of it; what a platform does not take for the moment, as soon as it stands. Where this
        is broken off, or fails, doing it again goes on with what is left.
        """
        standing = self._standing = [*self._standing]  # what is being written sees that it is another
        writing, self._writing = self._writing, None
        patience = 0 if self._noting else PATIENCE  # while a message is noted nothing is on its way
        if not self.surface.removes:
            await _over_soon(writing, patience)
        try:
            await emptied(standing, lambda written: self._deleted(written[0]))
        finally:
            if self.surface.removes:
                await _over_soon(writing, patience)

    async def _deleted(self, message: M) -> None:
        """Take a message away, patiently; what cannot be is noted, to be taken away later, and raised."""
        try:
            await patiently(lambda: self.surface.delete(message), self.surface.away, WRITING)
        except Exception:
            if self.noted is not None:
                await self.noted.left(self.surface.posted(message))
            raise
        await self._over(message)

    async def _over(self, message: M) -> None:
        if self.noted is not None:
            await self.noted.over(self.surface.posted(message))

    def _early(self) -> timedelta:
        if self._written_at is None:
            return timedelta(0)
        return self._written_at + self.every - self.clock()

    def _places(self) -> tuple[Posted, ...]:
        return tuple(self.surface.posted(message) for message, _ in self._standing)

    async def _write(self, showing: Showing, standing: list[tuple[M, P]]) -> None:
        pieces = self.surface.pieces(render.answer(showing, self.language))
        for number, piece in enumerate(pieces):
            if standing is not self._standing:
                return
            if number == len(standing):
                sent = await self._sent(piece, f"{self.club}.{showing.question}.{number}", showing, standing)
                if standing is not self._standing:
                    await self._deleted(sent)
                    return
                standing.append((sent, piece))
                if self.noted is not None:
                    self._noting = True
                    try:
                        await self.noted.begun(self.surface.posted(sent))
                    finally:
                        self._noting = False
                    if standing is not self._standing:  # it was taken away before it was noted
                        await self._over(sent)
                        return
            elif standing[number][1] != piece:
                await self._edited(standing[number][0], piece, showing, standing)
                if standing is not self._standing:
                    return
                standing[number] = (standing[number][0], piece)
        while len(standing) > len(pieces):
            message = standing[-1][0]
            await self._deleted(message)
            if standing is not self._standing:
                return
            standing.pop()
        self._written_at = self.clock()

    async def _sent(self, piece: P, nonce: str, showing: Showing, standing: list[tuple[M, P]]) -> M:
        """Send a message, once; where it may have come unseen it is found by its nonce. What does not hold any more by
        then is not sent again, but a neutral word.
        """
        tried = False

        async def send() -> M:
            nonlocal tried
            holds = not tried or (standing is self._standing and await showing.holds())
            tried = True
            return await self.surface.send(piece if holds else self.surface.neutral(), nonce)

        return await patiently(send, self.surface.sends_again, WRITING)

    async def _edited(self, message: M, piece: P, showing: Showing, standing: list[tuple[M, P]]) -> None:
        """Edit a message; what does not hold any more once the platform is back is left to be taken away."""
        tried = False

        async def edit() -> None:
            nonlocal tried
            if not tried or (standing is self._standing and await showing.holds()):
                tried = True
                await self.surface.edit(message, piece)

        await patiently(edit, self.surface.away, WRITING)
