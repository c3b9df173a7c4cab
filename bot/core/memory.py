"""What a model remembers of a book, chapter by chapter: sentences that stand on quotes, each with its `revealed_at`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.core.errors import SpoilerLeak
from bot.core.offsets import Span


@dataclass(frozen=True, slots=True)
class Remembered:
    """One sentence that survived every check, and where the words stand that it was checked against.

    ``about`` is who it tells of, as the passage writes it, or "" for what happens; where ``also`` is not "", it says
    that both are one. ``span`` is the quote's (code points of the book) in ``passage``. Whoever has not reached
    ``revealed_at``, the end of all that its writer was shown, is not shown it.

    Raises `SpoilerLeak` where it would be revealed before its own quote.
    """

    chapter: int
    text: str
    passage: int
    span: Span
    revealed_at: int
    about: str = ""
    also: str = ""

    def __post_init__(self) -> None:
        if self.span.end > self.revealed_at:
            raise SpoilerLeak(f"a memory of chapter {self.chapter} is revealed before its quote ends")
        if not self.text or (self.also and not self.about):
            raise ValueError("a memory says something, and of somebody what it says of another")


@dataclass(frozen=True, slots=True)
class ChapterMemory:
    """What is remembered of chapter ``#chapter`` of the map ``map_version``, in the order in which it was told.

    ``revealed_at`` (an offset) is the chapter's end. Raises `SpoilerLeak` where a claim is revealed before it.
    """

    chapter: int
    map_version: int
    revealed_at: int
    claims: tuple[Remembered, ...]

    def __post_init__(self) -> None:
        if any(claim.revealed_at < self.revealed_at or claim.chapter != self.chapter for claim in self.claims):
            raise SpoilerLeak(f"a memory of chapter {self.chapter} is revealed before the chapter ends")


@dataclass(frozen=True, slots=True)
class BookMemory:
    """All that is remembered up to a boundary: ``chapters`` (``#N``) are those that are done, also without a claim."""

    chapters: frozenset[int] = frozenset()
    claims: tuple[Remembered, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """A chapter as it is stored: its memory, when it was made, and how many chapters the book has."""

    memory: ChapterMemory
    at: datetime
    chapters: int


def next_chapter(done: Sequence[int], chapters: int) -> int | None:
    """The first chapter (``#N``) that is not done, of so many; None where all are. They are done in reading order."""
    known = frozenset(done)
    return next((n for n in range(1, chapters + 1) if n not in known), None)
