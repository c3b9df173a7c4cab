"""Backing a database up and restoring it: composed here, apart from what runs."""

from __future__ import annotations

from pathlib import Path

from bot.adapters.postgres.archive import Manifest
from bot.adapters.postgres.backup import backed_up, restored
from bot.adapters.postgres.server import connected
from bot.app import utc_now
from bot.database import Note, logins_of, owner_engine
from bot.settings import Settings


async def backup_database(settings: Settings, path: Path, note: Note, *, overwrite: bool) -> Manifest:
    """`dogear backup`. Raises `Refused` for the file, `Unavailable` for the database, each with one sentence."""
    async with owner_engine(settings, note) as engine, connected(engine) as connection:
        return await backed_up(connection, path, utc_now().isoformat(timespec="seconds"), overwrite=overwrite)


async def restore_database(settings: Settings, path: Path, note: Note, *, replace: bool) -> Manifest:
    """`dogear restore`: afterwards everything runs on it, with the passwords of this home. Raises as a backup does."""
    logins = logins_of(settings)
    async with owner_engine(settings, note) as engine:
        async with connected(engine) as connection:
            manifest = await restored(connection, path, logins.verifiers() if logins else {}, replace=replace)
        if logins:
            await logins.make_work(engine, note)
    return manifest
