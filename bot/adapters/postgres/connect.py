"""Engines, and the one place where errors of the database become ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.core.errors import SpoilerLeak, Unavailable

GUARD_TRIPPED = "DG001"
"""The SQLSTATE raised by the door when a boundary is missing, negative or wider than the one that is open."""


def engine_for(url: URL, application: str, pool_size: int = 5) -> AsyncEngine:
    """An engine for one role. Nothing is set for a session: settings of the door are local to a transaction."""
    return create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={
            "timeout": 10,
            "command_timeout": 120,
            "server_settings": {"application_name": application, "jit": "off"},
        },
    )


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the driver, as errors of Dogear: a tripped guard, or a database that cannot be used."""
    try:
        yield
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", None) or ""
        if state == GUARD_TRIPPED:
            raise SpoilerLeak(str(error.orig).rsplit(": ", 1)[-1]) from None
        if isinstance(error, (OperationalError, InterfaceError)) or state[:2] in {"08", "53", "57"}:
            raise Unavailable(
                "The database does not answer: see `dogear doctor`.", code="database_unavailable"
            ) from error
        if state == "42P01" or state == "3F000":
            raise Unavailable(
                "The database has no Dogear tables yet: run `dogear db upgrade`.", code="not_migrated"
            ) from error
        raise
    except OSError as error:
        raise Unavailable(
            "The database cannot be reached: see `dogear doctor`.", code="database_unavailable"
        ) from error
