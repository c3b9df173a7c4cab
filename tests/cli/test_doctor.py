"""`dogear doctor` looks at everything that the program needs: each need that is not met is named, with what mends it.

What is needed is taken from the settings, the chats, the packages and the source itself, so that a new need without a
check fails here.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from errno import EACCES
from functools import cache
from pathlib import Path
from socket import socket
from typing import Any, Final

import pytest
from click.testing import CliRunner

import bot
from bot.adapters.models.nano_e5 import PACKAGE as MULTILINGUAL
from bot.adapters.models.reranker import PACKAGE as RERANK
from bot.adapters.postgres import server
from bot.adapters.postgres.server import ServerFacts
from bot.adapters.telegram.serving import path_of
from bot.cli import main
from bot.cli.chats import telegram_address
from bot.cli.doctor import PARTS, Looking, looked_at
from bot.cli.first_run import PLATFORMS
from bot.cli.machine import clock_check, home_checks, letters_check, packages_check
from bot.cli.settings_check import ALONE, IN_VAIN, settings_checks
from bot.core.errors import Refused
from bot.settings import Settings, read_settings
from tests.databases import SUPERUSER, Databases
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.discord.peer import FakeDiscord
from tests.peers.telegram.peer import FakeTelegram

ROOT = Path(bot.__file__).parents[1]
FIELDS = Settings.model_fields
BY_NAME = {part.name: part for part in PARTS}

MENDS: Final = re.compile(
    r"(?:[:;,] |\bor |\band |\bthen )(?:(?:run|set|unset|correct|install|reinstall|make|start|end|rename|remove)\b"
    r"|(?:mend|replace|restore|add|upgrade|use|write|keep|switch|choose|copy|check|change|send|let|try|give|see|ask)\b"
    r"|(?:put|save)\b|0,1/4 are)"
)
"""What to do begins with a verb."""

NOWHERE = "http://127.0.0.1:9"
AWAY = "postgresql://owner:secret@127.0.0.1:9/dogear"


def mends(message: str) -> bool:
    return MENDS.search(message) is not None


# --- every setting -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Broken:
    """A state of the settings that does not work: where it is said, and what of the sentence. ``part`` "refused" is
    what no command begins with. In a value, {discord}, {telegram} and {anthropic} are where the peers are.
    """

    part: str
    said: str
    given: Mapping[str, str]


def refused(name: str, value: str, form: str) -> Broken:
    return Broken("refused", f"{name} is {form}: correct it.", {name: value})


WITH_KEY = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "{anthropic}"}
ON_DISCORD = {"DISCORD_TOKEN": "loopback.token", "DISCORD_API_BASE": "{discord}"}
ON_TELEGRAM = {"TELEGRAM_TOKEN": "123456:loopback", "TELEGRAM_API_BASE": "{telegram}"}
DOLLARS = "an amount in US dollars such as 2.50, or none"

WRONG: Final[Mapping[str, Broken]] = {
    "home": Broken("home", "set DOGEAR_HOME to a folder", {"DOGEAR_HOME": __file__}),
    "database_url": Broken("database", "start the server, or correct DATABASE_URL", {"DATABASE_URL": AWAY}),
    "database_password": Broken("settings", "set DATABASE_URL, or remove", {"DATABASE_PASSWORD": "x"}),
    "app_database_url": Broken(
        "database",
        "DOGEAR_APP_DATABASE_URL does not begin with postgresql://; write it as",
        {"DATABASE_URL": AWAY, "DOGEAR_APP_DATABASE_URL": "mysql://x"},
    ),
    "ingest_database_url": Broken(
        "database",
        "DOGEAR_INGEST_DATABASE_URL names no database; write it as",
        {"DATABASE_URL": AWAY, "DOGEAR_INGEST_DATABASE_URL": "postgresql://a:b@127.0.0.1"},
    ),
    "database_seconds": refused("DOGEAR_DATABASE_SECONDS", "0", "a number from 1 to 600"),
    "embedder": Broken("embedder", "set DOGEAR_EMBEDDER to a folder", {"DOGEAR_EMBEDDER": "/nonexistent"}),
    "reranker": Broken("reranker", "DOGEAR_RERANKER", {"DOGEAR_RERANKER": "/nonexistent"}),
    "fusion": refused("DOGEAR_FUSION", "magic", "zscore or rrf"),
    "discord_token": Broken("discord", "copy the bot's token", ON_DISCORD | {"DISCORD_TOKEN": "wrong"}),
    "discord_api_base": Broken(
        "discord", "check the network, and DISCORD_API_BASE", ON_DISCORD | {"DISCORD_API_BASE": NOWHERE}
    ),
    "discord_gateway": refused("DISCORD_GATEWAY", "https://gateway", "an address with wss://"),
    "discord_shards": Broken("discord", "0,1/4 are two of four", ON_DISCORD | {"DISCORD_SHARDS": "5/4"}),
    "telegram_token": Broken("telegram", "@BotFather", ON_TELEGRAM | {"TELEGRAM_TOKEN": "1:wrong"}),
    "telegram_api_base": Broken(
        "telegram", "check the network, and TELEGRAM_API_BASE", ON_TELEGRAM | {"TELEGRAM_API_BASE": NOWHERE}
    ),
    "telegram_local": Broken("settings", "set TELEGRAM_API_BASE, or remove", {"TELEGRAM_LOCAL": "yes"}),
    "telegram_webhook": Broken(
        "telegram", "correct TELEGRAM_WEBHOOK", ON_TELEGRAM | {"TELEGRAM_WEBHOOK": "https://books.example:9/tg"}
    ),
    "telegram_listen": Broken(
        "telegram",
        "set TELEGRAM_LISTEN to an address of this machine",
        ON_TELEGRAM | {"TELEGRAM_WEBHOOK": "https://books.example/tg", "TELEGRAM_LISTEN": "192.0.2.1:8443"},
    ),
    "anthropic_api_key": Broken("model", "does not take ANTHROPIC_API_KEY", WITH_KEY | {"ANTHROPIC_API_KEY": "wrong"}),
    "anthropic_base_url": Broken("model", "check the network, and ANTHROPIC_BASE_URL", {"ANTHROPIC_BASE_URL": NOWHERE}),
    "model": Broken("settings", "set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL", {"DOGEAR_MODEL": "qwen"}),
    "small_model": Broken("settings", "set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL", {"DOGEAR_SMALL_MODEL": "tiny"}),
    "model_tokens": refused("DOGEAR_MODEL_TOKENS", "1", "a number from 500 to 900000"),
    "model_calls": refused("DOGEAR_MODEL_CALLS", "1", "a number from 2 to 1000"),
    "model_seconds": refused("DOGEAR_MODEL_SECONDS", "soon", "a number from 1 to 3600"),
    "model_cache": refused("DOGEAR_MODEL_CACHE", "1d", "5m or 1h"),
    "prices": Broken("refused", "DOGEAR_PRICES is NAME=INPUT/OUTPUT", {"DOGEAR_PRICES": "cheap"}),
    "club_day": refused("DOGEAR_CLUB_BUDGET_DAY", "much", DOLLARS),
    "club_month": Broken(
        "settings",
        "DOGEAR_CLUB_BUDGET_MONTH (300) is more than DOGEAR_HOST_BUDGET_MONTH (200), which ends it first: correct one",
        WITH_KEY | {"DOGEAR_CLUB_BUDGET_MONTH": "300"},
    ),
    "host_day": Broken(
        "settings",
        "DOGEAR_CLUB_BUDGET_DAY (2) is more than DOGEAR_HOST_BUDGET_DAY (1), which ends it first: correct one",
        WITH_KEY | {"DOGEAR_HOST_BUDGET_DAY": "1"},
    ),
    "host_month": refused("DOGEAR_HOST_BUDGET_MONTH", "-1", DOLLARS),
    "support_check": refused("DOGEAR_SUPPORT_CHECK", "maybe", "on or off"),
    "name_check": refused("DOGEAR_NAME_CHECK", "maybe", "on or off"),
    "splitting": refused("DOGEAR_SPLITTING", "maybe", "on or off"),
    "reranking": Broken("settings", "remove one", {"DOGEAR_RERANKING": "off", "DOGEAR_RERANKER": "x"}),
    "whole_part": refused("DOGEAR_WHOLE_PART", "maybe", "on or off"),
    "commands_minute": refused("DOGEAR_COMMANDS_MINUTE", "-1", "a number from 0 to 100000"),
    "log": refused("DOGEAR_LOG", "LOUD", "DEBUG, INFO, WARNING or ERROR"),
    "log_format": refused("DOGEAR_LOG_FORMAT", "xml", "text or json"),
    "health": Broken("health", "set DOGEAR_HEALTH to an address of this machine", {"DOGEAR_HEALTH": "192.0.2.1:8642"}),
}
"""For each setting, by its field, a state of it that cannot be used."""


@asynccontextmanager
async def peers(values: Mapping[str, str]) -> AsyncIterator[dict[str, str]]:
    """``values`` with where the peers are that they name."""
    kinds = {"discord": FakeDiscord, "telegram": FakeTelegram, "anthropic": FakeAnthropic}
    started = {name: kind() for name, kind in kinds.items() if f"{{{name}}}" in "".join(values.values())}
    for peer in started.values():
        await peer.start()
    origins = {name: peer.origin for name, peer in started.items()}
    try:
        yield {name: value.format(**origins) for name, value in values.items()}
    finally:
        for peer in started.values():
            await peer.stop()


def given(monkeypatch: pytest.MonkeyPatch, values: Mapping[str, str]) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return read_settings()


async def faults_of(part: str, settings: Settings) -> list[str]:
    """What does not work of a part; every such sentence says what to do."""
    found = await BY_NAME[part].look(Looking(settings, lambda _: None))
    told = [check.message for check in found if not check.ok]
    assert all(map(mends, told)), told
    return told


def test_every_setting_belongs_to_a_part_that_is_looked_at() -> None:
    told = [field for part in PARTS for field in part.settings]
    assert sorted(told) == sorted(FIELDS)
    assert set(IN_VAIN) | ALONE == set(FIELDS)
    assert not set(IN_VAIN) & ALONE


@pytest.mark.parametrize("field", FIELDS)
async def test_a_setting_that_cannot_be_used_is_named_with_what_mends_it(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = WRONG[field]
    assert FIELDS[field].validation_alias in broken.given
    assert broken.part in {"refused", "settings"} or field in BY_NAME[broken.part].settings
    async with peers(broken.given) as values:
        if broken.part == "refused":
            with pytest.raises(Refused) as refusal:
                given(monkeypatch, values)
            told = [refusal.value.message]
        else:
            told = await faults_of(broken.part, given(monkeypatch, values))
    assert all(map(mends, told))
    assert any(broken.said in message for message in told), told


def test_every_value_that_cannot_be_used_is_named_at_once() -> None:
    told = CliRunner().invoke(main, ["doctor"], env={"DOGEAR_FUSION": "magic", "TELEGRAM_LOCAL": "perhaps"})
    assert told.exit_code == 3
    assert "DOGEAR_FUSION is zscore or rrf" in told.output
    assert "TELEGRAM_LOCAL is yes or no" in told.output


def test_every_chat_that_can_be_set_up_is_a_part() -> None:
    for platform in PLATFORMS.values():
        assert platform.field in BY_NAME[platform.name.lower()].settings


@pytest.mark.parametrize(
    ("embedder", "said"),
    [
        ("minilm", "Texts are embedded; the model was made for books in en."),
        ("none", "Switched off by DOGEAR_EMBEDDER"),
    ],
)
async def test_the_doctor_says_which_languages_the_embedder_was_made_for(
    embedder: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = given(monkeypatch, {"DOGEAR_EMBEDDER": embedder})
    (check,) = await BY_NAME["embedder"].look(Looking(settings, lambda _: None))
    assert check.ok
    assert check.message.startswith(said)


# --- names, files, and what says two things ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "dotenv", "said"),
    [
        (
            {"DOGEAR_EMBEDER": "none"},
            "",
            "DOGEAR_EMBEDER in the environment is no setting: rename it to DOG",
        ),
        ({}, "DICSORD_TOKEN=x\n", "DICSORD_TOKEN in .env is no setting: rename it to DISCORD_TOKEN"),
        ({"DOGEAR_COLOUR": "red"}, "", "DOGEAR_COLOUR in the environment is no setting"),
        ({"DOGEAR_HOME_FILE": "/x"}, "", "set DOGEAR_HOME instead"),
        ({}, "DOGEAR_LOG=INFO\nthis is no setting\n", "Line 2 of .env is no NAME=value"),
        ({"DOGEAR_LOG": "INFO"}, "DOGEAR_LOG=DEBUG\n", "DOGEAR_LOG stands in the environment and, otherwise, in .env"),
        ({"TELEGRAM_TOKEN": "x"}, "TELEGRAM_TOKEN_FILE=/x\n", "TELEGRAM_TOKEN and TELEGRAM_TOKEN_FILE are both set"),
    ],
)
def test_a_slip_in_the_settings_is_named(
    environment: dict[str, str], dotenv: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(dotenv)
    Path(".env").chmod(0o600)
    (check,) = settings_checks(Settings(_env_file=None), environment)
    assert not check.ok
    assert said in check.message
    assert mends(check.message)


def test_what_other_programs_read_is_nobodys_slip() -> None:
    environment = {"PATH": "/bin", "DISCORD_WEBHOOK_URL": "x", "ANTHROPIC_MODEL": "x", "DATABASE": "x"}
    (check,) = settings_checks(Settings(_env_file=None), environment)
    assert check.ok


def test_an_env_file_that_others_may_read_is_named_where_it_holds_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path(".env")
    file.write_text("DISCORD_TOKEN=s3cret\n")
    file.chmod(0o644)
    (check,) = settings_checks(Settings(_env_file=None), {})
    assert "run `chmod 600 .env`" in check.message
    assert "s3cret" not in check.message
    file.chmod(0o600)
    assert all(check.ok for check in settings_checks(Settings(_env_file=None), {}))
    file.chmod(0o644)
    file.write_text("DOGEAR_LOG=INFO\n")
    assert all(check.ok for check in settings_checks(Settings(_env_file=None), {}))


@pytest.mark.parametrize("written", [b"A=\xff\xfe", None])
def test_an_env_file_that_cannot_be_read_is_one_sentence(
    written: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if written is None:
        monkeypatch.setattr("bot.settings.Settings", _denied)
    else:
        Path(".env").write_bytes(written)
    with pytest.raises(Refused) as refusal:
        read_settings()
    assert refusal.value.message.startswith(".env ")
    assert mends(refusal.value.message)


def _denied() -> None:
    raise PermissionError(13, "Permission denied", ".env")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"DATABASE_URL": AWAY, "DATABASE_PASSWORD": "other"},
            "DATABASE_URL has another password than DATABASE_PASSWORD",
        ),
        (
            ON_TELEGRAM
            | {"TELEGRAM_WEBHOOK": "https://a.example", "TELEGRAM_LISTEN": ":8642", "DOGEAR_HEALTH": "127.0.0.1:8642"},
            "both want port 8642",
        ),
        ({"TELEGRAM_WEBHOOK": "https://a.example"}, "TELEGRAM_WEBHOOK has no effect without TELEGRAM_TOKEN"),
    ],
)
async def test_settings_that_contradict_each_other_are_named(
    values: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {name: value.format(telegram=NOWHERE) for name, value in values.items()}
    assert any(said in message for message in await faults_of("settings", given(monkeypatch, values)))


# --- the machine ---------------------------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written_to_is_named_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    (check,) = home_checks(given(monkeypatch, {"DOGEAR_HOME": str(tmp_path / "new")}))
    assert check.needed
    assert f" {tmp_path}` as root" in check.message
    assert mends(check.message)


def test_a_disk_that_is_mounted_to_be_read_alone_is_named_with_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr("os.statvfs", lambda _: _Mount(os.ST_RDONLY))
    (check,) = home_checks(given(monkeypatch, {"DOGEAR_HOME": str(tmp_path)}))
    assert re.search(r"run `mount -o remount,rw /\S*` as root", check.message)


@dataclass(frozen=True)
class _Mount:
    f_flag: int


def test_a_disk_without_room_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: _Room(100_000_000))
    checks = home_checks(given(monkeypatch, {"DOGEAR_HOME": str(tmp_path)}))
    (told,) = [check.message for check in checks if not check.ok]
    assert told.startswith("Only 100 MB are free")
    assert mends(told)


@dataclass(frozen=True)
class _Room:
    free: int


def test_packages_that_are_missing_or_too_old_are_named_with_the_command() -> None:
    assert packages_check().ok
    check = packages_check(["no-such-package>=2", "click>=99", "numpy", "absent; extra == 'x'"])
    assert check.needed
    assert "no-such-package, click: run `" in check.message
    assert "-m pip install 'no-such-package>=2' 'click>=99'`" in check.message


def test_what_is_to_be_installed_for_an_extra_is_what_the_project_says() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert (extras["rerank"], extras["multilingual"]) == ([RERANK], [MULTILINGUAL])


def test_a_package_that_is_missing_is_one_sentence_of_any_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(module: str) -> Any:
        raise ModuleNotFoundError(name="asyncpg.pool")

    monkeypatch.setattr("bot.cli.import_module", absent)
    told = CliRunner().invoke(main, ["doctor"])
    assert told.exit_code == 5
    assert told.output.startswith("asyncpg.pool is not installed: run `make --always-make setup`")


def test_a_locale_without_letters_is_named() -> None:
    assert letters_check("utf-8").ok
    assert "run `export LC_ALL=C.UTF-8`" in letters_check("ascii").message


def test_a_clock_that_is_off_is_named() -> None:
    now = datetime.now(UTC)
    assert clock_check([("Discord", now, now + timedelta(seconds=20))]).ok
    ahead = clock_check([("the database", now, now), ("Discord", now, now + timedelta(minutes=3))])
    assert ahead.message.startswith("This machine's clock is 180 seconds ahead of that of Discord: run `timedatectl")
    assert "behind that of this Dogear's newest file" in clock_check([], datetime(2020, 1, 1, tzinfo=UTC)).message


async def test_the_clock_is_compared_with_those_of_the_chats_that_are_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.machine.utc_now", lambda: datetime.now(UTC) + timedelta(minutes=5))
    async with peers(ON_DISCORD) as values:
        (told,) = await faults_of("clock", given(monkeypatch, values))
    assert re.search(r"(299|30\d) seconds ahead of that of Discord", told)


async def test_a_webhook_that_telegram_could_not_call_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    telegram = FakeTelegram()
    await telegram.start()
    values = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_BASE": telegram.origin}
    settings = given(monkeypatch, values | {"TELEGRAM_WEBHOOK": "https://a.example/tg", "TELEGRAM_LISTEN": ":0"})
    address = telegram_address(settings)
    assert address is not None
    telegram.methods.webhook_trouble = "Connection refused"
    assert await faults_of("telegram", settings) == []  # it called another address
    telegram.methods.webhook = {"url": f"https://a.example/{path_of(address)}"}
    (told,) = await faults_of("telegram", settings)
    await telegram.stop()
    assert told.startswith("Telegram did not get through to TELEGRAM_WEBHOOK when it last called (Connection refused)")
    assert address.secret("path") not in told


async def test_a_port_that_is_not_for_everybody_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.cli.machine.taken", lambda *_: EACCES)
    (told,) = await faults_of("health", given(monkeypatch, {"DOGEAR_HEALTH": "127.0.0.1:80"}))
    assert told.startswith("Dogear cannot listen at 127.0.0.1:80 (Permission denied): set DOGEAR_HEALTH to")


async def test_a_port_that_something_else_has_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(8)
        port = taken.getsockname()[1]
        # nobody answers there: what asks gives up
        monkeypatch.setattr("bot.cli.health.ANSWERS_WITHIN", 0.2)
        (told,) = await faults_of("health", given(monkeypatch, {"DOGEAR_HEALTH": f"127.0.0.1:{port}"}))
    assert told.startswith(f"Another program has 127.0.0.1:{port}")
    assert f"ss -ltnp 'sport = :{port}'" in told


async def test_a_reader_that_does_not_work_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert await faults_of("reader", read_settings()) == []
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(broken))
    (told,) = await faults_of("reader", read_settings())
    assert f"run `{broken} -m bot.ingest.reading_child` to see why" in told
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    (told,) = await faults_of("reader", read_settings())
    assert "set TMPDIR to a folder" in told


# --- the database --------------------------------------------------------------------------------------------------


@asynccontextmanager
async def database(databases: Databases, template: str | None = None) -> AsyncIterator[tuple[str, dict[str, str]]]:
    """A database as a host's own: its name, and the settings that name it."""
    name = await databases.clone() if template is None else await databases.clone(template)

    def url(role: str) -> str:
        address = databases.url(role, name)
        return f"postgresql://{role}@/{name}?host={address.query['host']}&port={address.query['port']}"

    try:
        yield (
            name,
            {
                "DATABASE_URL": url(SUPERUSER),
                "DOGEAR_APP_DATABASE_URL": url("dogear_app"),
                "DOGEAR_INGEST_DATABASE_URL": url("dogear_ingest"),
            },
        )
    finally:
        await databases.run(f"drop database {name} with (force)")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update dogear.schema_version set version_num = '9999'", "run `git pull && make setup`"),
        ("update dogear.schema_version set version_num = '0021'", "run `dogear db upgrade`"),
        ("drop schema dogear cascade", "run `dogear db upgrade`"),
    ],
)
async def test_a_schema_that_does_not_fit_is_named_with_the_command(
    databases: Databases, monkeypatch: pytest.MonkeyPatch, statement: str, said: str
) -> None:
    async with database(databases) as (name, settings):
        assert await faults_of("database", given(monkeypatch, settings)) == []
        await databases.run(statement, database=name)
        (told,) = await faults_of("database", read_settings())
    assert said in told


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": (14, 2)}, "set DATABASE_URL to a newer server"),
        ({"encoding": "LATIN1"}, "create database dogear encoding 'UTF8'"),
        ({"pgvector": (0, 5)}, "alter extension vector update;"),
        ({"pgvector": None, "pgvector_available": None}, "create extension vector;"),
        ({"pgvector": None, "may_create_pgvector": False}, "create extension vector;"),
        ({"knows_letters": False}, "run `dogear backup FILE`"),
    ],
)
async def test_a_server_that_cannot_be_used_is_named_with_the_command(
    databases: Databases, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], said: str
) -> None:
    good = ServerFacts((16, 1), "UTF8", (0, 8), (0, 8), may_create_pgvector=True, knows_letters=True)

    async def facts(_: object) -> ServerFacts:
        return replace(good, **change)

    monkeypatch.setattr(server, "server_facts", facts)
    monkeypatch.setattr("bot.database.server_facts", facts)
    async with database(databases) as (_, settings):
        (told,) = await faults_of("database", given(monkeypatch, settings))
    assert said in told


async def test_a_login_past_the_door_and_a_database_that_is_not_there_are_named(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database(databases) as (name, settings):
        past = settings | {"DOGEAR_APP_DATABASE_URL": settings["DATABASE_URL"]}
        (told,) = await faults_of("database", given(monkeypatch, past))
        assert "set it to the role dogear_app" in told
        absent = {key: value.replace(f"/{name}?", "/no_such_one?") for key, value in settings.items()}
        (told,) = await faults_of("database", given(monkeypatch, absent))
        assert "run create database no_such_one; there" in told


# --- whatever the source says cannot be used -----------------------------------------------------------------------

OF_PART: Final = {
    "bot/adapters/postgres/": "database",
    "bot/adapters/models/reranker.py": "reranker",
    "bot/adapters/models/": "embedder",
    "bot/adapters/discord/": "discord",
    "bot/adapters/telegram/": "telegram",
    "bot/adapters/health/": "health",
    "bot/settings.py": "settings",
}
"""Whose faults stand where; the first that fits."""

AT_WORK: Final = {
    "bot/adapters/chat/club_admin.py": "somebody's place changed meanwhile",
    "bot/adapters/discord/book_commands.py": "a file of Discord's did not come",
    "bot/adapters/telegram/uploads.py": "a file of Telegram's did not come",
    "bot/adapters/discord/outlet.py": "a post was not confirmed",
    "bot/adapters/telegram/outlet.py": "a post was not confirmed",
    "bot/adapters/postgres/backup.py": "a backup that is being made",
    "bot/core/": "places that changed while an answer was made",
    "bot/ingest/working.py": "a job of another process that has a model",
    "bot/cli/health.py": "`dogear health` asks a program that does not run",
}
"""What cannot be used for a moment while the program works, which nothing that is looked at before would show."""


@cache
def _sites() -> list[tuple[str, str]]:
    """Every place in the source that says that something cannot be used, with what it says there."""
    found = []
    for file in sorted((ROOT / "bot").rglob("*.py")):
        source = file.read_text("utf-8")
        if "Unavailable(" not in source and '"bad_setting"' not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
                continue
            arguments = {"Unavailable": node.args[:1], "Refused": node.args[1:2]}.get(node.func.id, [])
            setting = node.func.id == "Unavailable" or getattr(node.args[0], "value", "") == "bad_setting"
            if arguments and setting and not isinstance(arguments[0], ast.Name):
                parts = [n.value for n in ast.walk(arguments[0]) if isinstance(n, ast.Constant)]
                found.append((str(file.relative_to(ROOT)), "".join(map(str, parts))))
    return found


@pytest.mark.parametrize("file", sorted({file for file, _ in _sites()}))
def test_whatever_the_source_says_cannot_be_used_is_looked_at_or_arises_at_work(file: str) -> None:
    if any(file.startswith(place) for place in AT_WORK):
        return
    part = next(part for place, part in OF_PART.items() if file.startswith(place))
    assert part in BY_NAME
    for site, said in _sites():
        if site == file and len(said) > len(" ."):
            assert mends(said), said


async def test_the_doctor_looks_at_every_part(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> None:
    async with database(databases) as (_, settings):
        settings |= {"DOGEAR_EMBEDDER": "none", "DOGEAR_HEALTH": "off"}
        found = await looked_at(given(monkeypatch, settings), lambda _: None)
    assert [check.name for check in found if not check.ok] == []
    assert {part.name for part in PARTS} <= {check.name for check in found}
