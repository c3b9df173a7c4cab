"""`dogear run` and `dogear worker`, in a home where nothing else is."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import psutil
import pytest

from bot.cli.working import Patience, kept_running, until
from tests.cli.conftest import Host
from tests.peers.discord.peer import FakeDiscord
from tests.peers.telegram.peer import FakeTelegram


def heard(process: subprocess.Popen[bytes], words: str) -> str:
    """The first line of the process's stderr that has these words."""
    assert process.stderr
    for line in iter(process.stderr.readline, b""):
        if words in line.decode():
            return line.decode()
    raise AssertionError(f"it ended with {process.wait()} and never said {words!r}")


def workers(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The workers that a `dogear run` has."""
    return [child for child in psutil.Process(process.pid).children() if "worker" in child.cmdline()]


def gone(process: psutil.Process, seconds: float = 10) -> bool:
    try:
        process.wait(seconds)
    except psutil.TimeoutExpired:
        return False
    return True


def test_a_chat_that_turns_the_token_away_ends_it_in_a_sentence_and_the_other_is_left(empty_host: Host) -> None:
    discord, telegram = FakeDiscord(), FakeTelegram()
    asyncio.run(discord.start())
    asyncio.run(telegram.start())
    where = {"DISCORD_API_BASE": discord.origin, "TELEGRAM_API_BASE": telegram.origin}
    with empty_host.started("run", DISCORD_TOKEN=discord.token, TELEGRAM_TOKEN="1:no", **where) as process:
        said = process.communicate(timeout=120)[1].decode()
    asyncio.run(telegram.stop())
    asyncio.run(discord.stop())
    assert process.returncode == 5
    assert said.splitlines()[-1].startswith("Telegram does not take TELEGRAM_TOKEN")
    assert "Unclosed" not in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_works_until_it_is_asked_to_end(empty_host: Host, number: signal.Signals) -> None:
    with empty_host.started("run") as process:
        assert process.stderr
        first = process.stderr.readline().decode()
        assert first.startswith("DISCORD_TOKEN and TELEGRAM_TOKEN are not set")
        process.send_signal(number)
        assert process.wait(20) == 0


def test_run_keeps_no_worker_where_it_is_told_to(empty_host: Host) -> None:
    with empty_host.started("run", "--no-worker") as process:
        assert process.stderr
        assert b"every club's clock is kept until" in process.stderr.readline()
        assert not workers(process)
        process.terminate()
        assert process.wait(20) == 0


def test_run_fills_in_the_vectors_that_are_missing(empty_host: Host, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Chapter 1\n\n" + "The cat sat on the mat, and was warm. " * 100)
    book = empty_host.json("book", "add", file, "--club", "running")["book"]
    with empty_host.started("run", embedder="minilm") as process:
        line = heard(process, "event=done")
        assert "kind=embed club=" in line
        assert f"book={book} " in line
        process.terminate()
        assert process.wait(20) == 0
    assert {row["book"]: row["status"] for row in empty_host.json("book", "list")}[book] == "ready"


def test_a_worker_that_was_killed_is_started_again_and_ends_with_its_run(empty_host: Host) -> None:
    with empty_host.started("run") as process:
        heard(process, "event=started")
        (first,) = workers(process)
        first.kill()
        assert "(-9): it is started again in 1 s." in heard(process, "The worker ended")
        heard(process, "event=started")
        (second,) = workers(process)
        began = time.monotonic()
        process.terminate()
        assert process.wait(20) == 0
        assert time.monotonic() - began < 10
        assert gone(second)


def test_a_worker_ends_when_its_run_was_killed(empty_host: Host) -> None:
    with empty_host.started("run") as process:
        heard(process, "event=started")
        (worker,) = workers(process)
        process.kill()
        assert gone(worker)


def test_a_worker_runs_alone_until_it_is_asked_to_end(empty_host: Host) -> None:
    with empty_host.started("worker", "--lease", "5") as process:
        heard(process, "event=started")
        process.terminate()
        heard(process, "event=ended")
        assert process.wait(20) == 0


def test_what_a_run_waits_for_grows_while_its_worker_ends_soon() -> None:
    patience, waited = Patience(), 0.0
    seen = []
    for ran in (0.1, 0.1, 0.1, 99.0, 0.1):
        waited = patience.next(waited, ran)
        seen.append(waited)
    assert seen == [1.0, 2.0, 4.0, 1.0, 2.0]
    assert patience.next(50.0, 0.1) == 60.0


def _child(out: IO[str], program: str) -> list[str]:
    return [sys.executable, "-c", f"import os, signal, sys, time\nout = {out.name!r}\n{program}"]


async def test_a_child_that_does_not_end_is_killed_after_its_grace(tmp_path: Path) -> None:
    told = tmp_path / "told"
    with told.open("w") as out:
        stubborn = (
            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen(out, 'w').write(str(os.getpid()))\ntime.sleep(60)"
        )
        ended = asyncio.Event()
        keeping = asyncio.create_task(kept_running(_child(out, stubborn), ended, lambda _: None, Patience(grace=0.2)))
        async with asyncio.timeout(20):
            while not told.read_text():  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            ended.set()
            await keeping
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


async def test_a_child_that_ends_is_started_again_and_said_so(tmp_path: Path) -> None:
    told, ended = tmp_path / "told", asyncio.Event()
    notes: list[str] = []

    def note(sentence: str) -> None:
        notes.append(sentence)
        if len(notes) == 3:
            ended.set()

    with told.open("w") as out:
        child = _child(out, "open(out, 'a').write('.')\nsys.exit(5)")
        async with asyncio.timeout(20):
            await kept_running(child, ended, note, Patience(first=0.01, most=9.0))
    assert told.read_text() == "..."
    assert notes[0] == "The worker ended (5): it is started again in 0.01 s."
    assert notes[2].endswith("0.04 s.")


async def test_what_fails_ends_the_rest_and_is_raised() -> None:
    rest = asyncio.Event()

    async def fails() -> None:
        raise ZeroDivisionError

    async def goes_on() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            rest.set()

    with pytest.raises(ZeroDivisionError):
        await until(asyncio.Event(), goes_on(), fails())
    assert rest.is_set()
