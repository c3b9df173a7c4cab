"""The process that reads an uploaded file: confined, then thrown away. Run by `bot.ingest.files` and nothing else.

``python -m bot.ingest.reading_child REQUEST`` where REQUEST is JSON: the file's path and name and the limits. On
stdout it writes one JSON object a line: ``{"stage", "fraction"}`` while it works, then ``{"book"}`` or ``{"refused"}``.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO

_CLONE_NEWUSER: Final = 0x10000000  # linux/sched.h
_CLONE_NEWNET: Final = 0x40000000
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_PR_SET_NO_NEW_PRIVS: Final = 38
_OPEN_FILES: Final = 64
_SIGKILL: Final = 9


def confine(memory_bytes: int, cpu_seconds: int) -> None:
    """Limit this process for good: address space, CPU time, no files written, no core dump, no network.

    What the platform does not have, or does not permit, is left out; the parent's wall clock always holds.
    """
    with contextlib.suppress(ImportError):
        import resource

        for limit, value in (
            (resource.RLIMIT_AS, memory_bytes),
            (resource.RLIMIT_CPU, cpu_seconds),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_NOFILE, _OPEN_FILES),
        ):
            with contextlib.suppress(ValueError, OSError):
                hard = resource.getrlimit(limit)[1]
                most = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.setrlimit(limit, (most, most))
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            libc = ctypes.CDLL(None, use_errno=True)
            libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
            libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    cut_off()


def cut_off() -> bool:
    """Leave the network for good; whether the platform has, and permits, that."""
    if sys.platform != "linux":
        return False
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        return bool(libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0)
    except (OSError, AttributeError):
        return False


def private_stdout() -> TextIO:
    """The pipe to the parent; from here on whatever else prints goes to stderr."""
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace", newline="\n")
    os.dup2(2, 1)
    return pipe


def send(pipe: TextIO, value: dict[str, Any]) -> None:
    """One line to the parent."""
    pipe.write(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
    pipe.write("\n")
    pipe.flush()


def main() -> None:
    """Read the request, confine this process, read the file, answer, end at once."""
    request = json.loads(sys.argv[1])
    pipe = private_stdout()
    confine(request["memory_bytes"], request["cpu_seconds"])
    send(pipe, _answer(request, _progress(pipe)))
    pipe.close()
    os._exit(0)


def _progress(pipe: TextIO) -> Callable[[str, float], None]:
    last = [("", -1)]

    def report(stage: str, fraction: float) -> None:
        step = (stage, int(fraction * 100))
        if step != last[0]:
            last[0] = step
            send(pipe, {"stage": stage, "fraction": fraction})

    return report


def _answer(request: dict[str, Any], progress: Callable[[str, float], None]) -> dict[str, Any]:
    from bot.core.errors import FileRefused
    from bot.ingest.files import ReadingLimits, read_in_this_process
    from bot.ingest.transfer import to_json

    try:
        limits = ReadingLimits(**request["limits"])
        book = read_in_this_process(Path(request["path"]), request["name"], limits, progress)
        return {"book": to_json(book)}
    except FileRefused as refusal:
        return {"refused": [refusal.code, refusal.message]}
    except MemoryError:
        return {"died": ["MemoryError"]}
    except Exception as error:  # a fault of ours or of a library: where it stands, and none of the book's text
        places = traceback.extract_tb(error.__traceback__)[-6:]
        return {"died": [type(error).__name__, *(f"{Path(place.filename).name}:{place.lineno}" for place in places)]}


if __name__ == "__main__":
    main()
