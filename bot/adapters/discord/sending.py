"""Pieces on their way to Discord: in a channel, to one person in answer to an interaction, or in a direct message.

Nothing that is sent mentions anybody or shows a preview of a link, whatever its words are.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.adapters.chat.parts import Content, Part
from bot.adapters.discord.faults import away
from bot.adapters.discord.keys import place_key
from bot.adapters.discord.pieces import Piece, pieces_of
from bot.adapters.discord.views import view_of
from bot.adapters.wording import line
from bot.core.errors import Refused
from bot.core.roster import Posted

logger = logging.getLogger("dogear.discord")

NO_MENTIONS: Final = discord.AllowedMentions.none()
NONCE: Final = 25
"""Characters of a nonce: of two messages with one nonce Discord keeps the first alone."""


def _files(piece: Piece) -> list[discord.File]:
    return [discord.File(io.BytesIO(file.data), file.name, description=file.alt) for file in piece.files]


@dataclass(frozen=True, slots=True)
class ChannelSurface:
    """A channel, a thread or a direct channel: ordinary messages of the bot."""

    channel: discord.abc.Messageable

    @property
    def removes(self) -> bool:
        """A deleted message is gone."""
        return True

    def pieces(self, content: Content) -> tuple[Piece, ...]:
        return pieces_of(content)

    def spare(self) -> bool:
        return True

    async def send(self, piece: Piece, nonce: str) -> discord.Message:
        more: dict[str, Any] = {"files": _files(piece)} if piece.files else {}
        try:
            return await self.channel.send(
                piece.content,
                view=view_of(piece),
                nonce=nonce[:NONCE],
                suppress_embeds=True,
                allowed_mentions=NO_MENTIONS,
                **more,
            )
        except discord.Forbidden:
            raise Refused("may_not_write", line("discord_may_not_write")) from None

    async def edit(self, message: discord.Message, piece: Piece) -> None:
        """Raises `Refused` where somebody deleted it, or it may not be written to any more."""
        try:
            await message.edit(content=piece.content, view=view_of(piece), allowed_mentions=NO_MENTIONS)
        except discord.NotFound:
            raise Refused("taken_down", line("discord_taken_down")) from None
        except discord.Forbidden:
            raise Refused("may_not_write", line("discord_may_not_write")) from None

    async def delete(self, message: discord.Message) -> None:
        """Where the bot may not even see the channel any more the message stays: the operator is told."""
        try:
            await message.delete()
        except discord.NotFound:
            logger.debug("event=gone-already message=%d", message.id)  # by a moderator, or by an earlier press
        except discord.Forbidden:
            logger.error("event=left-standing message=%d", message.id)  # noqa: TRY400 - no words of it

    def away(self, error: Exception) -> bool:
        return away(error)

    def sends_again(self, error: Exception) -> bool:
        """By its nonce."""
        return away(error)

    def neutral(self) -> Piece:
        return _neutral()

    def posted(self, message: discord.Message) -> Posted:
        guild = None if message.guild is None else message.guild.id
        return Posted(place_key(guild, message.channel.id), str(message.id))


@dataclass(slots=True)
class PrivateSurface:
    """What one person alone sees in answer to an interaction that was deferred ephemerally: first in the place of the
    deferred reply, then in followups.
    """

    interaction: discord.Interaction[Any]
    first: bool = True

    @property
    def used(self) -> bool:
        """Whether anything stands in the place of the deferred reply."""
        return not self.first

    @property
    def removes(self) -> bool:
        """The deferred reply stays, in other words: an edit on its way may still come over them."""
        return False

    def pieces(self, content: Content) -> tuple[Piece, ...]:
        return pieces_of(content)

    def spare(self) -> bool:
        return True

    async def send(self, piece: Piece, nonce: str) -> discord.Message:
        if self.first:
            original = await self.interaction.edit_original_response(
                content=piece.content, view=view_of(piece), attachments=_files(piece), allowed_mentions=NO_MENTIONS
            )
            self.first = False  # until it is known to stand there the same may be said again
            return original
        more: dict[str, Any] = {"files": _files(piece)} if piece.files else {}
        view = view_of(piece)
        if view is not None:
            more["view"] = view
        return await self.interaction.followup.send(
            piece.content, ephemeral=True, wait=True, suppress_embeds=True, allowed_mentions=NO_MENTIONS, **more
        )

    async def edit(self, message: discord.Message, piece: Piece) -> None:
        await message.edit(content=piece.content, view=view_of(piece), allowed_mentions=NO_MENTIONS)

    async def delete(self, message: discord.Message) -> None:
        """The deferred reply stays, with a neutral word, until something else is said in its place."""
        original = isinstance(message, discord.InteractionMessage)
        try:
            if original:
                await message.edit(content=line("discord_withdrawn"), view=None, allowed_mentions=NO_MENTIONS)
                self.first = True
            else:
                await message.delete()
        except discord.NotFound:
            logger.debug("event=gone-already message=%d", message.id)  # who alone sees it dismissed it

    def away(self, error: Exception) -> bool:
        return away(error)

    def sends_again(self, error: Exception) -> bool:
        """In the place of the deferred reply; a followup has no nonce."""
        return self.first and away(error)

    def neutral(self) -> Piece:
        return _neutral()

    def posted(self, message: discord.Message) -> Posted:
        """Where it stands, for nobody but the one person: it can be taken away only while their token lives."""
        return Posted(place_key(self.interaction.guild_id, message.channel.id), str(message.id))


def _neutral() -> Piece:
    (piece,) = pieces_of(Content((Part(line("discord_withdrawn")),)))
    return piece


async def told(surface: ChannelSurface | PrivateSurface, pieces: Iterable[Piece], nonce: str) -> None:
    """Send every piece, in order."""
    for number, piece in enumerate(pieces):
        await surface.send(piece, f"{nonce}.{number}")
