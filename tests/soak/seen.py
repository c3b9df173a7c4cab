"""What stands on both platforms now, and what became of what somebody did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.discord.wire import labels, plain
from tests.load.stand import Room
from tests.peers.discord.peer import FakeDiscord
from tests.peers.discord.state import Interaction
from tests.peers.telegram.peer import FakeTelegram
from tests.telegram.traffic import words_of
from tests.telegram.wire import labels as keys

NUMBER: Final = re.compile(r"on day (\d+)")
ROOM: Final = "Answer me privately"
ALONE: Final = "Share with the room"
STOP: Final = "Stop"
UNDER_WAY: Final = ("", "Looking ...")


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the bot's that stands now."""

    key: str
    text: str
    labels: tuple[str, ...]
    body: Any

    @property
    def number(self) -> int | None:
        """The number of the question that it answers."""
        found = NUMBER.search(self.text)
        return None if found is None else int(found[1])


@dataclass(frozen=True)
class Sight:
    """Both platforms as their people see them."""

    discord: FakeDiscord
    telegram: FakeTelegram

    def in_room(self, room: Room) -> Iterator[Message]:
        """What the bot says in a room."""
        if room.platform == "telegram":
            yield from self._chat(int(room.place))
            return
        world = self.discord.world
        for message in list(world.messages[room.place].values()):
            if message["author"]["id"] == world.app_id and not message["flags"] & (1 << 6):
                yield _of_discord(message)

    def alone(self, room: Room, person: str) -> Iterator[Message]:
        """What the bot says to one person alone, in the room (on Discord) and in the private chat."""
        if room.platform == "telegram":
            yield from self._chat(int(person))
            return
        world = self.discord.world
        direct = world.direct(person)["id"]
        for place in (room.place, direct):
            for message in list(world.messages[place].values()):
                own = message["author"]["id"] == world.app_id
                to = (message.get("interaction_metadata") or {}).get("user", {}).get("id")
                if own and (place == direct or (message["flags"] & (1 << 6) and to == person)):
                    yield _of_discord(message)

    def _chat(self, chat: int) -> Iterator[Message]:
        world = self.telegram.world
        for message in list(world.messages[chat].values()):
            if message.get("from", {}).get("id") == world.bot["id"]:
                text = words_of(message).replace("\u200b", "")
                yield Message(f"{chat} {message['message_id']}", text, tuple(keys(message)), message)

    def answer(self, it: Interaction) -> Message | None:
        """What stands in the place of the deferred reply."""
        message = self.discord.world.messages[it.channel].get(it.original or "")
        return None if message is None else _of_discord(message)

    @staticmethod
    def under_way(it: Interaction, message: Message | None) -> bool:
        """Whether the deferred reply says that something is still being done."""
        if message is None:
            return not any(what == "delete" for _, what, _ in list(it.timeline))
        return it.loading or message.text in UNDER_WAY or STOP in message.labels


def _of_discord(message: Any) -> Message:
    return Message(message["id"], plain(message["content"]), tuple(labels(message)), message)
