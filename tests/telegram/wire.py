"""The shipped program as a process of its own, talking to a loopback Telegram, and a club whose people use it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.discord.wire import BOOK, ROOT
from tests.peers.apart import Apart, run_apart
from tests.peers.telegram.entities import Json
from tests.peers.telegram.peer import FakeTelegram
from tests.peers.telegram.world import Press
from tests.telegram.traffic import words_of

TOGGLED = "Answer me privately"


@dataclass
class Program:
    """`dogear run` over one home; it may be ended and started again. ``settings`` are more of its environment."""

    peer: FakeTelegram
    home: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    process: asyncio.subprocess.Process | None = None
    log: list[str] = field(default_factory=list)
    _reading: asyncio.Task[None] | None = None

    @property
    def apart(self) -> Apart:
        return self.peer.apart

    async def start(self) -> None:
        environment = {
            **os.environ, "DOGEAR_HOME": str(self.home), "DOGEAR_EMBEDDER": "none", "DOGEAR_LOG": "INFO",
            "TELEGRAM_TOKEN": self.peer.token, "TELEGRAM_API_BASE": self.peer.origin,
        }  # fmt: skip
        begun = len(self.log)
        await self._begin(environment | dict(self.settings))
        await self.says("Telegram is connected.", begun)

    @run_apart
    async def _begin(self, environment: dict[str, str]) -> None:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env=environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
        )
        self._reading = asyncio.ensure_future(self._read(self.process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while line := await process.stderr.readline():
            self.log.append(line.decode().rstrip())
            await self.peer.touch()

    async def says(self, words: str, since: int = 0, seconds: float = 60) -> str:
        """The first line of its log that has these words."""
        return await self.peer.until(lambda: next((x for x in self.log[since:] if words in x), None), seconds)

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


@dataclass
class Club:
    """A group with a club in it, and who is in it; the first of them owns the group and set the club up."""

    peer: FakeTelegram
    group: int
    people: dict[str, int]

    def __getitem__(self, name: str) -> int:
        return self.people[name]

    def own(self, chat: int, has: str = "") -> list[Json]:
        """The bot's messages that stand in a chat, with these words in them."""
        return [m for m in self.peer.world.own(chat) if has in words_of(m)]

    def said(self, has: str = "") -> list[Json]:
        return self.own(self.group, has)

    async def tells(self, chat: int, has: str, after: int = 0) -> Json:
        """A message of the bot's with these words, of a higher number than ``after``."""

        def found() -> Json | None:
            return next((m for m in reversed(self.own(chat, has)) if m["message_id"] > after), None)

        return await self.peer.until(found)

    async def does(
        self, name: str, command: str, has: str = "", *, private: bool = False, topic: int | None = None
    ) -> str:
        """A command in the group, or in the private chat, and what is said of it alone."""
        return words_of(await self.told(name, command, has, private=private, topic=topic))

    async def told(
        self, name: str, command: str, has: str = "", *, private: bool = False, topic: int | None = None
    ) -> Json:
        """`does`, as the message."""
        user = self[name]
        written = await self.peer.writes(user, user if private else self.group, command, topic=topic)
        return await self.tells(user, has, written["message_id"])

    async def asks(self, name: str, question: str, topic: int | None = None) -> Json:
        """Ask in the group; its whole answer."""
        await self.peer.writes(self[name], self.group, f"/ask {question}", topic=topic)
        return await self.answered(question)

    async def answered(self, question: str) -> Json:
        """The group's whole answer to a question."""

        def whole() -> Json | None:
            return next((m for m in self.said(question) if TOGGLED in labels(m)), None)

        return await self.peer.until(whole)

    async def asks_alone(self, name: str, question: str) -> Json:
        """Ask in the private chat; the whole answer."""
        await self.peer.writes(self[name], self[name], question)
        return await self.answered_alone(name, question)

    async def answered_alone(self, name: str, question: str, after: int = 0) -> Json:
        def whole() -> Json | None:
            found = [m for m in self.own(self[name], question) if m["message_id"] > after]
            return next((m for m in reversed(found) if words_of(m).startswith(question)), None)

        return await self.peer.until(whole)

    async def presses(self, name: str, message: Json, label: str) -> Press:
        """Press a button under a message; the press once it is answered."""
        press = await self.peer.presses(self[name], message["chat"]["id"], message["message_id"], label)
        return await self.peer.until(lambda: press if press.answers else None)


def labels(message: Json) -> list[str]:
    rows = (message.get("reply_markup") or {}).get("inline_keyboard", [])
    return [button["text"] for row in rows for button in row]


async def founded(peer: FakeTelegram, *, forum: bool = False, **places: int | None) -> Club:
    """A club that reads the book: its people by name, with the last chapter that they have finished (None: none)."""
    people = {name: peer.world.user(name) for name in places}
    first = next(iter(people))
    club = Club(peer, peer.world.group("Readers", list(people.values()), forum=forum), people)
    for user in people.values():
        await peer.writes(user, user, "/start")
        await club.tells(user, "Hello.")
    await peer.writes(club[first], club.group, "/club setup")
    await club.tells(club.group, "The club is set up")
    await peer.writes(club[first], club[first], document=("harbour.txt", BOOK.encode()))
    added = await club.tells(club[first], "can be asked about: 5 chapters")
    await club.presses(first, added, "Announce it to the club")
    await club.tells(club.group, "New in the club")
    for name, chapter in places.items():
        await club.does(name, "/join", "You joined the club")
        if chapter is not None:
            await club.does(name, f"/progress {f'finished {chapter}' if chapter else 'none'}", "Noted")
    return club
