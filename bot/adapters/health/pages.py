"""``/healthz``, ``/readyz`` and ``/metrics`` over HTTP."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from prometheus_client.exposition import choose_encoder

from bot.adapters.health.figures import PrometheusFigures
from bot.core.errors import DogearError, Refused, Unavailable

DEFAULT: Final = "127.0.0.1:8642"
CONNECTIONS: Final = 64
"""Connections that are kept open: of more the oldest are closed, so that nobody who opens many and says nothing takes
up the process's files.
"""
_WHY: Final = {errno.EADDRINUSE: "something else has it", errno.EACCES: "ports below 1024 are not for everybody"}
PART_SECONDS: Final = 5.0
"""How long a part may take to say that it works."""

logger = logging.getLogger("dogear.health")

Works = Callable[[], Awaitable[bool]]
"""Says whether a part of the program works now."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are: a host of this machine, and a port (0: any)."""

    host: str
    port: int

    @classmethod
    def said(cls, setting: str) -> Address:
        """As it is written in DOGEAR_HEALTH: ``127.0.0.1:8642``, ``[::1]:8642``. Raises `Refused`."""
        host, _, port = setting.rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65_535:
            raise Refused("bad_setting", f"DOGEAR_HEALTH is no address with a port: write it as {DEFAULT}, or off.")
        return cls(host.strip("[]"), int(port))


@dataclass(frozen=True, slots=True)
class Watched:
    """What is looked at when somebody asks: each part, and what refreshes the figures that are counted nowhere."""

    figures: PrometheusFigures
    parts: Mapping[str, Works]
    refresh: Callable[[], Awaitable[None]]

    async def working(self) -> tuple[dict[str, bool], dict[str, str]]:
        """Whether each part works, and the code of why one does not that says so; one that says nothing in time does
        not.
        """
        found = await asyncio.gather(*(self._works(works) for works in self.parts.values()))
        states = {part: works for part, (works, _) in zip(self.parts, found, strict=True)}
        self.figures.ready(states)
        return states, {part: why for part, (_, why) in zip(self.parts, found, strict=True) if why}

    async def _works(self, works: Works) -> tuple[bool, str]:
        try:
            async with asyncio.timeout(PART_SECONDS):
                return await works(), ""
        except Unavailable as error:
            return False, "" if error.code == "unavailable" else error.code
        except (DogearError, OSError, TimeoutError):
            return False, ""


def pages(watched: Watched) -> web.Application:
    """The three pages. They hold numbers, codes and names of parts; nothing can be changed by them."""

    async def healthz(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def readyz(_: web.Request) -> web.Response:
        parts, why = await watched.working()
        ready = all(parts.values())
        shown_parts = {"ready": ready, "parts": parts, **({"why": why} if why else {})}
        return web.json_response(shown_parts, status=200 if ready else 503)

    async def metrics(request: web.Request) -> web.Response:
        await watched.working()
        try:
            async with asyncio.timeout(PART_SECONDS):
                await watched.refresh()
        except (DogearError, OSError, TimeoutError):
            logger.warning("event=stale page=metrics")
        encode, kind = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(watched.figures.registry), headers={"Content-Type": kind})

    app = web.Application()
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", metrics)
    return app


@asynccontextmanager
async def shown(watched: Watched, address: Address, *, wanted: bool) -> AsyncIterator[int | None]:
    """Show the pages meanwhile; their port. Where the address is taken it is None, or, if the pages are ``wanted``
    there and nowhere else, `Refused` is raised.
    """
    runner = web.AppRunner(pages(watched), access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    listening = None
    try:
        listening = await _listening(runner, address, wanted=wanted)
        yield None if listening is None else listening.sockets[0].getsockname()[1]
    finally:
        if listening is not None:
            listening.close()
        await runner.cleanup()


async def _listening(runner: web.AppRunner, address: Address, *, wanted: bool) -> asyncio.Server | None:
    server = runner.server
    assert server is not None

    def connected() -> asyncio.Protocol:
        for oldest in server.connections[: 1 - CONNECTIONS]:
            oldest.force_close()
        return server()

    try:
        listening = await asyncio.get_running_loop().create_server(connected, address.host, address.port, backlog=128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE and not wanted:
            logger.warning("event=not_shown port=%d", address.port)
            return None
        why = _WHY.get(error.errno or 0, "it is no address of this machine")
        raise Refused("bad_setting", f"DOGEAR_HEALTH cannot be used, {why}: set another address, or off.") from None
    logger.info("event=shown port=%d", listening.sockets[0].getsockname()[1])
    return listening
