"""`dogear run`, in a home where nothing else is."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from bot.cli.output import Output
from bot.cli.running import fill_all
from bot.core.club import ClubId
from bot.core.errors import Unavailable
from bot.core.ports import BookRecord
from tests.cli.conftest import Host
from tests.fakes.embedder import HashEmbedder
from tests.fakes.library import LANTERN, in_memory
from tests.fakes.shelf import FakeShelf


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


class Restarting(FakeShelf):
    """A database that is away at the first look."""

    looks = 0

    async def books(self, club: ClubId | None = None) -> tuple[BookRecord, ...]:
        self.looks += 1
        if self.looks == 1:
            raise Unavailable("The database does not answer.", code="database_unavailable")
        return await super().books(club)


async def test_a_database_that_is_away_for_a_while_does_not_end_the_filling(capsys: pytest.CaptureFixture[str]) -> None:
    library = in_memory()
    book = await library.add(LANTERN)
    shelf = Restarting()
    shelf.kept = library.shelf.kept
    working = asyncio.create_task(fill_all(shelf, HashEmbedder(), Output(as_json=False), every=0.01))
    while shelf.of(book).record.status != "ready":
        assert not working.done()
        await asyncio.sleep(0.01)
    working.cancel()
    assert capsys.readouterr().err.splitlines()[0] == (
        "Looking for books without vectors failed (database_unavailable): looking again in 0.01 s."
    )
