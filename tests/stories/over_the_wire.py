"""A club over the wire, whatever platform it is on: what people say, press and see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Seen:
    """A message of the bot's as somebody sees it: all its ``words``, those that are seen ``clear`` before anything is
    uncovered, and its ``buttons`` by their labels. ``handle`` is the platform's own.
    """

    words: str
    clear: str
    buttons: tuple[str, ...]
    handle: Any


class OverTheWire(Protocol):
    """A club that reads the book. Ana set it up and has finished chapter 3, Bo chapter 2."""

    async def comes(self, name: str) -> None:
        """Somebody new is where the club is, and has not joined."""

    async def says(self, name: str, command: str, has: str = "") -> str:
        """A command in the club's room, such as "progress finished 2", and what they are told of it alone."""

    async def asks(self, name: str, question: str) -> Seen:
        """Ask in the room; its whole answer there."""

    async def asks_alone(self, name: str, question: str, has: str = "") -> Seen:
        """Ask privately; the whole answer."""

    async def wants(self, name: str, command: str, has: str) -> Seen:
        """A recap or a card in the room, with these words; its whole answer there."""

    async def wants_alone(self, name: str, command: str, has: str) -> Seen:
        """A recap or a card in the room that is told to who said it alone, with these words."""

    async def presses(self, name: str, under: Seen, label: str, has: str = "") -> Seen:
        """Press a button, and what they are told of it alone, once that has ``has`` in it."""

    async def answered(self, question: str) -> Seen:
        """The room's whole answer to a question."""

    def standing(self, has: str = "") -> list[Seen]:
        """The bot's messages that stand in the room now, with these words."""

    async def uploads(self, name: str, file: str, data: bytes, has: str) -> Seen:
        """Bring a file, and what they are told of it alone in the end, once that has ``has`` in it."""
