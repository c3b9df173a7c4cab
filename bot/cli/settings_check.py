"""What `dogear doctor` looks at in the settings themselves: names, files, and what says two things at once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dotenv.parser import parse_stream

from bot.cli.check import Check
from bot.settings import Settings, secret_fields

DOTENV: Final = Path(".env")
OWN: Final = "DOGEAR_"
"""What begins so is meant for this program, and nothing else reads it."""
OF_TESTS: Final = frozenset(("DOGEAR_SHARED", "DOGEAR_STRESS", "DOGEAR_HOSTILE", "DOGEAR_IMAGE"))
"""Names that the Makefile, the tests and Compose read."""
_ALIKE: Final = 0.85
"""How alike (`difflib`, 0..1) a name is to a setting's that is taken for a slip of it."""

_DATABASE: Final = ("database_url",)
_DISCORD: Final = ("discord_token",)
_TELEGRAM: Final = ("telegram_token",)
_MODEL: Final = ("anthropic_api_key", "anthropic_base_url")

IN_VAIN: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("database_password", "app_database_url", "ingest_database_url"), _DATABASE),
    **dict.fromkeys(("discord_api_base", "discord_gateway", "discord_shards"), _DISCORD),
    **dict.fromkeys(("telegram_api_base", "telegram_webhook"), _TELEGRAM),
    "telegram_local": ("telegram_api_base",),
    "telegram_listen": ("telegram_webhook",),
    **dict.fromkeys(("model", "small_model", "model_tokens", "model_calls", "model_seconds", "model_cache"), _MODEL),
    **dict.fromkeys(("prices", "club_day", "club_month", "host_day", "host_month"), _MODEL),
    **dict.fromkeys(("support_check", "name_check", "splitting", "whole_part"), _MODEL),
    "reranking": ("reranker",),
}
"""Settings that have no effect unless one of those on the right is set too."""

ALONE: Final = frozenset(
    (
        *("home", "database_url", "database_seconds", "embedder", "reranker", "fusion", "discord_token"),
        *("telegram_token", "anthropic_api_key", "anthropic_base_url", "log", "log_format", "health"),
        "commands_minute",
    )
)
"""Settings that mean something by themselves."""

BOUNDS: Final = (
    *(("club_day", "club_month"), ("host_day", "host_month"), ("club_day", "host_day"), ("club_month", "host_month")),
)
"""Budgets of which the first is never reached where it is larger than the second."""


def name_of(field: str) -> str:
    """What a setting is called in the environment."""
    return str(Settings.model_fields[field].validation_alias)


def names() -> frozenset[str]:
    """Every name that a setting may have."""
    files = {f"{name_of(field)}_FILE" for field in secret_fields(Settings)}
    return frozenset(name_of(field) for field in Settings.model_fields) | files


def settings_checks(settings: Settings, environment: Mapping[str, str], dotenv: Path = DOTENV) -> list[Check]:
    """Each fault of the settings as a check of its own, or one that says that there is none."""
    held, faults = _held(dotenv)
    faults += [*_unknown(environment, held), *_twice(environment, held), *_in_vain(settings), *_at_odds(settings)]
    if not faults:
        return [Check("settings", True, "Every setting that is given is known, and none says what another denies.")]
    return [Check("settings", False, fault) for fault in faults]


def _held(dotenv: Path) -> tuple[dict[str, str], list[str]]:
    """What `.env` holds, and what is wrong with the file."""
    if not dotenv.is_file():
        return {}, []
    faults, held = [], {}
    with dotenv.open(encoding="utf-8") as file:
        for binding in parse_stream(file):
            if binding.error:
                said = f"Line {binding.original.line} of {dotenv} is no NAME=value, and is passed over: correct it."
                faults.append(said)
            elif binding.key is not None:
                held[binding.key.upper()] = binding.value or ""
    secrets = {name_of(field) for field in secret_fields(Settings)}
    if secrets & {name for name, value in held.items() if value} and os.name == "posix":
        mode = stat.S_IMODE(dotenv.stat().st_mode)
        if mode & 0o077:
            faults.append(f"{dotenv} holds secrets and others may read it (mode {mode:04o}): run `chmod 600 {dotenv}`.")
    return held, faults


def _unknown(environment: Mapping[str, str], held: Mapping[str, str]) -> Iterator[str]:
    known = names()
    for name in sorted({*(name.upper() for name in environment), *held} - known - OF_TESTS):
        alike = get_close_matches(name, known, 1, _ALIKE)
        where = DOTENV if name in held else "the environment"
        if name.removesuffix("_FILE") in known:
            yield f"{name} in {where} has no effect, since only secrets may stand in files: set {name[:-5]} instead."
        elif alike:
            yield f"{name} in {where} is no setting: rename it to {alike[0]}, or remove it."
        elif name.startswith(OWN):
            yield f"{name} in {where} is no setting: README.md lists them all; correct or remove it."


def _twice(environment: Mapping[str, str], held: Mapping[str, str]) -> Iterator[str]:
    given = {name.upper(): value for name, value in environment.items() if value}
    for name in sorted(names() & set(given) & {name for name, value in held.items() if value}):
        if given[name] != held[name]:
            yield f"{name} stands in the environment and, otherwise, in {DOTENV}, and the former holds: remove one."
    named = set(given) | {name for name, value in held.items() if value}
    for name in sorted(name_of(field) for field in secret_fields(Settings)):
        if {name, f"{name}_FILE"} <= named:
            yield f"{name} and {name}_FILE are both set, and the former holds: remove one."


def _in_vain(settings: Settings) -> Iterator[str]:
    for field, wanted in IN_VAIN.items():
        if _said(settings, field) and not any(_said(settings, other) for other in wanted):
            other = " or ".join(name_of(other) for other in wanted)
            yield f"{name_of(field)} has no effect without {other}: set {other}, or remove {name_of(field)}."


def _said(settings: Settings, field: str) -> bool:
    """Whether the host has set it to anything but what holds anyway."""
    value = getattr(settings, field)
    return value is not None and value != Settings.model_fields[field].default


def _at_odds(settings: Settings) -> Iterator[str]:
    url, apart = settings.database_url, settings.database_password
    if url is not None and apart is not None:
        inside = _password(url.get_secret_value())
        if inside is not None and inside != apart.get_secret_value():
            yield "DATABASE_URL has another password than DATABASE_PASSWORD, and the former holds: remove one."
    if settings.reranker is not None and not settings.reranking:
        yield "DOGEAR_RERANKER is set and DOGEAR_RERANKING is off, so nothing is reranked: remove one."
    for field, other in BOUNDS:
        low, high = getattr(settings, field), getattr(settings, other)
        if low is not None and high is not None and low > high and (_said(settings, field) or _said(settings, other)):
            yield f"{name_of(field)} ({low}) is more than {name_of(other)} ({high}), which ends it first: correct one."
    if settings.telegram_webhook is not None and settings.health not in (None, "off"):
        pages, calls = str(settings.health).rpartition(":")[2], settings.telegram_listen.rpartition(":")[2]
        if pages == calls != "0":
            yield f"DOGEAR_HEALTH and TELEGRAM_LISTEN both want port {calls}: change one."


def _password(address: str) -> str | None:
    try:
        return urlsplit(address.strip()).password
    except ValueError:
        return None
