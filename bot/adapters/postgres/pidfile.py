"""Is the server of a data folder running, and which process is it? And: stop that one and no other.

``postmaster.pid`` outlives a crash, and its process id may by then belong to anybody. The proof used here is the
socket: the kernel says which process listens on it (``SO_PEERCRED``, ``LOCAL_PEERPID``), and a dead process or a
zombie listens on none. Where there is no socket to ask, the process must be named postgres and stand in the folder.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

SHUTDOWN_SECONDS: Final = 60.0
"""How long a fast shutdown may take before the server is told to drop everything (which loses nothing either)."""

_MACOS_SOL_LOCAL: Final = 0
_MACOS_LOCAL_PEERPID: Final = 2


@dataclass(frozen=True, slots=True)
class PidFile:
    """What ``postmaster.pid`` says: who claims to serve, where it listens, and how far it has come.

    ``status`` is one of starting, stopping, ready, standby, or empty while the file is being written
    (the lines are those of PostgreSQL's ``miscadmin.h``).
    """

    pid: int
    port: int
    socket_folder: Path
    status: str

    @property
    def socket(self) -> Path:
        return self.socket_folder / f".s.PGSQL.{self.port}"

    def listener(self) -> int | None:
        """The process that listens on the socket, None if there is none, 0 if it lives in another container."""
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(2)
            try:
                probe.connect(str(self.socket))
            except TimeoutError:  # it listens, and is too busy to say more
                return self.pid
            except OSError:
                return None
            return _peer(probe)


def _peer(connected: socket.socket) -> int:
    """The process at the other end of a connected Unix socket, or that listens there."""
    asked: int | None = getattr(socket, "SO_PEERCRED", None)  # absent on macOS
    if asked is None:
        return connected.getsockopt(_MACOS_SOL_LOCAL, _MACOS_LOCAL_PEERPID)
    credentials = struct.Struct("3i")  # process, user, group
    return int(credentials.unpack(connected.getsockopt(socket.SOL_SOCKET, asked, credentials.size))[0])


def read_pidfile(data: Path) -> PidFile | None:
    """The claim in ``postmaster.pid``; None if there is none, or not yet a whole one."""
    try:
        lines = (data / "postmaster.pid").read_text("utf-8", "surrogateescape").splitlines()
        status = lines[7].strip() if len(lines) > 7 else ""
        return PidFile(int(lines[0]), int(lines[3]), Path(lines[4]), status)
    except (FileNotFoundError, IndexError, ValueError):
        return None


def is_serving(data: Path) -> PidFile | None:
    """The server of ``data`` if it listens (it may still be recovering: see ``status``), else None."""
    found = read_pidfile(data)
    return found if found and found.listener() in (found.pid, 0) else None


def server_processes(data: Path, *, even_unproven: bool = False) -> list[int]:
    """Living processes named postgres whose working folder is ``data``: a server, or what a killed one left.

    ``even_unproven`` adds those of the data's owner whose folder may not be seen (root in a container may not).
    """
    import psutil

    owner = data.stat().st_uid if data.exists() else -1

    found = []
    for process in psutil.process_iter(["name", "status"]):
        if not (process.info["name"] or "").startswith("postgres") or process.info["status"] == psutil.STATUS_ZOMBIE:
            continue
        with suppress(psutil.NoSuchProcess, OSError):
            try:
                belongs = Path(process.cwd()) == data
            except psutil.AccessDenied:
                belongs = even_unproven and process.uids().effective == owner
            if belongs:
                found.append(process.pid)
    return found


def remove_stale_pidfile(data: Path, sockets: Path) -> None:
    """Remove a ``postmaster.pid``, and its like in the folder ``sockets``, that no living server stands behind.

    PostgreSQL does so itself unless the process id is in use again, by anyone of the same user. Call under
    ``start.lock``.
    """
    stale = [data / "postmaster.pid", *sockets.glob(".s.PGSQL.*")]
    if any(path.exists() for path in stale) and not (is_serving(data) or server_processes(data, even_unproven=True)):
        for path in stale:
            path.unlink(missing_ok=True)


def stop_server(data: Path) -> bool:
    """Shut the server of ``data`` down and wait until it is gone; False if none was running.

    Signals nothing but the process proven to be that server.
    """
    found = read_pidfile(data)
    if found is None or not (found.listener() == found.pid or found.pid in server_processes(data)):
        return False
    for request, seconds in ((signal.SIGINT, SHUTDOWN_SECONDS), (signal.SIGQUIT, 10.0)):
        with suppress(ProcessLookupError):
            os.kill(found.pid, request)
        if _wait_until_gone(data, found.pid, seconds):
            return True
    return True


def _wait_until_gone(data: Path, pid: int, seconds: float) -> bool:
    end = monotonic() + seconds
    while monotonic() < end:
        if not _exists(pid):
            return True
        claim = read_pidfile(data)
        if claim is None or claim.pid != pid:  # taken away as its last act; a zombie would stay for ever
            end = min(end, monotonic() + 0.5)
            if _is_zombie(pid):
                return True
        sleep(0.005)
    claim = read_pidfile(data)
    return claim is None or claim.pid != pid


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_zombie(pid: int) -> bool:
    import psutil

    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True
