"""`dogear worker`, and how `dogear run` keeps one: a process of its own, so that chat never waits for a file."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import click

from bot.app import App, opened, working
from bot.cli.collecting import given_back
from bot.cli.health import watched
from bot.cli.output import Output, run
from bot.core.errors import Unavailable
from bot.core.jobs import LEASE
from bot.settings import Settings

ENDED_BY: Final = (signal.SIGTERM, signal.SIGINT)

WHILE_OPEN: Final = "--while-open"

LOOKS_EVERY: Final = 5.0
"""Seconds between two looks whether the database was migrated by another Dogear."""


@click.command(name="worker")
@click.option(
    "--lease",
    type=click.FloatRange(min=1),
    default=LEASE.total_seconds(),
    show_default=True,
    help="Seconds after which another worker takes what this one has, should it be gone.",
)
@click.option(WHILE_OPEN, is_flag=True, hidden=True, help="End when standard input does.")
def worker_command(lease: float, while_open: bool) -> None:
    """Make books of uploaded files, and their vectors, until SIGTERM or Ctrl-C.

    Any number may run, on any machine that reaches the database: files come from there too.
    """
    output = Output(as_json=False)

    async def work(settings: Settings) -> None:
        _log_work()
        with ended_by_signal() as ended:
            if while_open:
                _ended_with_input(ended)
            async with opened(settings, output.note) as app:
                with working(app, lease) as worker:
                    works = (worker.run(), in_step(app, ended), given_back(ended))
                    if while_open:  # whoever started it shows how it goes
                        await until(ended, *works)
                    else:
                        async with watched(app, {}):
                            await until(ended, *works)
            logging.getLogger("dogear.worker").info("event=ended")

    run(output, work)


def _log_work() -> None:
    """What a worker does is its output: shown unless the host asked for less than warnings."""
    if logging.getLogger().getEffectiveLevel() <= logging.WARNING:
        logging.getLogger("dogear.worker").setLevel(logging.INFO)


@contextmanager
def ended_by_signal() -> Iterator[asyncio.Event]:
    """An event that is set when the process is asked to end."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in ENDED_BY:
        loop.add_signal_handler(number, ended.set)
    try:
        yield ended
    finally:
        for number in ENDED_BY:
            loop.remove_signal_handler(number)


async def until(ended: asyncio.Event, *works: Coroutine[Any, Any, None], grace: float = 0.0) -> None:
    """Let everything go on until it is to end; what fails ends the rest, and is raised.

    What ends by itself when the event is set has ``grace`` seconds to do so.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    ending = asyncio.ensure_future(ended.wait())
    try:
        await asyncio.wait({*tasks, ending}, return_when=asyncio.FIRST_COMPLETED)
        if ended.is_set() and grace:
            await asyncio.wait(tasks, timeout=grace)
        failed = [task for task in tasks if task.done() and not task.cancelled() and task.exception() is not None]
    finally:
        for task in (*tasks, ending):
            task.cancel()
        await asyncio.gather(*tasks, ending, return_exceptions=True)
    for task in failed:
        task.result()


async def in_step(app: App, ended: asyncio.Event) -> None:
    """Watch that the database stands where this program needs it, until ``ended``: another Dogear may migrate it.

    Raises `Unavailable`, with what to do, where it does not any more; one that does not answer is waited for.
    """
    while not ended.is_set():
        try:
            await app.require_in_step()
        except Unavailable as error:
            if error.code in {"newer_database", "not_migrated"}:
                raise
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), LOOKS_EVERY)


def _ended_with_input(ended: asyncio.Event) -> None:
    """Set the event when whoever holds the other end of standard input is gone."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(OSError, ValueError):
            while os.read(sys.stdin.fileno(), 1024):
                pass
        with suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=read, name="stdin", daemon=True).start()


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: until the ``first`` restart, the ``most`` between two, and the ``grace`` a child has to end in.

    A worker has given its job back and closed everything at once; what may take longer is a batch that is embedded
    for nobody any more.
    """

    first: float = 1.0
    most: float = 60.0
    grace: float = 5.0

    def next(self, waited: float, ran: float) -> float:
        """How long to wait after a child that ran so long; ``waited`` is how long it was the last time, or 0."""
        return self.first if waited == 0 or ran > self.most else min(self.most, 2 * waited)


OWN_WORKER: Final = (sys.executable, "-m", "bot", "worker", WHILE_OPEN)


async def kept_running(
    command: Sequence[str],
    ended: asyncio.Event,
    note: Callable[[str], None],
    patience: Patience = Patience(),
) -> None:
    """Run a command, start it again whenever it ends, later each time it ends soon, and end it when all is to end.

    The child's standard input is a pipe that ends with this process, however that ends.
    """
    waited = 0.0
    while not ended.is_set():
        began = monotonic()
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE)
        exited, ending = asyncio.ensure_future(process.wait()), asyncio.ensure_future(ended.wait())
        try:
            await asyncio.wait({exited, ending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
            await _closed(process, exited, patience.grace)
        if ended.is_set():
            return
        waited = patience.next(waited, monotonic() - began)
        note(f"The worker ended ({process.returncode}): it is started again in {waited:g} s.")
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), waited)


async def _closed(process: asyncio.subprocess.Process, exited: asyncio.Future[int], grace: float) -> None:
    """Ask a child to end, and kill it where it has not within ``grace`` seconds."""
    with suppress(ProcessLookupError):
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(asyncio.shield(exited), grace)
            except TimeoutError:
                process.kill()
    await exited
    if process.stdin is not None:
        process.stdin.close()
