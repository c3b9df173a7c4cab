"""The terminal club: several members at one keyboard, with the same core and wording as the chats."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final

from bot.adapters import wording
from bot.adapters.terminal import asking, costs, library, life, looking, people, personal, places, rooms, schedule
from bot.adapters.terminal.desk import ROOM, Desk, Progress
from bot.adapters.terminal.replies import Reply, clear, one_line
from bot.core.club import BookId, Member, MemberId
from bot.core.club_rooms import book_read
from bot.core.errors import DogearError, SpoilerLeak
from bot.core.jobs import Job, JobId, JobKind
from bot.core.ports import BookRecord

FIRST_MEMBER: Final = "you"

LONGEST_LINE: Final = 4000
"""Characters of one typed line: as much as a chat message holds."""

Action = Callable[[], Awaitable[list[Reply]]]


@dataclass
class TerminalClub:
    """The state of one sitting: who is speaking, what each may choose from, and what goes on behind.

    ``room`` is the key of the room in which they speak; ``opened`` says that the club was seen to have one, and an
    admin; ``folder`` is where the names of books' files begin, ``charts`` the folder that charts are written to.
    ``show_progress`` is told how far a file is read;
    ``asking`` says which member each speaker is who has asked, ``hidden`` holds the answers that spoiled somebody,
    ``under_answer`` what may be chosen under each speaker's last answer,
    ``maps_shown`` the book, as it was then, whose map each speaker was shown last,
    ``filling`` the books whose vectors are being filled in, ``remembering`` the jobs by which a model reads one, and
    ``trouble`` the last sentence about one that could not be.
    """

    desk: Desk
    speaker: str = FIRST_MEMBER
    room: str = ROOM
    opened: bool = False
    folder: Path = field(default_factory=Path)
    charts: Path = field(default_factory=lambda: Path(gettempdir()) / "dogear-charts")
    wait_for_vectors: bool = False
    show_progress: Progress = lambda _stage, _done: None
    trouble: str = ""
    choices: dict[str, tuple[Action, ...]] = field(default_factory=dict)
    joined: set[str] = field(default_factory=set)
    asking: dict[str, MemberId] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    under_answer: dict[str, tuple[Action, ...]] = field(default_factory=dict)
    maps_shown: dict[str, BookRecord] = field(default_factory=dict)
    filling: dict[BookId, asyncio.Task[None]] = field(default_factory=dict)
    remembering: dict[JobId, asyncio.Task[Job | None]] = field(default_factory=dict)
    _filling_turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def member(self) -> Member:
        """Who is speaking, as the core knows them."""
        return await self.desk.roster.member_known(self.speaker)

    async def book(self) -> BookRecord | None:
        """What is read in the present room: its own book, else the club's current one."""
        return await book_read(self.desk.house, self.room)

    async def ready(self) -> None:
        """See, once and after somebody has left, that the club has a room at this keyboard, and an admin."""
        if not self.opened:
            await rooms.opened(self, FIRST_MEMBER)
            self.opened = True

    async def handle(self, line: str) -> list[Reply]:
        """What one typed line is answered with. Bad input and what is out of reach give a sentence, no exception."""
        try:
            await self.ready()
            typed = one_line(line).strip()
            back = await people.signed(self, typed) if typed else []
            return [*back, *await rooms.hushed(self, typed, lambda: self._handled(typed, private=False))]
        except DogearError as error:
            if isinstance(error, SpoilerLeak):
                logging.getLogger("dogear").critical("guard tripped: %s", error)
            return [clear(wording.sentence(error))]

    async def private(self, text: str) -> list[Reply]:
        """What ``text`` is answered with when it is said to the bot alone."""
        return await self._handled(text, private=True)

    async def _handled(self, line: str, *, private: bool) -> list[Reply]:
        if not line:
            return []
        if len(line) > LONGEST_LINE:
            return [clear(wording.line("too_long", count=LONGEST_LINE))]
        if line.isascii() and line.isdigit() and self.speaker in self.choices:
            return await self._chosen(int(line))
        if line.startswith("/"):
            return await self._command(line, private)
        return await asking.ask(self, line, private=True) if private else [clear(wording.line("say_command"))]

    async def _command(self, line: str, private: bool) -> list[Reply]:
        name, *rest = line.split(None, 1)
        command = COMMANDS.get(name.lower())
        if command is None:
            return [clear(wording.line("no_command", name=name))]
        return await command.run(self, rest[0] if rest else "", private)

    async def _chosen(self, number: int) -> list[Reply]:
        actions = self.choices[self.speaker]
        if not 1 <= number <= len(actions):
            return [clear(wording.line("choose_number", count=len(actions)), only=self.speaker)]
        del self.choices[self.speaker]
        return await actions[number - 1]()

    def offer(self, *actions: Action, anyone: bool = False) -> None:
        """Let the speaker choose by number, once. What a member is offered ends with their membership.

        It does not where ``anyone`` may choose it.
        """
        bound = self.speaker in self.joined and not anyone
        self.choices[self.speaker] = tuple(partial(self._as_member, a) for a in actions) if bound else actions

    async def _as_member(self, action: Action) -> list[Reply]:
        """Do what a member was offered, unless they are none any more."""
        if not (await self.member()).joined:
            return [clear(wording.line("members_only"))]
        return await action()

    async def fill(self, book: BookId) -> None:
        """Fill in the vectors of a book: now, or behind the conversation, one book after another."""
        if self.wait_for_vectors:
            await self.desk.fill(book, self.show_progress)
        elif book not in self.filling:
            self.filling[book] = task = asyncio.ensure_future(self._fill_in_turn(book))
            task.add_done_callback(lambda done: self._filled(book, done))

    async def fill_all(self) -> None:
        """Fill in the vectors of every book of the club that lacks some, the current one first, and have a model go on
        with what it was to read.
        """
        current = await self.desk.roster.current_book()
        books = await self.desk.roster.books()
        for book in sorted(books, key=lambda b: current is None or b.id != current.id):
            if book.status != "ready":
                await self.fill(book.id)
        if self.desk.searching.writing is not None:
            for job in await self.desk.house.jobs.jobs():
                if job.kind is JobKind.REMEMBER and not job.state.ended:
                    await self.remember(job.id)

    async def _fill_in_turn(self, book: BookId) -> None:
        async with self._filling_turn:
            self.show_progress("embed", 0.0)
            try:
                await self.desk.fill(book, self.show_progress)
            finally:
                self.show_progress("embed", 1.0)

    def _filled(self, book: BookId, task: asyncio.Task[None]) -> None:
        self.filling.pop(book, None)
        if not task.cancelled() and isinstance(error := task.exception(), DogearError):
            self.trouble = wording.sentence(error)
        elif not task.cancelled() and error is not None:
            self.trouble = wording.line("fault")

    async def remember(self, job: JobId) -> None:
        """Have a book read by a model: now, or behind the conversation; what is not done goes on another time."""
        if self.wait_for_vectors:
            await self.desk.see_through(job, self.show_progress)
        elif job not in self.remembering:
            self.remembering[job] = task = asyncio.ensure_future(self.desk.see_through(job, self.show_progress))
            task.add_done_callback(lambda done: self._remembered(job, done))

    def _remembered(self, job: JobId, task: asyncio.Task[Job | None]) -> None:
        self.remembering.pop(job, None)
        self.show_progress("remember", 1.0)
        if not task.cancelled() and isinstance(error := task.exception(), DogearError):
            self.trouble = wording.sentence(error)

    async def stop_filling(self, *books: BookId) -> None:
        """Stop filling in the vectors of these books, or of all; it goes on another time."""
        tasks: list[asyncio.Task[Any]] = [t for book, t in self.filling.items() if not books or book in books]
        tasks += [] if books else self.remembering.values()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def stop(self, *speakers: str) -> bool:
        """Stop what is asked by these members, running or waiting, or by everyone; False where there was none."""
        members = [self.asking[name] for name in speakers if name in self.asking]
        return bool((members or not speakers) and self.desk.house.turns.stop(*members))


Run = Callable[[TerminalClub, str, bool], Awaitable[list[Reply]]]
"""Does what was typed: the club, the rest of the line, and whether it was said privately."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the terminal club: how it is typed, what it is for, and what it does."""

    usage: str
    about: str
    run: Run


async def help_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """Every command there is."""
    del club, rest, private
    width = max(len(c.usage) for c in COMMANDS.values())
    lines = [f"{command.usage:<{width}}  {command.about}" for command in COMMANDS.values()]
    return [clear(*lines, wording.line("admin_commands", commands=", ".join(rooms.ADMINS)))]


CLUB_COMMANDS: Final[dict[str, Run]] = {
    "members": people.members,
    "reports": asking.reports_command,
    "spent": costs.spent_command,
    "remove": people.remove,
    "readmit": people.readmit,
    "aside": people.aside,
    "setup": rooms.setup,
    "settings": rooms.settings,
    "room": rooms.room,
    "pause": rooms.pause,
    "resume": rooms.resume,
    "mute": rooms.mute,
    "admin": rooms.admin,
    "welcome": life.welcome_command,
    "nominate": life.nominate_command,
    "vote": life.vote_command,
    "finish": life.finish_command,
    "schedule": schedule.schedule_command,
    "preview": schedule.preview_command,
    "remind": schedule.remind_command,
}
"""What follows `/club`, by its first word; each gets the rest of the line."""


async def club_command(club: TerminalClub, rest: str, private: bool) -> list[Reply]:
    """`/club members` and what else is done to the club."""
    what, *after = rest.split(None, 1) or [""]
    run = CLUB_COMMANDS.get(what.lower())
    if run is None:
        return [clear(wording.line("club_how"))]
    return await run(club, after[0] if after else "", private)


COMMANDS: Final[dict[str, Command]] = {
    "/ask": Command("/ask QUESTION", "ask in the room, under the lowest position of its members", asking.ask_command),
    "/recap": Command(
        "/recap", "what you have read, in quotes; also last chapter, since my last visit", asking.recap_command
    ),
    "/who": Command("/who NAME", "who somebody is, as far as everyone here has read", asking.who_command),
    "/dm": Command("/dm TEXT", "ask, or use a command, privately", asking.dm_command),
    "/stop": Command("/stop", "stop the answer that is being made for you", asking.stop_command),
    "/private": Command("/private", "ask the room's last question again, for you alone", asking.private_command),
    "/share": Command("/share", "ask your last private question again, for the room", asking.share_command),
    "/ahead": Command(
        "/ahead", "may the book answer your last private question further on? then /ahead show", looking.ahead_command
    ),
    "/retry": Command("/retry", "ask your last unanswered question again", asking.retry_command),
    "/useful": Command("/useful", "the last answer was useful; also /useful no", asking.useful_command),
    "/spoiled": Command("/spoiled", "the last answer spoiled you: hide it and report it", asking.spoiled_command),
    "/progress": Command(
        "/progress PLACE", "say where you are: 12, in 12, part 2 ch 3, 45%, finished; undo", places.progress
    ),
    "/where": Command("/where", "the club's place, and yours", places.where),
    "/join": Command("/join", "become a member", people.join),
    "/leave": Command("/leave", "stop being a member", people.leave),
    "/as": Command("/as NAME", "speak as someone else", people.speak_as),
    "/privacy": Command(
        "/privacy", "what is kept of you, and who sees your place; also show, hide", personal.privacy_command
    ),
    "/export": Command("/export FILE", "everything that is kept of you, as a file", personal.export_command),
    "/forget": Command("/forget me", "delete everything that is kept of you; also everywhere", personal.forget_command),
    "/book": Command(
        "/book add FILE",
        "add a book; also list, switch N, remove N, chapters, memory N, jobs, undo",
        library.book_command,
    ),
    "/club": Command(
        "/club settings",
        "what the club can set; also members, welcome, nominate, vote, finish, schedule, remind, preview, setup, room, "
        "pause, resume, mute, admin",
        club_command,
    ),
    "/clock": Command(
        "/clock +7d", "move this sitting's clock forward: what is due until then comes", schedule.clock_command
    ),
    "/room": Command("/room NAME", "speak in another room of the club", rooms.room_command),
    "/help": Command("/help", "this list", help_command),
}
"""Every command there is: the registry of surfaces holds a noninterference case for each."""
