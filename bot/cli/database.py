"""`dogear db`: where the database stands, and bringing it up to date."""

from __future__ import annotations

import click

from bot.cli.output import Output, json_option, run
from bot.database import database_status, upgrade_database
from bot.settings import Settings


@click.group()
def db() -> None:
    """Migrate the database, or show where it stands."""


@db.command()
@json_option
def upgrade(as_json: bool) -> None:
    """Make roles, extension and tables, or bring them up to date."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        version = await upgrade_database(settings, output.note)
        value = {"current": version.current, "newest": version.newest, "up_to_date": version.up_to_date}
        output.result(value, [f"The database is at migration {version.current}."])

    run(output, work)


@db.command()
@json_option
def status(as_json: bool) -> None:
    """Show where the database stands."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        version = await database_status(settings, output.note)
        value = {"current": version.current, "newest": version.newest, "up_to_date": version.up_to_date}
        line = f"The database is at migration {version.current or 'none'}; the newest is {version.newest}."
        output.result(value, [line] if version.up_to_date else [line, "Run `dogear db upgrade`."])

    run(output, work)
