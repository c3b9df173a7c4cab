"""What is said to one person in answer to an interaction: deferred at once and ephemeral, errors too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.adapters.discord.faults import guarded
from bot.adapters.discord.pieces import Button, File, Part, Piece, pieces
from bot.adapters.discord.scene import Scene, scene_of
from bot.adapters.discord.sending import PrivateSurface, told
from bot.adapters.wording import people as said_of
from bot.core.club import ClubId
from bot.core.notices import CountsAgain


@dataclass(frozen=True, slots=True)
class Said:
    """Lines in plain words for one person, what they may press or take with them, and further messages ``after``."""

    lines: tuple[str, ...]
    buttons: tuple[Button, ...] = ()
    files: tuple[File, ...] = ()
    after: tuple[Piece, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return (*pieces([Part(one) for one in self.lines], self.buttons, files=self.files), *self.after)


def said(*lines: str, buttons: Sequence[Button] = (), files: Sequence[File] = ()) -> Said:
    return Said(lines, tuple(buttons), tuple(files))


async def answered(interaction: discord.Interaction[Any], work: Callable[[], Awaitable[Said | None]]) -> None:
    """Defer, do it, and say what came of it; None leaves nothing behind."""
    surface = PrivateSurface(interaction)

    async def tell(sentence: str) -> None:
        await told(surface, said(sentence).pieces, "")

    async def done() -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        spoken = await work()
        if spoken is None:
            await interaction.delete_original_response()
        else:
            await told(surface, spoken.pieces, "")

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
