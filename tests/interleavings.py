"""Everything that may happen to a club while it is being answered, at every step of the answer.

The test keeps a log of its own: who has joined, who is away, and where each is. What is visible is measured against
the minimum of that log, never against what the code under test says.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from bot.core.asked_in import Asking
from bot.core.club import BookId, Member, RoomId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import Outcome, ask_in_room
from bot.core.outcomes import Showing
from bot.core.ports import Door, Doors, PositionRecord
from tests.fakes.posts import FakePosts

ROOM: Final = "lounge"

Event = Callable[["Witness"], Awaitable[None]]


@dataclass
class WatchedDoors:
    """Doors before each of which something may happen."""

    inner: Doors
    before_opening: Callable[[], Awaitable[None]]

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Door]:
        await self.before_opening()
        async with self.inner.opened() as door:
            yield door


@dataclass
class Witness:
    """One run: `ana` asks in a room where `ben` has read less, and ``events`` happen before the steps of these numbers.

    A step is an opening of the door, or a moment right before or right after something is shown. ``places`` is the
    test's own log of who counts and where they are; ``book`` is None once the room's book is gone.
    """

    house: Clubhouse
    room: RoomId
    book: BookId | None
    people: dict[str, Member]
    places: dict[str, int]
    remove_book: Callable[[BookId], Awaitable[None]]
    replace_book: Callable[[BookId], Awaitable[BookId]]
    events: dict[int, Event] = field(default_factory=dict)
    limit: int | None = None
    silent: bool = False
    posts: FakePosts = field(default_factory=lambda: FakePosts(ROOM))
    steps: int = 0
    openings_since: int = 0

    @property
    def minimum(self) -> int:
        """The furthest offset that may be visible in the room by the log; -1 where nothing at all may be."""
        if self.book is None or self.silent or "ana" not in self.places:
            return -1
        lowest = min(self.places.values())
        return lowest if self.limit is None else min(lowest, self.limit)

    async def place(self, name: str, offset: int) -> None:
        assert self.book is not None
        said = PositionRecord(self.people[name].id, self.book, offset, "offset", f"offset:{offset}", "x")
        await self.house.roster.position_appended(said)
        self.places[name] = offset

    def reach(self) -> int:
        """How far what is visible in the room reaches; -1 where nothing is."""
        return max((s.outcome.boundary.offset for s in self.posts.standing(ROOM)), default=-1)

    def of_the_book(self) -> bool:
        """Whether all that is visible is of the book that is there."""
        return all(s.book.id == self.book for s in self.posts.standing(ROOM))

    async def step(self) -> None:
        self.steps += 1
        if (event := self.events.get(self.steps)) is not None:
            await event(self)
            self.openings_since = 0

    async def opening(self) -> None:
        await self.step()
        if self.reach() > self.minimum or not self.of_the_book():
            assert self.openings_since == 0, "what is stale was looked at again before it was withdrawn"
        self.openings_since += 1

    async def shown(self, showing: Showing) -> None:
        if self.reach() > self.minimum or not self.of_the_book():
            assert self.openings_since == 0, f"shown up to {showing.outcome.boundary.offset}, may be {self.minimum}"
        await self.step()

    async def run(self, said: str) -> tuple[Outcome, ...]:
        """Ask, and look at the end whether anything stale is visible."""
        doors = WatchedDoors(self.house.searching.doors, self.opening)
        house = replace(self.house, searching=replace(self.house.searching, doors=doors))
        self.posts.before_show, self.posts.after_show = self.step, self.shown
        outcomes = await ask_in_room(house, ROOM, Asking("ana", said), self.posts)
        assert self.reach() <= self.minimum
        assert self.of_the_book()
        return outcomes


async def joins(witness: Witness) -> None:
    """Someone joins who has said no place."""
    await witness.house.roster.join(witness.people["eve"].id)
    witness.places.setdefault("eve", 0)


async def leaves(witness: Witness) -> None:
    await witness.house.roster.leave(witness.people["ben"].id)
    witness.places.pop("ben", None)


async def asker_leaves(witness: Witness) -> None:
    await witness.house.roster.leave(witness.people["ana"].id)
    witness.places.pop("ana", None)


async def goes_back(witness: Witness) -> None:
    if witness.book is not None and "ben" in witness.places:
        await witness.place("ben", 40)


async def reads_on(witness: Witness) -> None:
    if witness.book is not None and "ben" in witness.places:
        await witness.place("ben", witness.places["ben"] + 5)


async def is_away(witness: Witness) -> None:
    now = witness.house.clock()
    await witness.house.roster.away(witness.people["ben"].id, now, now.replace(year=2100))
    witness.places.pop("ben", None)


async def room_is_limited(witness: Witness) -> None:
    await witness.house.rooms.room_limited(witness.room, 30)
    if witness.book is not None:
        witness.limit = 30


async def room_is_paused(witness: Witness) -> None:
    await witness.house.rooms.room_paused(witness.room, witness.house.clock())
    witness.silent = True


async def book_is_removed(witness: Witness) -> None:
    if witness.book is not None:
        await witness.remove_book(witness.book)
        witness.book = None


async def book_is_replaced(witness: Witness) -> None:
    """Another file takes the book's place; nobody has said a place in it yet."""
    if witness.book is not None:
        witness.book = await witness.replace_book(witness.book)
        witness.places = dict.fromkeys(witness.places, 0)
        witness.limit = None


EVENTS: Final[dict[str, Event]] = {
    event.__name__: event
    for event in (
        joins,
        leaves,
        asker_leaves,
        goes_back,
        reads_on,
        is_away,
        room_is_limited,
        room_is_paused,
        book_is_removed,
        book_is_replaced,
    )
}

Opened = Callable[[], Awaitable[Witness]]


async def steps_of(opened: Opened, said: str) -> int:
    """How many steps an answer takes when nothing happens."""
    witness = await opened()
    await witness.run(said)
    return witness.steps
