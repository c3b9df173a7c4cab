"""`dogear backup` and `dogear restore` at a shell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.adapters.postgres.embedded import EmbeddedPostgres
from tests.cli.conftest import Host
from tests.postgres_servers import temporary_folder


@pytest.fixture
def new_host() -> Iterator[Host]:
    with temporary_folder() as folder:
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "home"):
            yield Host(folder / "home")


def test_a_club_moves_to_another_home(host: Host, new_host: Host, tmp_path: Path) -> None:
    file = tmp_path / "club.backup"
    made = host.json("backup", file)
    assert made["tables"]["book"] == 1
    assert made["bytes"] == file.stat().st_size
    assert new_host.json("restore", file)["tables"] == made["tables"]
    (book,) = new_host.json("book", "list")
    assert [book] == host.json("book", "list")
    question = ("ask", book["book"], "What are turns?", "--at", "finished")
    assert new_host.json(*question)["text"] == host.json(*question)["text"]

    assert host.json("backup", file, status=3)["error"]["code"] == "exists"
    assert new_host.json("restore", file, status=3)["error"]["code"] == "not_empty"
    assert new_host.run("restore", "--replace", file).exit_code == 0
    assert "rows of" in host.run("backup", "--overwrite", file).stdout
