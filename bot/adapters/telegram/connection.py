"""The bot as python-telegram-bot has it: what it asks Telegram, what it cannot read, and what is logged of it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import telegram
from telegram.error import Forbidden, InvalidToken, TelegramError, TimedOut
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.troubles import Revoked, turned_away, unreachable

if TYPE_CHECKING:
    from bot.adapters.telegram.serving import Address

POLL: Final = 10
"""Seconds for which Telegram waits for something to tell."""
AT_ONCE: Final = 40
"""Updates that are taken at once: what comes is read before anything else goes on."""

logger = logging.getLogger("dogear.telegram")


class _Polling(ExtBot[Any]):
    """Polling goes on whatever Telegram says: the updater would give up, without a word, where a token is revoked.

    Asking for more tells Telegram that what it told before came.
    """

    _settled: Callable[[], Awaitable[None]] | None = None

    def ask_after(self, settled: Callable[[], Awaitable[None]]) -> None:
        """Ask for more only when what came is ``settled``."""
        self._settled = settled

    async def get_updates(self, *args: Any, **more: Any) -> tuple[telegram.Update, ...]:
        if self._settled is not None:
            await self._settled()
        try:
            return await super().get_updates(*args, **{"limit": AT_ONCE} | more)
        except InvalidToken:
            raise Revoked from None
        except TimedOut as error:
            if isinstance(self.rate_limiter, Pace):
                self.rate_limiter.troubles.told(error)
            raise


class _Readable(HTTPXRequest):
    """What Telegram tells, but for updates that python-telegram-bot cannot read: it would be told the same of them, and
    of all that came with them, again and again.
    """

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        told = HTTPXRequest.parse_json_payload(payload)
        if isinstance(told.get("result"), list):
            told["result"] = [_read(update) for update in told["result"]]
        return told


def _read(update: Any) -> Any:
    """An update, or, where it cannot be read, its number alone: nothing is done of it."""
    try:
        telegram.Update.de_json(update, None)
    except Exception as error:
        logger.error("event=unreadable error=%s", type(error).__name__)  # noqa: TRY400 - its message may quote it
        return {"update_id": update["update_id"]}
    return update


def bot_of(address: Address, pace: Pace) -> _Polling:
    """The bot as python-telegram-bot has it, not yet connected."""
    places: dict[str, Any] = {}
    if address.api_base is not None:
        base = address.api_base.rstrip("/")
        places = {"base_url": f"{base}/bot", "base_file_url": f"{base}/file/bot"}
    request = HTTPXRequest(
        connection_pool_size=64, read_timeout=30, write_timeout=30, connect_timeout=10, pool_timeout=30
    )
    polling = _Readable(connection_pool_size=1, read_timeout=POLL + 10, connect_timeout=10)
    more: dict[str, Any] = {"request": request, "get_updates_request": polling, "local_mode": address.local}
    return _Polling(address.token, rate_limiter=pace, **more, **places)


def hush() -> None:
    """Of what is under python-telegram-bot nothing is logged, not even what it calls critical: it shows addresses,
    which hold the token, and updates that it cannot read, which hold what people wrote.
    """
    for name in ("httpx", "httpcore", "telegram", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


@asynccontextmanager
async def translated() -> AsyncIterator[None]:
    """What Telegram does not do becomes `Unavailable`, with one sentence."""
    try:
        yield
    except (InvalidToken, Forbidden):
        raise turned_away() from None
    except (TelegramError, OSError):
        raise unreachable() from None
