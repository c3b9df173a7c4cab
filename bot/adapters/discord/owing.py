"""Who was promised a reply on Discord by a process that died is told so: in its place, by who has the token of it, or
under the direct message that they wrote.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import discord

from bot.adapters.chat.presses import Action, parsed
from bot.adapters.discord.faults import SPENT
from bot.adapters.wording import line
from bot.core.owed import OwedReply

_NO_MENTIONS: Final = discord.AllowedMentions.none()
_WRITTEN: Final = "discord:written:"


def key_of(interaction: discord.Interaction[Any]) -> str:
    """What an interaction's reply is noted under."""
    return f"discord:{interaction.id}"


def written(message: discord.Message) -> tuple[str, str]:
    """What the reply to a direct message is noted under, and where it is to be."""
    return f"{_WRITTEN}{message.id}", str(message.channel.id)


async def told(client: discord.Client, reply: OwedReply) -> None:
    """Say that the process was stopped, to who waits; who was answered is told nothing. Raises what Discord says."""
    sentence = line("discord_was_stopped")
    if reply.key.startswith(_WRITTEN):
        channel, number = client.get_partial_messageable(int(reply.token)), int(reply.key.removeprefix(_WRITTEN))
        under = channel.get_partial_message(number).to_reference(fail_if_not_exists=False)
        with suppress(discord.NotFound, discord.Forbidden):  # they take no direct messages any more
            await channel.send(sentence, reference=under, nonce=f"o{number}", allowed_mentions=_NO_MENTIONS)
        return
    webhook = discord.Webhook.partial(client.application_id or 0, reply.token, client=client)
    try:
        if reply.in_place:
            await webhook.send(sentence, ephemeral=True, allowed_mentions=_NO_MENTIONS)
            return
        original: Any = "@original"  # where discord.py asks for a number
        message = await webhook.fetch_message(original)
        if under_way(message):
            await webhook.edit_message(original, content=sentence, view=None, allowed_mentions=_NO_MENTIONS)
    except discord.NotFound:
        return  # it was never acknowledged, or was answered in the room
    except discord.HTTPException as error:
        if error.code not in SPENT:  # nobody can be told any more
            raise


def under_way(message: discord.Message) -> bool:
    """Whether a reply says that it is still being made: it is deferred, or may be stopped."""
    presses = [
        parsed(getattr(item, "custom_id", None) or "")
        for row in message.components
        for item in getattr(row, "children", ())
    ]
    return message.flags.loading or any(press is not None and press.action is Action.STOP for press in presses)
