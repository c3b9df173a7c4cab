"""What goes wrong on Telegram: what is no fault of ours, and how the rest is named in the log."""

from __future__ import annotations

import logging
from typing import Final

import httpx
from telegram.error import BadRequest, Forbidden, NetworkError, TelegramError

from bot.adapters.chat.faults import fault_told
from bot.adapters.telegram.keys import spoken
from bot.core.errors import Refused

_UNREACHED = ("chat not found", "user not found", "peer_id_invalid", "user is deactivated", "bot was blocked")

_ENGLISH: Final = spoken("en")

logger = logging.getLogger("dogear.telegram")


class Unreached(Refused):
    """A private message did not reach somebody: they never wrote to the bot, or blocked it."""

    def __init__(self) -> None:
        super().__init__("unreached", "That could not be told to you alone: open the private chat with me first.")


def unreached(error: TelegramError) -> bool:
    """Whether nothing reaches that person for now."""
    if isinstance(error, Forbidden):
        return True
    return isinstance(error, BadRequest) and any(words in error.message.lower() for words in _UNREACHED)


def away(error: Exception) -> bool:
    """Whether Telegram did not answer, or not as itself."""
    return isinstance(error, NetworkError) and not isinstance(error, BadRequest)


def unconnected(error: Exception) -> bool:
    """Whether nothing of what was sent can have arrived: no connection was made."""
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)


def sentence_of(error: BaseException, language: str = _ENGLISH) -> str:
    """What a member is told of an error. Whatever is not their own doing is logged."""
    return fault_told(error, logger, type(error).__name__, language)
