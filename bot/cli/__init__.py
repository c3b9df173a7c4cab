"""The `dogear` command."""

from __future__ import annotations

import click

from bot.cli.asking import ask, passages
from bot.cli.books import book, position
from bot.cli.database import db, doctor
from bot.cli.measuring import bench_command, evaluate_command
from bot.cli.trying import try_club


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dogear")
def main() -> None:
    """A spoiler-safe book club: answers only from what everyone in the room has read, with quotes."""


for command in (book, position, ask, passages, db, doctor, try_club, evaluate_command, bench_command):
    main.add_command(command)
