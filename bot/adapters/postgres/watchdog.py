"""A small process that stops an embedded server which nobody uses any more.

A command that ends stops the server itself, if it is the last. One that is killed cannot: so whoever starts a server
also starts this, in a session of its own and with no hold on the terminal. It looks twice a second whether a lease
is held, keeps the server's log within bounds, and ends two seconds after the last user. Standard library only, as
long as all is well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Final

from bot.adapters.postgres.leases import WATCHDOG, in_use, lock, open_lock, starting_now
from bot.adapters.postgres.pidfile import stop_server

POLL_SECONDS: Final = 0.5
LINGER_POLLS: Final = 4
"""How often it must find nobody before it ends: a server whose starter was killed may still be coming up."""

LOG_BYTES: Final = 1_000_000
"""The size at which ``postgres.log`` becomes ``postgres.log.1``; so the two together stay near twice that."""

_FOR_PYTHON: Final = ("LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")
"""All of the environment that it inherits, since this process may not have started without."""


def ensure_watchdog(folder: Path) -> None:
    """Start a watchdog for ``folder`` unless one lives. Call under ``start.lock``.

    Its lock is taken here and inherited, so there is no moment at which two could start, or none.
    """
    descriptor = open_lock(folder / WATCHDOG)
    try:
        if not lock(descriptor):
            return
        command = [sys.executable, "-m", __name__, str(folder), str(descriptor)]
        subprocess.run(  # the shell ends at once, which leaves the watchdog to init: no zombie here
            ["/bin/sh", "-c", '"$@" &', "sh", *command],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parents[3],
            env={"PATH": os.defpath} | {name: os.environ[name] for name in _FOR_PYTHON if name in os.environ},
            pass_fds=(descriptor,),
            start_new_session=True,
        )
    finally:
        os.close(descriptor)


def bound_log(log: Path, limit: int = LOG_BYTES) -> None:
    """Copy a log that has grown past ``limit`` bytes aside and empty it, while the server goes on appending."""
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    with suppress(FileNotFoundError), open(os.open(log, flags), "r+b") as current:  # noqa: PTH123 - a descriptor
        if current.seek(0, os.SEEK_END) > limit:
            current.seek(-limit, os.SEEK_END)
            kept = current.read(limit)
            aside = log.with_name(log.name + ".1")
            aside.unlink(missing_ok=True)
            aside.touch(0o600, exist_ok=False)
            aside.write_bytes(kept)
            current.truncate(0)


def watch(folder: Path, descriptor: int) -> None:
    """Stop the server of ``folder`` whenever it runs unused; return when it has been unused for a while."""
    unused = 0
    while True:
        sleep(POLL_SECONDS)
        with suppress(OSError):
            bound_log(folder / "postgres.log")
        try:
            with starting_now(folder) as mine:
                if not mine or in_use(folder):
                    unused = 0
                    continue
                unused += 1
                if stop_server(folder / "data"):
                    unused = 0
                if unused >= LINGER_POLLS:
                    os.close(descriptor)  # still under start.lock: who starts next sees that this one is gone
                    return
        except FileNotFoundError:  # the folder was removed, and the server ends by itself
            return


def main(arguments: list[str]) -> None:
    """``watchdog FOLDER DESCRIPTOR``: the descriptor holds ``watchdog.lock``."""
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    os.chdir("/")
    watch(Path(arguments[0]), int(arguments[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
