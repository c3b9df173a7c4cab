"""What is asked of a real server, how its address is read, and what is said when either is wrong."""

from __future__ import annotations

import base64
import hmac
import json
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from bot.adapters.postgres.secrets import FILE, login_url, role_passwords, scram_verifier
from bot.adapters.postgres.server import (
    ServerFacts,
    check_facts,
    check_server,
    connected,
    parse_database_url,
    place_of,
    server_facts,
)
from bot.core.errors import Unavailable
from tests.postgres_servers import RealServer, real_server


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server({"max_connections": "10"}) as running:
        yield running


@asynccontextmanager
async def reaching(address: str | URL) -> AsyncIterator[AsyncConnection]:
    url = parse_database_url(address) if isinstance(address, str) else address
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with connected(engine) as connection:
            yield connection
    finally:
        await engine.dispose()


async def run(server: RealServer, *statements: str, database: str = "postgres") -> None:
    async with reaching(server.url(database)) as connection:
        free = await connection.execution_options(isolation_level="AUTOCOMMIT")
        for statement in statements:
            await free.exec_driver_sql(statement)


async def refusal(address: str | URL) -> Unavailable:
    with pytest.raises(Unavailable) as refused:
        async with reaching(address) as connection:
            await check_server(connection)
    password = (parse_database_url(address) if isinstance(address, str) else address).password
    assert not password or str(password) not in refused.value.message
    assert refused.value.message.endswith((".", ";"))
    return refused.value


# The server itself

GOOD = ServerFacts((15, 4), "UTF8", (0, 7, 0), (0, 8, 1), may_create_pgvector=False, knows_letters=True)


def test_a_server_that_has_everything_is_accepted() -> None:
    check_facts(GOOD)
    check_facts(replace(GOOD, pgvector=None, may_create_pgvector=True))


@pytest.mark.parametrize(
    ("facts", "code", "says"),
    [
        (replace(GOOD, version=(14, 11)), "old_server", "PostgreSQL 14 and Dogear needs 15"),
        (replace(GOOD, encoding="SQL_ASCII"), "encoding", "encoding 'UTF8' template template0;"),
        (
            replace(GOOD, pgvector=(0, 6, 2)),
            "old_pgvector",
            "newer: run as a superuser in this database: alter extension vector",
        ),
        (replace(GOOD, pgvector=(0, 6, 2), pgvector_available=(0, 6, 2)), "old_pgvector", "install pgvector 0.7"),
        (replace(GOOD, pgvector=None, pgvector_available=None), "missing_pgvector", "package postgresql-15-pgvector"),
        (replace(GOOD, pgvector=None, pgvector_available=(0, 5)), "missing_pgvector", "create extension vector;"),
        (
            replace(GOOD, pgvector=None),
            "missing_extension",
            "run once, as a superuser in this database: create extension",
        ),
    ],
)
def test_a_server_that_lacks_something_is_refused_with_what_to_run(facts: ServerFacts, code: str, says: str) -> None:
    with pytest.raises(Unavailable) as refused:
        check_facts(facts)
    assert refused.value.code == code
    assert says in refused.value.message


async def test_a_superuser_may_still_create_the_extension(server: RealServer) -> None:
    await run(server, "create database empty")
    async with reaching(server.url("empty")) as connection:
        facts = await check_server(connection)
    assert facts.pgvector is None
    assert facts.may_create_pgvector
    assert facts.version[0] == 18
    assert facts.encoding == "UTF8"
    assert not facts.knows_letters


async def test_an_owner_without_superuser_is_told_what_to_run_and_then_may_go_on(server: RealServer) -> None:
    await run(server, "create role host login password 'host-pw'", "create database club owner host")
    address = server.url("club", "host", "host-pw")
    assert (await refusal(address)).code == "missing_extension"
    await run(server, "create extension vector", database="club")
    async with reaching(address) as connection:
        assert (await check_server(connection)).pgvector >= (0, 7)  # type: ignore[operator]


async def test_a_database_in_another_encoding_is_refused(server: RealServer) -> None:
    await run(server, "create database latin encoding 'LATIN1' locale_provider libc locale 'C' template template0")
    assert (await refusal(server.url("latin"))).code == "encoding"


# Reaching it


async def test_a_wrong_password_is_told_without_it(server: RealServer) -> None:
    refused = await refusal(server.url(password="wrong-secret"))
    assert refused.message == (
        f"The server at 127.0.0.1:{server.port} refuses the password of postgres: correct it in DATABASE_URL."
    )


async def test_a_database_that_does_not_exist_is_named(server: RealServer) -> None:
    assert "has no database named nowhere" in (await refusal(server.url("nowhere"))).message


async def test_a_login_that_may_not_connect_is_told_what_to_run(server: RealServer) -> None:
    await run(
        server,
        "create role stranger login password 'pw'",
        "create database closed",
        "revoke connect on database closed from public",
    )
    refused = await refusal(server.url("closed", "stranger", "pw"))
    assert "grant connect on database closed to stranger" in refused.message


async def test_a_server_that_is_not_there_is_named(server: RealServer, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: refuses
        port = taken.getsockname()[1]
        refused = await refusal(f"postgresql://me:secret@127.0.0.1:{port}/club")
        assert (
            refused.message
            == f"Nothing answers as PostgreSQL at 127.0.0.1:{port}: start the server, or correct DATABASE_URL."
        )
    refused = await refusal(f"postgresql://me:secret@/club?host={tmp_path}")
    assert f"the socket in {tmp_path}" in refused.message


async def test_tls_that_the_server_does_not_have_is_told(server: RealServer) -> None:
    assert (await refusal(server.url() + "?sslmode=require")).code == "database_tls"
    refused = await refusal(server.url() + "?sslmode=verify-full&sslrootcert=/no/such/file.crt")
    assert "sslrootcert" in refused.message
    async with reaching(server.url() + "?sslmode=disable") as connection:
        assert (await connection.execute(text("select 1"))).scalar_one() == 1


async def test_too_many_connections_are_told(server: RealServer) -> None:
    await run(server, "create role crowd login password 'pw' connection limit 1")
    address = server.url("postgres", "crowd", "pw")
    async with reaching(address):
        assert "no connection left" in (await refusal(address)).message


async def test_parameters_of_libpq_reach_the_server(server: RealServer) -> None:
    async with reaching(server.url() + "?application_name=a%20club&sslmode=prefer&connect_timeout=5") as connection:
        assert (await connection.execute(text("show application_name"))).scalar_one() == "a club"


async def test_a_failure_that_is_none_of_these_stays_what_it_is(server: RealServer) -> None:
    url = parse_database_url(server.url() + "?options=-c%20no_such_setting%3D1")
    with pytest.raises(Exception, match="no_such_setting") as raised:
        async with reaching(url):
            pass
    assert not isinstance(raised.value, Unavailable)


# Its address


@pytest.mark.parametrize(
    ("given", "place", "database"),
    [
        ("postgres://me:pw@db.example:6543/club", "db.example:6543", "club"),
        ("postgresql://me:pw@db.example/club", "db.example:5432", "club"),
        ("postgresql://me:p/w@db.example/club", "db.example:5432", "club"),
        ("postgresql+asyncpg://me@[::1]:5433/club", "::1:5433", "club"),
        ("postgresql+psycopg2://me@db.example/club", "db.example:5432", "club"),
        (' "postgresql://me:pw@db.example/club" \n', "db.example:5432", "club"),
        ("postgresql:///club?host=/var/run/postgresql", "the socket in /var/run/postgresql", "club"),
        ("postgresql://me@%2Fvar%2Frun%2Fpostgresql/club", "the socket in /var/run/postgresql", "club"),
        ("postgresql://me:pw@db.example/club?sslmode=require&channel_binding=require", "db.example:5432", "club"),
    ],
)
def test_the_usual_forms_of_an_address_are_read(given: str, place: str, database: str) -> None:
    url = parse_database_url(given)
    assert url.drivername == "postgresql+asyncpg"
    assert place_of(url) == place
    assert url.database == database


@pytest.mark.parametrize(
    "given",
    [
        "",
        "sentinel",
        "mysql://me:sentinel@db.example/club",
        "postgresql://me:sentinel@db.example",
        "postgresql://me:sentinel@db.example/",
        "postgresql://me:sen@tinel@db.example/club",
        "postgresql://me:sen:tinel/x@db.example:port/club",
        "postgresql://me:sentinel@db.example:port/club",
        "postgresql://me:sentinel@db.example/club?sslmode=sentinel",
        "postgresql://me:sentinel@db.example/club?sentinel=1",
    ],
)
def test_a_malformed_address_is_one_sentence_that_repeats_none_of_it(given: str) -> None:
    with pytest.raises(Unavailable) as refused:
        parse_database_url(given, "DOGEAR_APP_DATABASE_URL")
    said = refused.value.message
    assert said.startswith("DOGEAR_APP_DATABASE_URL ")
    assert said.count(". ") == 0
    assert not {"sentinel", "tinel", "sen"} & set(said.replace("@", " ").replace("/", " ").split())
    assert "example" not in said
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None or "tinel" not in str(refused.value.__context__)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=20))
def test_no_refusal_contains_an_unescaped_password(password: str) -> None:
    try:
        url = parse_database_url(f"postgresql://me:{password}@db.example:5432/club")
    except Unavailable as refused:
        assert password not in refused.message
    else:
        assert password not in place_of(url)
        assert url.database is None or password not in url.render_as_string()


def test_tls_settings_are_kept_for_the_driver() -> None:
    url = parse_database_url("postgres://me@db.example/club?sslmode=verify-full&sslrootcert=/etc/ca%20file.pem")
    assert url.query["dsn"] == "postgresql://?sslmode=verify-full&sslrootcert=%2Fetc%2Fca%20file.pem"


# Passwords of the roles


def test_passwords_are_made_once_and_kept_for_their_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = role_passwords(home, ["dogear_app", "dogear_ingest"])
    assert len(set(made.values())) == 2
    assert all(len(password) >= 40 for password in made.values())
    assert role_passwords(home, ["dogear_app"]) == {"dogear_app": made["dogear_app"]}
    more = role_passwords(home, ["dogear_app", "dogear_more"])
    assert more["dogear_app"] == made["dogear_app"]
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert sorted(path.name for path in home.iterdir()) == [FILE]


def test_passwords_that_others_could_read_are_closed_to_them(tmp_path: Path) -> None:
    made = role_passwords(tmp_path, ["dogear_app"])
    (tmp_path / FILE).chmod(0o644)
    assert role_passwords(tmp_path, ["dogear_app"]) == made
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "[]", '{"dogear_app": 1}', '{"dogear_app": "sentinel'])
def test_a_broken_file_of_passwords_is_refused_without_its_content(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(Unavailable, match="remove it and run dogear db upgrade") as refused:
        role_passwords(tmp_path, ["dogear_app"])
    assert "sentinel" not in refused.value.message


def test_of_two_that_make_passwords_at_once_both_end_with_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = Path.hardlink_to

    def late(self: Path, target: Path) -> None:
        monkeypatch.setattr(Path, "hardlink_to", link)
        self.write_text(json.dumps({"dogear_app": "the first"}))
        self.chmod(0o600)
        link(self, target)

    monkeypatch.setattr(Path, "hardlink_to", late)
    assert role_passwords(tmp_path, ["dogear_app"]) == {"dogear_app": "the first"}


def test_a_home_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="set DOGEAR_APP_DATABASE_URL"):
        role_passwords(tmp_path / "file", ["dogear_app"])


async def test_a_role_made_with_a_verifier_logs_in_with_its_password(server: RealServer, tmp_path: Path) -> None:
    password = role_passwords(tmp_path, ["dogear_app"])["dogear_app"]
    await run(server, f"create role dogear_app login password '{scram_verifier(password)}'")
    async with reaching(login_url(parse_database_url(server.url()), "dogear_app", password)) as connection:
        assert (await server_facts(connection)).version[0] == 18
        assert (await connection.execute(text("select current_user"))).scalar_one() == "dogear_app"


def test_a_verifier_signs_the_exchange_printed_in_the_standard() -> None:
    """RFC 7677, section 3: the user's password is pencil."""
    salt, nonce = "W22ZaJ0SNY7soEsUEjb6gQ==", "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
    exchange = f"n=user,r=rOprNGfwEbeRWgbNEkqO,r={nonce},s={salt},i=4096,c=biws,r={nonce}"
    kind, salted, keys = scram_verifier("pencil", base64.b64decode(salt)).split("$")
    server_key = base64.b64decode(keys.partition(":")[2])
    signature = base64.b64encode(hmac.digest(server_key, exchange.encode(), "sha256"))
    assert (kind, salted) == ("SCRAM-SHA-256", f"4096:{salt}")
    assert signature == b"6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
