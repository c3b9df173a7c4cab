"""The `dogear` command over a home of its own, whose database stays up for a module's tests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.adapters.postgres.embedded import EmbeddedPostgres
from bot.cli import main
from bot.cli.trying import samples_folder
from tests.postgres_servers import temporary_folder

SAMPLE = samples_folder() / "a-turn-owing.epub"


@dataclass(frozen=True)
class Host:
    """Somebody at a shell. Vectors do not matter here, so there are none."""

    home: Path

    def run(self, *arguments: object, typed: str | bytes | None = None, **settings: str) -> Result:
        """`dogear` with these arguments; ``typed`` is its standard input."""
        environment = {"DOGEAR_HOME": str(self.home), "DOGEAR_EMBEDDER": "none"} | settings
        return CliRunner().invoke(main, [str(a) for a in arguments], input=typed, env=environment)

    def json(self, *arguments: object, status: int = 0, typed: str | bytes | None = None) -> Any:
        """What ``--json`` printed, which must be all of stdout."""
        result = self.run(*arguments, "--json", typed=typed)
        assert result.exit_code == status, result.output
        return json.loads(result.stdout)

    def started(self, *arguments: str, embedder: str = "none", **settings: str) -> subprocess.Popen[bytes]:
        """`dogear` as a process of its own, with pipes."""
        environment = {"DOGEAR_HOME": str(self.home), "DOGEAR_EMBEDDER": embedder} | settings
        return subprocess.Popen(
            [sys.executable, "-m", "bot", *arguments], env=environment, cwd=Path(__file__).parents[2], bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip


@pytest.fixture(scope="module")
def empty_host() -> Iterator[Host]:
    with temporary_folder() as folder:
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "home"):
            yield Host(folder / "home")


@pytest.fixture(scope="module")
def host(empty_host: Host) -> Host:
    """With the sample book in its club."""
    empty_host.json("book", "add", SAMPLE)
    return empty_host
