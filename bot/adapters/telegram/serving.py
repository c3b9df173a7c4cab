"""Connecting to Telegram, by polling or by a webhook, and leaving it."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b
from typing import Final, Protocol
from urllib.parse import urlsplit

from telegram.error import TelegramError
from telegram.ext import Updater
from tornado.httpserver import HTTPServer

from bot.adapters.chat.rates import Rates
from bot.adapters.telegram.client import Clubs, Dogear
from bot.adapters.telegram.connection import POLL, bot_of, hush, translated
from bot.adapters.telegram.inlet import LEFT
from bot.adapters.telegram.menu import listed
from bot.adapters.telegram.pace import Pace
from bot.adapters.telegram.troubles import Troubles
from bot.adapters.telegram.uploads import DOWNLOAD
from bot.core.errors import Refused, Unavailable
from bot.core.jobs import UPLOAD_BYTES

UPDATES: Final = ("message", "callback_query", "my_chat_member", "chat_member")
"""What is asked for: who leaves a group is told only to who asks."""
LEADS_FOR: Final = 5.0
"""Seconds between two looks whether this process still is the one that asks, or whether it can be."""
CALL_BYTES: Final = 1_000_000
"""Bytes of a call of Telegram's, which tells one update."""
CALL_SECONDS: Final = 60.0
"""Seconds for which a call may take to arrive."""
STOPPING: Final = 2.0
"""Seconds in which listening has stopped, unless Telegram does not answer: then it is broken off."""
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


async def connected(clubs: Clubs, address: Address, commands: int = 0) -> Dogear:
    """The bot, known to Telegram and with its commands told, but not yet listening. Of one person ``commands``
    are heard in a minute, where that is not 0. Raises `Unavailable`.
    """
    hush()
    pace = Pace(troubles=Troubles())
    bot = bot_of(address, pace)
    client = Dogear(clubs, bot, pace, address.largest, Rates(commands))
    bot.ask_after(client.inlet.settled)
    try:
        async with translated():
            await bot.initialize()
            await client.begin()
            await listed(bot)
    except BaseException:
        await bot.shutdown()
        raise
    return client


async def served(client: Dogear, address: Address, ended: asyncio.Event) -> None:
    """Listen until ``ended``, and then end what is being answered, and the connection. Raises `Unavailable`."""
    updater = Updater(client.bot, client.inlet)
    owing = asyncio.ensure_future(client.owing.run())
    try:
        async with translated():
            await updater.initialize()
            if address.webhook is not None:
                client.inlet.called = True
                await _called(updater, address)
        if address.webhook is None:
            await _asking(client, updater, ended)
        else:
            client.ready.set()
            await _recovering(client, ended)
    finally:
        await _quiet(updater)
        await client.inlet.finish()
        owing.cancel()
        await asyncio.gather(owing, return_exceptions=True)
        with suppress(TelegramError):
            await client.bot.shutdown()


async def _quiet(updater: Updater) -> None:
    if updater.running:
        await stopped(updater)


class Stoppable(Protocol):
    """What listens."""

    async def stop(self) -> None: ...


async def stopped(updater: Stoppable) -> None:
    """Stop listening; where it waits for a Telegram that does not answer, break it off."""
    stopping = asyncio.ensure_future(updater.stop())
    for _ in range(3):  # it takes one cancellation for the end of what it waits for, and goes on
        done, _ = await asyncio.wait({stopping}, timeout=STOPPING)
        if done:
            break
        stopping.cancel()
    with suppress(TelegramError, asyncio.CancelledError, asyncio.InvalidStateError):
        stopping.result()


async def _asking(client: Dogear, updater: Updater, ended: asyncio.Event) -> None:
    """Ask Telegram for messages until ``ended``, in one process of all on a database: others wait to take over."""
    while not ended.is_set():
        try:
            async with client.clubs.leading.led(f"telegram {client.bot.id}") as led:
                if led is not None:
                    await client.inlet.recovered()
                    async with translated():
                        await updater.start_polling(
                            timeout=POLL,
                            allowed_updates=UPDATES,
                            bootstrap_retries=3,
                            error_callback=client.pace.troubles.told,
                        )
                    logger.info("event=polling")
                    client.ready.set()
                    try:
                        while not await _over(ended) and await led.holds():
                            await _left_heard(client, LEFT)
                    finally:
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


async def _recovering(client: Dogear, ended: asyncio.Event) -> None:
    """Hear until ``ended`` what a process put down that has died: at first whatever waits, then what was left."""
    age = timedelta(0)
    while not ended.is_set():
        if await _left_heard(client, age):
            age = LEFT
        await _over(ended)


async def _left_heard(client: Dogear, age: timedelta) -> bool:
    """Hear what waits for so long or longer; false where the database cannot tell, which is asked another time."""
    try:
        await client.inlet.recovered(age)
    except Unavailable as error:
        logger.warning("event=recovery_waits code=%s", error.code)
        return False
    return True


def path_of(address: Address) -> str:
    """The path, after the host and a slash, at which Telegram is to call: nobody guesses it."""
    return f"{urlsplit(address.webhook or '').path.strip('/')}/{address.secret('path')}".lstrip("/")


async def _called(updater: Updater, address: Address) -> None:
    assert address.webhook is not None
    host, _, port = address.listen.rpartition(":")
    public, path = urlsplit(address.webhook), path_of(address)
    if public.scheme != "https" or not port.isdecimal():
        raise Refused("bad_setting", _BAD_WEBHOOK)
    try:
        await updater.start_webhook(
            listen=host or "127.0.0.1", port=int(port), url_path=path, allowed_updates=UPDATES, bootstrap_retries=3,
            webhook_url=f"https://{public.netloc}/{path}", secret_token=address.secret("secret"),
        )  # fmt: skip
    except OSError as error:  # of listening: whatever fails of asking is a TelegramError
        why = os.strerror(error.errno or errno.EADDRNOTAVAIL)
        raise Unavailable(f"Nothing can listen at TELEGRAM_LISTEN ({why}): run `dogear doctor`.") from None
    bounded(updater._httpd._http_server)  # type: ignore[union-attr] # python-telegram-bot has no setting for that


def bounded(server: HTTPServer) -> None:
    """Nobody who finds where calls arrive takes up memory or connections: tornado would read 100 MB of any call before
    it is looked at, and wait for an hour.
    """
    server.conn_params.max_body_size = CALL_BYTES
    server.conn_params.body_timeout = server.conn_params.header_timeout = CALL_SECONDS
