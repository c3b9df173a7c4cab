"""The processes of the soak: some are killed again and again, two are spared, and all of them are measured."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.load.stand import Program, Stand

RUN: Final = ("-m", "bot", "run", "--no-worker")
WORK: Final = ("-m", "bot", "worker", "--lease", "10")
TERMINATED: Final = 0.25
"""How many of the ends are by SIGTERM instead of SIGKILL."""
EVERY: Final = 5.0
"""Seconds between two measurements."""
_LEADS: Final = text(
    "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and objsubid = 1 and "
    "(classid::bigint << 32) | objid::bigint = hashtextextended('dogear.leads telegram ' || :bot, 0)"
)


@dataclass(frozen=True)
class Ended:
    """A process that was ended, and how."""

    at: float
    name: str
    how: str

    def __str__(self) -> str:
        return f"{self.at:.1f} s: {self.name} {self.how}"


@dataclass
class Processes:
    """`dogear run` three times, with a shard each, and `dogear worker` twice; those of ``spared`` are never ended."""

    stand: Stand
    random: random.Random
    now: Callable[[], float]
    programs: dict[str, Program] = field(default_factory=dict)
    ended: list[Ended] = field(default_factory=list)
    memory: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    connections: list[tuple[float, int]] = field(default_factory=list)
    spared: tuple[str, ...] = ("run 3", "worker 2")

    async def start(self) -> None:
        """Start all of them."""
        shared = self.stand.program
        for number in range(3):
            settings = shared.settings | {"DISCORD_SHARDS": f"{number}/3", "DOGEAR_LOG": "INFO"}
            log = shared.log.with_name(f"run{number + 1}.log")
            self.programs[f"run {number + 1}"] = Program(settings, log, shared.probe)
        for number in range(2):
            log = shared.log.with_name(f"worker{number + 1}.log")
            self.programs[f"worker {number + 1}"] = Program(shared.settings | {"DOGEAR_LOG": "INFO"}, log, shared.probe)
        for name in self.programs:
            await self._start(name)

    async def _start(self, name: str) -> None:
        run = name.startswith("run")
        await self.programs[name].start(*(RUN if run else WORK), ready=2 if run else 0)

    async def end_one(self) -> Ended:
        """End one that is not spared, and start it again at once."""
        name = self.random.choice([name for name in self.programs if name not in self.spared])
        kill = self.random.random() > TERMINATED
        ended = Ended(self.now(), name, "killed" if kill else "asked to end")
        self.ended.append(ended)
        code = await self.programs[name].end(kill=kill)
        if not kill and code not in (0, -15):  # it may not have been there yet
            raise AssertionError(f"{ended}: it ended with {code}")
        await self._start(name)
        return ended

    async def killing(self, every: float, seconds: float) -> None:
        """End one each ``every`` seconds; by turns the database drops whoever asks Telegram for messages, too."""
        begun = self.now()
        drop = False
        while self.now() - begun < seconds:
            await asyncio.sleep(every / 2)
            if drop:
                await self._drop_leader()
            drop = not drop
            await asyncio.sleep(every / 2)
            await self.end_one()

    async def _drop_leader(self) -> None:
        async with self._database() as run:
            await run(_LEADS, {"bot": str(self.stand.telegram.world.bot["id"])})
        self.ended.append(Ended(self.now(), "the session that leads Telegram", "dropped"))

    @asynccontextmanager
    async def _database(self) -> AsyncIterator[Callable[..., Awaitable[object]]]:
        engine = create_async_engine(self.stand.address)
        try:
            async with engine.connect() as connection:
                yield connection.execute
        finally:
            await engine.dispose()

    async def measuring(self) -> None:
        """Measure for ever."""
        engine = create_async_engine(self.stand.address, isolation_level="AUTOCOMMIT")
        counted = text("select count(*) from pg_stat_activity where backend_type = 'client backend'")
        try:
            async with engine.connect() as connection:
                while True:
                    self.connections.append((self.now(), (await connection.execute(counted)).scalar_one()))
                    for name in self.spared:
                        self.memory.setdefault(name, []).append((self.now(), self.programs[name].rss()))
                    await asyncio.sleep(EVERY)
        finally:
            await engine.dispose()

    async def stop(self) -> None:
        """End all of them by SIGTERM."""
        await asyncio.gather(*(program.end() for program in self.programs.values() if program.process is not None))


@dataclass(frozen=True)
class Level:
    """The median of something early and late."""

    what: str
    early: float
    late: float
    most: float

    @property
    def levelled(self) -> bool:
        return self.late <= self.most

    def __str__(self) -> str:
        return f"{self.what}: {self.early:,.1f} early, {self.late:,.1f} late, at most {self.most:,.1f}"


def level(what: str, measured: list[tuple[float, float]], share: float, more: float) -> Level:
    """Whether it has levelled off: the median of the last fifth of the time may be above that of the fifth after the
    first one by a ``share`` of it and ``more``.
    """
    ends = measured[-1][0]
    early = median(value for at, value in measured if 0.2 * ends <= at < 0.4 * ends)
    late = median(value for at, value in measured if at >= 0.8 * ends)
    return Level(what, early, late, early * (1 + share) + more)


def over_time(measured: list[tuple[float, float]], minutes: float = 5) -> list[float]:
    """The median of each so many minutes, from the beginning on; of what is left at the end, too."""
    spans: dict[int, list[float]] = {}
    for at, value in measured:
        spans.setdefault(int(at // (60 * minutes)), []).append(value)
    return [round(median(values), 1) for _, values in sorted(spans.items())]
