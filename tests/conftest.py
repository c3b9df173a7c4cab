"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from tests.databases import Databases, embedded_databases

STRESS = int(os.environ.get("DOGEAR_STRESS", "1"))
"""The size knob: how many times more examples than in the ordinary run."""

settings.register_profile(
    "dogear",
    max_examples=25 * STRESS,
    deadline=None,
    derandomize=STRESS == 1,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("dogear")


TOGETHER = ("discord", "telegram", "outages")
"""Folders whose tests share what runs beside them (a peer in this process, which stands still while others are tested):
they are run one after another by one worker.
"""

LONGEST_FIRST = (
    "noninterference/test_twins.py",
    "discord",
    "telegram",
    "outages",
    "cli/test_database.py",
    "ingest/test_worker_killed.py",
    "cli/test_running.py",
    "measure/test_clubs.py",
    "terminal/test_screen.py",
    "cli/test_trying.py",
)
"""What takes longest is begun first, so that no worker is left alone with it at the end."""


def _group(node_id: str) -> str:
    """What is run by one worker, in its own order: a file, or a folder of `TOGETHER`."""
    path = node_id.split("::", 1)[0].removeprefix("tests/")
    folder = path.split("/", 1)[0]
    return folder if folder in TOGETHER else path


class ByGroup(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """A worker takes whole groups, in the order they are collected in."""

    def _split_scope(self, nodeid: str) -> str:
        return _group(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByGroup:
    return ByGroup(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the groups; what stands in one stays as it is."""
    places = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(_group(item.nodeid), len(places)))


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the settings of the machine it runs on."""
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "DISCORD_", "TELEGRAM_")) or name == "DATABASE_URL":
            monkeypatch.delenv(name)
        if name.startswith("DOGEAR_") and name not in {"DOGEAR_SHARED", "DOGEAR_STRESS"}:
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    memory = Path("/dev/shm")
    spacious = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30
    # not pytest's own folder: the server's user may not enter that
    home = Path(tempfile.mkdtemp(prefix="dogear-test-", dir=memory if spacious else None))
    try:
        with embedded_databases(home) as running:
            yield running
    finally:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
async def database(databases: Databases) -> AsyncIterator[str]:
    """The name of a fresh, migrated database."""
    async with databases.cloned() as name:
        yield name
