"""File locks by which several processes share one embedded server.

Three files in the server's folder carry them:

``start.lock``     held by one process, only while it starts or stops the server
``users.lock``     held shared, as a lease, by every process that uses the server; tried exclusively under
                   ``start.lock`` alone, so that success means that nobody uses it
``watchdog.lock``  held by the watchdog as long as it lives

They are BSD locks (``flock``): they belong to the open file, so the kernel frees them however a process ends, two
leases in one process count as two, and one can be handed to a child. (POSIX record locks, which fasteners uses,
can do neither of the last two.) Nothing is ever written into the files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Final

START: Final = "start.lock"
USERS: Final = "users.lock"
WATCHDOG: Final = "watchdog.lock"


def open_lock(path: Path) -> int:
    """Open a lock file, made if absent, never through a symbolic link; the descriptor is not inherited."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _reopen_lock(path: Path) -> int:
    """Open a lock file that must be there: who only looks makes nothing in a folder that is being removed."""
    return os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)


def lock(descriptor: int, *, shared: bool = False) -> bool:
    """Take the lock if it is free now; False if another holds it."""
    import fcntl

    with suppress(BlockingIOError):
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        return True
    return False


@contextmanager
def starting(folder: Path, still_waiting: Callable[[], None] = lambda: None, note_after: float = 3.0) -> Iterator[None]:
    """Hold ``start.lock``, waiting for it; ``still_waiting`` is called once if that takes ``note_after`` seconds."""
    descriptor = open_lock(folder / START)
    began: float | None = monotonic()
    try:
        while not lock(descriptor):
            if began is not None and monotonic() - began > note_after:
                still_waiting()
                began = None
            sleep(0.01)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def starting_now(folder: Path) -> Iterator[bool]:
    """Hold ``start.lock`` if it is free; yields whether it was. The file must exist, and so must that of `in_use`."""
    descriptor = _reopen_lock(folder / START)
    try:
        yield lock(descriptor)
    finally:
        os.close(descriptor)


def take_lease(folder: Path) -> int:
    """Count this process among the users, until the descriptor returned is closed. Call under ``start.lock``."""
    descriptor = open_lock(folder / USERS)
    if not lock(descriptor, shared=True):
        os.close(descriptor)
        raise BlockingIOError(f"{folder / USERS} is locked by something other than Dogear")
    return descriptor


def in_use(folder: Path) -> bool:
    """Whether any living process holds a lease. Call under ``start.lock``."""
    descriptor = _reopen_lock(folder / USERS)
    try:
        return not lock(descriptor)
    finally:
        os.close(descriptor)
