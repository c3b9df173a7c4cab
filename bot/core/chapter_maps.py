"""The chapter map as the answering role sees and keeps it: numbers, consents, and pages of other editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol

from bot.core.book import SectionKind
from bot.core.club import BookId, MemberId
from bot.core.offsets import Span

ConsentId = NewType("ConsentId", int)


@dataclass(frozen=True, slots=True)
class SectionOnMap:
    """A section by its numbers: ``number`` counts all sections from 1, ``chapter`` is ``#N`` or None."""

    number: int
    kind: SectionKind
    chapter: int | None
    printed_number: int | None
    parts: tuple[int, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class FirstWords:
    """What a section is called and how it begins: words of the book, for one member alone."""

    number: int
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class SectionConsent:
    """That a member agreed to see how a section begins: which one (from 1) of which book, and when."""

    book: BookId
    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Calibration:
    """That a member's own edition has ``page`` beginning at ``offset`` or a little later (code points).

    Raises ``ValueError`` where either cannot be.
    """

    page: int
    offset: int

    def __post_init__(self) -> None:
        if self.page < 1 or self.offset < 0:
            raise ValueError(f"no page of a book: {self.page} at {self.offset}")


class ChapterMaps(Protocol):
    """The chapter maps of one club's books, by numbers, and what members said and agreed to about them."""

    async def section_map(self, book: BookId) -> tuple[SectionOnMap, ...]:
        """Every section in text order, sealed ones too."""

    async def map_confirmed(self, book: BookId, version: int, by: MemberId, now: datetime) -> bool:
        """Note that the map of this version is right; False where it is of another version by now."""

    async def map_confirmed_at(self, book: BookId) -> datetime | None:
        """When the map, as it is now, was confirmed."""

    async def consented(self, member: MemberId, book: BookId, number: int, now: datetime) -> ConsentId:
        """Keep that the member agreed to see how section ``number`` begins."""

    async def section_shown(self, consent: ConsentId) -> FirstWords:
        """How the section of this consent begins: once, within minutes, and while its member is joined.

        With looking ahead the one way past a boundary. Raises `Refused` ("no_consent") where the consent does not hold.
        """

    async def consents(self, member: MemberId) -> tuple[SectionConsent, ...]:
        """Everything the member agreed to see, the first first."""

    async def calibrations(self, member: MemberId, book: BookId) -> tuple[Calibration, ...]:
        """What the member said of their own edition, by page."""

    async def pages_calibrated(
        self, member: MemberId, book: BookId, calibrations: Sequence[Calibration], now: datetime
    ) -> None:
        """Keep these calibrations of the member's edition and no others."""
