"""What every button does. A button carries its club, its subject and its person; the core asks again who may."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord

from bot.adapters.chat.looking import looked
from bot.adapters.chat.parts import Content
from bot.adapters.chat.pressed import DONE, IN_PLACE, spoiled, stopping
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.said import Said, said, welcomed_back
from bot.adapters.discord import asking, commands, member_commands
from bot.adapters.discord.faults import guarded
from bot.adapters.discord.keys import person_key, place_key
from bot.adapters.discord.pieces import pieces_of
from bot.adapters.discord.replies import acted, answered, turned, worded
from bot.adapters.discord.scene import scene_of
from bot.adapters.discord.sending import NO_MENTIONS, PrivateSurface, told
from bot.adapters.wording import line
from bot.core.club import ClubId
from bot.core.conversation import stop
from bot.core.roster import Posted

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
    run = DONE.get(pressed.action)
    if run is None:
        await answered(interaction, _not_any_more)
        return
    alone = interaction.message is not None and (interaction.message.flags.ephemeral or interaction.guild_id is None)
    do = turned if pressed.action in IN_PLACE and alone else acted
    await do(interaction, lambda scene: run(scene, pressed), ClubId(pressed.club))


async def _not_yours() -> Said:
    return said(line("chat_not_yours"))


async def _not_any_more() -> Said:
    return said(line("chat_not_any_more"))


def _modal(shown: Callable[[], discord.ui.Modal]) -> Callable[[Interacted, Press], Awaitable[None]]:
    """A button that asks for words."""

    async def show(interaction: Interacted, pressed: Press) -> None:
        del pressed

        async def asked() -> None:
            await interaction.response.send_modal(shown())

        with interaction.client.busy(interaction):
            await guarded(asked(), _untold)

    return show


async def _untold(sentence: str) -> None:
    """A modal that could not be shown: there is nothing to answer in."""
    del sentence


async def _spoiled(interaction: Interacted, pressed: Press) -> None:
    """Hide an answer wherever it stands; a private one is hidden where the button was."""
    message, ephemeral = interaction.message, False
    if message is not None:
        ephemeral = message.flags.ephemeral

    if not ephemeral:
        await acted(interaction, lambda scene: spoiled(scene, pressed), ClubId(pressed.club))
        return

    async def tell(sentence: str) -> None:
        await interaction.edit_original_response(content=sentence, view=None, allowed_mentions=NO_MENTIONS)

    async def in_its_place() -> None:
        await interaction.client.defer(interaction, alone=False)
        scene = await scene_of(interaction, ClubId(pressed.club))
        spoken = welcomed_back(scene, await spoiled(scene, pressed))
        await tell(pieces_of(spoken.contents[0])[0].content)

    with interaction.client.busy(interaction):
        await guarded(in_its_place(), tell)


async def _stop(interaction: Interacted, pressed: Press) -> None:
    """Give up what is being answered for who pressed, before anything is noted or looked up: it is theirs alone."""
    client, club = interaction.client, ClubId(pressed.club)
    house, person = client.clubs.clubhouse(club), person_key(interaction.user.id)
    already = house.turns.stop_of(person)

    async def work() -> Said:
        count = await stop(house, person, already)
        scene, message, posted = await scene_of(interaction, club), interaction.message, None
        if message is not None and not message.flags.ephemeral:
            posted = Posted(place_key(interaction.guild_id, message.channel.id), str(message.id))
        return welcomed_back(scene, await stopping(scene, pressed, count, posted))

    await answered(interaction, work)


async def _look(interaction: Interacted, pressed: Press) -> None:
    """Look ahead: what comes of it is sent before the choice counts as used."""
    surface = PrivateSurface(interaction)

    async def tell(sentence: str) -> None:
        await told(surface, worded(sentence), "")

    async def send(content: Content) -> None:
        await told(surface, pieces_of(content), "")

    async def work() -> None:
        await interaction.client.defer(interaction)
        await looked(await scene_of(interaction, ClubId(pressed.club)), pressed, send)

    with interaction.client.busy(interaction):
        await guarded(work(), tell)


_WHOLE: Final[dict[Action, Callable[[Interacted, Press], Awaitable[None]]]] = {
    Action.ASK: asking.ask_written,
    Action.PRIVATE: asking.again_privately,
    Action.SHARE: asking.share,
    Action.RETRY: asking.retry,
    Action.LOOK_AHEAD: _look,
    Action.LOOK_ANSWER: _look,
    Action.STOP: _stop,
    Action.SPOILED: _spoiled,
    Action.SET_PLACE: _modal(commands.SayPlace),
    Action.NOMINATE: _modal(member_commands.Nominate),
    Action.DM_BOOK: asking.ask_about_book,
}
ANSWERED: Final = frozenset((*_WHOLE, *DONE))
"""What a button may mean here."""
