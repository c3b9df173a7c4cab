"""Pieces on their way to Telegram: in a group or topic, or in a private chat.

Telegram cannot tell that a message comes twice. So what was sent and not confirmed is not sent again, unless nothing of
it can have arrived; edits are repeated, since they are the same the second time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, TypeVar

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, LinkPreviewOptions, Message, ReplyParameters
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, TelegramError

from bot.adapters.chat.parts import Button, Content
from bot.adapters.chat.presses import Action, Press
from bot.adapters.telegram.faults import Unreached, away, unconnected, unreached
from bot.adapters.telegram.keys import chat_key
from bot.adapters.telegram.links import HOLDS_ALONE, HOLDS_OPEN
from bot.adapters.telegram.pieces import Piece, pieces_of
from bot.adapters.wording import line
from bot.core.errors import Refused
from bot.core.roster import Posted

if TYPE_CHECKING:
    from bot.adapters.telegram.client import Dogear

logger = logging.getLogger("dogear.telegram")

NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)
_TRIES: Final = 4
_ROW: Final = 28
"""Characters of labels that stand beside one another."""
_IN_A_ROW: Final = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the bot's: its chat and its number there."""

    chat: int
    number: int

    @property
    def posted(self) -> Posted:
        return Posted(chat_key(self.chat), str(self.number))


@dataclass(frozen=True, slots=True)
class ChatSurface:
    """A group, a topic of it, or a private chat: ordinary messages of the bot. ``reply_to`` is a message that the first
    of them answers.
    """

    client: Dogear
    chat: int
    topic: int | None = None
    reply_to: int | None = None

    @property
    def removes(self) -> bool:
        """A deleted message is gone: what is answered is never older than what Telegram deletes."""
        return True

    def pieces(self, content: Content) -> tuple[Piece, ...]:
        return pieces_of(content)

    def spare(self) -> bool:
        """Whether what is not whole may be sent now."""
        return self.client.pace.spare(self.chat)

    async def send(self, piece: Piece, nonce: str = "") -> Sent:
        """Send one message. Raises `Unreached` where a person cannot be reached, `Refused` where a group forbids it."""
        del nonce

        async def sending() -> Message:
            return await self._sent(piece)

        try:
            return Sent(self.chat, (await _sent_once(sending)).message_id)
        except ChatMigrated as error:
            await self.client.moved(self.chat, error.new_chat_id)
            return await ChatSurface(self.client, error.new_chat_id, self.topic).send(piece)
        except (Forbidden, BadRequest) as error:
            if self.chat > 0 and unreached(error):
                raise Unreached from None
            if isinstance(error, Forbidden) or "not enough rights" in error.message.lower():
                raise Refused("may_not_write", line("telegram_may_not_write")) from None
            raise

    async def _sent(self, piece: Piece) -> Message:
        bot, markup = self.client.bot, self.client.markup(piece.buttons, private=self.chat > 0)
        reply = None
        if self.reply_to is not None:
            reply = ReplyParameters(self.reply_to, allow_sending_without_reply=True)
        if piece.file is None:
            return await bot.send_message(
                self.chat, piece.html, parse_mode=ParseMode.HTML, message_thread_id=self.topic, reply_markup=markup,
                link_preview_options=NO_PREVIEW, reply_parameters=reply,
            )  # fmt: skip
        if piece.file.name.endswith(".png"):
            return await bot.send_photo(
                self.chat, piece.file.data, caption=piece.html, parse_mode=ParseMode.HTML, filename=piece.file.name,
                message_thread_id=self.topic, reply_markup=markup,
            )  # fmt: skip
        return await bot.send_document(
            self.chat, piece.file.data, caption=piece.html, parse_mode=ParseMode.HTML, filename=piece.file.name,
            message_thread_id=self.topic, reply_markup=markup,
        )  # fmt: skip

    async def edit(self, message: Sent, piece: Piece) -> None:
        """Say something else in a message; what is the same already is no error."""
        markup = self.client.markup(piece.buttons, private=message.chat > 0)

        async def editing() -> object:
            return await self.client.bot.edit_message_text(
                piece.html, message.chat, message.number, parse_mode=ParseMode.HTML, reply_markup=markup,
                link_preview_options=NO_PREVIEW,
            )  # fmt: skip

        try:
            await _repeated(editing)
        except BadRequest as error:
            if "message is not modified" not in error.message.lower():
                raise

    async def delete(self, message: Sent) -> None:
        """Take a message away; the operator is told of what is left standing."""
        if not await self.taken(message):
            logger.error("event=left-standing message=%d", message.number)

    async def taken(self, message: Sent) -> bool:
        """Delete a message, or, where Telegram does not (after 48 hours), put a neutral word in its
        place; whether it stands no more. What is gone already does not.
        """

        async def deleting() -> object:
            return await self.client.bot.delete_message(message.chat, message.number)

        try:
            await _repeated(deleting)
        except BadRequest as error:
            return "not found" in error.message.lower() or await self._replaced(message)
        except Forbidden:
            return False
        return True

    async def _replaced(self, message: Sent) -> bool:
        try:
            await self.edit(message, self.neutral())
        except BadRequest as error:
            return "message to edit not found" in error.message.lower()
        except Forbidden:
            return False
        return True

    def away(self, error: Exception) -> bool:
        return away(error)

    def sends_again(self, error: Exception) -> bool:
        """Where nothing of it can have come."""
        return unconnected(error)

    def neutral(self) -> Piece:
        return Piece(escape(line("telegram_withdrawn"), quote=False))

    def posted(self, message: Sent) -> Posted:
        return message.posted


async def _sent_once(send: Callable[[], Awaitable[T]]) -> T:
    """Send, and again only where no connection was made."""
    for attempt in range(_TRIES - 1):
        try:
            return await send()
        except NetworkError as error:
            if not unconnected(error):
                raise
            await asyncio.sleep(0.5 * 2**attempt)
    return await send()


async def _repeated(work: Callable[[], Awaitable[T]]) -> T:
    """Do what is the same a second time until it is confirmed, a few times."""
    for attempt in range(_TRIES - 1):
        try:
            return await work()
        except BadRequest:
            raise
        except NetworkError:
            await asyncio.sleep(0.5 * 2**attempt)
    return await work()


async def told(surface: ChatSurface, *contents: Content) -> Sent | None:
    """Send everything, in order; the first message."""
    first = None
    for piece in (piece for content in contents for piece in surface.pieces(content)):
        sent = await surface.send(piece)
        first = first or sent
        surface = ChatSurface(surface.client, sent.chat, surface.topic)
    return first


def markup_of(client: Dogear, buttons: tuple[Button, ...], *, private: bool) -> InlineKeyboardMarkup | None:
    """Buttons in rows of at most three. In a group the private way is a link that opens the private chat."""
    rows: list[list[InlineKeyboardButton]] = []
    for button in buttons:
        if button.press.action not in client.pressable:
            continue
        one = _button(client, button, private=private)
        fits = bool(rows) and len(rows[-1]) < _IN_A_ROW and sum(len(b.text) for b in rows[-1]) + len(one.text) <= _ROW
        if fits and not button.begins:
            rows[-1].append(one)
        else:
            rows.append([one])
    return InlineKeyboardMarkup(rows) if rows else None


def _button(client: Dogear, button: Button, *, private: bool) -> InlineKeyboardButton:
    press: Press = button.press
    if press.action in (Action.PRIVATE, Action.OPEN) and not private:
        holds = HOLDS_ALONE if press.person else HOLDS_OPEN
        return InlineKeyboardButton(button.label, url=client.links.url(press, client.now() + holds))
    return InlineKeyboardButton(button.label, callback_data=client.callbacks.data_of(press))


async def quietly(work: Awaitable[object]) -> None:
    """Do what may fail: a draft, a sign that something is being written."""
    with suppress(TelegramError):
        await work
