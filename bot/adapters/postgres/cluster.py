"""One data folder of the embedded server: made once, then started whenever it does not run."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from bot.adapters.postgres.binaries import INSTEAD, Programs
from bot.adapters.postgres.pidfile import is_serving, read_pidfile, remove_stale_pidfile, server_processes
from bot.core.errors import Unavailable

DATABASE: Final = "dogear"
SUPERUSER: Final = "postgres"
PORT: Final = 5432
"""Only a part of the socket's name: the server listens on no network."""

NOTE_AFTER_SECONDS: Final = 3.0
GIVE_UP_SECONDS: Final = 3600
"""Recovery after a crash is waited for: PostgreSQL says itself when it cannot."""
ORPHAN_SECONDS: Final = 5.0
"""How long processes of a server that was killed may take to notice it."""

RECOVERING: Final = "The database is starting. Recovering after a crash can take it a minute, and loses nothing."

_SPACE_TO_START: Final = 1_000_000
"""Bytes without which a server cannot even write its log."""

_LC_CTYPES: Final = ("C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8")

_SETTINGS: Final = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "cluster_name": "dogear",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "huge_pages": "off",
    "fsync": "on",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # No text of a book reaches the log: neither statements and parameters nor messages about them (which quote values).
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_autovacuum_min_duration": "-1",
    "log_checkpoints": "off",
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A data folder, the programs to run it with, and the log (in the parent folder) that it writes to."""

    data: Path
    programs: Programs

    @property
    def log(self) -> Path:
        return self.data.with_name("postgres.log")

    def create(self) -> None:
        """Make the data folder if there is none: whole or not at all, however this process ends.

        Letters are classified by Unicode whatever the environment says: the built-in C.UTF-8 for ``lower`` and text
        search, and a UTF-8 ``lc_ctype`` for trigrams, which ignore the former. Raises `Unavailable`.
        """
        version = self.programs.major_version()
        if self.data.exists():
            made_by = (self.data / "PG_VERSION").read_text("ascii").strip()
            if made_by != version:
                raise Unavailable(
                    f"The data in {self.data} was made by PostgreSQL {made_by} and this Dogear brings {version}: "
                    f"install the Dogear that made it, choose another DOGEAR_HOME, {INSTEAD}."
                )
            return
        self._clear_staging()
        staging = self.data.with_name(f"initdb-{secrets.token_hex(4)}")
        staging.mkdir(0o700)
        if self.programs.user:
            self.programs.user.own(staging)
        try:
            self._initialise(staging)
            staging.rename(self.data)
        finally:
            self._clear_staging()

    def _clear_staging(self) -> None:
        """Remove what killed starts left; twice, for an `initdb` that outlived its own writes on for a moment."""
        for left in self.data.parent.glob("initdb-*"):
            shutil.rmtree(left, ignore_errors=True)

    def _initialise(self, staging: Path) -> None:
        arguments = [
            *("-D", str(staging), "-U", SUPERUSER, "-E", "UTF8", "--auth-local=trust", "--auth-host=reject"),
            *("--no-instructions", "--no-sync", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
        ]
        first_error = ""
        for lc_ctype in _LC_CTYPES:
            made = self.programs.run("initdb", *arguments, f"--lc-ctype={lc_ctype}")
            if made.returncode == 0:
                break
            first_error = first_error or _first_error(made.stderr)
            if "locale" not in made.stderr:
                raise _failed(first_error, self.data.parent)
        else:
            raise _failed(first_error, self.data.parent)
        by_itself = ["--single", "-D", str(staging), "-c", "fsync=off", "template1"]
        made = self.programs.run("postgres", *by_itself, feed=f"create database {DATABASE}\n")
        if made.returncode == 0 and "ERROR" not in made.stderr:  # one sync for all: file by file takes seconds
            method = "syncfs" if sys.platform == "linux" else "fsync"
            made = self.programs.run("initdb", "--sync-only", f"--sync-method={method}", "-D", str(staging))
        if made.returncode or "ERROR" in made.stderr:
            raise _failed(_first_error(made.stderr), self.data.parent)

    def ensure_running(self, socket_folder: Path, note: Callable[[str], None]) -> Path:
        """Start the server unless it runs, and wait until it accepts work; returns the folder of its socket.

        Call under ``start.lock``. ``note`` is told once if recovery takes more than a moment. Raises `Unavailable`.
        """
        while running := is_serving(self.data):
            if running.status == "ready":
                return running.socket_folder
            self._wait_for_another(note)
        end = monotonic() + ORPHAN_SECONDS
        while True:
            remove_stale_pidfile(self.data, socket_folder)
            offset = self.log.stat().st_size if self.log.exists() else 0
            if self._launch(socket_folder, note):
                return socket_folder
            said = self.log.read_bytes()[offset:].decode("utf-8", "replace")
            orphaned = "pre-existing shared memory block" in said or "lock file" in said
            if not orphaned or monotonic() > end + ORPHAN_SECONDS:
                raise _failed(_first_error(said), self.data.parent, self.log)
            if monotonic() > end:  # the postmaster is gone for good, and a query of its has not noticed
                for orphan in server_processes(self.data):
                    os.kill(orphan, signal.SIGQUIT)
            sleep(0.2)

    def _wait_for_another(self, note: Callable[[str], None]) -> None:
        """Wait while a server that somebody else started or stopped comes up or goes down."""
        began: float | None = monotonic()
        while (running := is_serving(self.data)) and running.status != "ready":
            if began is not None and monotonic() - began > NOTE_AFTER_SECONDS:
                note(RECOVERING)
                began = None
            sleep(0.05)

    def _launch(self, socket_folder: Path, note: Callable[[str], None]) -> bool:
        """Run ``pg_ctl start``, which leaves the server in a session of its own: Ctrl-C does not reach it."""
        settings = _SETTINGS | {"unix_socket_directories": f'"{socket_folder}"', "port": str(PORT)}
        if sys.platform == "linux":
            settings["recovery_init_sync_method"] = "syncfs"
        chosen = [f"-c {name}={shlex.quote(value)}" for name, value in settings.items()]
        options = " ".join([f"-D {shlex.quote(str(self.data))}", *chosen])
        run = self.programs.options()
        run["env"]["PGDATA"] = str(self.data)  # pg_ctl would give a -D of its own to a shell, badly quoted
        command = [str(self.programs.folder / "pg_ctl"), "start", "-s", "-w", "-t", str(GIVE_UP_SECONDS)]
        log = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            starting = subprocess.Popen([*command, "-o", options], stdout=log, stderr=log, **run)
        finally:
            os.close(log)
        try:
            try:
                starting.wait(NOTE_AFTER_SECONDS)
            except subprocess.TimeoutExpired:
                note(RECOVERING)
                starting.wait()
        except BaseException:
            starting.send_signal(signal.SIGINT)  # pg_ctl passes it on to a server that is coming up
            starting.wait()
            raise
        if starting.returncode == 0:
            return True
        found = read_pidfile(self.data)
        return found is not None and found.status == "ready" and is_serving(self.data) is not None


def _first_error(said: str) -> str:
    """The first complaint in what a PostgreSQL program wrote, without its prefix."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for line in lines:
        for mark in ("FATAL:", "PANIC:", "ERROR:", "error:", "fatal:"):
            if mark in line:
                return line.partition(mark)[2].strip()
    return lines[0] if lines else ""


def _failed(reason: str, folder: Path, log: Path | None = None) -> Unavailable:
    unsaid = not reason and shutil.disk_usage(folder).free < _SPACE_TO_START
    if unsaid or ("No space left on device" in reason and "shared memory" not in reason):
        return Unavailable(
            f"The disk that holds {folder} is full: make room there, or set DOGEAR_HOME to another disk."
        )
    if "Permission denied" in reason:
        return Unavailable(
            f"The embedded database may not use its files in {folder} ({reason}): run Dogear as the user who owns "
            "them, or set DOGEAR_HOME to a folder of your own."
        )
    where = f" (its log is {log})" if log else ""
    return Unavailable(
        f"The embedded database did not start: {reason or 'it said nothing'}{where}; mend that, {INSTEAD}."
    )
