"""Secrets: from the environment, from `.env`, and from files of their own."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.core.errors import Refused
from bot.settings import Settings, read_settings, secret_fields

SECRETS = [str(Settings.model_fields[name].validation_alias) for name in sorted(secret_fields(Settings))]


def read(
    monkeypatch: pytest.MonkeyPatch, folder: Path, environment: Mapping[str, object], dotenv: str = ""
) -> Settings:
    """The settings of a process in ``folder`` with this environment, and a `.env` there."""
    (folder / ".env").write_text(dotenv)
    monkeypatch.chdir(folder)
    for name, value in environment.items():
        monkeypatch.setenv(name, str(value))
    return read_settings()


def value(settings: Settings, name: str) -> str | None:
    field = next(f for f, info in Settings.model_fields.items() if info.validation_alias == name)
    found = getattr(settings, field)
    return None if found is None else str(found.get_secret_value())


def held(folder: Path, text: str) -> Path:
    file = folder / "a-secret"
    file.write_text(text)
    return file


def test_tokens_passwords_and_keys_are_secrets() -> None:
    assert {"DISCORD_TOKEN", "TELEGRAM_TOKEN", "ANTHROPIC_API_KEY", "DATABASE_URL", "DATABASE_PASSWORD"} <= set(SECRETS)
    named = {str(field.validation_alias) for field in Settings.model_fields.values()}
    assert {name for name in named if name.endswith(("_TOKEN", "_KEY", "_PASSWORD", "_SECRET"))} <= set(SECRETS)


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_read_from_the_file_that_its_name_with_file_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    file = held(tmp_path, "a-token\n")
    assert value(read(monkeypatch, tmp_path, {f"{name}_FILE": file}), name) == "a-token"


def test_the_file_may_be_named_in_dotenv_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = held(tmp_path, "a-token")
    settings = read(monkeypatch, tmp_path, {}, f"DISCORD_TOKEN_FILE={file}\n")
    assert value(settings, "DISCORD_TOKEN") == "a-token"


def test_what_is_set_itself_is_preferred_to_its_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = held(tmp_path, "of-the-file")
    settings = read(monkeypatch, tmp_path, {"DISCORD_TOKEN": "itself", "DISCORD_TOKEN_FILE": file})
    assert value(settings, "DISCORD_TOKEN") == "itself"


def test_the_environment_names_the_file_before_dotenv_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = held(tmp_path, "of-the-environment")
    settings = read(monkeypatch, tmp_path, {"DISCORD_TOKEN_FILE": file}, "DISCORD_TOKEN_FILE=/nowhere\n")
    assert value(settings, "DISCORD_TOKEN") == "of-the-environment"


def test_an_empty_file_sets_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = held(tmp_path, "\n")
    assert value(read(monkeypatch, tmp_path, {"DISCORD_TOKEN_FILE": file}), "DISCORD_TOKEN") is None


def test_a_file_that_cannot_be_read_is_named_with_its_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"^DISCORD_TOKEN_FILE names .*missing, which cannot be read \(No such file"):
        read(monkeypatch, tmp_path, {"DISCORD_TOKEN_FILE": tmp_path / "missing"})
    file = tmp_path / "bytes"
    file.write_bytes(b"\xff\xfe\x80")
    with pytest.raises(Refused, match=r"it is no text"):
        read(monkeypatch, tmp_path, {"DISCORD_TOKEN_FILE": file})


def test_what_is_no_secret_is_read_from_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = held(tmp_path, "rrf")
    assert read(monkeypatch, tmp_path, {"DOGEAR_FUSION_FILE": file}).fusion == "zscore"


def test_no_secret_shows_in_the_settings_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = read(monkeypatch, tmp_path, {name: f"hidden-{os.getpid()}" for name in SECRETS})
    assert f"hidden-{os.getpid()}" not in repr(settings) + str(settings)
