"""The roles of the door, made once in a cluster, and what each of them is for.

owner     owns the schema, sees no row of sealed tables (row-level security is forced), cannot log in
guard     owns the functions that show text; itself under row-level security; cannot log in
locator   owns the functions that find places; sees folded letters and numbers; cannot log in
app       answers questions: no privilege on text, only the functions
ingest    writes books, and reads them for the host

The owner does not inherit from guard and locator: it may only hand functions over to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.connect import sqlstate
from bot.core.errors import Unavailable

OWNER: Final = "dogear_owner"
GUARD: Final = "dogear_guard"
LOCATOR: Final = "dogear_locator"
APP: Final = "dogear_app"
INGEST: Final = "dogear_ingest"
ALL: Final = (OWNER, GUARD, LOCATOR, APP, INGEST)
LOGINS: Final = (APP, INGEST)

_PLAIN: Final = "nosuperuser nobypassrls nocreatedb nocreaterole noreplication"


def role_statement(role: str, verifier: str | None = None) -> str:
    """The SQL that makes a role; ``verifier`` is what the server stores for its password (`scram_verifier`)."""
    inherits = " noinherit" if role == OWNER else ""
    if role not in LOGINS:
        return f"create role {role} nologin{inherits} {_PLAIN}"
    return f"create role {role} login {_PLAIN}" + (f" password '{verifier}'" if verifier else "")


def password_statement(role: str, verifier: str) -> str:
    """The SQL that gives a role another password."""
    return f"alter role {role} password '{verifier}'"


async def refresh_passwords(connection: AsyncConnection, verifiers: Mapping[str, str]) -> None:
    """Give roles that log in the passwords that this home keeps. Raises `Unavailable` where the login may not."""
    statements = [password_statement(role, verifier) for role, verifier in verifiers.items()]
    try:
        async with connection.begin():
            for statement in statements:
                await connection.exec_driver_sql(statement)
    except DBAPIError as error:
        if sqlstate(error) != "42501":
            raise
        raise Unavailable(
            "The kept passwords of Dogear's roles are not the server's, and the login in DATABASE_URL may not change "
            "them: set DOGEAR_APP_DATABASE_URL and DOGEAR_INGEST_DATABASE_URL, or as a database administrator run: "
            f"{'; '.join(statements)};",
            code="passwords",
        ) from None
