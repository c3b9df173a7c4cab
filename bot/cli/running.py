"""`dogear run`: what works in the background, until it is told to end."""

from __future__ import annotations

from typing import Final

import click

from bot.app import App, opened, utc_now
from bot.cli.output import Output, run
from bot.cli.working import OWN_WORKER, ended_by_signal, kept_running, until
from bot.core.club import ClubId
from bot.settings import Settings

ENDING: Final = 9.0
"""Seconds in which everything has ended by itself once it is asked to."""


@click.command(name="run")
def run_command() -> None:
    """Keep working until SIGTERM or Ctrl-C, which end it cleanly: a worker of its own, and every club's clock.

    This version has no chat adapter: `dogear try` is where a club talks.
    """
    output = Output(as_json=False)

    from bot.adapters.scheduler import run_scheduler

    async def work(settings: Settings) -> None:
        with ended_by_signal() as ended:
            async with opened(settings, output.note) as app:
                _tell(output, app)
                keeping = kept_running(OWN_WORKER, ended, output.note)
                await until(ended, keeping, run_scheduler(app.agenda, outlet_of, utc_now, ended), grace=ENDING)
            output.note("Ended.")

    run(output, work)


async def outlet_of(club: ClubId) -> None:
    """How a club is reached from here: not at all, until there is a chat adapter. What is due then waits, noted."""
    del club


def _tell(output: Output, app: App) -> None:
    output.note("No chat adapter is in this version; a worker makes books and their vectors until SIGTERM or Ctrl-C.")
    given = {"DISCORD_TOKEN": app.settings.discord_token, "TELEGRAM_TOKEN": app.settings.telegram_token}
    for name in (name for name, token in given.items() if token is not None):
        output.note(f"{name} is set, and not used yet.")
    if app.embedder is None:
        output.note("DOGEAR_EMBEDDER is none, so there are no vectors to fill in: books are searched by text alone.")
