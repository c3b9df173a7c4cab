"""An answer that grows: messages that are edited claim by claim, no faster than a platform takes edits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Generic, Protocol, TypeVar

from bot.adapters.chat import render
from bot.adapters.chat.parts import Content
from bot.core.club import ClubId
from bot.core.clubhouse import Clock
from bot.core.outcomes import Showing
from bot.core.roster import Posted

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""

M = TypeVar("M")
"""A message that was sent."""
P = TypeVar("P")
"""A message to send."""


class Surface(Protocol[M, P]):
    """Where messages of one answer stand."""

    def pieces(self, content: Content) -> Sequence[P]:
        """What is said at once, as messages."""

    async def send(self, piece: P, nonce: str) -> M:
        """Send one more message. A second one with the same ``nonce`` is the first one again, where that can be."""

    async def edit(self, message: M, piece: P) -> None: ...

    async def delete(self, message: M) -> None:
        """What is gone already is no error."""

    def posted(self, message: M) -> Posted: ...


@dataclass(eq=False)
class AnswerPosting(Generic[M, P]):
    """One answer on one surface, edited at most once in ``every``; ``language`` is as its platform speaks it.

    Whatever is being written is finished before anything is taken away again.
    """

    surface: Surface[M, P]
    club: ClubId
    language: str
    clock: Clock
    every: timedelta
    pause: Pause = asyncio.sleep
    _standing: list[tuple[M, P]] = field(default_factory=list)
    _written_at: datetime | None = None
    _writing: asyncio.Task[None] | None = None

    @property
    def grows(self) -> bool:
        """Messages are edited as more comes."""
        return True

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        """Show it in place of what stands. What is not whole and comes too early is left to what comes after it; what
        is whole waits for its time, and is shown only if it still holds then.
        """
        early = self._early()
        if early > timedelta(0):
            if not showing.complete:
                return self._places()
            await self.pause(early.total_seconds())
            if not await showing.holds():
                return self._places()
        self._writing = asyncio.ensure_future(self._write(showing))
        await asyncio.shield(self._writing)
        return self._places()

    async def withdraw(self) -> None:
        """Take away every message of it."""
        if self._writing is not None:
            await asyncio.wait([self._writing])
        standing, self._standing, self._writing = self._standing, [], None
        for message, _ in standing:
            await self.surface.delete(message)

    def _early(self) -> timedelta:
        if self._written_at is None:
            return timedelta(0)
        return self._written_at + self.every - self.clock()

    def _places(self) -> tuple[Posted, ...]:
        return tuple(self.surface.posted(message) for message, _ in self._standing)

    async def _write(self, showing: Showing) -> None:
        pieces = self.surface.pieces(render.answer(showing, self.language))
        for number, piece in enumerate(pieces):
            if number == len(self._standing):
                sent = await self.surface.send(piece, f"{self.club}.{showing.question}.{number}")
                self._standing.append((sent, piece))
            elif self._standing[number][1] != piece:
                await self.surface.edit(self._standing[number][0], piece)
                self._standing[number] = (self._standing[number][0], piece)
        while len(self._standing) > len(pieces):
            await self.surface.delete(self._standing.pop()[0])
        self._written_at = self.clock()
