"""A club with books, members and a door, in memory or over a real database: what use cases are tested on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bot.core.book import BookText, SectionKind
from bot.core.club import BookId, ClubId, Member
from bot.core.ports import Doors, Embedder, PositionRecord
from bot.core.roster import Roster
from bot.core.shelf import Shelf
from bot.ingest.pipeline import index_book
from bot.ingest.worker import fill_vectors
from tests.fakes.doors import FakeDoors
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf
from tests.made_books import book_of, chapter, matter

S = TypeVar("S", bound=Shelf)
R = TypeVar("R", bound=Roster)
D = TypeVar("D", bound=Doors)


@dataclass
class Library(Generic[S, R, D]):
    """One club's books, people and door."""

    shelf: S
    roster: R
    doors: D
    club: ClubId = field(default=ClubId(1))

    async def add(self, book: BookText, embedder: Embedder | None = None, file: str = "file") -> BookId:
        """Store a book, with vectors where there is an embedder."""
        self.club = await self.shelf.club_named("club")
        new, _ = await self.shelf.store_book(self.club, index_book(book), file, book.title)
        if embedder is not None:
            await fill_vectors(self.shelf, embedder, new)
        return new

    async def member(self, name: str) -> Member:
        """A member of the club, made and joined if new."""
        self.club = await self.shelf.club_named("club")
        member = await self.roster.member_known(name)
        await self.roster.join(member.id)
        return await self.roster.member_known(name)

    async def place(self, name: str, book: BookId, offset: int) -> Member:
        """Say for ``name`` that they have read up to ``offset``."""
        member = await self.member(name)
        await self.roster.position_appended(PositionRecord(member.id, book, offset, "offset", f"offset:{offset}", "x"))
        return member


def in_memory(honours: bool = True) -> Library[FakeShelf, FakeRoster, FakeDoors]:
    """An empty club in memory; its door is a broken one where ``honours`` is false."""
    shelf = FakeShelf()
    roster = FakeRoster(shelf, ClubId(1))
    return Library(shelf, roster, FakeDoors(shelf, roster, honours))


LANTERN = book_of(
    matter(SectionKind.ESSAY, "Introduction", "The keeper drowned himself, as every reader knows. Marrable did it."),
    chapter(
        1,
        "The ferry came late to Saltmouth. Ana Wren stood on the quay with a brass lantern in her hand. "
        "Old Mr. Oswin Fogg the keeper counted the boats. He asked Ana Wren about her letter.\n\n"
        "“It says that the light must burn until Sunday,” she answered. He shook his head and went up the stair.",
        "The Ferry",
    ),
    chapter(
        2,
        "In the morning the lamp was cold. Ana Wren found the stair door bolted from within. "
        "A gull had broken the north window. The kettle in the kitchen was still warm.\n\n"
        "She knocked until her knuckles bled. Nobody answered her, and the tide was rising over the causeway.",
        "The Bolted Door",
    ),
    chapter(
        3,
        "Captain Marrable confessed before noon. He had poisoned the keeper for the sake of the gold. "
        "Ana Wren listened, and put the brass lantern out.",
        "The Bell",
    ),
    matter(SectionKind.NOTES, "Notes", "Marrable was hanged at Exeter. The gold was never found."),
    title="The Lantern",
)
"""A small book of our own: an introduction and notes that spoil, a culprit named last, titles that tell."""


def end_of(book: BookText, number: int) -> int:
    """The end of chapter ``#number`` of ``book``."""
    return book.chapters[number - 1].span.end
