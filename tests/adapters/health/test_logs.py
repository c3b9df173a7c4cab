"""The log: one form for people, one for programs, and never the message of an exception."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest

from bot.adapters.health.logs import JsonLines, Lines, log_to
from bot.adapters.references import current_reference, referenced


def record(message: str, *args: object, error: BaseException | None = None) -> logging.LogRecord:
    thrown = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("dogear.x", logging.WARNING, __file__, 1, message, args, thrown)


def thrown(words: str) -> BaseException:
    try:
        int(words)
    except ValueError as error:
        return error
    raise AssertionError


def fields(message: str, *args: object, error: BaseException | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(JsonLines().format(record(message, *args, error=error)))
    assert found.pop("time").endswith("+00:00")
    assert (found.pop("level"), found.pop("logger")) == ("WARNING", "dogear.x")
    return found


def test_a_line_for_people_is_as_it_always_was() -> None:
    assert Lines().format(record("event=done job=%d", 3)) == "WARNING dogear.x: event=done job=3"


def test_an_event_is_an_object_with_its_fields() -> None:
    assert fields("event=done job=%d code=%s kind=%s seconds=%.2f", 3, "-", "embed", 1.5) == {
        "event": "done", "job": 3, "code": None, "kind": "embed", "seconds": 1.5,
    }  # fmt: skip


def test_a_sentence_is_a_message_and_one_line() -> None:
    line = JsonLines().format(record("one\ntwo = %s", "3"))
    assert "\n" not in line
    assert json.loads(line)["message"] == "one\ntwo = 3"


@pytest.mark.parametrize("form", [Lines, JsonLines])
def test_the_message_of_an_exception_is_in_no_line(form: type[Lines]) -> None:
    line = form().format(record("event=fault", error=thrown("words of a book")))
    assert "words of a book" not in line
    assert "ValueError" in line
    assert "test_logs.py" in line


def test_what_is_done_for_one_person_has_one_reference_on_every_line() -> None:
    assert current_reference() is None
    with referenced() as reference:
        with referenced() as within:
            assert within == reference
        assert fields("event=a")["reference"] == reference
        assert Lines().format(record("event=a")).endswith(f"event=a reference={reference}")
        assert Lines().format(record("event=a reference=%s", "other")).endswith("event=a reference=other")
    assert "reference" not in fields("event=a")
    with referenced() as another:
        assert another != reference


def test_the_timers_and_the_migrations_are_heard_below_a_warning_only_where_everything_is() -> None:
    chatty = [logging.getLogger(name) for name in ("apscheduler.executors.default", "alembic.runtime.migration")]
    before = [logging.getLogger(name).level for name in ("apscheduler", "alembic")]
    try:
        log_to(io.StringIO(), "INFO", "text")
        assert [logger.getEffectiveLevel() for logger in chatty] == [logging.WARNING] * 2
        log_to(io.StringIO(), "DEBUG", "text")
        assert logging.WARNING not in [logging.getLogger(name).level for name in ("apscheduler", "alembic")]
    finally:
        for name, level in zip(("apscheduler", "alembic"), before, strict=True):
            logging.getLogger(name).setLevel(level)
