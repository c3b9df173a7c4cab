"""What the loopback Telegram knows: people, chats, who is in them, messages, files, and whatever was ever shown."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import Any

from tests.peers.telegram.entities import Json


@dataclass(frozen=True)
class Shown:
    """What somebody could see at some time: a message or a draft, an edit of it, a caption, a pop-up. ``seers`` are who
    could; ``room`` says that a group could.
    """

    chat: int
    message: int
    kind: str
    room: bool
    text: str
    entities: list[Json]
    body: Json
    seers: tuple[int, ...] = ()
    at: float = field(default_factory=time.monotonic)


@dataclass
class Press:
    """A pressed button, and what it was answered with; ``answers`` counts how often."""

    id: str
    user: int
    data: str
    answer: Json | None = None
    answers: int = 0
    at: float = field(default_factory=time.monotonic)


@dataclass
class World:
    bot: Json
    users: dict[int, Json] = field(default_factory=dict)
    chats: dict[int, Json] = field(default_factory=dict)
    members: dict[tuple[int, int], str] = field(default_factory=dict)
    messages: dict[int, dict[int, Json]] = field(default_factory=dict)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    presses: dict[str, Press] = field(default_factory=dict)
    started: set[int] = field(default_factory=set)
    """Who has written to the bot in private: nobody else is reached there."""
    blocked: set[int] = field(default_factory=set)
    commands: dict[str, list[Json]] = field(default_factory=dict)
    drafts: dict[int, list[str]] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)
    heard: list[tuple[float, Json]] = field(default_factory=list)
    """Every update that could be told, with the time (monotonic) when it came."""
    migrated: dict[int, int] = field(default_factory=dict)
    ahead: float = 0.0
    """Seconds by which Telegram's clock is ahead of the machine's: what was sent is so much older."""
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def now(self) -> int:
        return int(time.time() + self.ahead)

    def next(self) -> int:
        return int(next(self.numbers))

    def user(self, name: str) -> int:
        number = 500_000 + self.next()
        self.users[number] = {"id": number, "is_bot": False, "first_name": name, "language_code": "en"}
        self.chats[number] = {"id": number, "type": "private", "first_name": name}
        self.messages[number] = {}
        return number

    def group(self, title: str, members: list[int], *, forum: bool = False, kind: str = "supergroup") -> int:
        """A group; the first member owns it, the bot is a plain member."""
        number = -1_001_000_000_000 - self.next() if kind == "supergroup" else -5_000_000 - self.next()
        self.chats[number] = {"id": number, "type": kind, "title": title, **({"is_forum": True} if forum else {})}
        self.messages[number] = {}
        for member in members:
            self.members[number, member] = "member"
        if members:
            self.members[number, members[0]] = "creator"
        self.members[number, self.bot["id"]] = "member"
        return number

    def status(self, chat: int, user: int) -> str:
        return self.members.get((chat, user), "left")

    def seers(self, chat: int) -> tuple[int, ...]:
        if chat > 0:
            return (chat,)
        return tuple(u for (c, u), status in self.members.items() if c == chat and status not in ("left", "kicked"))

    def own(self, chat: int) -> list[Json]:
        """The bot's messages that stand in a chat now."""
        return [m for m in self.messages[chat].values() if m["from"]["id"] == self.bot["id"]]

    def show(self, chat: int, message: int, kind: str, text: str, entities: list[Json], body: Json) -> None:
        seen = Shown(chat, message, kind, chat < 0, text, list(entities), dict(body), self.seers(chat))
        self.shown.append(seen)
