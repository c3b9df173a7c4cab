"""`dogear db` and `dogear doctor` on a real server and on the embedded one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bot
from bot.cli import main
from tests.postgres_servers import RealServer, real_server, temporary_folder

SECRETS = {
    "DISCORD_API_BASE": "http://127.0.0.1:9",
    "DISCORD_TOKEN": "discord-s3cret",
    "TELEGRAM_TOKEN": "telegram-s3cret",
    "TELEGRAM_API_BASE": "http://127.0.0.1:9",
    "ANTHROPIC_API_KEY": "anthropic-s3cret",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
}


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server() as running:
        yield running


@pytest.fixture
def home() -> Iterator[Path]:
    with temporary_folder() as folder:
        folder.chmod(0o755)
        yield folder / "home"


def started(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[str]:
    """`dogear` as a process of its own."""
    own = {"PATH": os.defpath, "PYTHONPATH": str(Path(bot.__file__).parents[1]), "DOGEAR_EMBEDDER": "none"}
    return subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments], env={**own, **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def dogear(environment: Mapping[str, str], *arguments: str) -> tuple[int, Any]:
    """The exit code, and the JSON on stdout."""
    result = CliRunner().invoke(main, [*arguments, "--json"], env={"DOGEAR_EMBEDDER": "none", **environment})
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, json.loads(result.stdout)


@contextmanager
def on(server: RealServer, home: Path) -> Iterator[dict[str, str]]:
    yield {"DATABASE_URL": server.url(), "DOGEAR_HOME": str(home)}


def test_two_processes_upgrade_at_once_and_the_runtime_then_works(server: RealServer, home: Path) -> None:
    with on(server, home) as environment:
        code, said = dogear(environment, "doctor")
        assert code == 5
        assert not said["ok"]
        assert next(c["message"] for c in said["checks"] if not c["ok"]).endswith("run `dogear db upgrade`.")
        assert not home.exists()
        assert dogear(environment, "db", "status")[1]["up_to_date"] is False
        wrong = environment | {"DATABASE_URL": server.url(password="wrong")}
        owner = next(c for c in dogear(wrong, "doctor")[1]["checks"] if not c["ok"])
        assert owner["name"] == "owner"
        assert owner["message"].endswith("refuses the password of postgres: correct it in DATABASE_URL.")

        together = [started(environment, "db", "upgrade", "--json") for _ in range(2)]
        ended = [process.communicate(timeout=120) for process in together]
        assert [process.returncode for process in together] == [0, 0], ended

        assert dogear(environment, "db", "status") == (0, json.loads(ended[0][0]))
        code, said = dogear(environment | SECRETS, "doctor")
        assert (code, said["ok"]) == (0, True)
        assert {"database", "roles", "migrations", "door"} <= {c["name"] for c in said["checks"] if c["ok"]}
        assert dogear(environment, "book", "list")[0] == 0


def test_the_doctor_says_which_tokens_are_set_and_never_shows_them(server: RealServer, home: Path) -> None:
    with on(server, home) as environment, started(environment | SECRETS, "doctor") as process:
        out, err = process.communicate(timeout=120)
    assert "Discord cannot be reached" in out
    assert "http://127.0.0.1:9 cannot be reached" in out
    assert "Telegram cannot be reached" in out
    assert not [secret for secret in SECRETS.values() if "s3cret" in secret and secret in out + err]
    assert server.password not in out + err


def test_a_server_that_does_not_answer_is_one_sentence_and_exit_code_5(home: Path) -> None:
    environment = {"DATABASE_URL": "postgresql://someone:secret@127.0.0.1:9/books", "DOGEAR_HOME": str(home)}
    for command in (("db", "status"), ("db", "upgrade"), ("book", "list")):
        code, said = dogear(environment, *command)
        assert (code, said["error"]["code"]) == (5, "database_unreachable")
        assert "secret" not in json.dumps(said)
    code, said = dogear(environment, "doctor")
    assert code == 5
    assert [c["name"] for c in said["checks"] if not c["ok"]] == ["database"]


def test_the_embedded_server_upgrades_itself(home: Path) -> None:
    code, said = dogear({"DOGEAR_HOME": str(home)}, "doctor")
    assert (code, said["ok"]) == (0, True), said
    code, said = dogear({"DOGEAR_HOME": str(home)}, "db", "status")
    assert said["up_to_date"]
