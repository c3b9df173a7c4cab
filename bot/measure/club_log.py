"""What happened in a simulated club, by the simulation's own account, and what may therefore be shown.

Nothing here asks the program: who is where is known from what the simulation had them do, and the lowest place of
those who see a reply is worked out anew at the moment it is sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from bot.core.answer import Answer, Citation, Refusal
from bot.core.weekly_post import WeeklyPost
from bot.measure.club_book import ClubBook

NOBODY: Final = -1
"""What may be shown to who is no member: nothing, not even the refusal."""
_SLACK: Final = timedelta(hours=1)
"""A sign of life may go unnoted for so long after the one before it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One person as the simulation knows them. ``place`` is an offset, None until they say one; ``places`` are those
    that can be undone; ``seen`` is when they last said anything.
    """

    joined: bool = False
    place: int | None = None
    places: tuple[int, ...] = ()
    seen: datetime | None = None
    away: bool = False
    aside: bool = False
    shown: bool = False

    def at(self, offset: int) -> Reader:
        """The same person after they said a place."""
        return replace(self, place=offset, places=(*self.places, offset), aside=False)

    def undone(self) -> Reader:
        """The same person after they took their last place back, if there was one."""
        if not self.places:
            return self
        left = self.places[:-1]
        return replace(self, place=left[-1] if left else 0, places=left, aside=False)

    @property
    def counts(self) -> bool:
        return self.joined and not self.away and not self.aside


@dataclass(frozen=True, slots=True)
class SeenRoom:
    """A room: who can see it (None: the platform cannot say), how many strangers do, and its fixed limit, an offset."""

    key: str
    persons: frozenset[str] | None = None
    strangers: int = 0
    limit: int | None = None


@dataclass
class ClubLog:
    """One club: its people by name on their platform, its rooms by key, and every violation that was seen.

    ``changes`` counts what has changed so far; ``now`` is the club's time.
    """

    number: int
    book: ClubBook
    strict: bool
    away_after: timedelta
    rooms: dict[str, SeenRoom]
    people: dict[str, Reader]
    now: datetime
    changes: int = 0
    step: str = "start"
    violations: list[str] = field(default_factory=list)

    @property
    def lounge(self) -> str:
        """The key of the room in which the club posts: its first."""
        return next(iter(self.rooms))

    def becomes(self, person: str, reader: Reader) -> None:
        """Note what a person did, once the program has done it."""
        self.people[person] = reader
        self.changes += 1

    def away(self, person: str) -> None:
        """Note that a person was told that they are away."""
        self.becomes(person, replace(self.people[person], away=True))

    def violated(self, what: str) -> None:
        """Note a violation: numbers, never words of the book."""
        self.violations.append(f"club {self.number}, {self.now.isoformat()}, {self.step}: {what}")

    def everyone_at(self, room: str, asker: str | None = None) -> int:
        """The lowest place of those who count in a room, before its limit; who asks there will see the reply."""
        seen = self.rooms[room]
        joined = {person for person, reader in self.people.items() if reader.joined}
        counted = [
            r
            for p, r in self.people.items()
            if p == asker or (r.counts and (seen.persons is None or p in seen.persons))
        ]
        if self.strict and (seen.strangers > 0 or not (seen.persons or frozenset()) <= joined):
            return 0
        return min((reader.place or 0 for reader in counted), default=0)

    def allowed(self, room: str | None, asker: str) -> int:
        """The offset up to which something may be shown now: to a room, or to one person alone."""
        reader = self.people[asker]
        if not reader.joined:
            return NOBODY
        if room is None:
            return reader.place or 0
        limit = self.rooms[room].limit
        everyone = self.everyone_at(room, asker)
        return everyone if limit is None else min(everyone, limit)

    def silent(self, person: str) -> bool:
        """Whether a person may be told that they are away."""
        reader = self.people[person]
        due = reader.seen is not None and self.now - reader.seen >= self.away_after - _SLACK
        return reader.joined and not reader.away and not reader.aside and due


def beyond(book: ClubBook, outcome: Answer | Refusal, allowed: int) -> str:
    """What of an outcome reaches past ``allowed``, in numbers; empty where nothing does."""
    if allowed == NOBODY:
        return "shown to who is no member"
    if outcome.boundary.offset > allowed:
        return f"made for {outcome.boundary.offset}, {allowed} is allowed"
    if isinstance(outcome, Refusal):
        return ""
    quotes = {citation.quote for citation in outcome.citations}
    if any(claim.text not in quotes for claim in outcome.claims):
        return "a claim that is no quote"
    return cited_beyond(book, outcome.citations, allowed)


def cited_beyond(book: ClubBook, citations: Iterable[Citation], allowed: int) -> str:
    """The same of citations: each stands where it says, and opens by ``allowed``."""
    for citation in citations:
        if citation.span.of(book.text.text) != citation.quote:
            return f"citation {citation.n} does not stand at {citation.span.start}"
        opens = max(book.opens_at(citation.span), citation.evidence.passage.revealed_at)
        if opens > allowed:
            return f"citation {citation.n} opens at {opens}, {allowed} is allowed"
    return ""


def posted_beyond(log: ClubLog, room: str, post: WeeklyPost) -> str:
    """What of a weekly post tells more than a room may know."""
    limit = log.rooms[room].limit
    everyone = log.everyone_at(room)
    allowed = everyone if limit is None else min(everyone, limit)
    if post.boundary.offset > allowed:
        return f"a post made for {post.boundary.offset}, {allowed} is allowed"
    for bar in post.bars:
        reader = log.people[bar.name]
        if not (reader.joined and reader.shown) or bar.chapters > log.book.done(reader.place or 0):
            return "a bar of a member who does not show it, or too long"
    return cited_beyond(log.book, post.highlights, allowed)
