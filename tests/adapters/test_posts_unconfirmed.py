"""A post that a platform did not confirm: whether it can have arrived decides whether it is simply sent again."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import Any, cast

import aiohttp
import httpx
import pytest
from aiohttp.client_reqrep import ConnectionKey
from telegram.error import BadRequest, NetworkError, TimedOut

from bot.adapters.bulletins import Bulletin, Line
from bot.adapters.discord.outlet import DiscordPost
from bot.adapters.telegram.outlet import TelegramPost
from bot.core.errors import Refused, Unavailable

BULLETIN = Bulletin("room", "week", (Line("The club's week."),))


@dataclass
class Away:
    """A platform on which whatever is sent raises ``error``."""

    error: Exception

    def spoken(self, language: str) -> str:
        return language

    async def announce(self, *_: object) -> bool:
        raise self.error


def _caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def _refused() -> aiohttp.ClientConnectorError:
    key = ConnectionKey("discord.com", 443, True, True, None, None, None)
    return aiohttp.ClientConnectorError(key, OSError(socket.EAI_NONAME, "no such host"))


MAY_HAVE_COME = [
    (DiscordPost, TimeoutError()),
    (DiscordPost, ConnectionResetError()),
    (DiscordPost, aiohttp.ServerDisconnectedError()),
    (DiscordPost, aiohttp.SocketTimeoutError("Timeout on reading data from socket")),
    (TelegramPost, TimedOut()),
    (TelegramPost, NetworkError("Bad Gateway")),
    (TelegramPost, _caused(NetworkError("broken"), httpx.ReadError("broken"))),
]
CANNOT_HAVE_COME = [
    (DiscordPost, _refused()),
    (DiscordPost, aiohttp.ConnectionTimeoutError("Connection timeout to host https://discord.com")),
    (DiscordPost, Refused("may_not_write", "No.")),
    (TelegramPost, _caused(NetworkError("nobody there"), httpx.ConnectError("nobody there"))),
    (TelegramPost, BadRequest("chat not found")),
    (TelegramPost, Refused("may_not_write", "No.")),
]


def named(value: object) -> str:
    return value.__name__ if isinstance(value, type) else type(value).__name__


@pytest.mark.parametrize(("post", "error"), MAY_HAVE_COME, ids=named)
async def test_a_post_that_may_have_arrived_is_left_as_made(
    post: type[DiscordPost] | type[TelegramPost], error: Exception
) -> None:
    with pytest.raises(Unavailable):
        await post(cast(Any, Away(error)), "en").post(BULLETIN)


@pytest.mark.parametrize(("post", "error"), CANNOT_HAVE_COME, ids=named)
async def test_a_post_that_cannot_have_arrived_is_sent_again(
    post: type[DiscordPost] | type[TelegramPost], error: Exception
) -> None:
    assert await post(cast(Any, Away(error)), "en").post(BULLETIN) is False
