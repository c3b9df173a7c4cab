"""One program for all tests here, between loopback platforms, a real server and a loopback model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.outages.stand import Stand, stand
from tests.peers.anthropic.apart import apart
from tests.peers.anthropic.peer import FakeAnthropic
from tests.postgres_servers import RealServer, real_server


@pytest.fixture(scope="session")
def server() -> Iterator[RealServer]:
    with real_server() as running:
        yield running


@pytest.fixture(scope="session")
def model() -> Iterator[FakeAnthropic]:
    with apart(FakeAnthropic()) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def clubs(server: RealServer, model: FakeAnthropic) -> AsyncIterator[Stand]:
    async with stand(server, model) as made:
        yield made


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def modelled(clubs: Stand) -> Stand:
    """The same, with a model from now on."""
    await clubs.take_a_model()
    return clubs


@pytest_asyncio.fixture(autouse=True, loop_scope="session")
async def _whole_again(clubs: Stand) -> AsyncIterator[None]:
    """Whatever a test broke is whole at its end."""
    yield
    await clubs.links.open()
