"""The embedded PostgreSQL server: started by the first Dogear process that needs it, stopped by the last.

``with EmbeddedPostgres(home) as address`` is all there is to it. Everything of the server's lies in
``home/postgres``; the rest of the home is not its concern::

    postgres/data           the data folder      owned by the server's user (see `binaries`), 0700
    postgres/socket         the socket's folder  the same; a path too long for a socket: in the temp folder
    postgres/programs       a copy of the programs, only where the server's user cannot reach the installed ones
    postgres/*.lock         who starts, uses and watches the server (see `leases`)
    postgres/postgres.log   the server's log, of bounded size, without statements, values or any text of a book

There is no network port, and no password: whoever can enter the socket's folder (the server's user and root) may log
in as any role. Roles still matter: each part of Dogear logs in as its own.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from bot.adapters.postgres.binaries import INSTEAD, Programs, ServerUser, find_programs, reachable_programs, server_user
from bot.adapters.postgres.cluster import DATABASE, PORT, SUPERUSER, Cluster
from bot.adapters.postgres.leases import in_use, starting, take_lease
from bot.adapters.postgres.pidfile import stop_server
from bot.adapters.postgres.watchdog import bound_log, ensure_watchdog
from bot.core.errors import Unavailable

if TYPE_CHECKING:
    from sqlalchemy import URL

HOME_OF_ROOT: Final = Path("/var/lib/dogear")

SOCKET_FOLDER_BYTES: Final = 88
"""The longest folder that leaves room for ``/.s.PGSQL.5432`` in a socket address (104 bytes on macOS, 108 on Linux)."""

WAITING: Final = "Waiting for another Dogear that is starting the database."


def default_home() -> Path:
    """Where everything is kept unless ``DOGEAR_HOME`` says otherwise.

    The platform's user data folder; for root ``/var/lib/dogear``, since the server's user cannot enter ``/root``.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return HOME_OF_ROOT
    import platformdirs

    return platformdirs.user_data_path("dogear", appauthor=False)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where the embedded server listens: the folder of its socket, and the port that is part of the socket's name."""

    host: Path
    port: int = PORT

    def url(self, role: str = SUPERUSER, database: str = DATABASE) -> URL:
        """The address for SQLAlchemy and asyncpg, logging in as ``role``."""
        from sqlalchemy import URL

        query = {"host": str(self.host), "port": str(self.port)}
        return URL.create("postgresql+asyncpg", username=role, database=database, query=query)


def _no_note(_: str) -> None:
    """Say nothing."""


class EmbeddedPostgres:
    """One process's use of the embedded server in ``home``: a context manager, plain or asynchronous.

    ``note`` receives a sentence for the person who waits, when starting takes long. Entering starts the server or
    joins the users of a running one; leaving stops it if nobody else is left. Raises `Unavailable` with one sentence.
    """

    def __init__(self, home: Path, note: Callable[[str], None] = _no_note) -> None:
        if sys.platform == "win32":
            raise Unavailable(
                "The embedded database does not run on Windows yet: set DATABASE_URL to a PostgreSQL "
                "server of your own."
            )
        self.home = Path(os.path.abspath(home))  # noqa: PTH100 - links are kept, so messages name what the host wrote
        self.folder = self.home.resolve() / "postgres"
        self._note = note
        self._lease: int | None = None

    def start(self) -> ServerAddress:
        """Start the server or join it, and hold a lease on it until `stop`."""
        if self._lease is not None:
            raise RuntimeError("this EmbeddedPostgres is already in use: make one for each use")
        try:
            user = server_user(self.folder / "data")
            if user:
                self._require_way(Programs(Path("/"), user))
            self.folder.parent.mkdir(0o700, parents=True, exist_ok=True)
            self.folder.mkdir(0o711, exist_ok=True)
            with starting(self.folder, lambda: self._note(WAITING)):
                self._lease = take_lease(self.folder)
                ensure_watchdog(self.folder)
                return self._start(user)
        except OSError as error:
            self._abandon()
            raise self._refused(error) from error
        except BaseException:
            self._abandon()
            raise

    def _start(self, user: ServerUser | None) -> ServerAddress:
        data = self.folder / "data"
        if user:
            self._let_in(Programs(Path("/"), user))
        programs = reachable_programs(find_programs(), self.folder / "programs", user)
        socket_folder = self._socket_folder(programs)
        cluster = Cluster(data, programs)
        cluster.create()
        bound_log(cluster.log)
        return ServerAddress(cluster.ensure_running(socket_folder, self._note))

    def stop(self) -> None:
        """Give the lease back; if it was the last, stop the server and wait until it is gone."""
        if self._lease is None:
            return
        try:
            with starting(self.folder):
                self._give_back()
                if not in_use(self.folder):
                    stop_server(self.folder / "data")
        except FileNotFoundError:  # somebody removed the whole folder: the server ends by itself
            self._give_back()

    def _give_back(self) -> None:
        if self._lease is not None:
            os.close(self._lease)
            self._lease = None

    def _abandon(self) -> None:
        """Undo a start that failed; what cannot be undone now, the watchdog does."""
        with suppress(OSError):
            self.stop()
        self._give_back()

    def _require_way(self, programs: Programs) -> None:
        """Refuse a home that the server's user cannot come near, before anything is made there."""
        home = self.folder.parent
        blocked = programs.blocked_at(next(folder for folder in (home, *home.parents) if folder.exists()))
        if blocked and blocked != home:
            raise self._out_of_reach(programs, blocked)

    def _let_in(self, programs: Programs) -> None:
        """See that the server's user can reach our folder, changing at most the home itself.

        A home of root's that no group may enter is given to the server's group, to pass through and no more.
        """
        home = self.folder.parent
        blocked = programs.blocked_at(self.folder)
        found = home.stat()
        if programs.user and blocked == home and found.st_uid == 0 and not stat.S_IMODE(found.st_mode) & stat.S_IRWXG:
            os.chown(home, -1, programs.user.gid)
            home.chmod(stat.S_IMODE(found.st_mode) | stat.S_IXGRP)
            blocked = programs.blocked_at(self.folder)
        if blocked:
            raise self._out_of_reach(programs, blocked)

    def _out_of_reach(self, programs: Programs, blocked: Path) -> Unavailable:
        name = programs.user.name if programs.user else "this user"
        return Unavailable(
            f"PostgreSQL does not run as root, and the user it runs as ({name}) cannot enter {blocked}: set "
            f"DOGEAR_HOME to a folder that others may pass through, such as {HOME_OF_ROOT}, {INSTEAD}."
        )

    def _socket_folder(self, programs: Programs) -> Path:
        """A folder for the socket that only the server's user may enter (and root)."""
        folder = self.folder / "socket"
        if len(os.fsencode(folder)) > SOCKET_FOLDER_BYTES or set(str(folder)) & set(',:"'):
            digest = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:12]
            owner = programs.user.uid if programs.user else os.geteuid()
            temporary = Path(tempfile.gettempdir())
            if len(os.fsencode(temporary)) > SOCKET_FOLDER_BYTES - 40:
                temporary = Path("/tmp")  # noqa: S108 - the folder made there is checked below
            folder = temporary / f"dogear-{owner}-{digest}"
        with suppress(FileExistsError):
            folder.mkdir(0o700)
            if programs.user:
                programs.user.own(folder)
        found = folder.lstat()
        owner = programs.user.uid if programs.user else os.geteuid()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
            raise Unavailable(
                f"{folder} should be a folder for the database's socket that only its user can enter, and is not: "
                "remove it."
            )
        return folder

    def _refused(self, error: OSError) -> Unavailable:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return Unavailable(
                f"The disk that holds {self.home} is full: make room, or set DOGEAR_HOME to another disk."
            )
        if error.errno in (errno.EACCES, errno.EPERM):
            return Unavailable(
                f"Dogear may not use {error.filename or self.home}: run it as the user who owns {self.home}, or set "
                "DOGEAR_HOME to a folder of your own."
            )
        return Unavailable(
            f"The embedded database cannot use {error.filename or self.home} ({error.strerror}): set DOGEAR_HOME to a "
            "folder on an ordinary disk."
        )

    def __enter__(self) -> ServerAddress:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    async def __aenter__(self) -> ServerAddress:
        starting_up = asyncio.ensure_future(asyncio.to_thread(self.start))
        try:
            return await asyncio.shield(starting_up)
        except asyncio.CancelledError:  # the thread goes on: wait for it, or its lease would have no owner
            with suppress(Exception):
                await starting_up
            await asyncio.to_thread(self.stop)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.shield(asyncio.to_thread(self.stop))
