"""What goes wrong while somebody is answered: they are told a sentence and a reference, the log is told the rest.

The log holds no message of an exception that is not Dogear's own: it may quote what was sent.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

import aiohttp
import discord

from bot.adapters.chat.faults import fault_told
from bot.adapters.chat.patience import patiently
from bot.adapters.discord.acknowledging import ACKNOWLEDGED
from bot.adapters.references import referenced
from bot.core.errors import DogearError

UNKNOWN_INTERACTION: Final = 10062
SPENT: Final = frozenset((UNKNOWN_INTERACTION, ACKNOWLEDGED, 10015, 50027))
"""The interaction is somebody else's, or its time is over: nothing can be said in answer to it."""

AWAY: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord refuses something, or does not answer."""

logger = logging.getLogger("dogear.discord")


def sentence_of(error: BaseException, language: str = "en@discord") -> str | None:
    """What a member is told of an error; None where nothing can be said. Whatever is not their own doing is logged."""
    if isinstance(error, discord.InteractionResponded):
        return None
    if isinstance(error, discord.HTTPException) and error.code in SPENT:
        logger.info("event=spent code=%d", error.code)
        return None
    return fault_told(error, logger, _kind(error), language)


def unsent(what: str, error: BaseException) -> None:
    """Note that something did not reach anybody, which is nobody's fault here: closed direct messages, a missing right,
    an outage of Discord's.
    """
    logger.info("event=unsent what=%s error=%s", what, _kind(error))


def _kind(error: BaseException) -> str:
    name = type(error).__name__
    return f"{name}({error.status}/{error.code})" if isinstance(error, discord.HTTPException) else name


async def guarded(work: Awaitable[None], tell: Callable[[str], Awaitable[None]]) -> None:
    """Do it; what goes wrong is told, if it can be. All of it is logged under one reference."""
    with referenced():
        try:
            await work
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is not None:
                try:
                    await patiently(partial(tell, sentence), away)
                except (*AWAY, DogearError) as untold:
                    unsent("fault", untold)


def away(error: Exception) -> bool:
    """Whether Discord did not answer, or not as itself."""
    return isinstance(error, discord.DiscordServerError | aiohttp.ClientError | OSError)


def unwrapped(error: Any) -> BaseException:
    """The error behind one of discord.py's command errors."""
    found: BaseException = getattr(error, "original", error)
    return found
