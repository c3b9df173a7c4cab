"""Answers on Discord: messages that grow claim by claim, edited no faster than Discord takes edits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.adapters.discord import render
from bot.adapters.discord.pieces import Piece
from bot.adapters.discord.sending import Surface
from bot.core.club import ClubId
from bot.core.clubhouse import Clock
from bot.core.outcomes import Posting, Showing
from bot.core.roster import Posted

EDIT_EVERY: Final = timedelta(seconds=1.2)
"""The least time between two edits of one message: five in five seconds and then stalls were measured."""

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""


@dataclass(eq=False)
class AnswerPosting:
    """One answer on one surface. Whatever is being written is finished before anything is taken away again."""

    surface: Surface
    club: ClubId
    language: str
    clock: Clock
    pause: Pause = asyncio.sleep
    _standing: list[tuple[discord.Message, Piece]] = field(default_factory=list)
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
        return self._written_at + EDIT_EVERY - self.clock()

    def _places(self) -> tuple[Posted, ...]:
        return tuple(self.surface.posted(message) for message, _ in self._standing)

    async def _write(self, showing: Showing) -> None:
        pieces = render.answer(showing, self.language)
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


@dataclass
class DiscordPosts:
    """Where the answers to one question appear; ``queued`` tells who asked their place in the queue."""

    room: Surface | None
    alone: Surface
    club: ClubId
    language: str
    clock: Clock
    queued: Callable[[int], Awaitable[None]]

    def in_room(self) -> Posting:
        """An answer for everyone in the room."""
        assert self.room is not None
        return AnswerPosting(self.room, self.club, self.language, self.clock)

    def to_asker(self) -> Posting:
        """An answer for who asked, alone."""
        return AnswerPosting(self.alone, self.club, self.language, self.clock)

    async def waiting(self, place: int) -> None:
        """Tell who asked their place in the queue."""
        await self.queued(place)
