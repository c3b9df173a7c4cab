"""The log: lines for people, or a JSON object a line; either with the reference of what was being done.

Whatever logs it, no exception's message is written: it may quote what was read, sent or asked. Its kind and its place
are.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, TextIO

from bot.adapters.health.figures import PrometheusFigures
from bot.adapters.references import current_reference
from bot.core.errors import trace_of

_FIELDS: Final = re.compile(r"(?:^| )([a-z_]+)=(\S*)")
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")

_Thrown = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class Lines(logging.Formatter):
    """``LEVEL logger: message``, with a reference at the end where there is one that the message does not say."""

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")

    def formatException(self, ei: _Thrown) -> str:
        return "" if ei[1] is None else trace_of(ei[1])

    def formatMessage(self, record: logging.LogRecord) -> str:
        line, reference = super().formatMessage(record), current_reference()
        return line if reference is None or "reference=" in line else f"{line} reference={reference}"


class JsonLines(Lines):
    """A JSON object a line: ``time`` (UTC), ``level``, ``logger``, ``reference``, ``message``; where the message is
    ``event=... name=value ...``, its fields instead of it, numbers as numbers.
    """

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
        }
        reference = current_reference()
        if reference is not None:
            fields["reference"] = reference
        if message.startswith("event="):
            fields |= {name: _value(value) for name, value in _FIELDS.findall(message)}
        else:
            fields["message"] = message
        if record.exc_info and record.exc_info[1] is not None:
            fields["trace"] = trace_of(record.exc_info[1])
        return json.dumps(fields, ensure_ascii=False)


def _value(written: str) -> str | int | float | None:
    if written == "-":
        return None
    if not _NUMBER.fullmatch(written):
        return written
    return float(written) if "." in written else int(written)


FORMATS: Final = {"text": Lines, "json": JsonLines}
_CHATTY: Final = ("alembic", "apscheduler")


def log_to(stream: TextIO, level: str, form: str) -> None:
    """Log to ``stream`` in one of `FORMATS`, and nowhere else. Of the timers and the migrations nothing below
    ``WARNING`` is logged unless ``level`` is ``DEBUG``: at ``INFO`` they would write lines every few
    seconds that tell a host nothing.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMATS[form]())
    logging.basicConfig(level=level, handlers=[handler])
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.NOTSET if level == "DEBUG" else logging.WARNING)


class Counting(logging.Handler):
    """Counts what is logged: by level and event, and guards that tripped."""

    def __init__(self, figures: PrometheusFigures) -> None:
        super().__init__(logging.INFO)
        self._figures = figures

    def emit(self, record: logging.LogRecord) -> None:
        said = str(record.msg)
        if said.startswith("guard tripped"):
            self._figures.guard_tripped()
        if not record.name.startswith("dogear") and not record.name.startswith("bot."):
            return
        found = _FIELDS.match(record.getMessage()) if said.startswith("event=") else None
        self._figures.logged(record.levelname.lower(), found[2] if found else "other")
