"""The stories of `tests/stories`, on Telegram."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import pytest_asyncio

from tests.peers.telegram.entities import Json, uncovered
from tests.peers.telegram.people import button_of
from tests.stories.over_the_wire import Seen
from tests.stories.suite import Stories
from tests.telegram.traffic import plain, words_of
from tests.telegram.wire import Club, Program, founded, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


def _seen(message: Json) -> Seen:
    clear = plain(uncovered(message.get("text") or "", message.get("entities", [])))
    return Seen(words_of(message), clear, tuple(labels(message)), message)


@dataclass
class OnTelegram:
    """`OverTheWire`."""

    club: Club

    async def comes(self, name: str) -> None:
        user = self.club.peer.world.user(name)
        self.club.peer.world.members[self.club.group, user] = "member"
        self.club.people[name] = user
        await self.club.peer.writes(user, user, "/start")
        await self.club.tells(user, "Hello")

    async def says(self, name: str, command: str, has: str = "") -> str:
        return await self.club.does(name, f"/{command}", has)

    async def asks(self, name: str, question: str) -> Seen:
        return _seen(await self.club.asks(name, question))

    async def asks_alone(self, name: str, question: str, has: str = "") -> Seen:
        seen = _seen(await self.club.asks_alone(name, question))
        assert has in seen.words
        return seen

    async def wants(self, name: str, command: str, has: str) -> Seen:
        word, *rest = command.split(" ", 1)
        addressed = " ".join((f"/{word}@{self.club.peer.world.bot['username']}", *rest))
        await self.club.peer.writes(self.club[name], self.club.group, addressed)
        return _seen(await self.club.answered(has))

    async def wants_alone(self, name: str, command: str, has: str) -> Seen:
        return _seen(await self.club.told(name, f"/{command}", has))

    async def presses(self, name: str, under: Seen, label: str, has: str = "") -> Seen:
        peer, user, message = self.club.peer, self.club[name], under.handle
        button = button_of(message, label)
        if "url" in button:
            started = await peer.follows(user, button["url"])
            return _seen(await self.club.tells(user, has, started["message_id"]))
        latest = max((m["message_id"] for m in self.club.own(user)), default=0)
        press = await self.club.presses(name, message, label)
        if press.answer is not None and press.answer["text"]:
            return Seen(press.answer["text"], press.answer["text"], (), press)
        if label == "Share with the room":
            return _seen(await self.club.answered(has))
        return _seen(await self.club.tells(user, has, latest))

    async def answered(self, question: str) -> Seen:
        return _seen(await self.club.answered(question))

    def standing(self, has: str = "") -> list[Seen]:
        return [_seen(message) for message in self.club.said(has)]

    async def uploads(self, name: str, file: str, data: bytes, has: str) -> Seen:
        user = self.club[name]
        sent = await self.club.peer.writes(user, user, "/book add", document=(file, data))

        def ended() -> Json | None:
            own = [m for m in self.club.own(user, has) if m["message_id"] > sent["message_id"]]
            return next((m for m in own if has or labels(m) not in ([], ["Cancel"])), None)

        return _seen(await self.club.peer.until(ended))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def told(program: Program) -> OnTelegram:
    return OnTelegram(await founded(program.peer, Ana=3, Bo=2))


class TestOnTelegram(Stories):
    """All of them."""
