"""`dogear doctor`: every part of the program, looked at, and what to do about those that do not work."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

import click

from bot.adapters.models.choose import reranker_from
from bot.app import App, embedder_for, opened, utc_now
from bot.cli.check import Check
from bot.cli.machine import (
    clock_check,
    health_check,
    home_checks,
    letters_check,
    packages_check,
    reader_check,
    time_at,
)
from bot.cli.output import UNAVAILABLE, Output, json_option, run
from bot.cli.outside import discord_checks, model_check, rooms_of, telegram_checks
from bot.cli.settings_check import settings_checks
from bot.core.errors import DogearError, Unavailable
from bot.database import Note, check_owner, owner_can_log_in, server_seen
from bot.settings import Settings


@dataclass
class Looking:
    """What is looked at, and what one part found that another needs: the clubs' ``rooms``, by key, with their names,
    and ``clocks``: whose, what time it was there, and here.
    """

    settings: Settings
    note: Note
    rooms: dict[str, str] = field(default_factory=dict)
    clocks: list[tuple[str, datetime, datetime]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the program: the ``settings`` (fields) that tell it what to do, and what looks at it."""

    name: str
    look: Callable[[Looking], Awaitable[list[Check]]]
    settings: tuple[str, ...] = ()


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

_C_LETTERS: Final = (
    "The database tells no letters beyond ASCII from other signs (lc_ctype C), so names are found less well: run "
    "`dogear backup FILE`, make another with create database dogear2 encoding 'UTF8' lc_ctype 'C.UTF-8' template "
    "template0; name it in DATABASE_URL, and run `dogear restore FILE`."
)


async def _tried(name: str, works: str, attempt: Callable[[], Awaitable[object]], *, needed: bool) -> Check:
    try:
        await attempt()
    except DogearError as error:
        return Check(name, False, str(error), needed)
    return Check(name, True, works, needed)


async def _settings(looking: Looking) -> list[Check]:
    return settings_checks(looking.settings, os.environ)


async def _packages(looking: Looking) -> list[Check]:
    del looking
    return [packages_check()]


async def _home(looking: Looking) -> list[Check]:
    return home_checks(looking.settings)


async def _letters(looking: Looking) -> list[Check]:
    del looking
    return [letters_check()]


async def _database(looking: Looking) -> list[Check]:
    found, settings = list[Check](), looking.settings
    where = "embedded" if settings.database_url is None else "DATABASE_URL"
    try:
        async with opened(settings, looking.note) as app:
            found += [Check(name, True, works.format(where=where), True) for name, works in STEPS.items()]
            works = "The answering role has its door, and no way past it."
            found.append(await _tried("door", works, app.check_door, needed=True))
            found.append(await _tried("shelf", "The ingest role reads the shelf.", app.shelf.books, needed=True))
            if settings.discord_token is not None:
                looking.rooms = await rooms_of(app)
            found += await _server(app, looking)
    except DogearError as error:
        found += [check for check in await _owner(looking) if check.message != str(error)]
        failing = FAILING.get(error.code, "database") if isinstance(error, Unavailable) else "database"
        for name, works in STEPS.items():
            if name == failing:
                found.append(Check(name, False, str(error), True))
                break
            found.append(Check(name, True, works.format(where=where), True))
        return found
    return found + await _owner(looking)


async def _owner(looking: Looking) -> list[Check]:
    """The owner's login, which `dogear db upgrade` uses: what is wrong there is told before what comes of it."""
    try:
        if not owner_can_log_in(looking.settings):
            return []
        works = "The owner's login works, and the server does, for `dogear db upgrade`."
        return [await _tried("owner", works, partial(check_owner, looking.settings, looking.note), needed=False)]
    except DogearError:
        return []  # the address itself cannot be read, which is told anyway


async def _server(app: App, looking: Looking) -> list[Check]:
    """What a server of the host's own could have better; its clock is noted."""
    if looking.settings.database_url is None:
        return []
    seen = await server_seen(app.app_engine)
    looking.clocks.append(("the database", seen.now, utc_now()))
    return [] if seen.knows_letters else [Check("server", False, _C_LETTERS)]


async def _reader(looking: Looking) -> list[Check]:
    del looking
    return [await reader_check()]


async def _embedder(looking: Looking) -> list[Check]:
    try:
        embedder = embedder_for(looking.settings)
        if embedder is None:
            off = "Switched off by DOGEAR_EMBEDDER: passages are found by their words alone."
            return [Check("embedder", True, off)]
        await asyncio.to_thread(embedder.embed_question, "Is anybody there?")
    except DogearError as error:
        return [Check("embedder", False, str(error))]
    return [Check("embedder", True, f"Texts are embedded; {_made_for(embedder.languages)}.")]


def _made_for(languages: frozenset[str] | None) -> str:
    if languages is None:
        return "which languages the model was made for is not known here"
    return f"the model was made for books in {' '.join(sorted(languages))}"


async def _reranker(looking: Looking) -> list[Check]:
    try:
        reranker = reranker_from(looking.settings.reranker)
        if reranker is None:
            return [Check("reranker", True, "DOGEAR_RERANKER is not set: what is found is not reranked.", off=True)]
        await asyncio.to_thread(reranker.rerank, "Is anybody there?", ["Nobody was there."])
    except DogearError as error:
        return [Check("reranker", False, str(error))]
    return [Check("reranker", True, "What is found is reranked.")]


async def _model(looking: Looking) -> list[Check]:
    return [await model_check(looking.settings)]


async def _discord(looking: Looking) -> list[Check]:
    return await discord_checks(looking.settings, looking.rooms)


async def _telegram(looking: Looking) -> list[Check]:
    return await telegram_checks(looking.settings)


async def _clock(looking: Looking) -> list[Check]:
    given = looking.settings
    origins = {
        "Discord": (given.discord_token, given.discord_api_base or "https://discord.com"),
        "Telegram": (given.telegram_token, given.telegram_api_base or "https://api.telegram.org"),
        "Anthropic": (given.anthropic_api_key, given.anthropic_base_url or "https://api.anthropic.com"),
    }
    asked = [(whose, origin) for whose, (token, origin) in origins.items() if token is not None]
    for (whose, _), told in zip(asked, await asyncio.gather(*(time_at(o) for _, o in asked)), strict=True):
        if told is not None:
            looking.clocks.append((whose, *told))
    return [clock_check(looking.clocks)]


async def _health(looking: Looking) -> list[Check]:
    return [await health_check(looking.settings)]


PARTS: Final = (
    Part("settings", _settings, ("log", "log_format", "commands_minute")),
    Part("packages", _packages),
    Part("home", _home, ("home",)),
    Part("letters", _letters),
    Part(
        "database",
        _database,
        ("database_url", "database_password", "app_database_url", "ingest_database_url", "database_seconds"),
    ),
    Part("reader", _reader),
    Part("embedder", _embedder, ("embedder", "fusion")),
    Part("reranker", _reranker, ("reranker", "reranking")),
    Part(
        "model",
        _model,
        (
            *("anthropic_api_key", "anthropic_base_url", "model", "small_model", "model_tokens", "model_calls"),
            *("model_seconds", "model_cache", "prices", "club_day", "club_month", "host_day", "host_month"),
            *("support_check", "name_check", "splitting", "whole_part"),
        ),
    ),
    Part("discord", _discord, ("discord_token", "discord_api_base", "discord_gateway", "discord_shards")),
    Part(
        "telegram",
        _telegram,
        ("telegram_token", "telegram_api_base", "telegram_local", "telegram_webhook", "telegram_listen"),
    ),
    Part("clock", _clock),
    Part("health", _health, ("health",)),
)
"""Everything that the program needs, in the order in which it is looked at."""


async def looked_at(settings: Settings, note: Note) -> list[Check]:
    """Every part, looked at."""
    looking = Looking(settings, note)
    return [check for part in PARTS for check in await part.look(looking)]


def label(check: Check) -> str:
    """What stands before a check."""
    return "off   " if check.off else "works " if check.ok else "broken"


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Look at settings, machine, database, models and chats: what works, and what to do about the rest."""
    output = Output(as_json)

    async def work(settings: Settings) -> None:
        checks = await looked_at(settings, output.note)
        value = {
            "ok": all(c.ok for c in checks if c.needed),
            "checks": [{"name": c.name, "ok": c.ok, "message": c.message} for c in checks],
        }
        output.result(value, [f"{label(c)}  {c.name:<10} {c.message}" for c in checks])
        if not value["ok"]:
            raise SystemExit(UNAVAILABLE)

    run(output, work)
