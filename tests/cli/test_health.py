"""`dogear health`, and what `dogear run` and `dogear worker` show of themselves."""

from __future__ import annotations

import json
import re
import socket
import time
import urllib.request
from pathlib import Path
from urllib.error import URLError

import pytest

from tests.cli.conftest import Host


def free_address() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def page(address: str, path: str, seconds: float = 60) -> str:
    """A page of a process that may still be starting."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"http://{address}{path}", timeout=10) as answer:
                return str(answer.read().decode())
        except (URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@pytest.mark.parametrize("verb", ["run", "worker"])
def test_what_runs_is_asked_whether_it_serves(empty_host: Host, verb: str) -> None:
    address = free_address()
    with empty_host.started(verb, DOGEAR_HEALTH=address, DOGEAR_LOG="INFO", DOGEAR_LOG_FORMAT="json") as process:
        assert page(address, "/healthz") == '{"status": "ok"}'
        assert json.loads(page(address, "/readyz")) == {"ready": True, "parts": {"database": True}}
        figures = page(address, "/metrics")
        asked = empty_host.run("health", "--json", DOGEAR_HEALTH=address)
        limits = Path(f"/proc/{process.pid}/limits").read_text("ascii")
        process.terminate()
        assert process.stderr
        lines = process.stderr.read().decode().splitlines()
        assert process.wait(20) == 0
    assert json.loads(asked.stdout) == {"ready": True, "parts": {"database": True}}
    assert asked.exit_code == 0
    assert re.search(r"Max core file size +0 ", limits)  # a crash would write tokens and books to a file
    assert 'dogear_jobs{kind="ingest",state="queued"} 0.0' in figures
    events = [json.loads(line) for line in lines if line.startswith("{")]
    assert "shown" in {event.get("event") for event in events}
    assert all({"time", "level", "logger"} <= event.keys() for event in events)


def test_where_nothing_runs_it_is_said(empty_host: Host) -> None:
    asked = empty_host.run("health", DOGEAR_HEALTH=free_address())
    assert asked.exit_code == 5
    assert asked.stderr.startswith("No Dogear answers at 127.0.0.1:")


def test_where_the_pages_are_off_it_is_said(empty_host: Host) -> None:
    asked = empty_host.run("health", DOGEAR_HEALTH="off")
    assert (asked.exit_code, "DOGEAR_HEALTH is off" in asked.stderr) == (3, True)


def test_an_address_that_another_has_ends_a_run_with_a_sentence(empty_host: Host) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with empty_host.started("run", DOGEAR_HEALTH=f"127.0.0.1:{other.getsockname()[1]}") as process:
            assert process.stderr
            said = process.stderr.read().decode()
            assert process.wait(30) == 3
    assert "DOGEAR_HEALTH cannot be used, something else has it: set another address, or off." in said
