"""Mixed traffic on both platforms, out of one seed, while processes are killed."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.load.stand import Stand
from tests.soak.clubs import Club, add_club
from tests.soak.deeds import Deed, Deeds
from tests.soak.seen import ALONE, ROOM, Message

KINDS: Final = {"ask": 30, "ask alone": 14, "follow up": 10, "press": 12, "share": 5, "progress": 16, "where": 9,
                "upload": 4}  # fmt: skip
BUSY_FOR: Final = 90.0
"""Seconds for which somebody waits for what becomes of one thing before they do another."""
CHAPTERS: Final = (2, 3, 4)


@dataclass
class Traffic:
    """People who do something every ``pause`` seconds, and a new club every ``founding`` seconds."""

    stand: Stand
    deeds: Deeds
    random: random.Random
    pause: float = 0.7
    founding: float = 30.0
    clubs: list[Club] = field(default_factory=list)
    waiting: dict[str, tuple[float, Deed]] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)

    def now(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.began

    async def found(self, count: int) -> None:
        """So many more clubs."""
        for _ in range(count):
            self.clubs.append(await add_club(self.stand, len(self.clubs), self.now()))

    async def run(self, seconds: float) -> None:
        """Go on for so long."""
        ends, founded, minute = self.now() + seconds, self.now(), 0
        while self.now() < ends:
            self.look()
            if self.now() > 60 * (minute + 1):
                minute += 1
                print(f"soak: minute {minute}: {len(self.deeds.made)} done, {len(self.deeds.open)} open", flush=True)
            if self.now() - founded > self.founding and self.now() < ends - 60:
                founded = self.now()
                await self.found(1)
            await self.one()
            await asyncio.sleep(self.pause * self.random.uniform(0.3, 1.7))

    def look(self) -> None:
        """Note what became of everything that is open."""
        self.deeds.look(self.now())
        for person, (at, deed) in list(self.waiting.items()):
            if deed.came or self.now() - at > BUSY_FOR:
                del self.waiting[person]

    async def one(self) -> None:
        """Somebody who waits for nothing does something."""
        (kind,) = self.random.choices(list(KINDS), list(KINDS.values()))
        for club in self.random.sample(self.clubs, len(self.clubs)):
            free = [person for person in club.people if person not in self.waiting]
            if kind == "upload":
                free = [person for person in free if person == club.people[0]]
            if not free:
                continue
            person = self.random.choice(free)
            of = self._of(kind, club, person)
            if of is None and kind in ("press", "share", "follow up"):
                continue
            await self._does(kind, club, person, of)
            return

    async def _does(self, kind: str, club: Club, person: str, of: Message | None) -> None:
        deeds, chapter = self.deeds, self.random.choice(CHAPTERS)
        if kind == "progress":
            deeds.chapter = chapter
        deed = await deeds.do(kind, club, person, self.now(), of)
        self.waiting[person] = self.now(), deed

    def _of(self, kind: str, club: Club, person: str) -> Message | None:
        """The message that they press under, or reply to."""
        if kind == "share":
            shared = {deed.number for deed in self.deeds.made if deed.kind == "share"}
            found = _with(self.deeds.sight.alone(club.room, person), ALONE, lambda m: m.number not in shared)
        elif kind in ("press", "follow up"):
            mine = {d.number for d in self.deeds.made if d.kind == "press" and d.person == person}
            found = _with(self.deeds.sight.in_room(club.room), ROOM, lambda m: m.number not in mine)
        else:
            return None
        return found[-1] if found else None


def _with(messages: Iterator[Message], label: str, wanted: Callable[[Message], bool]) -> list[Message]:
    return [m for m in messages if label in m.labels and m.number is not None and wanted(m)]
