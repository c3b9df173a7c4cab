"""What payloads are made of: ids, times, files, and Discord's errors."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from typing import Any, Final

Json = dict[str, Any]

EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
UPLOAD_LIMIT: Final = 10 * 1024 * 1024

_EPOCH: Final = 1_420_070_400_000
_numbers = itertools.count(1)

File = tuple[str, str, bytes]
"""The name of the form's field, the name of the file, and what is in it."""


def snowflake() -> str:
    """An id that is later than every one before."""
    return str(((int(time.time() * 1000) - _EPOCH) << 22) | (next(_numbers) & 0x3FFFFF))


def timestamp() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())


class ApiError(Exception):
    """What is answered with an HTTP status and Discord's own code."""

    def __init__(self, status: int, code: int, message: str, **extra: object) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"code": code, "message": message, **extra}


def bad_form(problems: Sequence[str]) -> ApiError:
    """A body that breaks a limit."""
    errors = {"_errors": [{"code": "INVALID", "message": problem} for problem in problems]}
    return ApiError(400, 50035, f"Invalid Form Body: {problems[0]}", errors=errors)
