"""The stories of `tests/stories`, on Discord."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from tests.discord.traffic import uncovered
from tests.discord.wire import Club, Program, founded, labels, plain
from tests.peers.discord.payloads import Json
from tests.peers.discord.state import Interaction
from tests.stories.over_the_wire import Seen
from tests.stories.suite import Stories

pytestmark = pytest.mark.asyncio(loop_scope="session")

_OPTIONS = {"progress": "place", "recap": "of", "who": "name"}
"""What is said after a command, as an option of it."""


def _seen(message: Json, handle: object) -> Seen:
    return Seen(plain(message["content"]), plain(uncovered(message["content"])), tuple(labels(message)), handle)


@dataclass
class OnDiscord:
    """`OverTheWire`. The handle of what one person sees alone is the interaction, of the room's messages their id."""

    club: Club

    async def comes(self, name: str) -> None:
        user = self.club.peer.world.add_user(name)
        await self.club.peer.member_came(self.club.guild, user)
        self.club.people[name] = user

    async def _told(self, it: Interaction, has: str) -> Seen:
        await self.club.answer(it, has)
        return _seen(self.club.peer.message(it), it)

    async def _said(self, name: str, command: str) -> Interaction:
        word, _, rest = command.partition(" ")
        if word in _OPTIONS:
            options: dict[str, Any] = {_OPTIONS[word]: rest} if rest else {}
            return await self.club.peer.slash(self.club[name], self.club.room, word, **options)
        return await self.club.peer.slash(self.club[name], self.club.room, command)

    async def says(self, name: str, command: str, has: str = "") -> str:
        return (await self._told(await self._said(name, command), has)).words

    async def asks(self, name: str, question: str) -> Seen:
        message = await self.club.asks(name, question)
        return _seen(message, message["id"])

    async def asks_alone(self, name: str, question: str, has: str = "") -> Seen:
        it = await self.club.peer.slash(self.club[name], self.club.room, "ask", question=question, private=True)
        await self.club.answer(it, has)
        await self.club.peer.until(lambda: "Share with the room" in labels(self.club.peer.message(it)))
        assert it.ephemeral
        return _seen(self.club.peer.message(it), it)

    async def wants(self, name: str, command: str, has: str) -> Seen:
        it = await self._said(name, command)
        message = await self.club.answered(has)
        await self.club.gone(it)
        return _seen(message, message["id"])

    async def wants_alone(self, name: str, command: str, has: str) -> Seen:
        it = await self._said(name, command)
        seen = await self._told(it, has)
        assert it.ephemeral
        return seen

    async def presses(self, name: str, under: Seen, label: str, has: str = "") -> Seen:
        message = str(under.handle.original if isinstance(under.handle, Interaction) else under.handle)
        it = await self.club.peer.click(self.club[name], self.club.room, message, label)
        if label == "Share with the room":
            return await self.answered(has)
        seen = await self._told(it, has)
        assert it.ephemeral
        return seen

    async def answered(self, question: str) -> Seen:
        message = await self.club.answered(question)
        return _seen(message, message["id"])

    def standing(self, has: str = "") -> list[Seen]:
        return [_seen(message, message["id"]) for message in self.club.said(has=has)]

    async def uploads(self, name: str, file: str, data: bytes, has: str) -> Seen:
        it = await self.club.peer.slash(self.club[name], self.club.room, "book add", file=(file, data))
        return await self._told(it, has)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(program: Program) -> OnDiscord:
    return OnDiscord(await founded(program.peer, Ana=3, Bo=2))


class TestOnDiscord(Stories):
    """All of them."""
