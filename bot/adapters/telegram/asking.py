"""Asking on Telegram: `/ask`, replies, buttons, links and plain words in private become one call of the core."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from telegram.constants import ChatAction
from telegram.error import TelegramError

from bot.adapters.chat.asking import Ask, asked, sentences, under_way
from bot.adapters.chat.patience import patiently
from bot.adapters.chat.said import said
from bot.adapters.chat.scene import Scene
from bot.adapters.telegram.faults import Unreached, away, sentence_of
from bot.adapters.telegram.keys import chat_key
from bot.adapters.telegram.postings import TelegramPosts
from bot.adapters.telegram.sending import ChatSurface, quietly
from bot.adapters.telegram.telling import pointed, told_alone
from bot.adapters.telegram.where import Speaker, Where
from bot.adapters.wording import line
from bot.adapters.wording import people as said_of
from bot.core.club import QuestionId
from bot.core.errors import Refused
from bot.core.notices import CountsAgain
from bot.core.roster import Posted
from bot.core.wanted import wanted

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

_OPTION: Final = re.compile(r"(?:--|—)book\s+(?:\"([^\"]+)\"|“([^”]+)”|(\S+))\s*")
"""Phones make a dash of two hyphens."""


def question_said(rest: str) -> tuple[str, str | None]:
    """What `/ask` is followed by: the question, and the book that is named by ``--book``."""
    found = _OPTION.match(rest)
    if found is None:
        return rest, None
    return rest[found.end() :], found[1] or found[2] or found[3]


def ask_of(rest: str, reply_to: QuestionId | None = None, *, private: bool = False) -> Ask:
    """The question that was written. Raises `Refused` where there is none."""
    question, book = question_said(rest)
    if not question.strip():
        raise Refused("no_question", line("telegram_ask_how"))
    return asked(question, book, private=private, reply_to=reply_to)


def told_of(name: str, rest: str) -> str:
    """What `/recap` and `/who` ask, as it is kept. Raises `Refused` for a recap of what there is none of, or nobody."""
    meant = wanted(" ".join((f"/{name}", *rest.split())))
    assert meant is not None
    return meant.said


async def replied_to(client: Dogear, scene: Scene, where: Where, message: int) -> QuestionId | None:
    """The question to whose answer somebody replies, by the message that they reply to."""
    del client
    return await scene.house.ledger.question_at(Posted(chat_key(where.chat), str(message)))


async def answered(
    client: Dogear, scene: Scene, speaker: Speaker, where: Where, run: Ask, words: str | None = None
) -> None:
    """Ask, and tell who asked whatever came of it apart from answers; ``words`` are what they ask, where a button may
    ask it again.
    """
    asking = under_way(scene, words)
    language, alone = scene.language, ChatSurface(client, speaker.id)
    room = None if scene.room is None else client.surface(scene.room)

    async def queued(place: int) -> None:
        with suppress(Unreached, TelegramError):
            await client.to_person(speaker.id, *said(line("queued", language, place=place)).contents)

    async def again() -> None:
        private = Where(speaker.id, private=True)
        await answered(client, replace(scene, room=None, back=False), speaker, private, run)

    if scene.back:
        await told_alone(client, speaker, where, said(said_of.notice(CountsAgain(), language)), scene.house.club, None)
    action = ChatSurface(client, where.chat, where.topic)
    await quietly(client.bot.send_chat_action(action.chat, ChatAction.TYPING, message_thread_id=action.topic))
    posts = TelegramPosts(client, room, alone, scene.house.club, language, queued)
    try:
        outcomes = await run(scene, posts)
    except Unreached:
        await client.unreachable(speaker.id, reachable=False)
        if not where.private:
            await pointed(client, speaker, where, scene.house.club, again)
        return
    except Exception as error:
        failed = said(sentence_of(error, language), buttons=await asking.retry_buttons())
        await patiently(lambda: told_alone(client, speaker, where, failed, scene.house.club, None), away)
        return
    untold = sentences(scene, outcomes)
    if untold:
        buttons = await asking.retry_buttons()
        await told_alone(client, speaker, where, said(*untold, buttons=buttons), scene.house.club, again)
