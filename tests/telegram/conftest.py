"""One loopback Telegram and one `dogear run` for all tests here; what was sent is looked through after each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import URL

from tests.peers.telegram.peer import FakeTelegram
from tests.stories.program import home, served
from tests.telegram.traffic import Watch
from tests.telegram.wire import Club, Program, founded


@pytest.fixture(scope="session")
def telegram_server() -> Iterator[tuple[Path, URL]]:
    """The program's home, and the address of its database."""
    with home() as made:
        yield made


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def program(telegram_server: tuple[Path, URL]) -> AsyncIterator[Program]:
    peer = FakeTelegram()
    async with served(peer, lambda: Program(peer, telegram_server[0])) as running:
        yield running


@pytest.fixture
def peer(program: Program) -> FakeTelegram:
    return program.peer


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def club(program: Program) -> Club:
    """Ana set it up and has finished chapter 3, Bo chapter 2."""
    return await founded(program.peer, Ana=3, Bo=2)


@pytest.fixture(scope="session")
def watch(program: Program) -> Iterator[Watch]:
    """Whatever comes last is looked through too."""
    made = Watch(program.peer, program.log)
    yield made
    assert made.wrong() == []


@pytest.fixture(autouse=True)
def _nothing_unguarded(watch: Watch) -> Iterator[None]:
    """After every test: whatever was sent in it, edits and drafts included, shows nobody what they are not to see, and
    was such that Telegram takes it.
    """
    yield
    assert watch.wrong() == []
