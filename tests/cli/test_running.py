"""`dogear run`, in a home where nothing else is."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.conftest import Host


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_works_until_it_is_asked_to_end(empty_host: Host, number: signal.Signals) -> None:
    with empty_host.started("run") as process:
        assert process.stderr
        first = process.stderr.readline().decode()
        assert "No chat adapter is in this version" in first
        assert process.stderr.readline() == b"TELEGRAM_TOKEN is set, and not used yet.\n"
        process.send_signal(number)
        assert process.wait(20) == 0


def test_run_fills_in_the_vectors_that_are_missing(empty_host: Host, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Chapter 1\n\n" + "The cat sat on the mat, and was warm. " * 100)
    book = empty_host.json("book", "add", file, "--club", "running")["book"]
    with empty_host.started("run", embedder="minilm") as process:
        assert process.stderr
        while f"Book {book} has its vectors".encode() not in process.stderr.readline():
            assert process.poll() is None
        process.terminate()
        assert process.wait(20) == 0
    assert {row["book"]: row["status"] for row in empty_host.json("book", "list")}[book] == "ready"
