"""`dogear run`: what works in the background, until it is told to end."""

from __future__ import annotations

import click

from bot.app import App, opened
from bot.cli.output import Output, run
from bot.cli.working import OWN_WORKER, ended_by_signal, kept_running, until
from bot.settings import Settings


@click.command(name="run")
def run_command() -> None:
    """Keep working until SIGTERM or Ctrl-C, which end it cleanly: a worker of its own makes books and their vectors.

    This version has no chat adapter: `dogear try` is where a club talks.
    """
    output = Output(as_json=False)

    async def work(settings: Settings) -> None:
        with ended_by_signal() as ended:
            async with opened(settings, output.note) as app:
                _tell(output, app)
                await until(ended, kept_running(OWN_WORKER, ended, output.note))
            output.note("Ended.")

    run(output, work)


def _tell(output: Output, app: App) -> None:
    output.note("No chat adapter is in this version; a worker makes books and their vectors until SIGTERM or Ctrl-C.")
    given = {"DISCORD_TOKEN": app.settings.discord_token, "TELEGRAM_TOKEN": app.settings.telegram_token}
    for name in (name for name, token in given.items() if token is not None):
        output.note(f"{name} is set, and not used yet.")
    if app.embedder is None:
        output.note("DOGEAR_EMBEDDER is none, so there are no vectors to fill in: books are searched by text alone.")
