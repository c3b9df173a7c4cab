"""`/start` in the private chat, with what a deep link brings along, and the question for somebody's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telegram import ForceReply

from bot.adapters.chat import personal, places
from bot.adapters.chat.asking import asked_again_privately
from bot.adapters.chat.presses import Action
from bot.adapters.chat.said import said
from bot.adapters.telegram.asking import answered
from bot.adapters.telegram.keys import spoken
from bot.adapters.telegram.links import Link
from bot.adapters.telegram.scene import houses_of, scene_in
from bot.adapters.telegram.sending import ChatSurface, told
from bot.adapters.telegram.where import Speaker, Where
from bot.adapters.wording import line
from bot.core.club import ClubId, QuestionId
from bot.core.errors import Refused

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

_PROMPTS = 1000


async def started(client: Dogear, speaker: Speaker, where: Where, start: str) -> None:
    """Somebody opens the private chat. Raises `Refused` for a link that does not hold (any more) for them."""
    surface = ChatSurface(client, where.chat)
    if not start:
        later = client.remembered(speaker.id)
        if later is not None:
            await later()
            return
        key = "telegram_start" if await houses_of(client, speaker) else "telegram_start_clubless"
        await told(surface, *said(line(key)).contents)
        return
    now, link = client.now(), client.links.read(start)
    if link is None:
        raise Refused("no_link", line("telegram_no_link"))
    if not link.holds(now, speaker.id):
        raise Refused("no_link", line("telegram_old_link"))
    if not await client.clubs.once.first(f"link:{link.mark}:{speaker.id}", link.until, now):
        raise Refused("no_link", line("telegram_used_link"))
    await _followed(client, speaker, where, link)


async def _followed(client: Dogear, speaker: Speaker, where: Where, link: Link) -> None:
    press = link.press
    club = ClubId(press.club) if press.club else None
    if press.action is Action.SET_PLACE and club is not None:
        await prompted(client, speaker, club)
        return
    later = client.remembered(speaker.id) if press.action is Action.OPEN else None
    if later is not None:
        await later()
        return
    scene = await scene_in(client, speaker, where, club)
    match press.action:
        case Action.PRIVATE:
            run = asked_again_privately(QuestionId(press.subject))
            await answered(client, scene, speaker, where, run)
        case Action.WHAT_IS_KEPT:
            await told(ChatSurface(client, where.chat), *(await personal.privacy(scene)).contents)
        case _:
            await told(ChatSurface(client, where.chat), *(await places.progress(scene, None)).contents)


async def prompted(client: Dogear, speaker: Speaker, club: ClubId) -> None:
    """Ask where somebody is: what they reply to that is a place."""
    sent = await client.bot.send_message(
        speaker.id,
        line("where_are_you", spoken("en")),
        reply_markup=ForceReply(input_field_placeholder=line("telegram_place_examples")),
    )
    client.prompts[speaker.id, sent.message_id] = club
    while len(client.prompts) > _PROMPTS:
        client.prompts.popitem(last=False)


def is_prompt(text: str | None) -> bool:
    """Whether a message of the bot's asks where somebody is."""
    return text == line("where_are_you", spoken("en"))
