"""Where the answers to one question appear on Telegram: in a group edited as they grow, privately as drafts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from telegram.constants import ParseMode

from bot.adapters.chat import render
from bot.adapters.chat.postings import AnswerPosting, emptied
from bot.adapters.telegram.keys import chat_of
from bot.adapters.telegram.pieces import Piece
from bot.adapters.telegram.sending import ChatSurface, Sent, quietly
from bot.core import library
from bot.core.club import ClubId
from bot.core.clubhouse import Clock
from bot.core.outcomes import Posting, Showing
from bot.core.roster import Posted

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

EDIT_EVERY: Final = timedelta(seconds=3)
"""The least time between two edits of one message in a group, which is sent 20 messages a minute at most."""
DRAFT_EVERY: Final = timedelta(seconds=0.7)


def edits_every(room: str | None) -> timedelta:
    """How seldom a message in a room or private chat (its key) is edited at least."""
    chat = None if room is None else chat_of(room)
    return EDIT_EVERY if chat is not None and chat < 0 else library.EDIT_EVERY


@dataclass(eq=False)
class PrivatePosting:
    """One answer in a private chat: a draft that grows, in the end a message. Drafts are gone by themselves."""

    surface: ChatSurface
    language: str
    clock: Clock
    draft: int
    _drafted_at: datetime | None = None
    _standing: list[Sent] = field(default_factory=list)
    _writing: asyncio.Task[None] | None = None

    @property
    def grows(self) -> bool:
        """Drafts are written as more comes."""
        return True

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        """Show it in place of what stands. Raises `Unreached` where the person cannot be reached."""
        pieces = self.surface.pieces(render.to_asker(showing, self.language))
        if not showing.complete:
            await self._drafted(pieces[-1])
            return ()
        self._writing = asyncio.ensure_future(self._write(pieces))
        await asyncio.shield(self._writing)
        return tuple(sent.posted for sent in self._standing)

    async def _drafted(self, piece: Piece) -> None:
        now, bot = self.clock(), self.surface.client.bot
        if self._drafted_at is None or now - self._drafted_at >= DRAFT_EVERY:
            self._drafted_at = now
            draft = bot.send_message_draft(self.surface.chat, self.draft, piece.html, parse_mode=ParseMode.HTML)
            await quietly(draft)

    async def _write(self, pieces: tuple[Piece, ...]) -> None:
        await emptied(self._standing, self.surface.delete)
        for piece in pieces:
            self._standing.append(await self.surface.send(piece))

    async def settled(self) -> None:
        """Nobody takes away what is private."""

    async def withdraw(self) -> None:
        """Take away every message of it, and what a draft shows."""
        if self._writing is not None:
            await asyncio.wait([self._writing])
            self._writing = None
        await emptied(self._standing, self.surface.delete)
        if self._drafted_at is not None:
            self._drafted_at = None
            await quietly(self.surface.client.bot.send_message_draft(self.surface.chat, self.draft, ""))


@dataclass
class TelegramPosts:
    """Where the answers to one question appear; ``queued`` tells who asked their place in the queue."""

    client: Dogear
    room: ChatSurface | None
    alone: ChatSurface
    club: ClubId
    language: str
    queued: Callable[[int], Awaitable[None]]

    def in_room(self) -> Posting:
        """An answer for everyone in the group or topic."""
        assert self.room is not None
        return AnswerPosting[Sent, Piece](
            self.room, self.club, self.language, self.client.now, EDIT_EVERY, noted=self.client.owing
        )

    def to_asker(self) -> Posting:
        """An answer for who asked, alone."""
        return PrivatePosting(self.alone, self.language, self.client.now, self.client.next_draft())

    async def waiting(self, place: int) -> None:
        """Tell who asked their place in the queue."""
        await self.queued(place)
