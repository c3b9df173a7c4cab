"""Chapter maps, consents and calibrations kept in memory: fits the ``ChapterMaps`` port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.core.chapter_map_review import opening_words
from bot.core.chapter_maps import Calibration, ConsentId, FirstWords, SectionConsent, SectionOnMap
from bot.core.club import BookId, MemberId
from bot.core.errors import Refused
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf

NO_CONSENT = Refused("no_consent", "That was agreed to too long ago, or was shown already: ask for it again.")


@dataclass
class FakeChapterMaps:
    """Consents are used once; ``minutes_pass`` lets all of those that were given lapse."""

    shelf: FakeShelf
    roster: FakeRoster
    _confirmed: dict[BookId, datetime] = field(default_factory=dict)
    _consents: list[tuple[MemberId, SectionConsent]] = field(default_factory=list)
    _open: set[ConsentId] = field(default_factory=set)
    _calibrations: dict[tuple[MemberId, BookId], tuple[Calibration, ...]] = field(default_factory=dict)

    async def section_map(self, book: BookId) -> tuple[SectionOnMap, ...]:
        return tuple(
            SectionOnMap(
                number=s.ordinal + 1,
                kind=s.kind,
                chapter=s.chapter,
                printed_number=s.printed_number,
                parts=tuple(part.number for part in s.parts),
                span=s.span,
            )
            for s in self.shelf.of(book).indexed.book.sections
        )

    async def map_confirmed(self, book: BookId, version: int, by: MemberId, now: datetime) -> bool:
        del by
        if self.shelf.of(book).record.map_version != version:
            return False
        self._confirmed[book] = now
        return True

    async def map_confirmed_at(self, book: BookId) -> datetime | None:
        return self._confirmed.get(book)

    def map_changed(self, book: BookId) -> None:
        """A map that is changed has to be confirmed again."""
        self._confirmed.pop(book, None)

    async def consented(self, member: MemberId, book: BookId, number: int, now: datetime) -> ConsentId:
        self._consents.append((member, SectionConsent(book, number, now)))
        consent = ConsentId(len(self._consents))
        self._open.add(consent)
        return consent

    async def minutes_pass(self) -> None:
        self._open.clear()

    async def section_shown(self, consent: ConsentId) -> FirstWords:
        if consent not in self._open or not self.roster.has_joined(self._consents[consent - 1][0]):
            raise NO_CONSENT
        self._open.remove(consent)
        agreed = self._consents[consent - 1][1]
        book = self.shelf.of(agreed.book).indexed.book
        section = book.sections[agreed.number - 1]
        start = section.heading_end if section.heading_end < section.span.end else section.span.start
        return FirstWords(agreed.number, section.title, opening_words(book.text[start : section.span.end]))

    async def consents(self, member: MemberId) -> tuple[SectionConsent, ...]:
        return tuple(consent for who, consent in self._consents if who == member)

    async def calibrations(self, member: MemberId, book: BookId) -> tuple[Calibration, ...]:
        return self._calibrations.get((member, book), ())

    async def pages_calibrated(
        self, member: MemberId, book: BookId, calibrations: Sequence[Calibration], now: datetime
    ) -> None:
        del now
        self._calibrations[member, book] = tuple(sorted(calibrations, key=lambda c: c.page))
