"""What `dogear doctor` looks at on the machine: folders, room, packages, letters, the clock, ports, and the reader."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

import bot
from bot.adapters.health.pages import Address
from bot.app import utc_now
from bot.cli.check import Check
from bot.core.errors import DogearError, FileRefused, Refused, pip_install
from bot.database import home_of, made_at
from bot.settings import Settings

ROOM: Final = 500_000_000
"""Bytes that are free at least where everything is kept: a book with its vectors takes some 10 MB."""
APART: Final = timedelta(seconds=30)
"""How far this machine's clock may be from others'."""
ANSWERS_WITHIN: Final = 5.0
_SIGNS: Final = "█ “é” …"
"""What the terminal club shows."""


def home_checks(settings: Settings) -> list[Check]:
    """Whether what a host backs up can be kept where it is to be, and how much room there is."""
    home = home_of(settings)
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    fault = None
    if not there.is_dir():
        fault = f"{there} is no folder, so nothing can be kept in {home}: set DOGEAR_HOME to a folder."
    elif not os.access(there, os.W_OK | os.X_OK):
        how = f"run `chown -R {_user()} {there}` as root"
        if os.statvfs(there).f_flag & os.ST_RDONLY:
            how = f"run `mount -o remount,rw {_mounted(there)}` as root"
        fault = f"{there} cannot be written to, so nothing can be kept in {home}: {how}, or set DOGEAR_HOME."
    if fault is not None:
        return [Check("home", False, fault, needed=True)]
    free = shutil.disk_usage(there).free
    room = Check("disk", True, f"{free / 1e9:.1f} GB are free there.")
    if free < ROOM:
        full = f"Only {free / 1e6:.0f} MB are free on the disk of {there} (`df -h {there}`): make room there, or set "
        room = Check("disk", False, f"{full}DOGEAR_HOME to another disk.")
    return [Check("home", True, f"Everything is kept in {home}."), room]


def _mounted(folder: Path) -> Path:
    return next(above for above in (folder, *folder.parents) if above.is_mount())


def _user() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def packages_check(wanted: Iterable[str] | None = None) -> Check:
    """Whether every package that this version needs is installed, in a version that it can use."""
    if made_at() is None:
        return Check("packages", False, "Dogear's migrations are missing: install Dogear again.", needed=True)
    wrong = [needed for needed in map(Requirement, _needed() if wanted is None else wanted) if not _met(needed)]
    if not wrong:
        return Check("packages", True, "Every package is installed that this Dogear needs.")
    names = ", ".join(requirement.name for requirement in wrong)
    how = f"run {pip_install(*(f'{requirement.name}{requirement.specifier}' for requirement in wrong))}"
    return Check("packages", False, f"Missing, or in a version that cannot be used: {names}: {how}.", needed=True)


def _needed() -> Iterable[str]:
    """What a checkout asks for now, which may be newer than what was installed; else what the installed one did."""
    project = Path(bot.__file__).parents[1] / "pyproject.toml"
    if project.is_file():
        dependencies: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
        return dependencies
    return requires("dogear") or ()


def _met(requirement: Requirement) -> bool:
    if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
        return True
    try:
        return requirement.specifier.contains(version(requirement.name), prereleases=True)
    except PackageNotFoundError:
        return False


def letters_check(encoding: str | None = None) -> Check:
    """Whether what is shown, and names of files, can have all letters."""
    shown = encoding or sys.stdout.encoding or "ascii"
    for used in (shown, sys.getfilesystemencoding()):
        try:
            _SIGNS.encode(used)
        except (UnicodeEncodeError, LookupError):
            return Check("letters", False, f"The locale's letters are {used} alone: run `export LC_ALL=C.UTF-8`.")
    return Check("letters", True, "All letters can be shown.")


def clock_check(others: Iterable[tuple[str, datetime, datetime]], now: datetime | None = None) -> Check:
    """Whether this machine's clock goes with ``others``: who says so, what time it is there, and was here then."""
    now, made = now or utc_now(), made_at()
    early = [("this Dogear's newest file", made, now)] if made is not None and now < made else []
    compared = [*early, *others]
    for whose, there, here in compared:
        if abs(here - there) > APART:
            off = f"{abs(here - there).total_seconds():.0f} seconds {'ahead of' if here > there else 'behind'}"
            how = "run `timedatectl set-ntp true`, or set the clock of the one that is wrong"
            return Check("clock", False, f"This machine's clock is {off} that of {whose}: {how}.")
    whose = " and ".join(dict.fromkeys(whose for whose, _, _ in compared))
    return Check("clock", True, f"This machine's clock goes with that of {whose}." if whose else "The clock goes.")


async def time_at(origin: str) -> tuple[datetime, datetime] | None:
    """What time it is at a web server, by what it answers, and here; None where it does not say."""
    import aiohttp

    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(ANSWERS_WITHIN)) as web,
            web.get(origin, allow_redirects=False) as answer,
        ):
            return parsedate_to_datetime(answer.headers["Date"]).astimezone(UTC), utc_now()
    except (TimeoutError, aiohttp.ClientError, OSError, ValueError, KeyError):
        return None


async def health_check(settings: Settings) -> Check:
    """Whether the pages can be shown where they are to be, or a Dogear shows them there."""
    from bot.cli.health import address_of

    try:
        address = address_of(settings)
    except Refused as error:
        return Check("health", False, str(error))
    if address is None:
        return Check("health", True, "DOGEAR_HEALTH is off: no page is shown.", off=True)
    shown = f"{address.host}:{address.port}"
    number = taken(address.host, address.port)
    if number is None:
        return Check("health", True, f"/healthz, /readyz and /metrics are shown at {shown} while Dogear runs.")
    if number != errno.EADDRINUSE:
        return Check("health", False, f"{not_listening(shown, number, 'DOGEAR_HEALTH')}, or to off.")
    if await dogear_at(address):
        return Check("health", True, f"A Dogear runs and shows itself at {shown}.")
    how = f"end it (`ss -ltnp 'sport = :{address.port}'` names it), or set DOGEAR_HEALTH to another address"
    return Check("health", False, f"Another program has {shown}, where Dogear shows itself: {how}.")


def not_listening(place: str, number: int, setting: str) -> str:
    """What is wrong with a place that nobody has, by the error of listening there, and what mends it."""
    how = f"set {setting} to an address of this machine and a port above 1023, such as 127.0.0.1:8443"
    return f"Dogear cannot listen at {place} ({os.strerror(number)}): {how}"


def taken(host: str, port: int) -> int | None:
    """The error of listening at an address of this machine; None where it is free."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(1)
    except socket.gaierror:
        return errno.EADDRNOTAVAIL
    except OSError as error:
        return error.errno or errno.EADDRNOTAVAIL
    return None


async def dogear_at(address: Address) -> bool:
    """Whether a Dogear shows itself there."""
    from bot.cli.health import parts_at

    try:
        await parts_at(address)
    except DogearError:
        return False
    return True


async def reader_check() -> Check:
    """Whether a file can be read as an upload is: in a process of its own that is thrown away."""
    from bot.ingest.files import read_book_in_child

    try:
        with tempfile.TemporaryDirectory(prefix="dogear-doctor-") as folder:
            file = Path(folder) / "a.txt"
            file.write_text("Chapter 1\n\nOne evening it rained.\n\n" * 40)
            await read_book_in_child(file)
    except FileRefused:
        how = f"run `{sys.executable} -m bot.ingest.reading_child` to see why, and give Dogear 2 GB of memory"
        return Check("reader", False, f"The process that reads uploads does not work here: {how}.")
    except OSError as error:
        how = "make room there, or set TMPDIR to a folder that can be written to"
        return Check("reader", False, f"Uploads cannot be read without a temporary folder ({error.strerror}): {how}.")
    if await asyncio.to_thread(_cut_off):
        return Check("reader", True, "Uploads are read in a process of their own, without a network.")
    why = "run `sysctl -w user.max_user_namespaces=15000` as root where a worker reaches the internet"
    return Check("reader", True, f"Uploads are read in a process of their own, which keeps the network here: {why}.")


def _cut_off() -> bool:
    script = "import sys; from bot.ingest.reading_child import cut_off; sys.exit(not cut_off())"
    try:
        return (
            subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, timeout=20).returncode == 0
        )
    except (OSError, subprocess.SubprocessError):
        return False
