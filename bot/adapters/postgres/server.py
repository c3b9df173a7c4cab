"""What any PostgreSQL server must offer Dogear, and what is said when one does not or cannot be reached."""

from __future__ import annotations

import re
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote, urlencode

from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import busy
from bot.core.errors import Unavailable

OLDEST_SERVER: Final = 15
OLDEST_PGVECTOR: Final = (0, 7)

_FORM: Final = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
_SCHEME: Final = re.compile(r"postgres(?:ql)?(?:\+[a-z0-9_]+)?://", re.IGNORECASE)

_HOST: Final = re.compile(r"/[^@]*|[\w.:%-]*")

_TLS_MODES: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_PASSED_ON: Final = {
    *("sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "sslnegotiation"),
    *("ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs", "application_name", "options"),
}
"""Parameters of libpq that asyncpg understands in an address of its own, though not as arguments."""
_OF_SQLALCHEMY: Final = {"prepared_statement_cache_size"}
_WITHOUT_EFFECT: Final = {"connect_timeout", "channel_binding", "gssencmode", "keepalives", "pgbouncer"}
"""Parameters that hosting companies put into the addresses they hand out, and that asyncpg has no use for."""


def parse_database_url(given: str, setting: str = "DATABASE_URL") -> URL:
    """The address in ``given``, for SQLAlchemy with asyncpg.

    Takes what libpq takes as a URI: ``postgres://`` and ``postgresql://`` (with any ``+driver``), ``sslmode`` and its
    kin, and sockets as ``?host=/folder`` or ``//%2Ffolder/``. Raises `Unavailable` with a sentence that names
    ``setting`` and repeats nothing of a malformed address, since its password may stand anywhere in it.
    """
    stripped = given.strip().strip("'\"")
    if not _SCHEME.match(stripped):
        raise _malformed(setting, f"does not begin with postgresql://; write it as {_FORM}")
    url: URL | None = None
    with suppress(ArgumentError, ValueError):
        url = make_url(_SCHEME.sub("postgresql+asyncpg://", stripped, count=1))
    if url is None or not _HOST.fullmatch(unquote(url.host or "")):  # a part of a password can pass for a host
        escaped = "@ : / ? # and % in a password written as %40 %3A %2F %3F %23 and %25"
        raise _malformed(setting, f"cannot be read; write it as {_FORM}, with {escaped}")
    if not url.database:
        raise _malformed(setting, f"names no database; write it as {_FORM}")
    query = dict(url.query)
    if url.host and unquote(url.host).startswith("/"):
        query = {"host": unquote(url.host), "port": str(url.port or 5432), **query}
        url = url._replace(host=None, port=None)
    mode = query.get("sslmode", "prefer")
    if mode not in _TLS_MODES:
        raise _malformed(setting, f"has an unknown sslmode; use one of {', '.join(_TLS_MODES)}")
    if set(query) - _PASSED_ON - _OF_SQLALCHEMY - _WITHOUT_EFFECT - {"host", "port"}:
        raise _malformed(
            setting, "has a parameter after its ? that Dogear does not know; keep sslmode and its kin alone"
        )
    kept = {name: value for name, value in query.items() if name not in _PASSED_ON | _WITHOUT_EFFECT}
    libpq = {name: value for name, value in query.items() if name in _PASSED_ON}
    if libpq:
        kept["dsn"] = "postgresql://?" + urlencode(libpq, quote_via=quote)
    return url.set(query=kept)


def _malformed(setting: str, fault: str) -> Unavailable:
    return Unavailable(f"{setting} {fault}.", code="database_url")


def place_of(url: URL) -> str:
    """The server an address names, for people: a host and port, or the folder of a socket. Never a password."""
    query = url.query
    hosts = query.get("host") or url.host or "localhost"
    port = query.get("port") or url.port or 5432
    shown = hosts if isinstance(hosts, str) else ", ".join(hosts)
    return f"the socket in {shown}" if shown.startswith("/") else f"{shown}:{port}"


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server is and has, as far as Dogear minds. Versions are tuples of numbers, None where there is none."""

    version: tuple[int, ...]
    encoding: str
    pgvector: tuple[int, ...] | None
    pgvector_available: tuple[int, ...] | None
    may_create_pgvector: bool
    knows_letters: bool
    """Whether letters beyond ASCII are told from other signs (``lc_ctype`` C does not: names are found less well)."""


_FACTS: Final = text("""
    select current_setting('server_version_num')::int / 10000 as major,
           current_setting('server_version_num')::int % 10000 as minor,
           pg_encoding_to_char(d.encoding) as encoding,
           (select extversion from pg_extension where extname = 'vector') as installed,
           (select default_version from pg_available_extensions where name = 'vector') as available,
           r.rolsuper or (has_database_privilege(d.oid, 'create') and coalesce((
               select bool_or(v.trusted) from pg_available_extension_versions v
               join pg_available_extensions e on e.name = v.name and e.default_version = v.version
               where v.name = 'vector'), false)) as may_create,
           d.datctype not in ('C', 'POSIX') as knows_letters
    from pg_database d, pg_roles r
    where d.datname = current_database() and r.rolname = current_user
""")


async def server_facts(connection: AsyncConnection) -> ServerFacts:
    """Ask a server for its facts; any login may."""
    row = (await connection.execute(_FACTS)).one()
    return ServerFacts(
        version=(row.major, row.minor),
        encoding=row.encoding,
        pgvector=_numbers(row.installed),
        pgvector_available=_numbers(row.available),
        may_create_pgvector=row.may_create,
        knows_letters=row.knows_letters,
    )


def _numbers(version: str | None) -> tuple[int, ...] | None:
    return None if version is None else tuple(int(number) for number in re.findall(r"\d+", version))


def check_facts(facts: ServerFacts) -> None:
    """Raise `Unavailable`, with one sentence that says what to run, if Dogear cannot use such a server."""
    wanted = ".".join(map(str, OLDEST_PGVECTOR))
    if facts.version[0] < OLDEST_SERVER:
        raise Unavailable(
            f"The server is PostgreSQL {facts.version[0]} and Dogear needs {OLDEST_SERVER} or newer: upgrade it, or "
            "set DATABASE_URL to a newer server.",
            code="old_server",
        )
    if facts.encoding != "UTF8":
        raise Unavailable(
            f"The database is encoded in {facts.encoding} and books need UTF8: make another with create database "
            "dogear encoding 'UTF8' template template0; and name it in DATABASE_URL.",
            code="encoding",
        )
    available_is_enough = facts.pgvector_available is not None and facts.pgvector_available >= OLDEST_PGVECTOR
    if facts.pgvector is not None:
        if facts.pgvector < OLDEST_PGVECTOR:
            first = "" if available_is_enough else f"install pgvector {wanted} or newer on the server's machine, then "
            raise Unavailable(
                f"The database has pgvector {'.'.join(map(str, facts.pgvector))} and Dogear needs {wanted} or newer: "
                f"{first}run as a superuser in this database: alter extension vector update;",
                code="old_pgvector",
            )
    elif not available_is_enough:
        raise Unavailable(
            f"The server has no pgvector {wanted} or newer: install it on the server's machine (package "
            f"postgresql-{facts.version[0]}-pgvector), then run as a superuser in this database: create "
            "extension vector;",
            code="missing_pgvector",
        )
    elif not facts.may_create_pgvector:
        raise Unavailable(
            "The database does not have the extension pgvector yet and this login may not create it: run once, as a "
            "superuser in this database: create extension vector;",
            code="missing_extension",
        )


async def check_server(connection: AsyncConnection) -> ServerFacts:
    """The facts of a server that Dogear can use. Raises `Unavailable` (see `check_facts`)."""
    facts = await server_facts(connection)
    check_facts(facts)
    return facts


@asynccontextmanager
async def connected(engine: AsyncEngine, setting: str = "DATABASE_URL") -> AsyncIterator[AsyncConnection]:
    """A connection of ``engine``; a failure to make it becomes `Unavailable`, with one sentence."""
    try:
        connection = await engine.connect()
    except PoolTimeout:
        raise busy() from None
    except Exception as error:
        reason = why_unreachable(error, engine.url, setting)
        if reason is None:
            raise
        raise reason from None
    try:
        yield connection
    finally:
        await connection.close()


def why_unreachable(error: BaseException, url: URL, setting: str = "DATABASE_URL") -> Unavailable | None:
    """What a failure to connect means, in one sentence without the password; None if it is no such failure."""
    cause = error.orig.__cause__ or error.orig if isinstance(error, DBAPIError) and error.orig else error
    place, login = place_of(url), url.username or "its user"
    said = {
        "28P01": f"The server at {place} refuses the password of {login}: correct it in {setting}.",
        "28000": f"The server at {place} does not let {login} in: it has no such role, or pg_hba.conf has no line for "
        f"it (or wants TLS: add ?sslmode=require to {setting}).",
        "3D000": f"The server at {place} has no database named {url.database}: run create database {url.database}; "
        f"there, or correct {setting}.",
        "42501": f"{login} may not connect to the database {url.database} at {place}: run grant connect on database "
        f"{url.database} to {login}; there.",
        "53300": f"The server at {place} has no connection left: end other programs that use it, or raise its "
        "max_connections.",
        "57P03": f"The server at {place} is starting up or shutting down: try again in a moment.",
    }
    state = getattr(cause, "sqlstate", None)
    if state in said:
        return Unavailable(said[state], code=f"database_{state}")
    by_socket = place.startswith("the socket")
    no_certificate = isinstance(cause, FileNotFoundError | PermissionError) and not by_socket
    if isinstance(cause, ssl.SSLError) or no_certificate or re.search("SSL|certificate", str(cause)):
        return Unavailable(
            f"No TLS connection to the server at {place}: correct sslmode and sslrootcert in {setting}, or switch TLS "
            "on at the server.",
            code="database_tls",
        )
    if isinstance(cause, OSError) or state in {"08001", "08003", "08006"}:
        return Unavailable(
            f"Nothing answers as PostgreSQL at {place}: start the server, or correct {setting}.",
            code="database_unreachable",
        )
    return None
