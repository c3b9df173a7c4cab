"""A week of one simulated club: its people join, read, go back, leave, ask and are silent, and its clock ticks."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import perf_counter
from typing import Final

import numpy as np

from bot.core.asked_in import Asking, Place
from bot.core.away import sign_of_life
from bot.core.ballots import Ballot
from bot.core.club import BookId, Member, QuestionId, Room
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import Outcome, answer_me_privately, ask_in_room, ask_privately, share_with_room
from bot.core.errors import Unavailable
from bot.core.life import ClubFinished, finished_without
from bot.core.membership import join, leave, set_aside
from bot.core.outcomes import Delivered
from bot.core.places import NotLocated
from bot.core.privacy import show_place
from bot.core.progress import progress, undo
from bot.core.rounds import Sending, tick
from bot.measure.club_log import ClubLog, Reader
from bot.measure.club_platform import InterruptedDoors, Meanwhile, Platform, SentAnswers
from bot.measure.library import generated_question

WEIGHTS: Final = {
    "join": 10, "forward": 26, "back": 6, "undo": 4, "finished": 4, "leave": 5, "shown": 3, "aside": 2,
    "ask_room": 22, "ask_privately": 12, "press": 6, "share": 6,
}  # fmt: skip
"""How often each kind of step is drawn."""
INTERRUPTED: Final = 0.3
"""The share of questions and ticks while which somebody joins, leaves, goes back or reads on."""
PLACED: Final = 0.7
"""The share of those who join and say at once where they are."""
_CHANGES: Final = ("join", "forward", "back", "undo", "leave")
_OPENINGS: Final = 6
"""Before how many of a use case's transactions something may happen."""
GROWS: Final = 0.25
"""The share of answers that are shown claim by claim."""
TICK_EVERY: Final = 20 / 24
TICK_SHIFT: Final = 1.9 / 24
"""Days between two ticks, and by how much each may be early or late: no two are a day apart."""


@dataclass
class ClubWeek:
    """One club while it is simulated. ``host`` is its admin, who never leaves; ``times`` are seconds by kind."""

    house: Clubhouse
    doors: InterruptedDoors
    log: ClubLog
    platform: Platform
    book: BookId
    host: str
    rng: np.random.Generator
    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    outcomes: Counter[str] = field(default_factory=Counter)
    answered: list[tuple[QuestionId, str | None, str]] = field(default_factory=list)
    congratulated: bool = False

    async def lived(self, start: datetime, days: int, steps: int) -> None:
        """Do ``steps`` steps at random moments, and the ticks of every day."""
        weights = np.array(list(WEIGHTS.values()), dtype=float)
        drawn = self.rng.choice(list(WEIGHTS), size=steps, p=weights / weights.sum())
        moments = self.rng.random(steps) * days
        ticks = np.arange(TICK_EVERY / 2, days + TICK_EVERY, TICK_EVERY)  # the last one after the last day
        ticks += self.rng.uniform(-TICK_SHIFT, TICK_SHIFT, len(ticks))
        plan = sorted([*zip(moments, map(str, drawn), strict=True), *((float(at), "tick") for at in ticks)])
        for at, kind in plan:
            self.log.now = start + timedelta(days=float(at))
            self.log.step = kind
            await self._timed(kind)

    async def _timed(self, kind: str) -> None:
        began = perf_counter()
        try:
            done = await (self._ticked() if kind == "tick" else self._acted(kind))
        except Unavailable as error:
            self.outcomes[f"{kind}: {error.code}"] += 1
        else:
            if done:
                self.times[kind].append(perf_counter() - began)
        finally:
            self.doors.interrupt(0, None)

    def _anyone(self, which: Callable[[Reader], bool]) -> str | None:
        found = [person for person, reader in self.log.people.items() if which(reader)]
        return found[int(self.rng.integers(len(found)))] if found else None

    async def _acted(self, kind: str) -> bool:
        """One step of one person; False where nobody could do it."""
        person = self._anyone(_WHO.get(kind, lambda reader: reader.joined))
        if person is None or (kind == "leave" and person == self.host):
            return False
        member = await self.house.roster.member_known(person)
        await self._alive(person, member)
        step: Callable[[ClubWeek, str, Member], Awaitable[bool]] = _STEPS[kind]
        return await step(self, person, member)

    async def _alive(self, person: str, member: Member) -> None:
        """A platform notes a sign of life before anything that somebody says is acted on."""
        await sign_of_life(self.house, member)
        reader = self.log.people[person]
        if reader.joined:
            self.log.becomes(person, replace(reader, seen=self.log.now, away=False))

    async def joins(self, person: str, member: Member) -> bool:
        """Most say at once where they are; the others are pending until they do."""
        await join(self.house, person, person)
        reader = self.log.people[person]
        if not reader.joined:
            self.log.becomes(person, replace(reader, joined=True, seen=self.log.now, away=False, aside=False))
        if self.rng.random() < PLACED:
            await self.reads_on(person, member)
        return True

    async def leaves(self, person: str, member: Member) -> bool:
        await leave(self.house, member)
        self.log.becomes(person, replace(self.log.people[person], joined=False))
        return await self._club_finishes()

    async def reads_on(self, person: str, member: Member) -> bool:
        """One to three chapters further, or somewhere in the next one."""
        here = self.log.people[person].place or 0
        ends = [end for end in self.log.book.ends if end > here]
        if not ends:
            return False
        if self.rng.random() < 0.3:  # in mid-chapter, in mid-sentence too
            offset = int(self.rng.integers(here, ends[0]))
            return await self.says(person, member, f"offset:{offset}", offset)
        end = ends[min(len(ends) - 1, int(self.rng.integers(3)))]
        return await self.says(person, member, f"finished #{self.log.book.done(end)}", end)

    async def goes_back(self, person: str, member: Member) -> bool:
        offset = int(self.rng.integers(0, (self.log.people[person].place or 0) + 1))
        return await self.says(person, member, f"offset:{offset}" if offset else "none", offset)

    async def finishes(self, person: str, member: Member) -> bool:
        await self.says(person, member, "finished", self.log.book.text.body_end)
        return await self._club_finishes()

    async def says(self, person: str, member: Member, said: str, offset: int) -> bool:
        """Say a place, and see that it was understood as the offset that it means."""
        understood = await progress(self.doors, self.house.roster, member, self.book, said, self.log.now)
        if isinstance(understood, NotLocated) or understood.place.offset != offset:
            self.log.violated(f"{said} was not taken for {offset}")
            return True
        self.log.becomes(person, self.log.people[person].at(offset))
        return True

    async def _club_finishes(self) -> bool:
        room = self.log.lounge
        told = await finished_without(self.house, room, self.platform.see(room))
        if told is not None:
            self._congratulated()
        return True

    async def takes_back(self, person: str, member: Member) -> bool:
        await undo(self.doors, self.house.roster, member, self.book, self.log.now)
        self.log.becomes(person, self.log.people[person].undone())
        return True

    async def shows(self, person: str, member: Member) -> bool:
        shown = bool(self.rng.random() < 0.7)
        await show_place(self.house, member, shown)
        self.log.becomes(person, replace(self.log.people[person], shown=shown))
        return True

    async def is_set_aside(self, person: str, member: Member) -> bool:
        host = await self.house.roster.member_known(self.host)
        await set_aside(self.house, host, member, self.platform)
        self.log.becomes(person, replace(self.log.people[person], aside=True))
        return True

    async def asks_in_room(self, person: str, member: Member) -> bool:
        del member
        room = list(self.log.rooms)[int(self.rng.integers(len(self.log.rooms)))]
        asking = Asking(person, generated_question(self.rng, self.log.book.names))
        posts = self._posts(person, room)
        self._interrupted(person)
        return self._seen(posts, await ask_in_room(self.house, room, asking, posts, self.platform.see(room)))

    async def asks_privately(self, person: str, member: Member) -> bool:
        del member
        posts = self._posts(person, None)
        self._interrupted(person)
        asking = Asking(person, generated_question(self.rng, self.log.book.names))
        return self._seen(posts, await ask_privately(self.house, asking, posts))

    async def presses(self, person: str, member: Member) -> bool:
        """ "Answer me privately" under an answer in a room."""
        del member
        questions = [question for question, room, _ in self.answered if room is not None]
        if not questions:
            return False
        posts = self._posts(person, None)
        self._interrupted(person)
        question = questions[int(self.rng.integers(len(questions)))]
        return self._seen(posts, await answer_me_privately(self.house, question, person, posts))

    async def shares(self, person: str, member: Member) -> bool:
        """ "Share with the room" under an answer of one's own."""
        del member
        questions = [question for question, room, asker in self.answered if room is None and asker == person]
        if not questions:
            return False
        room = self.log.lounge
        posts = self._posts(person, room)
        self._interrupted(person)
        place = Place(room, self.platform.see(room))
        return self._seen(posts, await share_with_room(self.house, questions[-1], person, place, posts))

    def _posts(self, person: str, room: str | None) -> SentAnswers:
        return SentAnswers(self.log, person, room, grows=bool(self.rng.random() < GROWS))

    def _seen(self, posts: SentAnswers, outcomes: Sequence[Outcome]) -> bool:
        posts.ended()
        self.outcomes["shown"] += posts.shown
        self.outcomes["withdrawn"] += posts.withdrawn
        for outcome in outcomes:
            what = type(outcome.showing.outcome).__name__ if isinstance(outcome, Delivered) else outcome.why.value
            self.outcomes[what.lower()] += 1
        self.answered += [(question, room, posts.asker) for question, room in posts.complete]
        return True

    def _interrupted(self, asker: str | None) -> None:
        """Let somebody, who may be the asker, do something before one of the coming transactions."""
        if self.rng.random() < INTERRUPTED:
            kind = str(self.rng.choice(_CHANGES))
            self.doors.interrupt(int(self.rng.integers(1, _OPENINGS + 1)), self._change(kind, asker))

    def _change(self, kind: str, asker: str | None) -> Meanwhile:
        async def happens() -> None:
            own = asker is not None and kind != "join" and self.rng.random() < 0.3
            person = asker if own else self._anyone(_WHO.get(kind, lambda reader: reader.joined))
            if person is None or (kind == "leave" and person == self.host):
                return
            member = await self.house.roster.member_known(person)
            if kind == "join" or self.log.people[person].joined:
                self.outcomes["interrupted"] += 1
                await _STEPS[kind](self, person, member)

        return happens

    async def _ticked(self) -> bool:
        """The club's clock, in one process or in two at once."""
        see = self.platform.see(self.log.lounge)
        processes = [self.house]
        if self.rng.random() < 0.2:
            processes.append(replace(self.house, searching=replace(self.house.searching, doors=self.doors.doors)))
        else:
            self._interrupted(None)
        await asyncio.gather(
            *(
                tick(house, see, Sending(self.platform.prepare), self.platform, self._announced, self.log.now)
                for house in processes
            )
        )
        return True

    async def _announced(self, room: Room, news: ClubFinished | Ballot) -> bool:
        if room.key != self.log.lounge or not isinstance(news, ClubFinished):
            self.log.violated("news that the club cannot have")
        else:
            self._congratulated()
        return True

    def _congratulated(self) -> None:
        """A club is told once that everyone has finished, and when that is so."""
        self.outcomes["club congratulated"] += 1
        if self.congratulated or self.log.everyone_at(self.log.lounge) < self.log.book.text.body_end:
            self.log.violated("a club was congratulated twice or too early")
        self.congratulated = True


_WHO: Final[dict[str, Callable[[Reader], bool]]] = {
    "join": lambda reader: not reader.joined,
    "aside": lambda reader: reader.joined and not reader.places and reader.place is None and not reader.aside,
}
_STEPS: Final[dict[str, Callable[[ClubWeek, str, Member], Awaitable[bool]]]] = {
    "join": ClubWeek.joins,
    "leave": ClubWeek.leaves,
    "forward": ClubWeek.reads_on,
    "back": ClubWeek.goes_back,
    "finished": ClubWeek.finishes,
    "undo": ClubWeek.takes_back,
    "shown": ClubWeek.shows,
    "aside": ClubWeek.is_set_aside,
    "ask_room": ClubWeek.asks_in_room,
    "ask_privately": ClubWeek.asks_privately,
    "press": ClubWeek.presses,
    "share": ClubWeek.shares,
}
