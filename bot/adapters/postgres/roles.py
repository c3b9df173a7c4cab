"""The roles of the door, made once in a cluster, and what each of them is for.

owner     owns the schema, sees no row of sealed tables (row-level security is forced), cannot log in
guard     owns the functions that show text; itself under row-level security; cannot log in
locator   owns the functions that find places; sees folded letters and numbers; cannot log in
app       answers questions: no privilege on text, only the functions
ingest    writes books, and reads them for the host
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.errors import Unavailable

OWNER: Final = "dogear_owner"
GUARD: Final = "dogear_guard"
LOCATOR: Final = "dogear_locator"
APP: Final = "dogear_app"
INGEST: Final = "dogear_ingest"
ALL: Final = (OWNER, GUARD, LOCATOR, APP, INGEST)
LOGINS: Final = (APP, INGEST)

_PLAIN: Final = "nosuperuser nobypassrls nocreatedb nocreaterole noreplication"


def statements_for_roles(missing: tuple[str, ...], passwords: Mapping[str, str]) -> list[str]:
    """The SQL that makes the missing roles; the passwords are SCRAM verifiers or texts free of quotes."""
    made = []
    for role in missing:
        login = (
            f"login password '{passwords[role]}'" if role in passwords else ("login" if role in LOGINS else "nologin")
        )
        made.append(f"create role {role} {login} {_PLAIN}")
    if {OWNER, GUARD, LOCATOR} & set(missing):
        made.append(f"grant {GUARD}, {LOCATOR} to {OWNER}")
    return made


async def missing_roles(connection: AsyncConnection) -> tuple[str, ...]:
    """The roles of the door that this cluster does not have yet."""
    rows = await connection.exec_driver_sql("select rolname from pg_roles where rolname like 'dogear\\_%'")
    present = {row.rolname for row in rows}
    return tuple(role for role in ALL if role not in present)


async def make_roles(connection: AsyncConnection, passwords: Mapping[str, str]) -> tuple[str, ...]:
    """Make the missing roles and the schema, and let the present login act as the owner.

    Returns the roles it made. Raises `Unavailable`, with the SQL for an administrator, where the login may not.
    """
    missing = await missing_roles(connection)
    database = (await connection.exec_driver_sql("select quote_ident(current_database())")).scalar_one()
    wanted = [
        *statements_for_roles(missing, passwords),
        f"grant {OWNER} to current_user",
        f"grant create on database {database} to {OWNER}",
    ]
    try:
        for statement in wanted:
            await connection.exec_driver_sql(statement)
        await connection.exec_driver_sql(f"create schema if not exists dogear authorization {OWNER}")
        await connection.exec_driver_sql(f"grant usage on schema dogear to {GUARD}, {LOCATOR}, {APP}, {INGEST}")
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != "42501":
            raise
        shown = statements_for_roles(missing, dict.fromkeys(passwords, "CHOOSE A PASSWORD"))
        sql = "; ".join(
            [*shown, f"grant {OWNER} to LOGIN_OF_DATABASE_URL", f"grant create on database {database} to {OWNER}"]
        )
        raise Unavailable(
            f"The login in DATABASE_URL may not make Dogear's roles: as a database administrator run: {sql};",
            code="missing_right",
        ) from error
    return missing


async def refresh_passwords(connection: AsyncConnection, passwords: Mapping[str, str]) -> None:
    """Give roles that log in the passwords (SCRAM verifiers) that this home keeps. Raises `Unavailable`."""
    try:
        async with connection.begin():
            for role, password in passwords.items():
                await connection.exec_driver_sql(f"alter role {role} password '{password}'")
    except DBAPIError as error:
        raise Unavailable(
            "The kept passwords of Dogear's roles are not the server's, and the login in DATABASE_URL may not change them: "
            "set DOGEAR_APP_DATABASE_URL and DOGEAR_INGEST_DATABASE_URL.",
            code="passwords",
        ) from error
