"""Connecting to Telegram, by polling or by a webhook, and leaving it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from time import monotonic
from typing import Any, Final
from urllib.parse import urlsplit

import telegram
from telegram.error import Conflict, Forbidden, InvalidToken, TelegramError
from telegram.ext import ExtBot, Updater
from telegram.request import HTTPXRequest

from bot.adapters.telegram.client import Clubs, Dogear
from bot.adapters.telegram.menu import listed
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.uploads import DOWNLOAD
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import UPLOAD_BYTES

UPDATES: Final = ("message", "callback_query", "my_chat_member", "chat_member")
"""What is asked for: who leaves a group is told only to who asks."""
POLL: Final = 10
"""Seconds for which Telegram waits for something to tell."""
LEADS_FOR: Final = 5.0
"""Seconds between two looks whether this process still is the one that asks, or whether it can be."""
TOLD_EVERY: Final = 60.0
"""Seconds between two lines of the log about the same trouble."""
_TURNED_AWAY = "Telegram does not take TELEGRAM_TOKEN: copy the bot's token from @BotFather again."
_NO_TELEGRAM = "Telegram cannot be reached: check the network, and TELEGRAM_API_BASE where it is set."
_CONFLICT = (
    "Another program asks Telegram for this bot's messages: end it, or give each its own bot. Dogear goes on trying."
)
_BAD_WEBHOOK = "TELEGRAM_WEBHOOK is an https address, TELEGRAM_LISTEN a host and a port: see docs/telegram.md."

logger = logging.getLogger("dogear.telegram")


@dataclass(frozen=True, slots=True)
class Address:
    """Where Telegram is, if not where it always is, and the bot's token.

    ``api_base`` is an origin, to which `/bot<token>` and `/file/bot<token>` are added; ``local`` says that it is a Bot
    API server of the host's own that gives larger files. ``webhook`` is the public address (https) that Telegram is to
    call, and ``listen`` the host and port where it arrives.
    """

    token: str = field(repr=False)
    api_base: str | None = None
    local: bool = False
    webhook: str | None = None
    listen: str = "127.0.0.1:8443"

    @property
    def largest(self) -> int:
        """Bytes of the largest file that can be fetched."""
        return UPLOAD_BYTES if self.local else DOWNLOAD

    def secret(self, purpose: str) -> str:
        """32 letters that nobody guesses who does not know the token."""
        return blake2b(purpose.encode(), digest_size=16, key=self.token.encode()[:64]).hexdigest()


@dataclass(frozen=True, slots=True)
class Known:
    """What Telegram says of the bot: its name, and whether it sees commands and replies alone in groups."""

    name: str
    privacy: bool


def bot_of(address: Address, pace: Pace) -> ExtBot[Any]:
    """The bot as python-telegram-bot has it, not yet connected."""
    places: dict[str, Any] = {}
    if address.api_base is not None:
        base = address.api_base.rstrip("/")
        places = {"base_url": f"{base}/bot", "base_file_url": f"{base}/file/bot"}
    request = HTTPXRequest(
        connection_pool_size=64, read_timeout=30, write_timeout=30, connect_timeout=10, pool_timeout=30
    )
    polling = HTTPXRequest(connection_pool_size=1, read_timeout=POLL + 10, connect_timeout=10)
    more: dict[str, Any] = {"request": request, "get_updates_request": polling, "local_mode": address.local}
    return ExtBot(address.token, rate_limiter=pace, **more, **places)


def hush() -> None:
    """Of what is under python-telegram-bot nothing is logged: it shows addresses, which hold the token."""
    for name in ("httpx", "httpcore", "telegram", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@asynccontextmanager
async def _translated() -> AsyncIterator[None]:
    try:
        yield
    except (InvalidToken, Forbidden):
        raise Unavailable(_TURNED_AWAY) from None
    except (TelegramError, OSError):
        raise Unavailable(_NO_TELEGRAM) from None


async def application_of(address: Address) -> Known:
    """Ask Telegram about the bot of a token. Raises `Unavailable` with one sentence."""
    hush()
    async with _translated(), bot_of(address, Pace()) as bot:
        me = await bot.get_me()
        return Known(me.username or "", not me.can_read_all_group_messages)


async def connected(clubs: Clubs, address: Address) -> Dogear:
    """The bot, known to Telegram and with its commands told, but not yet listening. Raises `Unavailable`."""
    hush()
    pace = Pace()
    bot = bot_of(address, pace)
    client = Dogear(clubs, bot, pace, address.largest)
    try:
        async with _translated():
            await bot.initialize()
            await client.begin()
            await listed(bot)
    except BaseException:
        await bot.shutdown()
        raise
    return client


async def served(client: Dogear, address: Address, ended: asyncio.Event) -> None:
    """Listen until ``ended``, and then end what is being answered, and the connection. Raises `Unavailable`."""
    queue: asyncio.Queue[object] = asyncio.Queue()
    updater = Updater(client.bot, queue)
    hearing = asyncio.ensure_future(_hearing(client, queue))
    try:
        async with _translated():
            await updater.initialize()
            if address.webhook is not None:
                await _called(updater, address)
        if address.webhook is None:
            await _asking(client, updater, ended)
        else:
            client.ready.set()
            await ended.wait()
    finally:
        await _quiet(updater)
        hearing.cancel()
        await asyncio.gather(hearing, return_exceptions=True)
        while not queue.empty():  # Telegram does not tell these again
            _heard(client, queue.get_nowait())
        await client.finish()
        with suppress(TelegramError):
            await client.bot.shutdown()


async def _hearing(client: Dogear, queue: asyncio.Queue[object]) -> None:
    while True:
        _heard(client, await queue.get())


def _heard(client: Dogear, update: object) -> None:
    if isinstance(update, telegram.Update):
        client.take(update)


async def _quiet(updater: Updater) -> None:
    if updater.running:
        with suppress(TelegramError):
            await updater.stop()


async def _asking(client: Dogear, updater: Updater, ended: asyncio.Event) -> None:
    """Ask Telegram for messages until ``ended``, in one process of all on a database: others wait to take over."""
    troubles = Troubles()
    while not ended.is_set():
        try:
            async with client.clubs.leading.led(f"telegram {client.bot.id}") as led:
                if led is not None:
                    async with _translated():
                        await updater.start_polling(
                            timeout=POLL, allowed_updates=UPDATES, bootstrap_retries=3, error_callback=troubles.told
                        )
                    logger.info("event=polling")
                    client.ready.set()
                    while not await _over(ended) and await led.holds():
                        pass
                    await _quiet(updater)
        except Unavailable as error:
            if not client.ready.is_set():
                raise
            logger.warning("event=poll_waits code=%s", error.code)
        client.ready.set()  # whoever does not ask can still write
        await _over(ended)


async def _over(ended: asyncio.Event) -> bool:
    """Whether it is to end, a while from now or before."""
    with suppress(TimeoutError):
        await asyncio.wait_for(ended.wait(), LEADS_FOR)
    return ended.is_set()


async def _called(updater: Updater, address: Address) -> None:
    assert address.webhook is not None
    host, _, port = address.listen.rpartition(":")
    public = urlsplit(address.webhook)
    path = f"{public.path.strip('/')}/{address.secret('path')}".lstrip("/")
    if public.scheme != "https" or not port.isdecimal():
        raise Refused("bad_setting", _BAD_WEBHOOK)
    await updater.start_webhook(
        listen=host or "127.0.0.1", port=int(port), url_path=path, allowed_updates=UPDATES, bootstrap_retries=3,
        webhook_url=f"https://{public.netloc}/{path}", secret_token=address.secret("secret"),
    )  # fmt: skip


@dataclass
class Troubles:
    """What goes wrong while Telegram is asked for messages: said in one sentence, and not every second."""

    said_at: dict[str, float] = field(default_factory=dict)

    def told(self, error: TelegramError) -> None:
        """Log it; polling goes on by itself."""
        told = _CONFLICT if isinstance(error, Conflict) else _NO_TELEGRAM
        if monotonic() - self.said_at.get(told, -TOLD_EVERY) >= TOLD_EVERY:
            self.said_at[told] = monotonic()
            logger.warning("%s", told)
