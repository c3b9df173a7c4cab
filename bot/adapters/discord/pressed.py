"""What every button does. A button carries its club, its subject and its person; the core asks again who may."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord

from bot.adapters.discord import asking, book_commands, commands, personal, places
from bot.adapters.discord.faults import guarded
from bot.adapters.discord.presses import Action, Press
from bot.adapters.discord.replies import Said, acted, answered, said
from bot.adapters.discord.scene import Scene, scene_of
from bot.adapters.discord.sending import NO_MENTIONS
from bot.adapters.wording import conversations, line
from bot.core.club import BookId, ClubId, QuestionId
from bot.core.outcomes import NotAnswered
from bot.core.spoiled import spoiled_me

Interacted = discord.Interaction[Any]


async def press(interaction: Interacted, pressed: Press) -> None:
    """Do what a button means; somebody else's does nothing."""
    if not pressed.may_press(interaction.user.id):
        await answered(interaction, _not_yours)
        return
    whole = _WHOLE.get(pressed.action)
    if whole is not None:
        await whole(interaction, pressed)
        return
    run = _DONE.get(pressed.action)
    if run is None:
        await answered(interaction, _not_any_more)
        return
    await acted(interaction, lambda scene: run(scene, pressed, interaction), ClubId(pressed.club))


async def _not_yours() -> Said:
    return said(line("discord_not_yours"))


async def _not_any_more() -> Said:
    return said(line("discord_not_any_more"))


async def _set_place(interaction: Interacted, pressed: Press) -> None:
    del pressed

    async def asked() -> None:
        await interaction.response.send_modal(commands.SayPlace())

    with interaction.client.busy():
        await guarded(asked(), _untold)


async def _untold(sentence: str) -> None:
    """A modal that could not be shown: there is nothing to answer in."""
    del sentence


async def _spoiled(interaction: Interacted, pressed: Press) -> None:
    """Hide an answer wherever it stands; a private one is hidden where the button was."""
    message, ephemeral = interaction.message, False
    if message is not None:
        ephemeral = message.flags.ephemeral

    async def run(scene: Scene) -> Said:
        house, language = scene.house, scene.language
        found = await spoiled_me(house, QuestionId(pressed.subject), scene.member.person, scene.client.taken_down)
        if isinstance(found, NotAnswered):
            return said(conversations.not_answered(found, house.clock(), language))
        if found.new:
            for admin in found.admins:
                await scene.client.whispered(admin, line("spoiled_told", language, question=pressed.subject))
        return said(line("spoiled" if found.new else "spoiled_before", language))

    if not ephemeral:
        await acted(interaction, run, ClubId(pressed.club))
        return

    async def tell(sentence: str) -> None:
        await interaction.edit_original_response(content=sentence, view=None, allowed_mentions=NO_MENTIONS)

    async def in_its_place() -> None:
        await interaction.response.defer()
        spoken = await run(await scene_of(interaction, ClubId(pressed.club)))
        await tell(spoken.pieces[0].content)

    with interaction.client.busy():
        await guarded(in_its_place(), tell)


Run = Callable[[Scene, Press, Interacted], Awaitable[Said]]


def _alone(run: Callable[[Scene], Awaitable[Said]]) -> Run:
    async def ran(scene: Scene, pressed: Press, interaction: Interacted) -> Said:
        del pressed, interaction
        return await run(scene)

    return ran


def _of(run: Callable[[Scene, Press], Awaitable[Said]]) -> Run:
    async def ran(scene: Scene, pressed: Press, interaction: Interacted) -> Said:
        del interaction
        return await run(scene, pressed)

    return ran


async def _undo(scene: Scene, pressed: Press) -> Said:
    return await places.undo(scene, BookId(pressed.subject))


async def _how(scene: Scene, pressed: Press) -> Said:
    """A step that is done by a command."""
    return said(line(f"discord_how_{pressed.action.value.replace('-', '_')}", scene.language))


_WHOLE: Final[dict[Action, Callable[[Interacted, Press], Awaitable[None]]]] = {
    Action.ASK: asking.ask_written,
    Action.PRIVATE: asking.again_privately,
    Action.SHARE: asking.share,
    Action.SPOILED: _spoiled,
    Action.SET_PLACE: _set_place,
}
_DONE: Final[dict[Action, Run]] = {
    Action.STOP: _alone(commands.stop),
    Action.JOIN: _alone(commands.join),
    Action.WHAT_IS_KEPT: _alone(personal.privacy),
    Action.UNDO: _of(_undo),
    Action.CHOOSE_PLACE: _of(places.chosen),
    Action.MEANS_FINISHED: _of(places.habit),
    Action.MEANS_IN: _of(places.habit),
    Action.SHOW_ME: _of(personal.shown),
    Action.COUNT_ME: _of(personal.shown),
    Action.FORGET: _of(personal.forgotten),
    Action.KEEP: _of(personal.kept),
    Action.ANNOUNCE: _of(book_commands.announced),
    Action.TAKE_BACK: _of(book_commands.taken_back),
    Action.RETRY_JOB: book_commands.retried,
    Action.CANCEL_JOB: _of(book_commands.cancelled),
    Action.ADD_BOOK: _of(_how),
    Action.TALK_ROOM: _of(_how),
}
