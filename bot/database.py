"""The database that the settings name: the embedded server or the host's own, and who logs in on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import engine_for
from bot.adapters.postgres.embedded import EmbeddedPostgres, ServerAddress, default_home
from bot.adapters.postgres.logins import SETTINGS, Logins, require_door_closed
from bot.adapters.postgres.migrate import SchemaVersion, migrations_folder, schema_version, upgrade
from bot.adapters.postgres.roles import APP, INGEST
from bot.adapters.postgres.server import check_server, connected, parse_database_url, server_facts
from bot.settings import Settings

Note = Callable[[str], None]
ANSWERING: Final = 6
"""Half of the connections that the answering role may have in one process."""


class Engines(NamedTuple):
    """The logins of the answering role and of the ingesting one."""

    app: AsyncEngine
    ingest: AsyncEngine


def home_of(settings: Settings) -> Path:
    """Where everything is kept that a host would back up."""
    return settings.home or default_home()


@asynccontextmanager
async def database_opened(settings: Settings, note: Note) -> AsyncIterator[Engines]:
    """The embedded server, which upgrades itself, or the real one of ``DATABASE_URL``, checked.

    Raises `Unavailable` with one sentence when the database cannot be used.
    """
    logins = None
    async with AsyncExitStack() as stack:
        if settings.database_url is None:
            address = await stack.enter_async_context(EmbeddedPostgres(home_of(settings), note))
            await _upgrade_embedded(address)
            urls = (address.url(APP), address.url(INGEST))
        else:
            logins = _logins(settings)
            urls = (logins.url(APP), logins.url(INGEST))
        engines = Engines(
            engine_for(urls[0], "dogear", ANSWERING, settings.database_seconds), engine_for(urls[1], "dogear")
        )
        for engine in engines:
            stack.push_async_callback(engine.dispose)
        if logins:
            await _check_real(logins, *engines)
        yield engines


async def _upgrade_embedded(address: ServerAddress) -> None:
    engine = engine_for(address.url(), "dogear-upgrade", pool_size=1)
    try:
        async with engine.connect() as connection:
            version = await schema_version(connection)
        version.require_known()
        if not version.up_to_date:
            async with engine.connect() as connection:
                await upgrade(connection, {})
    finally:
        await engine.dispose()


def _server(settings: Settings) -> URL:
    """The owner's address on a server of the host's own, with its password where that is set apart from it."""
    assert settings.database_url is not None
    url = parse_database_url(settings.database_url.get_secret_value())
    apart = settings.database_password
    return url if apart is None or url.password is not None else url.set(password=apart.get_secret_value())


def logins_of(settings: Settings) -> Logins | None:
    """How the runtime's roles log in on a real server; None on the embedded one. Raises `Unavailable`."""
    return None if settings.database_url is None else _logins(settings)


def _logins(settings: Settings) -> Logins:
    set_by_host = {APP: settings.app_database_url, INGEST: settings.ingest_database_url}
    return Logins(
        server=_server(settings),
        home=home_of(settings),
        given={
            role: parse_database_url(value.get_secret_value(), SETTINGS[role])
            for role, value in set_by_host.items()
            if value is not None
        },
    )


async def _check_real(logins: Logins, app: AsyncEngine, ingest: AsyncEngine) -> None:
    await logins.try_role(APP, app)
    async with connected(app, SETTINGS[APP]) as connection:
        await check_server(connection)
        (await schema_version(connection)).require_up_to_date()
        await require_door_closed(connection)
    await logins.try_role(INGEST, ingest)


@asynccontextmanager
async def owner_engine(settings: Settings, note: Note) -> AsyncIterator[AsyncEngine]:
    """The owner's login, on the embedded server or on the real one. Raises `Unavailable`."""
    async with AsyncExitStack() as stack:
        if settings.database_url is None:
            address = await stack.enter_async_context(EmbeddedPostgres(home_of(settings), note))
            url = address.url()
        else:
            url = _server(settings)
        engine = engine_for(url, "dogear-upgrade", pool_size=1)
        stack.push_async_callback(engine.dispose)
        yield engine


def owner_can_log_in(settings: Settings) -> bool:
    """Whether the owner's password is known here: the running program does without it."""
    return settings.database_url is not None and _server(settings).password is not None


async def check_owner(settings: Settings, note: Note) -> None:
    """Raises `Unavailable` where the owner's login, or the server, does not do for `dogear db upgrade`."""
    async with owner_engine(settings, note) as engine, connected(engine) as connection:
        await check_server(connection)


async def upgrade_database(settings: Settings, note: Note) -> SchemaVersion:
    """`dogear db upgrade`: roles, extension and migrations, with the owner's login.

    Raises `Unavailable` with one sentence; where a right is missing it holds the SQL for an administrator.
    """
    logins = logins_of(settings)
    async with owner_engine(settings, note) as engine:
        async with connected(engine) as connection:
            await upgrade(connection, logins.verifiers() if logins else {})
        if logins:
            await logins.make_work(engine, note)
        async with connected(engine) as connection:
            return await schema_version(connection)


async def database_status(settings: Settings, note: Note) -> SchemaVersion:
    """`dogear db status`: where the database stands, with the owner's login."""
    async with owner_engine(settings, note) as engine, connected(engine) as connection:
        version = await schema_version(connection)
        if version.current is None:
            await check_server(connection)
        return version


class Seen(NamedTuple):
    """What a server could have better: whether it ``knows_letters`` beyond ASCII, and what time it is there."""

    knows_letters: bool
    now: datetime


async def server_seen(app: AsyncEngine) -> Seen:
    """Look at the server of the answering role. Raises `Unavailable`."""
    async with connected(app, SETTINGS[APP]) as connection:
        facts = await server_facts(connection)
        now = (await connection.execute(text("select clock_timestamp()"))).scalar_one()
    return Seen(facts.knows_letters, now)


def made_at() -> datetime | None:
    """When the newest migration that this program brings was written here; None where they are missing."""
    times = [file.stat().st_mtime for file in migrations_folder().glob("**/*.py")]
    return datetime.fromtimestamp(max(times), UTC) if times else None
