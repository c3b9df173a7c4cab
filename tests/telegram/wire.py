"""The shipped program as a process of its own, talking to a loopback Telegram, and a club whose people use it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.peers.telegram.entities import Json
from tests.peers.telegram.peer import FakeTelegram
from tests.peers.telegram.world import Press
from tests.stories.book import BOOK
from tests.stories.program import Running
from tests.telegram.traffic import words_of

TOGGLED = "Answer me privately"


class Program(Running):
    """`dogear run` on a loopback Telegram. ``settings`` are more of its environment."""

    def __init__(self, peer: FakeTelegram, home: Path, settings: dict[str, str] | None = None) -> None:
        known = {"TELEGRAM_TOKEN": peer.token, "TELEGRAM_API_BASE": peer.origin}
        super().__init__(peer, home, known, ("Telegram is connected.",), settings or {})
        self.peer = peer


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


async def founded(peer: FakeTelegram, *, forum: bool = False, book: str = BOOK, **places: int | None) -> Club:
    """A club that reads the book: its people by name, with the last chapter that they have finished (None: none)."""
    people = {name: peer.world.user(name) for name in places}
    first = next(iter(people))
    club = Club(peer, peer.world.group("Readers", list(people.values()), forum=forum), people)
    for user in people.values():
        await peer.writes(user, user, "/start")
        await club.tells(user, "Hello.")
    await peer.writes(club[first], club.group, "/club setup")
    await club.tells(club.group, "The club is set up")
    await peer.writes(club[first], club[first], document=("harbour.txt", book.encode()))
    added = await club.tells(club[first], "can be asked about: 5 chapters")
    await club.presses(first, added, "Announce it to the club")
    await club.tells(club.group, "New in the club")
    for name, chapter in places.items():
        await club.does(name, "/join", "You joined the club")
        if chapter is not None:
            await club.does(name, f"/progress {f'finished {chapter}' if chapter else 'none'}", "Noted")
    return club
