"""Exit codes, JSON alone on stdout, and what the command says of itself."""

from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from typing import Any

import click
import pytest
from click.testing import CliRunner

from bot.cli import COMMANDS, main
from bot.cli.output import Ambiguous, Output, error_value, run, shown_with_any_letters, written_as_json
from bot.core.errors import DogearError, FileRefused, Refused, SpoilerLeak, Unavailable
from bot.core.places import Candidate, Kind, Unclear
from bot.settings import Settings

UNCLEAR = Unclear((Candidate(1, 1, 1, 1, 0), Candidate(9, 2, 2, 1, 50)), "two places", Kind.CHAPTER)


def command(error: BaseException | None, as_json: bool) -> click.Command:
    @click.command()
    def failing() -> None:
        async def work(_: Settings) -> None:
            if error:
                raise error

        run(Output(as_json), work)

    return failing


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (FileRefused("drm", "It is protected."), 3, "drm"),
        (Refused("past_end", "The book ends before that."), 3, "past_end"),
        (Ambiguous("1", UNCLEAR), 4, "ambiguous"),
        (Unavailable("Start the server.", code="database_down"), 5, "database_down"),
        (SpoilerLeak("book 1: 99 > 12"), 70, "guard"),
        (DogearError("odd"), 1, "failed"),
    ],
)
def test_every_error_has_its_exit_code_and_is_json_or_a_sentence(error: DogearError, status: int, code: str) -> None:
    as_json = CliRunner().invoke(command(error, as_json=True))
    assert as_json.exit_code == status
    value = json.loads(as_json.stdout)
    assert value["error"]["code"] == code
    assert ("candidates" in value) == (status == 4)
    plain = CliRunner().invoke(command(error, as_json=False))
    assert (plain.exit_code, plain.stdout) == (status, "")
    assert plain.stderr.splitlines()[-1] == value["error"]["message"]


def test_an_interrupted_command_ends_with_130() -> None:
    assert CliRunner().invoke(command(KeyboardInterrupt(), as_json=False)).exit_code == 130


def test_letters_that_a_locale_lacks_end_nothing() -> None:
    held = BytesIO()
    stream = TextIOWrapper(held, "latin-1", write_through=True)
    shown_with_any_letters(stream)
    stream.write("“é” █")
    assert held.getvalue() == b"?\xe9? ?"


def test_json_is_whole_where_a_locale_lacks_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", TextIOWrapper(BytesIO(), "latin-1"))
    assert json.loads(written_as_json({"quote": "“é”"})) == {"quote": "“é”"}
    assert written_as_json("“") == '"\\u201c"'


def test_a_guard_tells_no_detail() -> None:
    assert "99" not in str(error_value(SpoilerLeak("book 1: 99 > 12")))


def test_a_setting_that_cannot_be_used_is_refused_by_name() -> None:
    for name, value in (("DOGEAR_LOG", "LOUD"), ("DOGEAR_FUSION", "magic")):
        result = CliRunner().invoke(command(None, as_json=True), env={name: value})
        assert result.exit_code == 3
        told: dict[str, Any] = json.loads(result.stdout)["error"]
        assert told["code"] == "bad_setting"
        assert name in told["message"]


def test_help_and_version_need_nothing_that_is_heavy() -> None:
    shown = CliRunner().invoke(main, ["--help"]).stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert CliRunner().invoke(main, ["--version"]).stdout.startswith("dogear")


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_has_help(verb: str) -> None:
    result = CliRunner().invoke(main, [verb, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage:")


def test_an_unknown_verb_is_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["frobnicate"]).exit_code == 2
