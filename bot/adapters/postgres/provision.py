"""What a database needs before it can be migrated: pgvector, the roles of the door, and the right to act as the owner.

Only what is missing is asked for, so that a login with few rights can use what an administrator has made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.adapters.postgres.connect import sqlstate
from bot.adapters.postgres.roles import ALL, APP, GUARD, INGEST, LOCATOR, OWNER, role_statement
from bot.adapters.postgres.server import check_facts, server_facts
from bot.core.errors import Unavailable

EXTENSION: Final = "create extension vector schema public"

_STANDING: Final = text("""
    select quote_ident(current_database()) as database, quote_ident(current_user) as login,
           (select array_agg(rolname::text) from pg_roles where rolname = any(:roles)) as present,
           (select count(distinct m.roleid) from pg_auth_members m where m.member = to_regrole(:owner)
               and m.roleid in (to_regrole(:guard), to_regrole(:locator))) as handed,
           (select rolsuper from pg_roles where rolname = current_user) as super,
           (select pg_has_role(r.oid, case when current_setting('server_version_num')::int < 160000
                                           then 'member' else 'set' end)
               from pg_roles r where r.rolname = :owner) as acts,
           to_regnamespace('dogear') is not null or (select has_database_privilege(r.oid, d.oid, 'create')
               from pg_roles r where r.rolname = :owner) as creates,
           has_database_privilege('public', d.oid, 'connect')
               or (select bool_and(has_database_privilege(r.oid, d.oid, 'connect')) and count(*) = 2
                   from pg_roles r where r.rolname in (:app, :ingest)) as connects,
           (select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
               where e.extname = 'vector') as pgvector
    from pg_database d where d.datname = current_database()
""")


async def missing_statements(connection: AsyncConnection, verifiers: Mapping[str, str]) -> list[str]:
    """The SQL that makes what is missing, in order; a superuser of this database may run it as it stands.

    ``verifiers`` are for the roles that log in (`scram_verifier`); one without a verifier gets no password.
    """
    names = {"owner": OWNER, "guard": GUARD, "locator": LOCATOR, "app": APP, "ingest": INGEST}
    found: Any = (await connection.execute(_STANDING, {"roles": list(ALL), **names})).one()
    if found.pgvector not in {None, "public"}:
        raise Unavailable(
            f"pgvector stands in the schema {found.pgvector} of this database, where Dogear's roles do not look: run "
            "as a superuser in this database: alter extension vector set schema public;",
            code="extension_schema",
        )
    wanted = [EXTENSION] if found.pgvector is None else []
    wanted += [role_statement(role, verifiers.get(role)) for role in ALL if role not in (found.present or ())]
    if found.handed < 2:
        wanted.append(f"grant {GUARD}, {LOCATOR} to {OWNER}")
    if not (found.super or found.acts):
        wanted.append(f"grant {OWNER} to {found.login}")
    if not found.creates:
        wanted.append(f"grant create on database {found.database} to {OWNER}")
    if not found.connects:
        wanted.append(f"grant connect on database {found.database} to {APP}, {INGEST}")
    return wanted


async def _made(connection: AsyncConnection, wanted: list[str]) -> bool:
    """Whether all of ``wanted`` could be made: a right that may not be granted is an error, or only a warning."""
    try:
        for statement in wanted:
            await connection.exec_driver_sql(statement)
    except DBAPIError as error:
        if sqlstate(error) != "42501":
            raise
        return False
    return not wanted or not await missing_statements(connection, {})


async def provision(connection: AsyncConnection, verifiers: Mapping[str, str]) -> None:
    """Make what is missing, in the transaction that is open, and act as the owner for the rest of it.

    Raises `Unavailable`: a server that is too old or has no pgvector installed, or a missing right; for the latter the
    sentence ends in the SQL that an administrator can run.
    """
    check_facts(replace(await server_facts(connection), may_create_pgvector=True))
    wanted = await missing_statements(connection, verifiers)
    if not await _made(connection, wanted):
        raise Unavailable(
            "The login in DATABASE_URL may not make what Dogear needs: run `dogear db upgrade` again when a database "
            f"administrator has run, as a superuser in this database: {'; '.join(wanted)};",
            code="missing_right",
        )
    await connection.exec_driver_sql(f"set local role {OWNER}")
    if (await connection.exec_driver_sql("select to_regnamespace('dogear') is null")).scalar_one():
        await connection.exec_driver_sql("create schema dogear")  # "if not exists" would ask for the right all the same
    await connection.exec_driver_sql(f"grant usage on schema dogear to {GUARD}, {LOCATOR}, {APP}, {INGEST}")
