"""A way over loopback TCP between a program and a service, which can be slow, silent, broken or gone."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from tests.peers.apart import Apart, run_apart

_CHUNK: Final = 1 << 16
_RESET_AT_CLOSE: Final = struct.pack("ii", 1, 0)


class Way(Enum):
    """What becomes of what is sent. ``SILENT`` takes connections and bytes and passes nothing on until it is open
    again; ``RESETS`` breaks every connection, and each new one as soon as it says something; ``GONE`` refuses them.
    """

    OPEN = "open"
    SILENT = "silent"
    RESETS = "resets"
    GONE = "gone"


class Link:
    """A way to ``target`` (an origin, or a host and port). ``delay`` is in seconds, of each piece towards the service;
    ``taken`` counts connections.
    """

    def __init__(self, target: str) -> None:
        split = urlsplit(target if "//" in target else f"//{target}")
        self.scheme, self.host, self.beyond = split.scheme, split.hostname or "", split.port
        self.apart, self.way, self.delay, self.taken, self.port = Apart(), Way.OPEN, 0.0, 0, 0
        self.waiting = 0
        """Pieces that nobody has been told of since it was silent."""
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def origin(self) -> str:
        """What a program is told instead of the target's."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @run_apart
    async def start(self) -> None:
        await self._listen()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._joined, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        await self._stopped()
        self.apart.end()

    @run_apart
    async def _stopped(self) -> None:
        self._unlisten()
        self._break()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _unlisten(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    @run_apart
    async def becomes(self, way: Way) -> None:
        """Be so from now on. What was held back goes on where it is open again and its connection still stands."""
        self.way = way
        if way in (Way.RESETS, Way.GONE):
            self._break()
        if way is Way.GONE:
            self._unlisten()
        elif self._server is None:
            await self._listen()
        if way is Way.OPEN:
            self.waiting = 0
        self._changed.set()
        self._changed = asyncio.Event()

    def _break(self) -> None:
        """Reset every connection."""
        for writer in list(self._open):
            end = writer.get_extra_info("socket")
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
            writer.transport.abort()
        self._open.clear()

    async def _joined(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.taken += 1
        self._open.add(back)
        far_back: asyncio.StreamWriter | None = None
        try:
            with suppress(OSError, asyncio.CancelledError):
                far, far_back = await asyncio.open_connection(self.host, self.beyond)
                self._open.add(far_back)
                there = asyncio.ensure_future(self._passed(near, far_back, towards=True))
                here = asyncio.ensure_future(self._passed(far, back, towards=False))
                try:
                    await asyncio.wait({there, here}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for one in (there, here):
                        one.cancel()
                    await asyncio.gather(there, here, return_exceptions=True)
        finally:
            for writer in (back, far_back):
                if writer is not None:
                    self._open.discard(writer)
                    writer.transport.abort() if writer.transport.is_closing() else writer.close()
            self._tasks.discard(task)

    async def _passed(self, read: asyncio.StreamReader, write: asyncio.StreamWriter, *, towards: bool) -> None:
        while piece := await read.read(_CHUNK):
            if towards and self.delay:
                await asyncio.sleep(self.delay)
            while self.way is Way.SILENT:
                self.waiting += 1
                await self._changed.wait()
            if self.way is Way.RESETS:
                self._break()
                return
            write.write(piece)
            await write.drain()
