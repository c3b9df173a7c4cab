"""One loopback Discord and one `dogear run` for all tests here; what was sent is looked through after each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import URL

from tests.discord.traffic import Watch
from tests.discord.wire import Club, Program, founded
from tests.peers.discord.peer import FakeDiscord
from tests.stories.program import home, served


@pytest.fixture(scope="session")
def server() -> Iterator[tuple[Path, URL]]:
    """The program's home, and the address of its database."""
    with home() as made:
        yield made


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def program(server: tuple[Path, URL]) -> AsyncIterator[Program]:
    peer = FakeDiscord()
    async with served(peer, lambda: Program(peer, server[0])) as running:
        yield running


@pytest.fixture
def peer(program: Program) -> FakeDiscord:
    return program.peer


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def club(program: Program) -> Club:
    """Ana set it up and has finished chapter 3, Bo chapter 2."""
    return await founded(program.peer, shard=(0, 2), Ana=3, Bo=2)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def small(program: Program) -> Club:
    """Another club, whose people come and go: Eve set it up."""
    return await founded(program.peer, shard=(1, 2), Eve=3, Una=1, Cy=2, Quinn=2)


@pytest.fixture(scope="session")
def watch(program: Program) -> Iterator[Watch]:
    """Whatever comes last is looked through too."""
    made = Watch(program.peer, program.log)
    yield made
    assert made.wrong() == []


@pytest.fixture(autouse=True)
def _nothing_unguarded(watch: Watch) -> Iterator[None]:
    """After every test: whatever was sent in it, edits included, shows nobody what they are not to see."""
    yield
    watch.peer.faults.coming.clear()
    assert watch.wrong() == []
