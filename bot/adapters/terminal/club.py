"""The terminal club: several members at one keyboard, with the same core and wording as the chats."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.adapters import wording
from bot.adapters.terminal import asking, library, places
from bot.adapters.terminal.desk import Desk, Progress
from bot.adapters.terminal.replies import Reply, clear
from bot.core.club import BookId, Member
from bot.core.errors import DogearError
from bot.core.membership import joined

ROOM: Final = "terminal"
"""The key of the one room there is."""

FIRST_MEMBER: Final = "you"

Action = Callable[[], Awaitable[list[Reply]]]


@dataclass
class TerminalClub:
    """The state of one sitting: who is speaking, what each may choose from, and what fills in behind."""

    desk: Desk
    speaker: str = FIRST_MEMBER
    wait_for_vectors: bool = False
    show_progress: Progress = lambda _stage, _done: None
    choices: dict[str, tuple[Action, ...]] = field(default_factory=dict)
    filling: set[asyncio.Task[None]] = field(default_factory=set)

    async def member(self) -> Member:
        """Who is speaking, as the core knows them."""
        return await self.desk.roster.member_named(self.desk.club, self.speaker)

    async def handle(self, line: str) -> list[Reply]:
        """What one typed line is answered with. Bad input is a sentence; nothing is ever raised to the keyboard."""
        try:
            return await self._handled(line.strip(), private=False)
        except DogearError as error:
            return [clear(wording.sentence(error))]

    async def _handled(self, line: str, *, private: bool) -> list[Reply]:
        if not line:
            return []
        if line.isdigit() and self.speaker in self.choices:
            return await self._chosen(int(line))
        if not line.startswith("/"):
            if private:
                return await asking.ask(self, line, private=True)
            return [clear("Say /ask QUESTION to ask in the room, /dm QUESTION to ask privately, or /help.")]
        name, _, rest = line.partition(" ")
        command = COMMANDS.get(name)
        if command is None:
            return [clear(f"There is no command {name}: /help lists those there are.")]
        return await command.run(self, rest.strip(), private)

    async def private(self, text: str) -> list[Reply]:
        """What ``text`` is answered with when it is said to the bot alone."""
        return await self._handled(text, private=True)

    async def _chosen(self, number: int) -> list[Reply]:
        actions = self.choices.get(self.speaker, ())
        if not 1 <= number <= len(actions):
            return [clear(f"Choose a number from 1 to {len(actions)}.", only=self.speaker)]
        del self.choices[self.speaker]
        return await actions[number - 1]()

    async def fill(self, book: BookId) -> None:
        """Fill in the vectors of a book: now, or behind the conversation."""
        if self.wait_for_vectors:
            await self.desk.fill(book)
            return
        task = asyncio.ensure_future(self.desk.fill(book))
        self.filling.add(task)
        task.add_done_callback(self.filling.discard)

    async def close(self) -> None:
        """Stop what fills in behind; it goes on another time."""
        for task in tuple(self.filling):
            task.cancel()
        await asyncio.gather(*self.filling, return_exceptions=True)


async def _as(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del private
    name = rest.strip().lstrip("@")
    if not name or len(name) > 40 or not name.isprintable() or " " in name:
        return [clear("Say who: /as NAME, one word.")]
    club.speaker = name
    member = await club.member()
    hint = "" if member.joined else " /join makes you a member."
    return [clear(f"You are {name} now.{hint}")]


async def _dm(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del private
    if not rest:
        return [clear("Say what: /dm QUESTION, or /dm /progress 12.")]
    replies = await club.private(rest)
    return [Reply(reply.lines, club.speaker) for reply in replies]


async def _join(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del rest, private
    _, new = await joined(club.desk.roster, club.desk.club, club.speaker)
    if not new:
        return [clear(f"{club.speaker} is a member already.")]
    return [
        clear(f"{club.speaker} joined the club."),
        clear("Where are you? Say /progress 3, /progress in 3, /progress 45%, or /progress none.", only=club.speaker),
    ]


async def _leave(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del rest, private
    member = await club.member()
    if not member.joined:
        return [clear(f"{club.speaker} is not a member.")]
    await club.desk.roster.leave(member.id)
    return [clear(f"{club.speaker} left the club.")]


async def _help(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del rest, private
    width = max(len(c.usage) for c in COMMANDS.values())
    lines = [f"{command.usage:<{width}}  {command.about}" for command in COMMANDS.values()]
    return [clear(*lines)]


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the terminal club: how it is typed, what it is for, and what it does."""

    usage: str
    about: str
    run: Callable[[TerminalClub, str, bool], Awaitable[list[Reply]]]


async def _book(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del private
    try:
        words = shlex.split(rest)
    except ValueError:
        return [clear("A quotation mark is missing its partner.")]
    match words:
        case ["add", file]:
            return await library.add(club, Path(file).expanduser())
        case ["list"]:
            return await library.listed(club)
        case ["switch", book]:
            return await library.switch(club, book)
        case ["remove", book]:
            return await library.remove(club, book)
        case ["chapters"]:
            return await library.chapters(club)
    return [clear("Say /book add FILE, /book list, /book switch N, /book remove N or /book chapters.")]


async def _members(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    del private
    if rest.strip() != "members":
        return [clear("Say /club members.")]
    names = [m.name for m in await club.desk.roster.members(club.desk.club) if m.joined]
    return [clear(f"Members: {', '.join(names)}." if names else "Nobody has joined yet.")]


COMMANDS: Final[dict[str, Command]] = {
    "/ask": Command("/ask QUESTION", "ask in the room, under the lowest position of its members", asking.ask_command),
    "/dm": Command("/dm TEXT", "ask, or use a command, privately", _dm),
    "/progress": Command("/progress PLACE", "say where you are: 12, in 12, part 2 ch 3, 45%, finished", places.progress),
    "/where": Command("/where", "the club's place, and yours", places.where),
    "/join": Command("/join", "become a member", _join),
    "/leave": Command("/leave", "stop being a member", _leave),
    "/as": Command("/as NAME", "speak as someone else", _as),
    "/book": Command("/book add FILE", "add a book; also list, switch N, remove N, chapters", _book),
    "/club": Command("/club members", "who has joined", _members),
    "/help": Command("/help", "this list", _help),
}
"""Every command there is: the registry of surfaces holds a noninterference case for each."""
