"""`dogear run`: what works in the background, until it is told to end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import click

from bot.app import App, opened
from bot.cli.output import Output, run
from bot.core.club import BookId
from bot.core.errors import DogearError, Unavailable
from bot.core.ports import Embedder
from bot.core.shelf import Shelf
from bot.ingest.worker import fill_vectors
from bot.settings import Settings

LOOK_EVERY: Final = 5.0
"""Seconds between two looks for books whose vectors are missing."""

ENDED_BY: Final = (signal.SIGTERM, signal.SIGINT)


@click.command(name="run")
def run_command() -> None:
    """Fill in the vectors of every book as it is added, until SIGTERM or Ctrl-C, which end it cleanly.

    This version has no chat adapter: `dogear try` is where a club talks.
    """
    output = Output(as_json=False)

    async def work(settings: Settings) -> None:
        with ended_by_signal() as ended:
            async with opened(settings, output.note) as app:
                _tell(output, app)
                working = asyncio.ensure_future(fill_all(app.shelf, app.embedder, output))
                ending = asyncio.ensure_future(ended.wait())
                await asyncio.wait((working, ending), return_when=asyncio.FIRST_COMPLETED)
                working.cancel()
                ending.cancel()
                with suppress(asyncio.CancelledError):
                    await working
            output.note("Ended.")

    run(output, work)


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


def _tell(output: Output, app: App) -> None:
    output.note("No chat adapter is in this version; the ingest worker fills in vectors until SIGTERM or Ctrl-C.")
    given = {"DISCORD_TOKEN": app.settings.discord_token, "TELEGRAM_TOKEN": app.settings.telegram_token}
    for name in (name for name, token in given.items() if token is not None):
        output.note(f"{name} is set, and not used yet.")
    if app.embedder is None:
        output.note("DOGEAR_EMBEDDER is none, so there are no vectors to fill in: books are searched by text alone.")


async def fill_all(shelf: Shelf, embedder: Embedder | None, output: Output, every: float = LOOK_EVERY) -> None:
    """Fill in the vectors of every book that lacks some and that nobody else is filling, and look again, for ever.

    Whoever adds a book fills it: one whose vectors have not become more from one look to the next was left. A database
    or an embedder that cannot be used for a while ends nothing. ``every`` is in seconds.
    """
    reached: dict[BookId, int] = {}
    while True:
        if embedder is not None:
            try:
                await _look(shelf, embedder, output, reached)
            except Unavailable as error:
                output.note(f"Looking for books without vectors failed ({error.code}): looking again in {every:g} s.")
        await asyncio.sleep(every)


async def _look(shelf: Shelf, embedder: Embedder, output: Output, reached: dict[BookId, int]) -> None:
    """One look; ``reached`` is each book's first passage without a vector, as of the look before."""
    for book in await shelf.books():
        if book.status == "ready" and book.embedder == embedder.model:
            continue
        missing = await shelf.passages_unembedded(book.id, 1)
        before, now = reached.get(book.id), missing[0].ordinal if missing else -1
        reached[book.id] = now
        if before == now:
            await _fill(shelf, embedder, output, book.id)


async def _fill(shelf: Shelf, embedder: Embedder, output: Output, book: BookId) -> None:
    try:
        spent = await fill_vectors(shelf, embedder, book)
    except DogearError as error:
        output.note(f"Book {book} has to wait: {error}")
    else:
        output.note(f"Book {book} has its vectors, after {spent:.1f} s.")
