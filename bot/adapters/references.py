"""A reference for what one person asked for: told to them where it fails, and put on every line logged meanwhile."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_CURRENT: Final[ContextVar[str | None]] = ContextVar("dogear_reference", default=None)


def current_reference() -> str | None:
    """The reference of what is being done in this task, or None outside of all."""
    return _CURRENT.get()


@contextmanager
def referenced() -> Iterator[str]:
    """Give what is done here one reference: six random hexadecimal digits; what is done within it shares it."""
    present = _CURRENT.get()
    if present is not None:
        yield present
        return
    token = _CURRENT.set(secrets.token_hex(3))
    try:
        found = _CURRENT.get()
        assert found is not None
        yield found
    finally:
        _CURRENT.reset(token)
