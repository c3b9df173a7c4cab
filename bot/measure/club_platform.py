"""The platform of the simulated clubs: it keeps what is shown, and checks each message at the moment it is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.core.audience import See, Sight
from bot.core.club import Member, QuestionId, Room
from bot.core.notices import Notice, NowAway
from bot.core.outcomes import Showing
from bot.core.ports import Door, Doors
from bot.core.roster import Posted
from bot.core.rounds import Send
from bot.core.weekly import IsoWeek
from bot.core.weekly_post import WeeklyPost
from bot.measure.club_log import ClubLog, beyond, posted_beyond

Meanwhile = Callable[[], Awaitable[None]]
"""Something that happens while something else is being done."""


@dataclass
class InterruptedDoors:
    """Doors before whose opening something can happen: between any two transactions of a use case."""

    doors: Doors
    left: int = 0
    meanwhile: Meanwhile | None = None

    def interrupt(self, before: int, meanwhile: Meanwhile | None) -> None:
        """Let ``meanwhile`` happen before the ``before``-th opening from now (from 1), once."""
        self.left, self.meanwhile = before, meanwhile

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Door]:
        self.left -= 1
        if self.left == 0 and self.meanwhile is not None:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        async with self.doors.opened() as door:
            yield door


@dataclass
class SentAnswer:
    """One answer's message. What reached too far may stand no longer than until it is asked again whether it holds."""

    posts: SentAnswers
    room: str | None
    grows: bool
    too_far: str = ""
    standing: bool = False

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        """Check what is shown by the club's own log, at this moment."""
        log = self.posts.log
        self.posts.shown += 1
        self.standing = True
        self.too_far = beyond(log.book, showing.outcome, log.allowed(self.room, self.posts.asker))
        if self.too_far and log.changes == self.posts.changes:
            log.violated(self.too_far)  # nothing changed meanwhile: there is no excuse
        if showing.complete:
            self.posts.complete.append((showing.question, self.room))
        return (Posted(self.room or f"dm {self.posts.asker}", str(id(self))),)

    async def settled(self) -> None:
        """No process ends here."""

    async def withdraw(self) -> None:
        self.posts.withdrawn += self.standing
        self.standing = False
        self.too_far = ""


@dataclass
class SentAnswers:
    """Where one question's answers appear. ``changes`` is how much had changed in the club when it was asked;
    ``grows`` says whether they are shown claim by claim.
    """

    log: ClubLog
    asker: str
    room: str | None
    grows: bool = False
    changes: int = field(init=False)
    shown: int = 0
    withdrawn: int = 0
    messages: list[SentAnswer] = field(default_factory=list)
    complete: list[tuple[QuestionId, str | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.changes = self.log.changes

    def in_room(self) -> SentAnswer:
        assert self.room is not None
        return self._message(self.room)

    def to_asker(self) -> SentAnswer:
        return self._message(None)

    def _message(self, room: str | None) -> SentAnswer:
        self.messages.append(SentAnswer(self, room, self.grows))
        return self.messages[-1]

    async def waiting(self, place: int) -> None:
        """Nobody waits in a simulated club."""

    def ended(self) -> None:
        """What reached too far because something changed meanwhile does not stand any more when all is done."""
        for message in self.messages:
            if message.standing and message.too_far:
                self.log.violated(f"still there: {message.too_far}")


@dataclass
class Platform:
    """What a club's rooms and people are sent. ``posts`` counts weekly posts by week."""

    log: ClubLog
    posts: Counter[IsoWeek] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    highlights: int = 0

    def see(self, room: str) -> See:
        """Who sees a room."""
        seen = self.log.rooms[room]

        async def sight(door: Door) -> Sight:
            del door
            return Sight(seen.persons, seen.strangers)

        return sight

    async def prepare(self, room: Room, post: WeeklyPost) -> Send:
        """A weekly post is checked when it is sent, not when it is made."""

        async def send() -> bool:
            self.posts[post.week] += 1
            self.highlights += len(post.highlights)
            if self.posts[post.week] > 1:
                self.log.violated("a second weekly post")
            if what := posted_beyond(self.log, room.key, post):
                self.log.violated(what)
            return True

        return send

    async def tell(self, member: Member, notice: Notice) -> bool:
        """A private notice is delivered; who is told that they are away counts no more."""
        self.notices[type(notice).__name__] += 1
        if isinstance(notice, NowAway):
            if not self.log.silent(member.person):
                self.log.violated("told to be away, and has not been silent")
            self.log.away(member.person)
        return True
