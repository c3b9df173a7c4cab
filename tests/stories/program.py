"""The shipped program as a process of its own, over one home; what it logs is waited for like what a peer is sent."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol, TypeVar

from sqlalchemy import URL

from bot.adapters.postgres.embedded import EmbeddedPostgres
from tests.peers.apart import Apart, run_apart
from tests.postgres_servers import temporary_folder

ROOT: Final = Path(__file__).parents[2]
T = TypeVar("T")


class Peer(Protocol):
    """A platform in a thread of its own."""

    @property
    def apart(self) -> Apart: ...

    async def until(self, found: Callable[[], T | None], seconds: float = ...) -> T: ...

    async def touch(self) -> None: ...


@contextmanager
def home() -> Iterator[tuple[Path, URL]]:
    """A home for the program, and the address of its database, which is gone with it."""
    with temporary_folder() as folder:
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "home") as address:
            yield folder / "home", address.url()


@dataclass
class Running:
    """`dogear run`; it may be ended and started again. ``known`` is what of its environment a platform needs,
    ``settings`` are more of it, and ``ready`` is what it says once it serves.
    """

    waits_with: Peer
    home: Path
    known: Mapping[str, str]
    ready: tuple[str, ...]
    settings: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ("-m", "bot", "run")
    process: asyncio.subprocess.Process | None = None
    log: list[str] = field(default_factory=list)
    _reading: asyncio.Task[None] | None = None

    @property
    def apart(self) -> Apart:
        return self.waits_with.apart

    @property
    def environment(self) -> dict[str, str]:
        """What it is started with."""
        return {
            **os.environ, "DOGEAR_HOME": str(self.home), "DOGEAR_EMBEDDER": "none", "DOGEAR_LOG": "INFO",
            "DOGEAR_COMMANDS_MINUTE": "0",
            **self.known, **self.settings,
        }  # fmt: skip

    async def start(self) -> None:
        begun = len(self.log)
        await self._begin()
        for words in self.ready:
            await self.says(words, begun)

    @run_apart
    async def _begin(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, *self.command, env=self.environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
        )
        self._reading = asyncio.ensure_future(self._read(self.process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while line := await process.stderr.readline():
            self.log.append(line.decode().rstrip())
            await self.waits_with.touch()

    async def says(self, words: str, since: int = 0, seconds: float = 60) -> str:
        """The first line of its log that has these words."""
        return await self.waits_with.until(lambda: next((x for x in self.log[since:] if words in x), None), seconds)

    @run_apart
    async def once(self, *words: str) -> tuple[int, str]:
        """Run another command of the program over the same home; its exit code, and what it printed."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", *words, env=self.environment, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, out.decode()

    @run_apart
    async def end(self, seconds: float = 15, *, kill: bool = False) -> int:
        """Ask it to end; its exit code. Raises ``TimeoutError``."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill() if kill else self.process.terminate()
        try:
            code = await asyncio.wait_for(self.process.wait(), seconds)
        except TimeoutError:
            self.process.kill()
            raise
        if self._reading is not None:
            await self._reading
        return code


class Served(Peer, Protocol):
    """A platform that is begun and ended."""

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


P = TypeVar("P", bound=Running)


@asynccontextmanager
async def served(peer: Served, program: Callable[[], P]) -> AsyncIterator[P]:
    """A platform, and the program on it; whatever still runs at the end is ended."""
    await peer.start()
    try:
        running = program()
        try:
            await running.start()
            yield running
        finally:
            if running.process is not None:
                await running.end()
    finally:
        await peer.stop()
