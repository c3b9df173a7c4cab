"""What the core needs from outside, by name. One name all the way down: port method = SQL function = test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap
from bot.core.club import BookId, ClubId, Member, MemberId, Person, Present, Room
from bot.core.evidence import Passage
from bot.core.memory import BookMemory
from bot.core.offsets import Span

Vectors = NDArray[np.float32]

HOST = "host"
"""The server of the clubs that live at the command line and at the keyboard."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """What is stored with every vector; vectors of two models are never mixed."""

    name: str
    dimension: int
    sha256: str


class Embedder(Protocol):
    """Text to vectors. Each vector is a function of its own text alone: never of what else was in the batch."""

    @property
    def model(self) -> EmbeddingModel: ...

    def windows(self, text: str) -> list[Span]:
        """Spans of ``text`` (code points, half-open, in order, covering all of it) that the model reads whole."""

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        """Unit vectors, shape ``(len(windows), dimension)``, one for each window of a passage."""

    def embed_question(self, question: str) -> Vectors:
        """The unit vector of a question, shape ``(dimension,)``."""


class Reranker(Protocol):
    """Scores passages against a question by reading both together (a cross-encoder)."""

    def rerank(self, question: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, higher is closer."""


Ordinals = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class AdmittedPassages:
    """Every passage admitted under a boundary, in text order: numbers only, arrays of one length.

    ``chapters`` is 0 outside chapters; ``bodies`` is false for sealed matter that has been revealed; ``starts``,
    ``ends`` and ``revealed`` are offsets in code points; ``lengths`` counts terms.
    """

    ordinals: Ordinals
    sections: Ordinals
    chapters: Ordinals
    bodies: NDArray[np.bool_]
    starts: Ordinals
    ends: Ordinals
    revealed: Ordinals
    lengths: Ordinals


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often one term stands in the admitted passages that have it (``ordinals`` ascending, ``counts`` beside)."""

    term: int
    ordinals: Ordinals
    counts: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Similarities:
    """The similarity (inner product of unit vectors) of the closest piece of each admitted passage that has vectors."""

    ordinals: Ordinals
    values: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NameMet:
    """A name as it first stands in the read part."""

    name: str
    revealed_at: int


@dataclass(frozen=True, slots=True)
class TitleMet:
    """A title the reader has met: of a section, with the titles of the parts above it."""

    section: int
    chapter: int | None
    title: str
    parts: tuple[str, ...]
    revealed_at: int


@dataclass(frozen=True, slots=True)
class BookRecord:
    """What may be known of a book without a boundary: metadata and totals, no text.

    ``added_by`` and ``added_at`` say who brought it and when. Until it is ``announced``, its title is for them alone.
    """

    id: BookId
    club: ClubId
    title: str
    language: str
    status: str
    characters: int
    body_start: int
    body_end: int
    chapters: int
    embedder: EmbeddingModel | None
    author: str = ""
    finished: bool = False
    map_version: int = 0
    added_by: MemberId | None = None
    added_at: datetime | None = None
    announced: bool = True

    def same_text(self, other: BookRecord) -> bool:
        """Whether offsets in one mean in the other what they mean here: the map is the same, and so is the text."""
        own = (self.id, self.map_version, self.characters, self.body_end)
        return own == (other.id, other.map_version, other.characters, other.body_end)


@dataclass(frozen=True, slots=True)
class PositionRecord:
    """One entry of a member's append-only history in one book.

    ``said`` is what the member said, never words quoted from the book; ``understood`` is how it was read. ``at`` is
    when, by the club's clock; where it is None the database dates it. ``map_version`` is of the chapter map that the
    place was worked out on, which is refused where the map has changed since; None fits every map.
    """

    member: MemberId
    book: BookId
    offset: int
    kind: str
    said: str
    understood: str
    at: datetime | None = field(default=None, compare=False)
    map_version: int | None = field(default=None, compare=False)


class Directory(Protocol):
    """How a club is found before it is open: ids alone."""

    async def club_named(self, name: str, server: str = HOST) -> ClubId:
        """The club of this name on a platform's server (or chat), made if new."""

    async def club_of_room(self, key: str) -> ClubId | None: ...

    async def clubs_of_person(self, person: Person) -> tuple[ClubId, ...]:
        """The clubs that this person has joined."""

    async def clubs_that_know(self, person: Person) -> tuple[ClubId, ...]:
        """The clubs that keep anything of this person, joined or not."""

    async def clubs(self) -> tuple[ClubId, ...]: ...

    async def server_moved(self, old: str, new: str) -> int:
        """A platform's server or chat goes on under another key, with its clubs and its rooms; how many rooms."""


class Door(Protocol):
    """One transaction of the answering role. Everything that was written in a book comes through it, under a boundary.

    Methods that take a `Boundary` raise `SpoilerLeak` when a narrower boundary of the same book is already open in the
    transaction. Methods that take a book alone return offsets and numbers only.
    """

    async def foreseen(self, member: MemberId, room: str | None, book: BookId) -> None:
        """Read in one round trip what `member`, `room` (by its key, if any) and `book` are asked for next."""

    async def book(self, book: BookId) -> BookRecord: ...

    async def books(self) -> tuple[BookRecord, ...]:
        """The club's books, oldest first."""

    async def current_book(self) -> BookRecord | None:
        """The book the club reads now."""

    async def members(self) -> tuple[Member, ...]:
        """Everyone known in the club, as they are in this transaction."""

    async def member(self, member: MemberId) -> Member | None: ...

    async def member_of_person(self, person: Person) -> Member | None:
        """Whom the club knows as this person; nobody is made known by it."""

    async def present(self, book: BookId | None = None) -> tuple[Present, ...]:
        """The members, as far as an audience asks: this is read before and after everything that is sent.

        Where ``book`` is named, where they are in it is read too, so that `positions_latest` need not ask again.
        """

    async def round_wanted(self, now: datetime, silent: datetime, unplaced: datetime, due: tuple[date, date]) -> bool:
        """Whether a daily round at ``now`` may find anything to do; where it says no there is nothing.

        That is: members not heard of since ``silent``, or without a place since they joined at ``unplaced`` or before;
        who wants reminders, and a milestone ``due`` from one day to another; a vote whose date has come; and what was
        kept of people who are forgotten.
        """

    async def settings(self) -> Mapping[str, str]:
        """What the club has set, by name; what it has not is not there."""

    async def room(self, key: str) -> Room | None:
        """The room of this key, if it is one of the club's."""

    async def positions_latest(self, book: BookId, members: Iterable[MemberId]) -> Mapping[MemberId, int]:
        """Where these members are; who said nothing has no entry, nor has anyone who has left or never joined."""

    async def passages_admitted(self, boundary: Boundary) -> AdmittedPassages: ...

    async def passages_nearest(self, boundary: Boundary, question: Vectors) -> Similarities: ...

    async def passages_matching(self, boundary: Boundary, terms: Sequence[int]) -> tuple[TermCounts, ...]: ...

    async def passages_read(self, boundary: Boundary, ordinals: Sequence[int]) -> tuple[Passage, ...]:
        """The passages with these ordinals as far as they are admitted, rebuilt from their admitted sentences."""

    async def passage_straddling(self, boundary: Boundary) -> Passage | None:
        """The read part of the passage that begins before the boundary and ends after it."""

    async def names_met(self, boundary: Boundary) -> tuple[NameMet, ...]: ...

    async def memory_read(self, boundary: Boundary) -> BookMemory:
        """What a model remembers of the chapters that end before the boundary, of the map as it is now."""

    async def titles_met(self, boundary: Boundary) -> tuple[TitleMet, ...]: ...

    async def chapter_map(self, book: BookId) -> ChapterMap: ...

    async def quote_offsets(self, book: BookId, runs: Sequence[str]) -> tuple[tuple[int, int], ...]:
        """For each folded run (index) the offsets to which a reader who has read it has surely read."""

    async def page_offsets(self, book: BookId, label: str) -> tuple[int, ...]: ...

    async def title_chapters(self, book: BookId, reached: int, folded: str) -> tuple[int, ...]: ...


class Doors(Protocol):
    """Opens transactions of the answering role, in one club: another club's books are not there."""

    def opened(self) -> AbstractAsyncContextManager[Door]: ...
