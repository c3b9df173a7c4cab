"""The terminal club without a terminal: commands from a stream, a line each, answers on another."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from typing import BinaryIO, TextIO

from bot.adapters import wording
from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.replies import Reply, barred, clear, one_line
from bot.core.errors import trace_of


async def play(club: TerminalClub, lines: AsyncIterator[str], out: TextIO, *, remarks: bool = False) -> None:
    """Echo each command as ``> line``, print its replies and an empty line, and flush, so that a script can converse.

    With ``remarks`` lines that begin with ``#`` are printed as they stand, and are no commands.
    """
    async for raw in lines:
        line = one_line(raw).strip()
        if not line:
            continue
        if remarks and line.startswith("#"):
            print(line.lstrip("# "), file=out, flush=True)
            continue
        print(f"> {line}", file=out, flush=True)
        for reply in await answered(club, line):
            for shown in reply.plain:
                print(barred(shown), file=out)
        print(file=out, flush=True)


async def answered(club: TerminalClub, line: str) -> list[Reply]:
    """What a line is answered with. A bug is one sentence at the keyboard and a trace in the host's log."""
    try:
        return await club.handle(line)
    except Exception as error:
        logging.getLogger("dogear").error("A command failed.\n%s", trace_of(error))  # noqa: TRY400 - no message
        return [clear(wording.line("fault"))]


async def scripted(lines: Iterable[str]) -> AsyncIterator[str]:
    """The lines of a script."""
    for line in lines:
        yield line


async def lines_of(stream: BinaryIO) -> AsyncIterator[str]:
    """The lines of a file, pipe or terminal as they arrive; bytes that are no UTF-8 become U+FFFD.

    A thread reads, so that what goes on behind the conversation is not held up, and Ctrl-C is heard.
    """
    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        rest = b""
        with suppress(
            OSError, RuntimeError
        ):  # a terminal that went away, or an end of the loop before that of the input
            for block in _blocks(stream):
                *whole, rest = (rest + block).split(b"\n")
                for line in whole:
                    loop.call_soon_threadsafe(arrived.put_nowait, line)
        with suppress(RuntimeError):
            for last in (rest, None):
                loop.call_soon_threadsafe(arrived.put_nowait, last)

    threading.Thread(target=read, name="stdin", daemon=True).start()
    while (line := await arrived.get()) is not None:
        yield line.decode("utf-8", "replace")


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """What arrives, without waiting for more, and without the stream's lock, which would be missed at the end."""
    try:
        descriptor = stream.fileno()
    except OSError:
        yield stream.read()
        return
    while block := os.read(descriptor, 1 << 16):
        yield block
