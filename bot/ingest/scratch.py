"""A worker's own folder for files on their way: whatever a killed worker left is removed by the next."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_PREFIX: Final = "worker-"
_OWNED: Final = "owned.lock"
_MAKING: Final = "making.lock"


@contextmanager
def scratch_folder(home: Path) -> Iterator[Path]:
    """A new folder under ``home`` for this process alone, and for its temporary files; it goes at the end.

    A folder belongs to whoever holds the lock in it, which the kernel frees however a process ends. Those that nobody
    holds any more are removed first; that and the making are done by one process at a time.
    """
    home.mkdir(0o700, parents=True, exist_ok=True)
    making = _locked(home / _MAKING, wait=True)
    try:
        for left in home.glob(f"{_PREFIX}*"):
            if (freed := _locked(left / _OWNED)) is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(freed)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=home))
        owned = _locked(folder / _OWNED)
    finally:
        if making is not None:
            os.close(making)
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        shutil.rmtree(folder, ignore_errors=True)
        if owned is not None:
            os.close(owned)


def _locked(path: Path, *, wait: bool = False) -> int | None:
    """The descriptor that holds this lock, or None where another process does, or the platform has no such locks."""
    try:
        import fcntl
    except ImportError:
        return None
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            os.close(descriptor)
        else:
            return descriptor
    return None
