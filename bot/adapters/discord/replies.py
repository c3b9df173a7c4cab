"""What is said to one person in answer to an interaction: deferred at once and ephemeral, errors too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import discord

from bot.adapters.chat.parts import Button
from bot.adapters.chat.said import Said, said, welcomed_back
from bot.adapters.chat.scene import Scene
from bot.adapters.chat.shelf import which_club
from bot.adapters.discord.faults import AWAY, guarded
from bot.adapters.discord.keys import person_key
from bot.adapters.discord.pieces import Piece, pieces_of
from bot.adapters.discord.scene import SeveralClubs, scene_of
from bot.adapters.discord.sending import NO_MENTIONS, PrivateSurface, told
from bot.adapters.discord.views import view_of
from bot.adapters.wording import line
from bot.core.club import ClubId
from bot.core.errors import DogearError


def sent(spoken: Said) -> tuple[Piece, ...]:
    """What is said to one person, as messages."""
    return tuple(piece for content in spoken.contents for piece in pieces_of(content))


def worded(*lines: str, buttons: Sequence[Button] = ()) -> tuple[Piece, ...]:
    """Lines in plain words for one person, as messages."""
    return sent(said(*lines, buttons=buttons))


async def answered(interaction: discord.Interaction[Any], work: Callable[[], Awaitable[Said | None]]) -> None:
    """Defer, do it, and say what came of it; None leaves nothing behind."""
    surface = PrivateSurface(interaction)

    async def tell(sentence: str) -> None:
        await told(surface, worded(sentence), "")

    async def done() -> None:
        await interaction.client.defer(interaction)
        spoken = await work()
        if spoken is None:
            await interaction.delete_original_response()
        else:
            await told(surface, sent(spoken), "")

    with interaction.client.busy(interaction):
        try:
            await guarded(done(), tell)
        except asyncio.CancelledError:
            await last_word(tell, line("discord_restarting"))
            raise


async def last_word(tell: Callable[[str], Awaitable[None]], sentence: str) -> None:
    """Tell who waits that the program ends: what is cancelled is not waited for again."""
    with suppress(DogearError, *AWAY):
        await tell(sentence)


async def acted(
    interaction: discord.Interaction[Any], run: Callable[[Scene], Awaitable[Said]], club: ClubId | None = None
) -> None:
    """Do what somebody asks for in a club, and say what came of it to them alone."""

    async def work() -> Said:
        try:
            scene = await scene_of(interaction, club)
        except SeveralClubs:
            return await which_club(interaction.client, person_key(interaction.user.id))
        return welcomed_back(scene, await run(scene))

    await answered(interaction, work)


async def turned(
    interaction: discord.Interaction[Any], run: Callable[[Scene], Awaitable[Said]], club: ClubId | None = None
) -> None:
    """Do what a button asks for that hangs on a message for one person alone, and say what came of it in its place."""

    async def tell(sentence: str) -> None:
        (piece,) = worded(sentence)
        await interaction.followup.send(piece.content, ephemeral=True, allowed_mentions=NO_MENTIONS)

    async def in_its_place() -> None:
        await interaction.client.defer(interaction, alone=False)
        scene = await scene_of(interaction, club)
        first, *more = sent(welcomed_back(scene, await run(scene)))
        await interaction.edit_original_response(
            content=first.content, view=view_of(first), allowed_mentions=NO_MENTIONS
        )
        await told(PrivateSurface(interaction, first=False), more, "")

    with interaction.client.busy(interaction):
        await guarded(in_its_place(), tell)
