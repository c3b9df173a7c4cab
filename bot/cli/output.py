"""How commands speak: JSON alone on stdout with ``--json``, sentences otherwise; errors as exit codes."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from codecs import lookup
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Any, Final, TextIO

import click

from bot.adapters.health.logs import log_to
from bot.core.errors import DogearError, Refused, SpoilerLeak, Unavailable
from bot.core.places import Candidate, NotLocated, Unclear
from bot.settings import Settings, read_settings

REFUSED: Final = 3
AMBIGUOUS: Final = 4
UNAVAILABLE: Final = 5
GUARD: Final = 70
INTERRUPTED: Final = 130


def shown_with_any_letters(*streams: TextIO) -> None:
    """Where a locale has not all letters, those that it lacks are shown as `?`, rather than ending the program."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper) and lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors="replace")


class Ambiguous(DogearError):
    """A statement with several readings, where one place is needed."""

    def __init__(self, said: str, place: Unclear) -> None:
        super().__init__(f"“{said}” can mean {len(place.candidates)} places: say which part, or use #N or offset:N.")
        self.place = place


class SeveralPeople(DogearError):
    """A name that several people bear who have been met by then."""

    def __init__(self, said: str, names: Sequence[str]) -> None:
        super().__init__(f"Several are called “{said}”: say which of {', '.join(names)}.")
        self.names = names


@dataclass(frozen=True, slots=True)
class Output:
    """Where a command's result goes."""

    as_json: bool

    def result(self, value: object, lines: Sequence[str]) -> None:
        """One result: as JSON, or as lines for a person."""
        if self.as_json:
            click.echo(written_as_json(value))
        else:
            for line in lines:
                click.echo(line)

    def note(self, sentence: str) -> None:
        """Something for the person who waits, never on stdout."""
        click.echo(sentence, err=True)

    def refuse(self, code: str, message: str, status: int, more: dict[str, object] | None = None) -> None:
        """Say what is wrong and end with an exit code."""
        if self.as_json:
            click.echo(written_as_json({"error": {"code": code, "message": message}} | (more or {})))
        else:
            click.echo(message, err=True)
        raise SystemExit(status)


def written_as_json(value: object) -> str:
    """JSON on a line, which every stream can hold."""
    return json.dumps(value, ensure_ascii=lookup(sys.stdout.encoding or "ascii").name != "utf-8")


def candidate_value(candidate: Candidate) -> dict[str, object]:
    """A candidate as the contract has it."""
    return {
        "offset": candidate.offset,
        "chapter": candidate.chapter,
        "part": candidate.part,
        "printed": candidate.printed,
        "percent": candidate.percent,
    }


def error_value(error: DogearError) -> tuple[str, str, int, dict[str, object]]:
    """The code, the sentence, the exit code and further keys of an error."""
    match error:
        case Refused(code=code, message=message):
            return code, message, REFUSED, {}
        case Ambiguous(place=place):
            return "ambiguous", str(error), AMBIGUOUS, {"candidates": [candidate_value(c) for c in place.candidates]}
        case SeveralPeople(names=names):
            return "ambiguous", str(error), AMBIGUOUS, {"candidates": [{"name": name} for name in names]}
        case Unavailable(code=code, message=message):
            return code, message, UNAVAILABLE, {}
        case SpoilerLeak():
            return (
                "guard",
                "A guard tripped and nothing is shown: this is a fault of Dogear, please report it.",
                GUARD,
                {},
            )
        case _:
            return "failed", str(error), 1, {}


@contextmanager
def reporting(output: Output) -> Iterator[None]:
    """Errors of Dogear become one sentence and an exit code; anything else is a bug, and keeps its trace."""
    try:
        yield
    except DogearError as error:
        if isinstance(error, SpoilerLeak):
            logging.getLogger("dogear").critical("guard tripped: %s", error)
        code, message, status, more = error_value(error)
        output.refuse(code, message, status, more)


def run(output: Output, work: Callable[[Settings], Coroutine[Any, Any, None]]) -> None:
    """Read the settings, run ``work``, and report what goes wrong."""
    shown_with_any_letters(sys.stdout, sys.stderr)
    with reporting(output):
        settings = read_settings()
        log_to(sys.stderr, settings.log.upper(), settings.log_format)
        try:
            asyncio.run(work(settings))
        except KeyboardInterrupt:
            raise SystemExit(INTERRUPTED) from None


def located_or_raise(said: str, place: object) -> Any:
    """The one place that was meant. Raises `Refused` or `Ambiguous`."""
    if isinstance(place, NotLocated):
        raise Refused(place.code, place.message)
    if isinstance(place, Unclear):
        raise Ambiguous(said, place)
    return place


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON alone on stdout.")
