"""Every setting, read once from the environment and `.env`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.core.errors import Refused
from bot.core.prices import Price, price
from bot.core.writing import BUDGET

_LONGEST_SECRET: Final = 65_536
"""Bytes that are read of a secret's file."""


class SecretFiles(PydanticBaseSettingsSource):
    """Secrets from files: ``NAME_FILE``, in the environment or in `.env`, is the path of a file that holds ``NAME``.

    ``NAME`` itself is preferred. White space at the end is no part of a secret; a file with nothing in it sets nothing.
    """

    def __init__(self, kind: type[BaseSettings], *named: PydanticBaseSettingsSource) -> None:
        super().__init__(kind)
        self._named: dict[str, str] = {}
        for source in reversed(named):
            if isinstance(source, EnvSettingsSource):
                self._named |= {name.lower(): path for name, path in source.env_vars.items() if path}

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The secret of a field, or None. Raises `Refused` where its file cannot be read."""
        name = f"{field.validation_alias}_FILE"
        path = self._named.get(name.lower()) if field_name in secret_fields(self.settings_cls) else None
        if path is None:
            return None, field_name, False
        try:
            with Path(path).open(encoding="utf-8") as file:
                secret = file.read(_LONGEST_SECRET).rstrip()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "it is no text"
            raise Refused("bad_setting", f"{name} names {path}, which cannot be read ({why}): correct it.") from None
        return secret or None, str(field.validation_alias), False

    def __call__(self) -> dict[str, Any]:
        """Every secret that a file holds, by its name."""
        found = {}
        for field_name, field in self.settings_cls.model_fields.items():
            secret, name, _ = self.get_field_value(field, field_name)
            if secret is not None:
                found[name] = secret
        return found


def _form(name: str, pattern: str, said: str) -> BeforeValidator:
    """``said`` completes the sentence "NAME is"."""

    def read(value: object) -> str | None:
        if value is None:
            return None
        written = str(value).strip()
        if not re.match(pattern, written):
            raise ValueError(f"{name} is {said}: correct it.")
        return written

    return BeforeValidator(read)


def _number(name: str, least: float, most: float) -> BeforeValidator:
    def read(value: object) -> float:
        try:
            number = float(str(value))
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise ValueError(f"{name} is a number from {least:g} to {most:g}: correct it.")
        return number

    return BeforeValidator(read)


def _dollars(name: str) -> BeforeValidator:
    def read(value: object) -> Decimal | None:
        said = str(value).strip()
        try:
            amount = None if said.lower() == "none" else Decimal(said)
        except InvalidOperation:
            amount = Decimal(-1)
        if amount is not None and not (amount.is_finite() and amount >= 0):
            raise ValueError(f"{name} is an amount in US dollars such as 2.50, or none: correct it.")
        return amount

    return BeforeValidator(read)


_ON: Final = ("on", "true", "yes", "1", "y", "t")
_OFF: Final = ("off", "false", "no", "0", "n", "f")


def _switch(name: str, said: str = "on or off") -> BeforeValidator:
    def read(value: object) -> bool:
        written = str(value).strip().lower()
        if written not in (*_ON, *_OFF):
            raise ValueError(f"{name} is {said}: correct it.")
        return written in _ON

    return BeforeValidator(read)


def _folder(value: object) -> Path | None:
    """A shell reads ``~`` as the user's own folder; a file of settings has no shell."""
    return None if value is None else Path(str(value)).expanduser()


def _prices(value: object) -> Mapping[str, Price]:
    """``NAME=INPUT/OUTPUT[/CACHED/WRITTEN]``, with spaces between models."""
    if isinstance(value, Mapping):
        return value
    found = {}
    for part in str(value).split():
        name, _, said = part.rpartition("=")
        try:
            found[name] = price(*(said.split("/") if name else ()))
        except (ValueError, InvalidOperation):
            raise ValueError(
                "DOGEAR_PRICES is NAME=INPUT/OUTPUT or NAME=INPUT/OUTPUT/CACHED/WRITTEN, in US dollars for a million "
                "tokens, with spaces between models: correct it."
            ) from None
    return found


_WEB: Final = "an address with http:// or https://"
_SHARDS: Final = "the numbers of shards, and of how many: 0,1/4 are two of four"
_LEVELS: Final = "DEBUG, INFO, WARNING or ERROR"
_PORT: Final = r"([0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])"
_HEALTH: Final = "an address with a port, such as 127.0.0.1:8642, or off"


class Settings(BaseSettings):
    """Frozen. Secrets never show in a repr."""

    model_config = SettingsConfigDict(frozen=True, env_file=".env", extra="ignore", env_ignore_empty=True)

    home: Annotated[Path | None, BeforeValidator(_folder)] = Field(None, validation_alias="DOGEAR_HOME")
    database_url: SecretStr | None = Field(None, validation_alias="DATABASE_URL")
    database_password: SecretStr | None = Field(None, validation_alias="DATABASE_PASSWORD")
    app_database_url: SecretStr | None = Field(None, validation_alias="DOGEAR_APP_DATABASE_URL")
    ingest_database_url: SecretStr | None = Field(None, validation_alias="DOGEAR_INGEST_DATABASE_URL")
    database_seconds: Annotated[float, _number("DOGEAR_DATABASE_SECONDS", 1, 600)] = Field(
        20.0, validation_alias="DOGEAR_DATABASE_SECONDS"
    )
    embedder: str | None = Field(None, validation_alias="DOGEAR_EMBEDDER")
    reranker: str | None = Field(None, validation_alias="DOGEAR_RERANKER")
    fusion: Annotated[str, _form("DOGEAR_FUSION", "(zscore|rrf)$", "zscore or rrf")] = Field(
        "zscore", validation_alias="DOGEAR_FUSION"
    )
    discord_token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN")
    discord_api_base: Annotated[str | None, _form("DISCORD_API_BASE", "https?://.", _WEB)] = Field(
        None, validation_alias="DISCORD_API_BASE"
    )
    discord_gateway: Annotated[str | None, _form("DISCORD_GATEWAY", "wss?://.", "an address with wss://")] = Field(
        None, validation_alias="DISCORD_GATEWAY"
    )
    discord_shards: Annotated[str | None, _form("DISCORD_SHARDS", r"\d+(,\d+)*/[1-9]\d*$", _SHARDS)] = Field(
        None, validation_alias="DISCORD_SHARDS"
    )
    telegram_token: SecretStr | None = Field(None, validation_alias="TELEGRAM_TOKEN")
    telegram_api_base: Annotated[str | None, _form("TELEGRAM_API_BASE", "https?://.", _WEB)] = Field(
        None, validation_alias="TELEGRAM_API_BASE"
    )
    telegram_local: Annotated[bool, _switch("TELEGRAM_LOCAL", "yes or no")] = Field(
        False, validation_alias="TELEGRAM_LOCAL"
    )
    telegram_webhook: Annotated[str | None, _form("TELEGRAM_WEBHOOK", "https://.", "an address with https://")] = Field(
        None, validation_alias="TELEGRAM_WEBHOOK"
    )
    telegram_listen: Annotated[str, _form("TELEGRAM_LISTEN", rf"[^:]*:{_PORT}$", "a host and a port")] = Field(
        "127.0.0.1:8443", validation_alias="TELEGRAM_LISTEN"
    )
    commands_minute: Annotated[int, _number("DOGEAR_COMMANDS_MINUTE", 0, 100_000)] = Field(
        60, validation_alias="DOGEAR_COMMANDS_MINUTE"
    )
    anthropic_api_key: SecretStr | None = Field(None, validation_alias="ANTHROPIC_API_KEY")
    anthropic_base_url: Annotated[str | None, _form("ANTHROPIC_BASE_URL", "https?://.", _WEB)] = Field(
        None, validation_alias="ANTHROPIC_BASE_URL"
    )
    model: str | None = Field(None, validation_alias="DOGEAR_MODEL")
    small_model: str | None = Field(None, validation_alias="DOGEAR_SMALL_MODEL")
    model_tokens: Annotated[int, _number("DOGEAR_MODEL_TOKENS", 500, 900_000)] = Field(
        BUDGET, validation_alias="DOGEAR_MODEL_TOKENS"
    )
    model_calls: Annotated[int, _number("DOGEAR_MODEL_CALLS", 2, 1_000)] = Field(
        8, validation_alias="DOGEAR_MODEL_CALLS"
    )
    model_seconds: Annotated[float, _number("DOGEAR_MODEL_SECONDS", 1, 3_600)] = Field(
        90.0, validation_alias="DOGEAR_MODEL_SECONDS"
    )
    model_cache: Annotated[str, _form("DOGEAR_MODEL_CACHE", "(5m|1h)$", "5m or 1h")] = Field(
        "5m", validation_alias="DOGEAR_MODEL_CACHE"
    )
    prices: Annotated[Mapping[str, Price], NoDecode, BeforeValidator(_prices)] = Field(
        {}, validation_alias="DOGEAR_PRICES"
    )
    club_day: Annotated[Decimal | None, _dollars("DOGEAR_CLUB_BUDGET_DAY")] = Field(
        Decimal(2), validation_alias="DOGEAR_CLUB_BUDGET_DAY"
    )
    club_month: Annotated[Decimal | None, _dollars("DOGEAR_CLUB_BUDGET_MONTH")] = Field(
        Decimal(20), validation_alias="DOGEAR_CLUB_BUDGET_MONTH"
    )
    host_day: Annotated[Decimal | None, _dollars("DOGEAR_HOST_BUDGET_DAY")] = Field(
        Decimal(20), validation_alias="DOGEAR_HOST_BUDGET_DAY"
    )
    host_month: Annotated[Decimal | None, _dollars("DOGEAR_HOST_BUDGET_MONTH")] = Field(
        Decimal(200), validation_alias="DOGEAR_HOST_BUDGET_MONTH"
    )
    support_check: Annotated[bool, _switch("DOGEAR_SUPPORT_CHECK")] = Field(
        True, validation_alias="DOGEAR_SUPPORT_CHECK"
    )
    name_check: Annotated[bool, _switch("DOGEAR_NAME_CHECK")] = Field(True, validation_alias="DOGEAR_NAME_CHECK")
    splitting: Annotated[bool, _switch("DOGEAR_SPLITTING")] = Field(True, validation_alias="DOGEAR_SPLITTING")
    reranking: Annotated[bool, _switch("DOGEAR_RERANKING")] = Field(True, validation_alias="DOGEAR_RERANKING")
    whole_part: Annotated[bool, _switch("DOGEAR_WHOLE_PART")] = Field(True, validation_alias="DOGEAR_WHOLE_PART")
    log: Annotated[str, _form("DOGEAR_LOG", "(?i:debug|info|warning|error|critical)$", _LEVELS)] = Field(
        "WARNING", validation_alias="DOGEAR_LOG"
    )
    log_format: Annotated[str, _form("DOGEAR_LOG_FORMAT", "(text|json)$", "text or json")] = Field(
        "text", validation_alias="DOGEAR_LOG_FORMAT"
    )
    health: Annotated[str | None, _form("DOGEAR_HEALTH", r"(off|.+:\d{1,5})$", _HEALTH)] = Field(
        None, validation_alias="DOGEAR_HEALTH"
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given, the environment, `.env`, and the files that these two name."""
        del file_secret_settings
        files = SecretFiles(settings_cls, env_settings, dotenv_settings)
        return init_settings, env_settings, dotenv_settings, files


def secret_fields(kind: type[BaseSettings]) -> frozenset[str]:
    """The fields that hold secrets, which alone may stand in files of their own."""
    return frozenset(name for name, field in kind.model_fields.items() if "SecretStr" in str(field.annotation))


def read_settings() -> Settings:
    """Read the environment and `.env`. Raises `Refused` with a sentence for each value that cannot be used."""
    try:
        return Settings()
    except ValidationError as error:
        raise Refused("bad_setting", " ".join(dict.fromkeys(map(_wrong, error.errors())))) from None
    except UnicodeDecodeError:
        raise Refused("bad_setting", ".env is no UTF-8 text: save it as UTF-8.") from None
    except OSError as error:
        raise Refused("bad_setting", f".env cannot be read ({error.strerror}): run `chmod u+r .env`.") from None


def _wrong(wrong: ErrorDetails) -> str:
    if wrong["type"] == "value_error":
        return str(wrong["ctx"]["error"])
    return f"The setting {wrong['loc'][0]} has a value that cannot be used: correct it, see README.md."
