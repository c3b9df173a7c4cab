"""Engines, and the one place where errors of the database become ours."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary

import asyncpg
from sqlalchemy import URL, Engine, TextClause, event, text
from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.core.errors import DogearError, Refused, SpoilerLeak, Unavailable

GUARD_TRIPPED: Final = "DG001"
"""The SQLSTATE raised by the door when a boundary is missing, negative or wider than the one that is open."""

STATEMENT_SECONDS: Final = 120.0
"""Seconds that a statement may take where nobody waits for it in a chat."""

CONNECT_SECONDS: Final = 10.0
CANCEL_SECONDS: Final = 2.0
"""How long the server has to say that it has given up a statement which took too long: then the connection is left."""
ASKED_SECONDS: Final = 3.0
"""How long a connection has to say that it lives."""

POOL_SECONDS: Final = 60
"""How long somebody waits for a connection that others use."""
SPARE: Final = 7
"""So many connections of a pool are never held by whoever may want another of it meanwhile: up to six of them are held
by what is led for as long as a process lives, by what is listened to, and by the slots of requests to a model.
"""
_HOLDERS: Final[WeakKeyDictionary[Engine, asyncio.Semaphore]] = WeakKeyDictionary()

IDLE_SECONDS: Final = 5.0
"""A pooled connection that was idle for longer is asked whether it lives; of any other only its socket is looked at."""

_KEPT_ALIVE: Final = {
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "3",
}
"""Seconds, and how often: a session whose machine is gone is ended, and what it had locked is free, within 15 s."""

_SAYINGS: Final = {
    "42P01": ("not_migrated", "The database has no Dogear tables yet: run `dogear db upgrade`."),
    "3F000": ("not_migrated", "The database has no Dogear tables yet: run `dogear db upgrade`."),
    "42883": ("not_migrated", "The database lacks a function of this Dogear: run `dogear db upgrade`."),
    "42501": ("missing_right", "A login of Dogear's lacks a right in the database: run `dogear db upgrade`."),
    "57014": ("database_slow", "The database took too long and was stopped: try again, or see `dogear doctor`."),
    "25006": ("database_read_only", "The database takes no writes: set DATABASE_URL to its primary server."),
    "53100": ("database_full", "The database's disk is full: make room on it."),
}
_REFUSALS: Final = {
    "22021": ("unstorable", "The text holds a character that cannot be stored (NUL or half of a pair)."),
    "22003": ("out_of_range", "A number is larger than any that Dogear gives out: correct it."),
    "DG002": ("map_changed", "The book or its chapter map was changed just now: say it again."),
    "DG003": ("no_consent", "That was agreed to too long ago, or was shown already: ask for it again."),
    "DG004": ("no_look_ahead", "That cannot be looked up ahead any more: ask your question again."),
}
_GONE: Final = ("08", "28", "53", "57", "3D")


class OpeningConnection(asyncpg.Connection):  # type: ignore[misc]
    """A connection whose next transaction opens the club ``opens``, in the round trip in which it begins.

    It is said once: the transaction after that one opens none, and row-level security raises where none is open.
    """

    opens: int | None = None

    async def execute(self, query: str, *args: Any, **options: Any) -> str:
        """As asyncpg's, which begins its transactions by it."""
        if self.opens is not None and query.startswith("BEGIN"):
            club, self.opens = int(self.opens), None
            query = f"{query} select set_config('dogear.club', '{club}', true)"
        done: str = await super().execute(query, *args, **options)
        return done

    async def _cancel(self, *waiters: Any) -> None:
        """As asyncpg's, which waits for a server that does not answer as long again as for the statement."""
        leaving = self._loop.call_later(CANCEL_SECONDS, self.terminate)
        try:
            await super()._cancel(*waiters)
        finally:
            leaving.cancel()


def engine_for(
    url: URL, application: str, pool_size: int = 5, statement_seconds: float = STATEMENT_SECONDS
) -> AsyncEngine:
    """An engine for one role, of twice ``pool_size`` connections at most. A statement that takes longer than
    ``statement_seconds`` is given up, on a server that does not answer too.

    Nothing is set for a session: settings of the door are local to a transaction.
    """
    logging.getLogger("sqlalchemy").setLevel(logging.WARNING)  # below that it logs rows, which are text of books
    engine = create_async_engine(
        url,
        pool_size=2 * pool_size,  # what is over a pool's size is opened and closed for each transaction
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        hide_parameters=True,
        connect_args={
            "timeout": min(CONNECT_SECONDS, statement_seconds),
            "connection_class": OpeningConnection,
            "command_timeout": statement_seconds,
            "server_settings": {"application_name": application, "jit": "off", **_KEPT_ALIVE},
        },
    )
    _HOLDERS[engine.sync_engine] = asyncio.Semaphore(max(1, 2 * pool_size - SPARE))

    @event.listens_for(engine.sync_engine, "checkin")
    def used(_: Any, record: Any) -> None:
        record.info["used"] = monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def lives(connection: Any, record: Any, _: Any) -> None:
        last = record.info.get("used")
        connection.driver_connection.opens = None
        if last is None:  # it is new
            return
        if connection.driver_connection.is_closed():
            raise DisconnectionError
        if monotonic() - last < IDLE_SECONDS:
            return
        try:
            connection.run_async(lambda driver: driver.execute(";", timeout=ASKED_SECONDS))
        except Exception as error:
            raise DisconnectionError from error

    return engine


async def run_alone(engine: AsyncEngine, statement: str | TextClause, **values: object) -> Sequence[Any]:
    """One statement in a transaction of its own, in which no club is open. Raises errors of Dogear's alone."""
    with translated():
        async with engine.begin() as connection:
            result = await connection.execute(text(statement) if isinstance(statement, str) else statement, values)
            return result.all() if result.returns_rows else ()


@asynccontextmanager
async def may_hold(engine: AsyncEngine) -> AsyncIterator[None]:
    """Wait until a connection may be held by who may want a second one before it is given back (while a platform is
    asked who sees a room): if all were held so, nobody would ever get a second.

    Raises `Unavailable`.
    """
    holders = _HOLDERS.get(engine.sync_engine)
    if holders is None:
        yield
        return
    try:
        async with asyncio.timeout(POOL_SECONDS):
            await holders.acquire()
    except TimeoutError:
        raise busy() from None
    try:
        yield
    finally:
        holders.release()


def sqlstate(error: DBAPIError) -> str:
    """The five letters by which PostgreSQL names an error; empty where the driver raised it."""
    return getattr(error.orig, "sqlstate", None) or ""


@contextmanager
def translated() -> Iterator[None]:
    """Errors of the driver, as errors of Dogear, without statements, parameters or values of rows.

    Raises `SpoilerLeak` for a tripped guard, `Refused` for text that no database can hold, and else `Unavailable`.
    """
    try:
        yield
    except DBAPIError as error:
        raise _translation(error) from None
    except TimeoutError:
        raise _unavailable(*_SAYINGS["57014"]) from None
    except PoolTimeout:
        raise busy() from None
    except OSError:
        raise _unavailable("database_unavailable", "The database cannot be reached: see `dogear doctor`.") from None


def busy() -> Unavailable:
    """Nobody gave a connection back in time."""
    return _unavailable("database_busy", "All connections to the database are in use: try again.")


def _translation(error: DBAPIError) -> DogearError:
    state, cause = sqlstate(error), getattr(error.orig, "__cause__", None)
    if state == GUARD_TRIPPED:
        return SpoilerLeak(getattr(cause, "message", None) or "a guard of the database tripped")
    if "codec can't encode" in str(cause):
        state = "22021"
    if "value out of int" in str(cause):
        state = "22003"
    if state in _REFUSALS:
        return Refused(*_REFUSALS[state])
    if state in _SAYINGS:
        return _unavailable(*_SAYINGS[state])
    if isinstance(error, InterfaceError) or error.connection_invalidated or state[:2] in _GONE:
        return _unavailable("database_unavailable", "The database does not answer: see `dogear doctor`.")
    constraint = getattr(cause, "constraint_name", None)
    what = ", ".join(filter(None, [state or type(cause or error.orig).__name__, constraint]))
    return _unavailable("database_fault", f"The database refused a statement ({what}): please report this fault.")


def _unavailable(code: str, sentence: str) -> Unavailable:
    return Unavailable(sentence, code=code)
