"""Where the answers to one question appear on Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord

from bot.adapters.chat.postings import AnswerPosting, Standing
from bot.adapters.discord.pieces import Piece
from bot.adapters.discord.sending import ChannelSurface, PrivateSurface
from bot.core import library
from bot.core.club import ClubId
from bot.core.clubhouse import Clock
from bot.core.outcomes import Posting

EDIT_EVERY: Final = timedelta(seconds=1.2)
"""The least time between two edits of one message: five in five seconds and then stalls were measured."""


def edits_every(room: str | None) -> timedelta:
    """How seldom a message that shows how far something is, is edited at least: wherever that is."""
    del room
    return library.EDIT_EVERY


@dataclass
class DiscordPosts:
    """Where the answers to one question appear; ``queued`` tells who asked their place in the queue."""

    room: ChannelSurface | None
    alone: ChannelSurface | PrivateSurface
    club: ClubId
    language: str
    clock: Clock
    queued: Callable[[int], Awaitable[None]]
    noted: Standing | None = None

    def in_room(self) -> Posting:
        """An answer for everyone in the room."""
        assert self.room is not None
        return AnswerPosting[discord.Message, Piece](
            self.room, self.club, self.language, self.clock, EDIT_EVERY, noted=self.noted
        )

    def to_asker(self) -> Posting:
        """An answer for who asked, alone."""
        noted = self.noted if isinstance(self.alone, ChannelSurface) else None  # else its token alone takes it away
        return AnswerPosting[discord.Message, Piece](
            self.alone, self.club, self.language, self.clock, EDIT_EVERY, noted=noted
        )

    async def waiting(self, place: int) -> None:
        """Tell who asked their place in the queue."""
        await self.queued(place)
