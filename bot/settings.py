"""Every setting, read once from the environment and `.env`."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.core.errors import Refused


class Settings(BaseSettings):
    """Frozen. Secrets never show in a repr."""

    model_config = SettingsConfigDict(frozen=True, env_file=".env", extra="ignore", env_ignore_empty=True)

    home: Path | None = Field(None, validation_alias="DOGEAR_HOME")
    database_url: SecretStr | None = Field(None, validation_alias="DATABASE_URL")
    app_database_url: SecretStr | None = Field(None, validation_alias="DOGEAR_APP_DATABASE_URL")
    ingest_database_url: SecretStr | None = Field(None, validation_alias="DOGEAR_INGEST_DATABASE_URL")
    embedder: str | None = Field(None, validation_alias="DOGEAR_EMBEDDER")
    reranker: str | None = Field(None, validation_alias="DOGEAR_RERANKER")
    fusion: str = Field("zscore", validation_alias="DOGEAR_FUSION", pattern="^(zscore|rrf)$")
    discord_token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN")
    discord_api_base: str | None = Field(None, validation_alias="DISCORD_API_BASE", pattern="^https?://")
    discord_gateway: str | None = Field(None, validation_alias="DISCORD_GATEWAY", pattern="^wss?://")
    discord_shards: str | None = Field(None, validation_alias="DISCORD_SHARDS", pattern=r"^\d+(,\d+)*/[1-9]\d*$")
    telegram_token: SecretStr | None = Field(None, validation_alias="TELEGRAM_TOKEN")
    anthropic_api_key: SecretStr | None = Field(None, validation_alias="ANTHROPIC_API_KEY")
    log: str = Field("WARNING", validation_alias="DOGEAR_LOG")


def read_settings() -> Settings:
    """Read the environment. Raises `Refused` with one sentence when a value cannot be used."""
    try:
        return Settings()
    except ValidationError as error:
        names = ", ".join(str(part) for e in error.errors() for part in e["loc"])
        raise Refused("bad_setting", f"The setting {names} has a value that cannot be used: see README.md.") from None
