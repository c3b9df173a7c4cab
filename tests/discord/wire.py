"""The shipped program as a process of its own, talking to a loopback Discord, and a club whose people use it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.peers.discord.payloads import EPHEMERAL, Json
from tests.peers.discord.peer import MANAGE_GUILD, FakeDiscord
from tests.peers.discord.state import Interaction
from tests.stories.book import BOOK, CHAPTERS, NAMES, TITLES, chapter_text
from tests.stories.program import Running

__all__ = ["BOOK", "CHAPTERS", "NAMES", "TITLES", "Club", "Program", "chapter_text", "founded", "labels", "plain"]


class Program(Running):
    """`dogear run` on a loopback Discord. ``settings`` are more of its environment."""

    def __init__(self, peer: FakeDiscord, home: Path, settings: dict[str, str] | None = None) -> None:
        known = {
            "DISCORD_TOKEN": peer.token, "DISCORD_API_BASE": peer.origin,
            "DISCORD_GATEWAY": peer.origin.replace("http", "ws") + "/gw",
        }  # fmt: skip
        super().__init__(peer, home, known, ("Discord is connected.",), settings or {})
        self.peer = peer


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


async def founded(
    peer: FakeDiscord, /, *, shard: tuple[int, int] = (0, 1), text: str = BOOK, **places: int | None
) -> Club:
    """A club that reads the book, or another ``text`` of five chapters: its people by name, with the last chapter that
    they have finished (None: none). ``shard`` is the one, of so many, that its server is on.
    """
    people = {name: peer.world.add_user(name) for name in places}
    first = next(iter(people))
    guild, room = await peer.add_guild("Readers", list(people.values()), shard)
    club = Club(peer, guild, room, people)
    await club.does(first, "club setup", rights=MANAGE_GUILD)
    for limit in ("member_questions_hour", "member_questions_day"):  # all tests together ask more than people do
        await club.does(first, "club settings", name=limit, value="1000")
    it = await peer.slash(club[first], room, "book add", file=("harbour.txt", text.encode()))
    assert "can be asked about: 5 chapters" in await club.answer(it)
    assert it.original is not None
    await club.answer(await peer.click(club[first], room, it.original, "Announce it to the club"))
    for name, chapter in places.items():
        await club.does(name, "join")
        if chapter is not None:
            await club.does(name, "progress", place=f"finished {chapter}" if chapter else "none")
    return club
