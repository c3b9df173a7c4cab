"""The terminal club without a terminal: commands from a stream, a line each, answers on another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from bot.adapters.terminal.club import TerminalClub
from bot.adapters.terminal.replies import barred


async def play(club: TerminalClub, lines: Iterable[str], out: TextIO) -> None:
    """Echo each command as ``> line``, print its replies and an empty line. Lines that begin with ``#`` are remarks and
    are printed as they stand."""
    for raw in lines:
        line = raw.strip()
        if not line:
            continue
        if line.startswith("#"):
            print(line.lstrip("# "), file=out, flush=True)
            continue
        print(f"> {line}", file=out, flush=True)
        for reply in await club.handle(line):
            for shown in reply.plain:
                print(barred(shown), file=out)
        print(file=out, flush=True)
