"""Why a request to the Messages API failed, by what its errors say of themselves: never by their text."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final

import anthropic

from bot.core.chat_model import Failed

log = logging.getLogger("dogear.model")

_KINDS: Final = {
    "overloaded_error": (Failed.OVERLOADED, True),
    "rate_limit_error": (Failed.RATE_LIMITED, True),
    "authentication_error": (Failed.NOT_ALLOWED, False),
    "permission_error": (Failed.NOT_ALLOWED, False),
    "billing_error": (Failed.NOT_ALLOWED, False),
    "not_found_error": (Failed.NOT_ALLOWED, False),
    "invalid_request_error": (Failed.NOT_ALLOWED, False),
    "request_too_large": (Failed.NOT_ALLOWED, False),
}
_OVERLOADED: Final = frozenset({503, 529})
_UNKNOWN_FORM: Final = frozenset({400, 404, 422, 501})
"""With one of these a server that knows less answers what it does not know."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why it failed, whether it may be tried ``again``, and after how many seconds (None: nobody says).

    ``unknown_form`` says that the server may not have known the form of the request, or not have kept to it.
    """

    failed: Failed
    again: bool
    note: str
    after: float | None = None
    unknown_form: bool = False

    @property
    def line(self) -> str:
        """For a log."""
        return f"failed={self.failed.value} note={self.note}"


def failure_of(error: anthropic.AnthropicError) -> Failure:
    """What an error of the client means."""
    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error)
    if isinstance(error, anthropic.APITimeoutError):
        return Failure(Failed.UNREACHABLE, again=True, note="no_connection_in_time")
    if isinstance(error, anthropic.APIConnectionError):
        return Failure(Failed.UNREACHABLE, again=True, note="no_connection")
    return Failure(Failed.BAD_REPLY, again=False, note="not_of_the_api")


def _of_status(error: anthropic.APIStatusError) -> Failure:
    status, kind = error.status_code, _kind(error.body)
    if status < 300:  # it came in the midst of a stream that had begun well
        failed, again = _KINDS.get(kind, (Failed.UNREACHABLE, True))
        return Failure(failed, again, f"stream_{_known(kind)}")
    if status == 429:
        failed, again = Failed.RATE_LIMITED, True
    elif status in _OVERLOADED:
        failed, again = Failed.OVERLOADED, True
    elif status >= 500 or status in {408, 409}:
        failed, again = Failed.UNREACHABLE, True
    elif status < 400:
        failed, again = Failed.UNREACHABLE, False
    else:
        failed, again = Failed.NOT_ALLOWED, False
    headers = error.response.headers
    again = again and headers.get("x-should-retry") != "false"
    return Failure(failed, again, f"status_{status}_{_known(kind)}", _after(headers), status in _UNKNOWN_FORM)


def _kind(body: object) -> str:
    said: Any = body.get("error") if isinstance(body, Mapping) else None
    return str(said.get("type", "")) if isinstance(said, Mapping) else ""


def _known(kind: str) -> str:
    """A kind that may stand in a log: one of those there are."""
    return kind if kind in _KINDS else "other"


def _after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: ``retry-after-ms``, else ``retry-after`` as seconds or as a date; None
    where it asks nothing, or nothing that can be read.
    """
    exact, said = headers.get("retry-after-ms"), headers.get("retry-after")
    if exact is not None and (milliseconds := _number(exact)) is not None:
        return max(0.0, milliseconds / 1000)
    if said is None:
        return None
    if (seconds := _number(said)) is not None:
        return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except (ValueError, OverflowError):
        log.warning("event=model.retry_after_unread letters=%d", len(said))
        return None


def _number(said: str) -> float | None:
    """A finite number, or None: a date is expected too."""
    try:
        found = float(said)
    except ValueError:
        return None
    return found if math.isfinite(found) else None
