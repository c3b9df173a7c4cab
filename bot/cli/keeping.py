"""`dogear backup` and `dogear restore`."""

from __future__ import annotations

from pathlib import Path

import click

from bot.cli.output import Output, json_option, run
from bot.settings import Settings
from bot.upkeep import backup_database, restore_database

FILE = click.argument("file", type=click.Path(dir_okay=False, path_type=Path))


def _bytes(file: Path) -> int:
    return file.stat().st_size


@click.command(name="backup")
@FILE
@click.option("--overwrite", is_flag=True, help="Replace FILE where there is one.")
@json_option
def backup_command(file: Path, overwrite: bool, as_json: bool) -> None:
    """Write everything that is in the database to FILE: books, clubs, places and questions, of one moment.

    It holds whole books and what members asked: keep it as you keep the database. Passwords and tokens are not in it.
    """
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        made = await backup_database(settings, file, output.note, overwrite=overwrite)
        rows, size = sum(table.rows for table in made.tables.values()), _bytes(file)
        value = {
            "file": str(file), "bytes": size, "migration": made.migration, "made_at": made.made_at,
            "tables": {name: table.rows for name, table in made.tables.items()},
        }  # fmt: skip
        output.result(value, [f"{rows:,} rows of {len(made.tables)} tables are in {file}, {size:,} bytes."])

    run(output, work)


@click.command(name="restore")
@FILE
@click.option("--replace", is_flag=True, help="Delete whatever is in the database first.")
@json_option
def restore_command(file: Path, replace: bool, as_json: bool) -> None:
    """Restore FILE into an empty database, embedded or of your own, all or nothing.

    A backup of an older Dogear is brought up to date on the way. End `dogear run` before.
    """
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        found = await restore_database(settings, file, output.note, replace=replace)
        rows = sum(table.rows for table in found.tables.values())
        value = {
            "file": str(file), "made_at": found.made_at, "migration": found.migration,
            "tables": {name: table.rows for name, table in found.tables.items()},
        }  # fmt: skip
        output.result(value, [f"{rows:,} rows of {len(found.tables)} tables are back, as of {found.made_at}."])

    run(output, work)
