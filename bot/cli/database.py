"""`dogear db` and `dogear doctor`: what works, and what to do about the rest."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Final

import click

from bot.app import embedder_for, opened
from bot.cli.chats import telegram_address
from bot.cli.checks import Check, discord_checks, rooms_of
from bot.cli.output import UNAVAILABLE, Output, json_option, run
from bot.core.chat_model import Failed
from bot.core.errors import DogearError, Unavailable
from bot.database import database_status, home_of, upgrade_database
from bot.model import claude_for, prices_for
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


STEPS: Final = {
    "database": "PostgreSQL answers ({where}), with pgvector.",
    "roles": "The roles for answering and for ingest log in.",
    "migrations": "The database stands at the newest migration.",
}
"""What is looked at while a database is opened, in order, and what is said when it works."""

FAILING: Final = {
    "passwords": "roles",
    "database_28P01": "roles",
    "database_28000": "roles",
    "door_open": "roles",
    "not_migrated": "migrations",
    "newer_database": "migrations",
}
"""The step at which a failure to open the database lies, by its code; any other lies at the first."""

_NOT_USABLE: Final = defaultdict(
    lambda: "{where} does not answer for {model} now: answers are quotes meanwhile",
    {
        Failed.NOT_ALLOWED: "{where} does not take ANTHROPIC_API_KEY, or does not know {model}: correct it or "
        "DOGEAR_MODEL, and DOGEAR_SMALL_MODEL",
        Failed.UNREACHABLE: "{where} cannot be reached: check the network, and ANTHROPIC_BASE_URL if it is set",
    },
)
"""What a model's server that cannot be used is told as."""


async def _tried(name: str, works: str, attempt: Callable[[], Awaitable[object]], *, needed: bool) -> Check:
    try:
        await attempt()
    except DogearError as error:
        return Check(name, False, str(error), needed)
    return Check(name, True, works, needed)


async def _checks(settings: Settings, output: Output) -> list[Check]:
    found, rooms = [Check("home", True, f"Everything is kept in {home_of(settings)}.")], dict[str, str]()
    where = "embedded" if settings.database_url is None else "DATABASE_URL"
    try:
        async with opened(settings, output.note) as app:
            found += [Check(name, True, works.format(where=where), True) for name, works in STEPS.items()]
            works = "The answering role has its door, and no way past it."
            found.append(await _tried("door", works, app.check_door, needed=True))
            found.append(await _tried("shelf", "The ingest role reads the shelf.", app.shelf.books, needed=True))
            if settings.discord_token is not None:
                rooms = await rooms_of(app)
    except Unavailable as error:
        failing = FAILING.get(error.code, "database")
        for name, works in STEPS.items():
            if name == failing:
                found.append(Check(name, False, str(error), True))
                break
            found.append(Check(name, True, works.format(where=where), True))
    found.append(await _embedder(settings))
    found.append(await _model(settings))
    found += await discord_checks(settings, rooms)
    found.append(await _telegram(settings))
    return found


def _label(check: Check) -> str:
    return "off   " if check.off else "works " if check.ok else "broken"


async def _model(settings: Settings) -> Check:
    """Whether the model's server takes the key and knows the models, and whether their prices are known."""
    claude = claude_for(settings)
    if claude is None:
        return Check(
            "model", True, "Neither ANTHROPIC_API_KEY nor ANTHROPIC_BASE_URL is set: answers are quotes.", off=True
        )
    from bot.adapters.models.claude_check import models_known

    where = settings.anthropic_base_url or "Anthropic"
    try:
        found = await models_known(claude)
    finally:
        await claude.close()
    for known in found:
        if known.failed is not None:
            said = _NOT_USABLE[known.failed].format(where=where, model=known.model)
            return Check("model", False, f"{said} ({known.note}).")
    names = " and ".join(known.model for known in found)
    if unpriced := [known.model for known in found if prices_for(settings).price_of(known.model) is None]:
        how = f"budgets count it as the dearest: set DOGEAR_PRICES={unpriced[0]}=INPUT/OUTPUT (0/0 where it is free)"
        return Check("model", True, f"{where} has {names}; what {unpriced[0]} costs is not known, and {how}.")
    return Check("model", True, f"{where} has {names}; {_budgets(settings)}.")


def _budgets(settings: Settings) -> str:
    limits = {"a club a day": settings.club_day, "a club a month": settings.club_month}
    limits |= {"in all a day": settings.host_day, "in all a month": settings.host_month}
    told = ", ".join(f"{amount} USD {what}" for what, amount in limits.items() if amount is not None)
    return f"at most {told}" if told else "no budget is set"


async def _embedder(settings: Settings) -> Check:
    try:
        embedder = embedder_for(settings)
        if embedder is None:
            off = "Switched off by DOGEAR_EMBEDDER: passages are found by their words alone."
            return Check("embedder", True, off)
        await asyncio.to_thread(embedder.embed_question, "Is anybody there?")
    except DogearError as error:
        return Check("embedder", False, str(error))
    return Check("embedder", True, f"Texts are embedded; {_made_for(embedder.languages)}.")


def _made_for(languages: frozenset[str] | None) -> str:
    if languages is None:
        return "which languages the model was made for is not known here"
    return f"the model was made for books in {' '.join(sorted(languages))}"


async def _telegram(settings: Settings) -> Check:
    """Whether Telegram takes the token, and what the bot sees of what is said in groups."""
    from bot.adapters.telegram.serving import application_of

    address = telegram_address(settings)
    if address is None:
        return Check("telegram", True, "TELEGRAM_TOKEN is not set: no group is served there.", off=True)
    try:
        found = await application_of(address)
    except DogearError as error:
        return Check("telegram", False, str(error))
    if found.privacy:
        told = f"Telegram knows the bot as @{found.name}, which sees commands and replies alone in groups where it is"
        told = f"{told} no administrator."
        return Check("telegram", True, told)
    told = f"Telegram knows the bot as @{found.name}, and tells it everything that is said in groups, which it does"
    return Check("telegram", True, f"{told} not need: send /setprivacy to @BotFather, and choose Enable.")


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Look at the database, its roles, the embedder, keys and tokens: what works, what to do about the rest."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        checks = await _checks(settings, output)
        value = {
            "ok": all(c.ok for c in checks if c.needed),
            "checks": [{"name": c.name, "ok": c.ok, "message": c.message} for c in checks],
        }
        output.result(value, [f"{_label(c)}  {c.name:<10} {c.message}" for c in checks])
        if not value["ok"]:
            raise SystemExit(UNAVAILABLE)

    run(output, work)
