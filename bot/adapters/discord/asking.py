"""Asking on Discord: `/ask`, the menu, buttons, mentions and direct messages become one call of the core."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import discord

from bot.adapters.chat.asking import (
    Ask,
    UnderWay,
    asked,
    asked_again_privately,
    retried,
    sentences,
    shared,
    under_way,
)  # fmt: skip
from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.scene import Scene
from bot.adapters.chat.shelf import club_and_book, dm_book, which_club
from bot.adapters.discord import owing
from bot.adapters.discord.faults import guarded
from bot.adapters.discord.keys import person_key
from bot.adapters.discord.postings import DiscordPosts
from bot.adapters.discord.replies import acted, last_word, sent, worded
from bot.adapters.discord.scene import SeveralClubs, scene_of, scene_written
from bot.adapters.discord.sending import NO_MENTIONS, ChannelSurface, PrivateSurface, told
from bot.adapters.discord.views import view_of
from bot.adapters.wording import line
from bot.adapters.wording import people as said_of
from bot.core.asked_in import Asking, Place, asker_at
from bot.core.club import ClubId, QuestionId
from bot.core.conversation import Outcome, Posts, ask_privately
from bot.core.notices import CountsAgain
from bot.core.outcomes import NotAnswered

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear

PRIVATE_FOR: Final = timedelta(minutes=14)
"""How long a private answer may be made: Discord takes nothing in answer to an interaction after fifteen minutes."""


async def ask(interaction: discord.Interaction[Any], question: str, book: str | None, *, private: bool) -> None:
    """Answer in the room where they speak, or privately; what is no room of the club is answered privately."""
    await answer(interaction, asked(question, book, private=private), said=question)


async def again_privately(interaction: discord.Interaction[Any], press: Press) -> None:
    """ "Answer me privately", under a room's answer."""
    await answer(interaction, asked_again_privately(QuestionId(press.subject)), ClubId(press.club))


async def share(interaction: discord.Interaction[Any], press: Press) -> None:
    """ "Share with the room", under a private answer."""
    await answer(interaction, shared(QuestionId(press.subject)), ClubId(press.club))


async def retry(interaction: discord.Interaction[Any], press: Press) -> None:
    """ "Ask again", under a refusal or where there was no answer."""
    await answer(interaction, retried(QuestionId(press.subject)), ClubId(press.club))


async def answer(
    interaction: discord.Interaction[Any], run: Ask, club: ClubId | None = None, said: str | None = None
) -> None:
    """Defer, ask, and tell who asked whatever is not an answer; nothing is left of the deferred reply otherwise.

    ``said`` is what they ask, where it may be asked again by a button.
    """
    surface, begun = PrivateSurface(interaction), list[UnderWay]()

    async def tell(sentence: str) -> None:
        buttons = await begun[0].retry_buttons() if begun else []
        await told(surface, worded(sentence, buttons=buttons), "")

    async def work() -> None:
        await interaction.client.defer(interaction)
        try:
            scene = await scene_of(interaction, club)
        except SeveralClubs:
            await told(surface, sent(await which_club(interaction.client, person_key(interaction.user.id))), "")
            return
        begun.append(under_way(scene, said))
        room = None
        if scene.room is not None and isinstance(interaction.channel, discord.abc.Messageable):
            room = ChannelSurface(interaction.channel)

        async def waits(sentence: str) -> None:
            piece = worded(sentence, buttons=[_stop(scene)])[0]
            await interaction.edit_original_response(
                content=piece.content, view=view_of(piece), allowed_mentions=NO_MENTIONS
            )

        await _waited(begun[0], run, (room, surface), waits)
        if not surface.used:
            await interaction.delete_original_response()

    with interaction.client.busy(interaction):
        try:
            await guarded(work(), tell)
        except asyncio.CancelledError:
            await last_word(tell, line("discord_restarting"))
            raise


def _stop(scene: Scene) -> Button:
    press = Press(Action.STOP, scene.house.club, person=number_of(scene.member.person))
    return Button(press, line("stop", scene.language), Weight.PLAIN)


async def _waited(
    asking: UnderWay,
    run: Ask,
    surfaces: tuple[ChannelSurface | None, ChannelSurface | PrivateSurface],
    waits: Callable[[str], Awaitable[None]],
) -> None:
    """Ask, and say to who asked what came of it apart from answers."""
    (room, alone), scene = surfaces, asking.scene
    house, language = scene.house, scene.language

    async def queued(place: int) -> None:
        await waits(line("queued", language, place=place))

    if scene.back:
        await told(alone, worded(said_of.notice(CountsAgain(), language)), "back")
    posts = DiscordPosts(room, alone, house.club, scene.language, house.clock, queued, scene.client.owing)
    if not isinstance(await asker_at(house, scene.member.person, Place()), NotAnswered):
        await waits(line("discord_looking", language))
    try:
        async with asyncio.timeout(PRIVATE_FOR.total_seconds()):
            outcomes = await run(scene, posts)
    except TimeoutError:
        buttons = await asking.retry_buttons()
        await told(alone, worded(line("discord_out_of_time", language), buttons=buttons), "time")
        return
    for number, sentence in enumerate(sentences(scene, outcomes)):
        await told(alone, worded(sentence, buttons=await asking.retry_buttons()), f"no{number}")


def meant(client: Dogear, message: discord.Message) -> bool:
    """Whether a message says something to the bot."""
    direct = message.guild is None
    mentioned = client.user is not None and client.user in message.mentions
    return not message.author.bot and (mentioned or direct) and bool(words_of(client, message) or not direct)


async def heard(client: Dogear, message: discord.Message) -> None:
    """Plain words to the bot alone are a question; where it is mentioned in a room it offers the private way."""
    if not meant(client, message):
        return
    direct = message.guild is None

    async def tell(sentence: str) -> None:
        await told(ChannelSurface(message.channel), worded(sentence), f"e{message.id}")

    with client.busy():
        if not direct:
            await guarded(_mentioned(client, message), tell)
            return
        key, where = owing.written(message)
        await client.owing.note(key, where, hurried=True)
        await guarded(_written(client, message), tell)
        client.owing.paid(key)


async def _written(client: Dogear, message: discord.Message) -> None:
    try:
        scene = await scene_written(client, message)
    except SeveralClubs:
        asked_which = await which_club(client, person_key(message.author.id), message.id)
        await told(ChannelSurface(message.channel), sent(asked_which), f"w{message.id}")
        return
    await ask_directly(scene, words_of(client, message), message)


async def ask_directly(scene: Scene, question: str, message: discord.Message) -> None:
    """Answer a direct message where it was written."""
    surface, asking = ChannelSurface(message.channel), under_way(scene, question)

    async def waits(sentence: str) -> None:
        del sentence
        await message.channel.typing()

    async def tell(sentence: str) -> None:
        await told(surface, worded(sentence, buttons=await asking.retry_buttons()), f"e{message.id}")

    await guarded(_waited(asking, asked(question, private=True), (None, surface), waits), tell)


async def _mentioned(client: Dogear, message: discord.Message) -> None:
    scene = await scene_written(client, message)
    if scene.back:
        await client.whispered(scene.member, said_of.notice(CountsAgain(), scene.language))
    if await scene.quiet():
        return
    press = Press(Action.ASK, scene.house.club, message.id, message.author.id)
    label = line("answer_privately", scene.language)
    (piece,) = worded(line("discord_mentioned", scene.language), buttons=[Button(press, label, Weight.MAIN)])
    await message.reply(
        piece.content, view=view_of(piece), nonce=f"m{message.id}"[:25], mention_author=False,
        allowed_mentions=NO_MENTIONS, suppress_embeds=True,
    )  # fmt: skip


async def ask_written(interaction: discord.Interaction[Any], press: Press) -> None:
    """The button under a mention: what was written is asked privately."""
    await answer(interaction, _as_written(interaction, press.subject), ClubId(press.club))


async def ask_about_book(interaction: discord.Interaction[Any], press: Press) -> None:
    """A book was chosen for direct messages; where something was written before, it is asked now."""
    club = ClubId(club_and_book(press)[0])
    if not press.subject:
        await acted(interaction, lambda scene: dm_book(scene, press), club)
        return

    async def asked_about(scene: Scene, posts: Posts) -> tuple[Outcome, ...]:
        await dm_book(scene, press)
        return await _as_written(interaction, press.subject)(scene, posts)

    await answer(interaction, asked_about, club)


def _as_written(interaction: discord.Interaction[Any], number: int) -> Ask:
    """What the same person wrote in the message of this number, asked privately."""

    async def run(scene: Scene, posts: Posts) -> tuple[Outcome, ...]:
        assert isinstance(interaction.channel, discord.abc.Messageable)
        message = await interaction.channel.fetch_message(number)
        question = words_of(interaction.client, message) if message.author.id == interaction.user.id else ""
        return await ask_privately(scene.house, Asking(person_key(interaction.user.id), question), posts)

    return run


def words_of(client: Dogear, message: discord.Message) -> str:
    """What a message says to the bot: its words without the mention of the bot."""
    words = message.content
    if client.user is not None:
        for mention in (f"<@{client.user.id}>", f"<@!{client.user.id}>"):
            words = words.replace(mention, " ")
    return " ".join(words.split())
