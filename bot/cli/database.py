"""`dogear db` and `dogear doctor`: what works, and what to do about the rest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import click

from bot.app import App, database_status, home_of, opened, upgrade_database
from bot.cli.output import UNAVAILABLE, Output, json_option, run
from bot.core.errors import DogearError
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


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it works, and a sentence that says so or says what to do."""

    name: str
    ok: bool
    message: str


async def _tried(name: str, works: str, attempt: Callable[[], Awaitable[object]]) -> Check:
    try:
        await attempt()
    except DogearError as error:
        return Check(name, False, str(error))
    return Check(name, True, works)


async def _checks(settings: Settings, output: Output) -> list[Check]:
    found = [Check("home", True, f"Everything is kept in {home_of(settings)}.")]
    which = "embedded" if settings.database_url is None else "DATABASE_URL"

    async def database() -> None:
        async with opened(settings, output.note) as app:
            found.append(await _tried("books", "The ingest role reads the shelf.", app.shelf.books))
            found.append(await _tried("door", "The answering role has its door.", lambda: _door(app)))
            found.append(await _tried("embedder", "Questions are embedded on this machine.", lambda: _embedder(app)))

    base = await _tried("database", f"PostgreSQL answers ({which}), with pgvector and all migrations.", database)
    found.insert(1, base)
    return found


async def _door(app: App) -> None:
    async with app.doors.opened():
        return


async def _embedder(app: App) -> None:
    if app.embedder is not None:
        app.embedder.embed_question("Is anybody there?")


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Look at the database, its roles and the embedder: what works, what to do about the rest."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        checks = await _checks(settings, output)
        value = {
            "ok": all(c.ok for c in checks),
            "checks": [{"name": c.name, "ok": c.ok, "message": c.message} for c in checks],
        }
        output.result(value, [f"{'works ' if c.ok else 'broken'}  {c.name:<9} {c.message}" for c in checks])
        if not value["ok"]:
            raise SystemExit(UNAVAILABLE)

    run(output, work)
