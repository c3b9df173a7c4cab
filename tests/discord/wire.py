"""The shipped program as a process of its own, talking to a loopback Discord, and a club whose people use it."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.peers.apart import Apart, run_apart
from tests.peers.discord.payloads import EPHEMERAL, Json
from tests.peers.discord.peer import MANAGE_GUILD, FakeDiscord
from tests.peers.discord.state import Interaction

ROOT = Path(__file__).parents[2]

CHAPTERS = 5
TITLES = ("The Lantern", "A Borrowed Oar", "Salt on the Stair", "The Drowned Bell", "Who Rang It")
NAMES = ("Aldous Wren", "Bettina Marsh", "Corvin Hale", "Delphine Oake", "Everard Pell")
_DEEDS = (
    "{name} carried the lantern along the harbour wall before anybody else was awake.",
    "Nobody had asked {name} to mend the rope that held the ferry to its post.",
    "In the evening {name} counted the boats twice and came to a different number.",
    "The keeper would not tell {name} what lay under the boards of the boathouse.",
)


def chapter_text(number: int) -> str:
    """A chapter of our own, from 1; its person is named in it, and nowhere before."""
    return " ".join(deed.format(name=NAMES[number - 1]) for deed in _DEEDS * 2)


BOOK = "\n\n".join(f"Chapter {n}: {TITLES[n - 1]}\n\n{chapter_text(n)}" for n in range(1, CHAPTERS + 1))


@dataclass
class Program:
    """`dogear run` over one home; it may be ended and started again. ``settings`` are more of its environment."""

    peer: FakeDiscord
    home: Path
    process: asyncio.subprocess.Process | None = None
    log: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    _reading: asyncio.Task[None] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What it is started with."""
        return {
            **os.environ, "DOGEAR_HOME": str(self.home), "DOGEAR_EMBEDDER": "none", "DOGEAR_LOG": "INFO",
            "DISCORD_TOKEN": self.peer.token, "DISCORD_API_BASE": self.peer.origin,
            "DISCORD_GATEWAY": self.peer.origin.replace("http", "ws") + "/gw", **self.settings,
        }  # fmt: skip

    async def start(self) -> None:
        begun = len(self.log)
        await self._begin()
        await self.says("Discord is connected.", begun)

    @property
    def apart(self) -> Apart:
        return self.peer.apart

    @run_apart
    async def _begin(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=self.environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
        )
        self._reading = asyncio.ensure_future(self._read(self.process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while line := await process.stderr.readline():
            self.log.append(line.decode().rstrip())
            await self.peer.touch()

    async def says(self, words: str, since: int = 0, seconds: float = 40) -> str:
        """The first line of its log that has these words."""
        return await self.peer.until(lambda: next((x for x in self.log[since:] if words in x), None), seconds)

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
    async def end(self, seconds: float = 12) -> int:
        """Ask it to end; its exit code. Raises ``TimeoutError``."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.terminate()
        try:
            code = await asyncio.wait_for(self.process.wait(), seconds)
        except TimeoutError:
            self.process.kill()
            raise
        if self._reading is not None:
            await self._reading
        return code


@dataclass
class Club:
    """A server with a club in its room, and who is in it; the first of them set it up."""

    peer: FakeDiscord
    guild: str
    room: str
    people: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.people[name]

    async def does(
        self, name: str, command: str, /, *, room: str | None = None, rights: int = 0, **options: Any
    ) -> str:
        """A command, and what it is answered with in the end: the words, without markup."""
        it = await self.peer.slash(self[name], room or self.room, command, rights=rights, **options)
        return await self.answer(it)

    async def comes_to(self, name: str, command: str, told: Callable[[str], bool]) -> str:
        """What a command is answered with once that is as it should be: what it tells of is done a moment later."""
        async with asyncio.timeout(60):
            while not told(said := await self.does(name, command)):
                pass
        return said

    async def answer(self, it: Interaction, has: str = "") -> str:
        """What stands in answer to an interaction once it is more than a first word, and has ``has`` in it."""

        def told() -> str | None:
            message = self.peer.world.messages[it.channel].get(it.original or "")
            if message is None or it.loading:
                return None
            words = plain(message["content"])
            return words if words not in ("", "Looking ...") and has in words else None

        return await self.peer.until(told)

    async def gone(self, it: Interaction) -> None:
        """Wait until nothing is left of the deferred reply."""
        await self.peer.until(lambda: it.timeline and it.timeline[-1][1] == "delete")

    def said(self, room: str | None = None, has: str = "") -> list[Json]:
        """The bot's messages that stand in a room now, with these words in them."""
        there = list(self.peer.world.messages[room or self.room].values())
        own = [m for m in there if m["author"]["id"] == self.peer.world.app_id and not m["flags"] & EPHEMERAL]
        return [m for m in own if has in plain(m["content"])]

    async def asks(self, name: str, question: str, room: str | None = None) -> Json:
        """Ask in a room; its whole answer, once everything about it is done."""
        it = await self.peer.slash(self[name], room or self.room, "ask", question=question)
        message = await self.answered(question, room)
        await self.gone(it)
        return message

    async def answered(self, question: str, room: str | None = None) -> Json:
        """The room's whole answer to a question."""

        def whole() -> Json | None:
            return next((m for m in self.said(room, question) if "Answer me privately" in labels(m)), None)

        return await self.peer.until(whole)


def plain(content: str) -> str:
    return re.sub(r"\\([^A-Za-z0-9\s])", r"\1", content).replace("**", "").replace("||", "").strip()


def labels(message: Json) -> list[str]:
    return [item["label"] for row in message["components"] for item in row["components"] if item["type"] == 2]


async def founded(peer: FakeDiscord, /, *, shard: tuple[int, int] = (0, 1), **places: int | None) -> Club:
    """A club that reads the book: its people by name, with the last chapter that they have finished (None: none).

    ``shard`` is the one, of so many, that its server is on.
    """
    people = {name: peer.world.add_user(name) for name in places}
    first = next(iter(people))
    guild, room = await peer.add_guild("Readers", list(people.values()), shard)
    club = Club(peer, guild, room, people)
    await club.does(first, "club setup", rights=MANAGE_GUILD)
    for limit in ("member_questions_hour", "member_questions_day"):  # all tests together ask more than people do
        await club.does(first, "club settings", name=limit, value="1000")
    it = await peer.slash(club[first], room, "book add", file=("harbour.txt", BOOK.encode()))
    assert "can be asked about: 5 chapters" in await club.answer(it)
    assert it.original is not None
    await club.answer(await peer.click(club[first], room, it.original, "Announce it to the club"))
    for name, chapter in places.items():
        await club.does(name, "join")
        if chapter is not None:
            await club.does(name, "progress", place=f"finished {chapter}" if chapter else "none")
    return club
