"""What is said to one person in answer to an interaction: deferred at once and ephemeral, errors too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import discord

from bot.adapters.chat.parts import Button
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene
from bot.adapters.discord.faults import guarded
from bot.adapters.discord.pieces import Piece, pieces_of
from bot.adapters.discord.scene import scene_of
from bot.adapters.discord.sending import PrivateSurface, told
from bot.adapters.wording import people as said_of
from bot.core.club import ClubId
from bot.core.notices import CountsAgain


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
        await interaction.response.defer(ephemeral=True, thinking=True)
        spoken = await work()
        if spoken is None:
            await interaction.delete_original_response()
        else:
            await told(surface, sent(spoken), "")

    with interaction.client.busy():
        await guarded(done(), tell)


async def acted(
    interaction: discord.Interaction[Any], run: Callable[[Scene], Awaitable[Said]], club: ClubId | None = None
) -> None:
    """Do what somebody asks for in a club, and say what came of it to them alone."""

    async def work() -> Said:
        scene = await scene_of(interaction, club)
        spoken = await run(scene)
        if not scene.back:
            return spoken
        return replace(spoken, lines=(said_of.notice(CountsAgain(), scene.language), *spoken.lines))

    await answered(interaction, work)
