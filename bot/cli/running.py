"""`dogear run`: what works in the background, until it is told to end."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from bot.app import App, opened, utc_now
from bot.cli.chats import discord_bot
from bot.cli.health import watched
from bot.cli.output import Output, run
from bot.cli.working import OWN_WORKER, ended_by_signal, kept_running, until
from bot.core.club import ClubId
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.discord.client import Dogear

ENDING: Final = 9.0
"""Seconds in which everything has ended by itself once it is asked to."""
CONNECTING: Final = 30.0
"""Seconds after which the clubs' clocks run without Discord."""


@click.command(name="run")
@click.option(
    "--worker/--no-worker",
    "own_worker",
    default=True,
    show_default=True,
    help="Keep a worker; without one, `dogear worker` has to run somewhere.",
)
def run_command(own_worker: bool) -> None:
    """Keep working until SIGTERM or Ctrl-C, which end it cleanly: a worker of its own, every club's clock, and Discord
    where DISCORD_TOKEN is set.
    """
    output = Output(as_json=False)

    from bot.adapters.scheduler import run_scheduler

    async def work(settings: Settings) -> None:
        with ended_by_signal() as ended:
            async with opened(settings, output.note) as app:
                _tell(output, app, own_worker)
                client = await discord_bot(app)
                parts = {} if client is None else {"discord": partial(_connected, client)}
                works = [kept_running(OWN_WORKER, ended, output.note)] if own_worker else []
                if client is None:
                    works.append(run_scheduler(app.agenda, nowhere, utc_now, ended))
                else:
                    works += [_served(client, ended, output), _clocks(app, client, ended)]
                async with watched(app, parts):
                    await until(ended, *works, grace=ENDING)
            output.note("Ended.")

    run(output, work)


async def _connected(client: Dogear) -> bool:
    return client.is_ready() and not client.is_closed()


async def _served(client: Dogear, ended: asyncio.Event, output: Output) -> None:
    from bot.adapters.discord.serving import served

    async def told() -> None:
        await client.ready.wait()
        output.note("Discord is connected.")

    telling = asyncio.ensure_future(told())
    try:
        await served(client, ended)
    finally:
        telling.cancel()


async def _clocks(app: App, client: Dogear, ended: asyncio.Event) -> None:
    """Keep the clubs' clocks, from when Discord is there on, or after a while without it."""
    from bot.adapters.discord.outlet import outlet_of
    from bot.adapters.scheduler import run_scheduler

    waits = [asyncio.ensure_future(client.ready.wait()), asyncio.ensure_future(ended.wait())]
    await asyncio.wait(waits, timeout=CONNECTING, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    await run_scheduler(app.agenda, partial(outlet_of, client), utc_now, ended)


async def nowhere(club: ClubId) -> None:
    """How a club is reached from here: not at all, without a chat adapter. What is due then waits, noted."""
    del club


def _tell(output: Output, app: App, own_worker: bool) -> None:
    if app.settings.discord_token is None:
        left = "a worker makes books and their vectors" if own_worker else "every club's clock is kept"
        output.note(f"DISCORD_TOKEN is not set: {left} until SIGTERM or Ctrl-C.")
    if app.settings.telegram_token is not None:
        output.note("TELEGRAM_TOKEN is set, and not used yet.")
    if app.embedder is None:
        output.note("DOGEAR_EMBEDDER is none, so there are no vectors to fill in: books are searched by text alone.")
