"""The shipped program with a link between it and each service that it needs: the database, both platforms, a model."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from bot.database import upgrade_database
from bot.settings import Settings
from tests.discord import wire as discord
from tests.outages.link import Link, Way
from tests.peers.anthropic.peer import KEY, FakeAnthropic
from tests.peers.discord.peer import FakeDiscord
from tests.peers.telegram.peer import FakeTelegram
from tests.postgres_servers import RealServer, temporary_folder
from tests.real_databases import RealDatabase, real_database
from tests.stories.program import Running
from tests.telegram import wire as telegram
from tests.together.ahead import AHEAD

SECONDS = 3.0
"""How long the program waits for a statement."""


@dataclass
class Links:
    """The ways between the program and what it needs."""

    database: Link
    discord: Link
    telegram: Link
    model: Link

    def all(self) -> tuple[Link, ...]:
        return self.database, self.discord, self.telegram, self.model

    async def open(self) -> None:
        """Nothing is wrong with any of them."""
        for link in self.all():
            link.delay = 0.0
            await link.becomes(Way.OPEN)


@dataclass
class Stand:
    """A club on each platform, and the program that serves them. ``ana`` and ``dan`` set them up."""

    program: Running
    links: Links
    database: RealDatabase
    clock: Path
    health: int
    here: discord.Club
    there: telegram.Club

    async def page(self, name: str) -> tuple[int, Any]:
        """A page of the program's health: its status, and what it holds."""
        address = f"http://127.0.0.1:{self.health}/{name}"
        async with aiohttp.ClientSession() as web, web.get(address) as answer:
            return answer.status, json.loads(await answer.text())

    async def ready(self, **parts: bool) -> None:
        """Wait until `/readyz` says this of its parts; `/healthz` says meanwhile that the process lives."""
        async with asyncio.timeout(90):
            while True:
                assert (await self.page("healthz"))[0] == 200
                _, told = await self.page("readyz")
                if all(told["parts"][part] is works for part, works in parts.items()):
                    return
                await asyncio.sleep(0.2)

    async def take_a_model(self) -> None:
        """End the program, and begin it again with a model."""
        assert await self.program.end() == 0
        self.program.settings = {
            "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.links.model.origin,
            "DOGEAR_MODEL_SECONDS": "8", "DOGEAR_MODEL_CALLS": "40",
        }  # fmt: skip
        await self.program.start()

    def ahead(self, seconds: float) -> None:
        """The program's clock is so far ahead, or behind."""
        self.clock.write_text(str(seconds), "ascii")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def settings_for(database: RealDatabase, home: Path) -> Settings:
    values = {"DATABASE_URL": database.superuser_url, "DOGEAR_HOME": str(home), "DOGEAR_EMBEDDER": "none"}
    return Settings(_env_file=None, **values)  # type: ignore[arg-type]


@asynccontextmanager
async def stand(server: RealServer, model: FakeAnthropic) -> AsyncIterator[Stand]:
    """Both clubs, whose first people have read to the end of chapter 3, the second of chapter 2."""
    one, other = FakeDiscord(), FakeTelegram()
    await asyncio.gather(one.start(), other.start())
    links = Links(*map(Link, (f"127.0.0.1:{server.port}", one.origin, other.origin, model.origin)))
    await asyncio.gather(*(link.start() for link in links.all()))
    one.origin, other.origin = links.discord.origin, links.telegram.origin
    with temporary_folder() as folder:
        async with real_database(server) as database:
            home, clock, health = folder / "home", folder / "ahead", free_port()
            clock.write_text("0", "ascii")
            await upgrade_database(settings_for(database, home), lambda _: None)
            reached = RealServer(links.database.port, server.password).url(database.name)
            known = {
                **discord.Program(one, home).known, **telegram.Program(other, home).known, AHEAD: str(clock),
                "DATABASE_URL": reached, "DOGEAR_DATABASE_SECONDS": str(SECONDS),
                "DOGEAR_HEALTH": f"127.0.0.1:{health}", "PYTHONPATH": str(Path(__file__).parents[2]),
            }  # fmt: skip
            ready = ("Discord is connected.", "Telegram is connected.")
            program = Running(other, home, known, ready, command=("-m", "tests.outages.run"))
            try:
                await program.start()
                here, there = await asyncio.gather(
                    discord.founded(one, Ana=3, Bo=2), telegram.founded(other, Dan=3, Fay=2)
                )
                made = Stand(program, links, database, clock, health, here, there)
                yield made
            finally:
                await links.open()
                if program.process is not None:
                    with suppress(TimeoutError):
                        await program.end()
                await asyncio.gather(*(link.stop() for link in links.all()), one.stop(), other.stop())
