"""How the runtime's roles log in on a real server: as the host has set it, else with passwords that are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.adapters.postgres.connect import engine_for
from bot.adapters.postgres.roles import APP, INGEST, LOGINS, refresh_passwords
from bot.adapters.postgres.secrets import FILE, login_url, password_tried, role_passwords, scram_verifier
from bot.adapters.postgres.server import connected
from bot.core.errors import Unavailable

SETTINGS: Final = {APP: "DOGEAR_APP_DATABASE_URL", INGEST: "DOGEAR_INGEST_DATABASE_URL"}

_NOT_LET_IN: Final = {"database_28P01", "database_28000"}

_PAST_THE_DOOR: Final = """
    select r.rolsuper or r.rolbypassrls
           or coalesce(has_any_column_privilege(to_regclass('dogear.sentence'), 'select'), false)
    from pg_roles r where r.rolname = current_user"""


@dataclass(frozen=True, slots=True)
class Logins:
    """``server`` is the owner's address, ``home`` the folder of the kept passwords, ``given`` what the host has set."""

    server: URL
    home: Path
    given: Mapping[str, URL]

    def url(self, role: str) -> URL:
        """The address with which a role logs in. Raises `Unavailable` if the kept passwords cannot be used."""
        if role in self.given:
            return self.given[role]
        return login_url(self.server, role, password_tried(self.home, role))

    def verifiers(self) -> dict[str, str]:
        """What the server is to store for the password of each role that it has to make, which is made and kept."""
        role_passwords(self.home, [role for role in LOGINS if role not in self.given])
        found: dict[str, str] = {}
        for role in LOGINS:
            url = self.url(role)
            if url.username != role or not url.password:
                continue
            if not url.password.isascii():
                raise Unavailable(
                    f"The password in {SETTINGS[role]} has letters beyond ASCII: choose one without.", code="passwords"
                )
            found[role] = scram_verifier(url.password)
        return found

    async def try_role(self, role: str, engine: AsyncEngine) -> None:
        """Log in as a role with its engine. Raises `Unavailable` with what to do."""
        setting = SETTINGS[role] if role in self.given else "DATABASE_URL"
        try:
            async with connected(engine, setting):
                return
        except Unavailable as error:
            if role in self.given or error.code not in _NOT_LET_IN:
                raise
        raise Unavailable(
            f"No password of {role} that the server takes is kept in {self.home / FILE}: copy that file from the "
            "machine that has the right one, or where no other has, run `dogear db upgrade`.",
            code="passwords",
        )

    async def make_work(self, owner: AsyncEngine, note: Callable[[str], None]) -> None:
        """Give the roles the kept passwords where the server has others (a lost home).

        Raises `Unavailable` where that may not be done, or where an address that the host has set does not work.
        """
        verifiers = self.verifiers()
        for role in LOGINS:
            engine = engine_for(self.url(role), "dogear-upgrade", pool_size=1)
            try:
                await self.try_role(role, engine)
            except Unavailable as error:
                if error.code != "passwords":
                    raise
                async with connected(owner) as connection:
                    await refresh_passwords(connection, {role: verifiers[role]})
                note(
                    f"{role} has a new password, kept in {self.home / FILE}: other machines on this database need "
                    "that file."
                )
                await self.try_role(role, engine)
            finally:
                await engine.dispose()


async def require_door_closed(connection: AsyncConnection) -> None:
    """Raises `Unavailable` if the login that answers questions could read books past the door."""
    if (await connection.exec_driver_sql(_PAST_THE_DOOR)).scalar_one():
        raise Unavailable(
            f"The login in {SETTINGS[APP]} may read books past the door: set it to the role {APP}, or unset it.",
            code="door_open",
        )
