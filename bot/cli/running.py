"""`dogear run`: what works in the background, until it is told to end."""

from __future__ import annotations

import asyncio
import gc
import sys
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from bot.app import App, opened, utc_now
from bot.cli.chats import Chat, connected_chats
from bot.cli.collecting import collected_between, given_back
from bot.cli.health import watched
from bot.cli.output import Output, run
from bot.cli.working import OWN_WORKER, ended_by_signal, in_step, kept_running, until
from bot.core.club import ClubId
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.adapters.scheduler import Outlet

ENDING: Final = 9.0
"""Seconds in which everything has ended by itself once it is asked to."""
CONNECTING: Final = 30.0
"""Seconds after which the clubs' clocks run without a chat that is not there yet."""


@click.command(name="run")
@click.option(
    "--worker/--no-worker",
    "own_worker",
    default=True,
    show_default=True,
    help="Keep a worker; without one, `dogear worker` has to run somewhere.",
)
def run_command(own_worker: bool) -> None:
    """Keep working until SIGTERM or Ctrl-C, which end it cleanly: a worker of its own, every club's clock, Discord
    where DISCORD_TOKEN is set, and Telegram where TELEGRAM_TOKEN is.
    """
    output = Output(as_json=False)

    async def work(settings: Settings) -> None:
        if settings.discord_token is None and settings.telegram_token is None and _at_a_terminal():
            from bot.cli.first_run import at_terminal, with_a_chat

            settings = await with_a_chat(settings, at_terminal(output.note))
        with ended_by_signal() as ended:
            async with opened(settings, output.note) as app:
                _tell(output, app, own_worker)
                await asyncio.to_thread(app.warm)
                gc.collect()
                gc.freeze()  # what is there by now stays: looking through it again and again holds everybody up
                chats = await connected_chats(app)
                works = [kept_running(OWN_WORKER, ended, output.note)] if own_worker else []
                works += [_served(chat, ended, output) for chat in chats]
                works += [_clocks(app, chats, ended), in_step(app, ended), app.stopping.heard(ended)]
                works += [_collected(app, chats, ended), given_back(ended)]
                async with watched(app, {chat.name.lower(): chat.works for chat in chats}):
                    await until(ended, *works, grace=ENDING)
            output.note("Ended.")

    run(output, work)


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


async def _served(chat: Chat, ended: asyncio.Event, output: Output) -> None:
    async def told() -> None:
        await chat.ready.wait()
        output.note(f"{chat.name} is connected.")

    telling = asyncio.ensure_future(told())
    try:
        await chat.served(ended)
    finally:
        telling.cancel()


async def _clocks(app: App, chats: Sequence[Chat], ended: asyncio.Event) -> None:
    """Keep the clubs' clocks, from when every chat is there on, or after a while without."""
    from bot.adapters.scheduler import run_scheduler

    await _connected(chats, ended)
    await run_scheduler(app.agenda, app.leading, partial(outlet_in, chats), utc_now, ended)


async def _collected(app: App, chats: Sequence[Chat], ended: asyncio.Event) -> None:
    """Look for garbage between questions, from when every chat is there on: what chats keep of servers stays."""
    await _connected(chats, ended)
    await collected_between(lambda: any(turns.running or turns.waiting for turns in app.turns.values()), ended)


async def _connected(chats: Sequence[Chat], ended: asyncio.Event) -> None:
    """Wait until every chat is there, or for a while, or until it ends."""
    ready = asyncio.ensure_future(_all_ready(chats))
    ending = asyncio.ensure_future(ended.wait())
    await asyncio.wait({ready, ending}, timeout=CONNECTING, return_when=asyncio.FIRST_COMPLETED)
    for wait in (ready, ending):
        wait.cancel()


async def _all_ready(chats: Sequence[Chat]) -> None:
    for chat in chats:
        await chat.ready.wait()


async def outlet_in(chats: Sequence[Chat], club: ClubId) -> Outlet | None:
    """How a club is reached from here: by the first chat that has a room of it. What is due waits, noted, without."""
    for chat in chats:
        outlet = await chat.outlet_of(club)
        if outlet is not None:
            return outlet
    return None


def _tell(output: Output, app: App, own_worker: bool) -> None:
    if app.settings.discord_token is None and app.settings.telegram_token is None:
        left = "a worker makes books and their vectors" if own_worker else "every club's clock is kept"
        output.note(f"DISCORD_TOKEN and TELEGRAM_TOKEN are not set: {left} until SIGTERM or Ctrl-C.")
    if app.embedder is None:
        output.note("DOGEAR_EMBEDDER is none, so there are no vectors to fill in: books are searched by text alone.")
