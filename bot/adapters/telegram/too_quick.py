"""Who does more than can be followed is told so, alone, and not heard with it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot.adapters.chat.said import said
from bot.adapters.telegram.sending import quietly
from bot.adapters.telegram.telling import told_alone
from bot.adapters.telegram.where import Where, speaker_of
from bot.adapters.wording import line
from bot.core.errors import DogearError

if TYPE_CHECKING:
    import telegram

    from bot.adapters.telegram.client import Dogear


def counted(update: telegram.Update) -> int | None:
    """By what number somebody is counted who wrote or pressed: who writes as nobody, by their chat.

    None for what nobody waits for, such as that somebody left.
    """
    query, message = update.callback_query, update.message
    if query is not None:
        return query.from_user.id
    if message is None or message.migrate_to_chat_id is not None or message.migrate_from_chat_id is not None:
        return None
    speaker = speaker_of(message)
    return message.chat.id if speaker is None else speaker.id


async def told_so(client: Dogear, update: telegram.Update) -> None:
    """Tell who is not heard any more why."""
    sentence, query, message = line("chat_too_quick", most=client.rates.most), update.callback_query, update.message
    if query is not None:
        await quietly(query.answer(sentence, show_alert=True))
    speaker = None if message is None else speaker_of(message)
    if message is not None and speaker is not None:
        with suppress(DogearError, TelegramError):
            await told_alone(client, speaker, Where.of(message), said(sentence), None, None)
