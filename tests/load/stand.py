"""Clubs on loopback platforms with `dogear run` between them, and what was shown of every question that is asked."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL

from bot.adapters.postgres.embedded import EmbeddedPostgres
from bot.app import App, opened
from bot.core.club import MemberId, Role
from bot.core.ports import PositionRecord
from bot.ingest.draft import BookDraft
from bot.ingest.pipeline import index_book
from bot.ingest.sections import assemble
from bot.ingest.text import read_text
from bot.settings import Settings
from tests.discord.wire import BOOK, plain
from tests.peers.discord.peer import FakeDiscord
from tests.peers.telegram.peer import FakeTelegram
from tests.postgres_servers import temporary_folder

ROOT: Final = Path(__file__).parents[2]
PEOPLE: Final = 3
"""People of each room."""
NUMBER: Final = re.compile(r"on day (\d+)")


def asked(number: int) -> str:
    """A question that nobody else asks."""
    return f"Who carried the lantern on day {number}?"


@dataclass
class Room:
    """One club's room on a platform, and who is in it."""

    platform: str
    place: str
    people: list[str]
    server: str = ""

    @property
    def key(self) -> str:
        return f"telegram:{self.place}" if self.platform == "telegram" else f"discord:{self.server}/{self.place}"

    @property
    def home(self) -> str:
        """The key of the server, or the group, that the club is on."""
        return f"telegram:{self.place}" if self.platform == "telegram" else f"discord:{self.server}"


@dataclass
class Seen:
    """What became of one question: when it was asked, first shown, and whole, and in which messages it stood."""

    room: Room
    asked: float
    shown: float = 0.0
    whole: float = 0.0
    wholes: set[str] = field(default_factory=set)


@dataclass
class Program:
    """`dogear run` on both platforms; ``probe`` is where it tells of holds of its loop."""

    settings: dict[str, str]
    log: Path
    probe: Path
    process: asyncio.subprocess.Process | None = None

    @property
    def held(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.probe.read_text().splitlines()] if self.probe.exists() else []

    async def start(self, *command: str, ready: int = 2) -> None:
        """Start it and wait until so many platforms are connected."""
        self.log.touch()
        begun = self.log.stat().st_size
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, *(command or ("-m", "tests.load.probed", str(self.probe), "run")), cwd=ROOT,
                env={**os.environ, **self.settings, "PYTHONPATH": str(ROOT)}, stderr=log,
                stdin=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        async with asyncio.timeout(120):
            while self.log.read_bytes()[begun:].count(b" is connected.") < ready:
                assert self.process.returncode is None, self.log.read_text()[-2000:]
                await asyncio.sleep(0.1)

    async def end(self, *, kill: bool = False) -> int:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill() if kill else self.process.terminate()
        return await asyncio.wait_for(self.process.wait(), 60)

    def rss(self) -> int:
        """Bytes of memory that it holds."""
        assert self.process is not None
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        return 1024 * int(found[1]) if found else 0


@dataclass
class Stand:
    """Everything together."""

    app: App
    discord: FakeDiscord
    telegram: FakeTelegram
    program: Program
    address: URL
    rooms: list[Room] = field(default_factory=list)
    seen: dict[int, Seen] = field(default_factory=dict)
    _looked: list[int] = field(default_factory=lambda: [0, 0])

    async def add_rooms(self, count: int) -> None:
        """Rooms by turns on Discord and on Telegram, each with a club and a book of its own; everybody has read to the
        end of chapter 2 or 3. They are written into the database.
        """
        book = read_text(BOOK.encode())
        assert isinstance(book, BookDraft)
        indexed = index_book(assemble(book))
        ends = [section.span.end for section in indexed.book.sections][1:3]
        places = asyncio.Semaphore(5)

        async def add(number: int) -> None:
            room = await self.room(number)
            house = self.app.clubhouse(await self.app.directory.club_named("club", room.home))
            stored, _ = await self.app.shelf.store_book(house.club, indexed, f"file {number}", f"Book {number}")
            members: list[MemberId] = []
            for name, who in enumerate(room.people):
                member = await house.roster.member_known(f"{room.platform}:{who}", f"P{name}")
                await house.roster.join(member.id, datetime.now(UTC))
                said = PositionRecord(member.id, stored, ends[name % 2], "in", "chapter", "a chapter")
                await house.roster.position_appended(said)
                members.append(member.id)
            await house.roster.role_given(members[0], Role.ADMIN)
            await house.rooms.room_added(room.key, "general")
            await house.roster.switch_book(stored)
            await house.books.book_announced(stored, datetime.now(UTC))
            self.rooms.append(room)

        async def in_turn(number: int) -> None:
            async with places:
                await add(number)

        await asyncio.gather(*(in_turn(number) for number in range(count)))

    async def room(self, number: int) -> Room:
        """A server or a group, by turns on Discord and on Telegram, and people in it who have written to the bot."""
        if number % 2:
            world = self.telegram.world
            people = [world.user(f"T{number} {n}") for n in range(PEOPLE)]
            world.started.update(people)
            return Room("telegram", str(world.group(f"Room {number}", people)), [str(p) for p in people])
        members = [self.discord.world.add_user(f"D{number} {n}") for n in range(PEOPLE)]
        guild, channel = await self.discord.add_guild(f"Room {number}", members)
        return Room("discord", channel, members, guild)

    async def ask(self, number: int, room: Room, who: int) -> None:
        """Somebody asks question ``number``."""
        self.seen[number] = Seen(room, time.monotonic())
        person = room.people[who % len(room.people)]
        if room.platform == "discord":
            await self.discord.slash(person, room.place, "ask", question=asked(number))
        else:
            await self.telegram.writes(int(person), int(room.place), f"/ask {asked(number)}")

    def look(self) -> None:
        """Note what was shown since the last look, in rooms alone."""
        now = time.monotonic()
        for text, labels, message in self._new():
            found = NUMBER.search(text)
            if found is None or int(found[1]) not in self.seen:
                continue
            seen = self.seen[int(found[1])]
            seen.shown = seen.shown or now
            if "Answer me privately" in labels:
                seen.whole = seen.whole or now
                seen.wholes.add(message)

    def _new(self) -> Iterator[tuple[str, list[str], str]]:
        discord, telegram = self.discord.world.shown, self.telegram.world.shown
        ends = [len(discord), len(telegram)]
        begun, self._looked = self._looked, ends
        for on_discord in discord[begun[0] : ends[0]]:
            if not on_discord.private:
                labels = [i.get("label", "") for row in on_discord.body["components"] for i in row["components"]]
                yield plain(on_discord.body["content"]), labels, on_discord.message
        for on_telegram in telegram[begun[1] : ends[1]]:
            if on_telegram.room and on_telegram.kind != "answer":
                rows = (on_telegram.body.get("reply_markup") or {}).get("inline_keyboard", [])
                labels = [button["text"] for row in rows for button in row]
                text = on_telegram.text.replace("\u200b", "")
                yield text, labels, f"{on_telegram.chat} {on_telegram.message}"

    async def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Look until it is done; whether it was in time."""
        ends = time.monotonic() + seconds
        while True:
            if (process := self.program.process) is not None and process.returncode is not None:
                raise RuntimeError(f"the program ended: {self.program.log.read_text()[-3000:]}")
            self.look()
            if done():
                return True
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(0.03)

    def open(self) -> list[int]:
        """The questions that are not answered yet."""
        return [number for number, seen in self.seen.items() if not seen.whole]


@asynccontextmanager
async def stand(**settings: str) -> AsyncIterator[Stand]:
    """Both platforms, a database of its own and the program, not yet started."""
    with temporary_folder() as folder:
        folder.chmod(0o755)
        home = folder / "home"
        with EmbeddedPostgres(home) as address:
            discord, telegram = FakeDiscord(), FakeTelegram()
            discord.rest.interactions.ack_deadline = 600.0  # how many were later than Discord's 3 s is counted instead
            await discord.start()
            await telegram.start()
            given = {
                "DOGEAR_HOME": str(home), "DOGEAR_EMBEDDER": "none", "DOGEAR_HEALTH": "off", "DOGEAR_LOG": "WARNING",
                "DISCORD_TOKEN": discord.token, "DISCORD_API_BASE": discord.origin,
                "DISCORD_GATEWAY": discord.origin.replace("http", "ws") + "/gw",
                "TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_BASE": telegram.origin,
                "DOGEAR_COMMANDS_MINUTE": "0", **settings,
            }  # fmt: skip
            program = Program(given, folder / "log", folder / "probe")
            own = {"DOGEAR_HOME": str(home), "DOGEAR_EMBEDDER": "none"}
            try:
                async with opened(Settings(_env_file=None, **own), lambda _: None) as app:  # type: ignore[arg-type]
                    yield Stand(app, discord, telegram, program, address.url())
            finally:
                if program.process is not None and program.process.returncode is None:
                    await program.end()
                await discord.stop()
                await telegram.stop()
