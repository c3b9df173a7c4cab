"""What keeps chapter maps must do this, the fake and the real one: subclassed with a `kept` fixture."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from bot.core.book import SectionKind
from bot.core.chapter_maps import Calibration, ChapterMaps, SectionConsent
from bot.core.errors import Refused
from tests.doors_suite import Any_
from tests.fakes.library import LANTERN

NOW = datetime(2031, 3, 1, 18, 0, tzinfo=UTC)


@dataclass
class Kept:
    """The chapter maps of a club with a library; ``minutes_pass`` lets what was agreed to lapse."""

    library: Any_
    maps: ChapterMaps
    minutes_pass: Callable[[], Awaitable[None]]


class ChapterMapsSuite:
    """Every test uses maps of the fixture `kept`: a club without any book."""

    async def test_the_map_has_every_section_by_its_numbers(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        seen = await kept.maps.section_map(book)
        assert [(s.number, s.kind, s.chapter, s.printed_number, s.span) for s in seen] == [
            (s.ordinal + 1, s.kind, s.chapter, s.printed_number, s.span) for s in LANTERN.sections
        ]
        assert [s.kind for s in seen][::4] == [SectionKind.ESSAY, SectionKind.NOTES]

    async def test_a_map_is_confirmed_by_somebody_at_some_time(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        ana = await kept.library.member("ana")
        assert await kept.maps.map_confirmed_at(book) is None
        version = (await kept.library.shelf.book(book)).map_version
        assert not await kept.maps.map_confirmed(book, version + 1, ana.id, NOW)
        assert await kept.maps.map_confirmed_at(book) is None
        assert await kept.maps.map_confirmed(book, version, ana.id, NOW)
        assert await kept.maps.map_confirmed_at(book) == NOW

    async def test_a_section_is_shown_once_for_each_consent(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        ana = await kept.library.member("ana")
        consent = await kept.maps.consented(ana.id, book, 4, NOW)
        shown = await kept.maps.section_shown(consent)
        assert (shown.number, shown.title) == (4, "Chapter 3: The Bell")
        assert shown.words == "Captain Marrable confessed before noon. He had poisoned the keeper for the"
        with pytest.raises(Refused) as refused:
            await kept.maps.section_shown(consent)
        assert refused.value.code == "no_consent"
        again = await kept.maps.consented(ana.id, book, 1, NOW)
        assert (await kept.maps.section_shown(again)).words.startswith("The keeper drowned himself")

    async def test_a_consent_lapses_after_minutes(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        ana = await kept.library.member("ana")
        consent = await kept.maps.consented(ana.id, book, 4, NOW)
        await kept.minutes_pass()
        with pytest.raises(Refused) as refused:
            await kept.maps.section_shown(consent)
        assert refused.value.code == "no_consent"

    async def test_who_has_left_is_shown_no_section_whatever_they_agreed_to(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        ana = await kept.library.member("ana")
        consent = await kept.maps.consented(ana.id, book, 4, NOW)
        await kept.library.roster.leave(ana.id)
        with pytest.raises(Refused) as refused:
            await kept.maps.section_shown(consent)
        assert refused.value.code == "no_consent"

    async def test_what_was_agreed_to_is_kept_with_its_time(self, kept: Kept) -> None:
        book = await kept.library.add(LANTERN)
        ana, bob = await kept.library.member("ana"), await kept.library.member("bob")
        for number in (4, 2):
            await kept.maps.consented(ana.id, book, number, NOW)
        assert await kept.maps.consents(ana.id) == (SectionConsent(book, 4, NOW), SectionConsent(book, 2, NOW))
        assert await kept.maps.consents(bob.id) == ()

    async def test_calibrations_are_of_one_member_and_one_book(self, kept: Kept) -> None:
        book, other = await kept.library.add(LANTERN), await kept.library.add(LANTERN, file="other")
        ana, bob = await kept.library.member("ana"), await kept.library.member("bob")
        await kept.maps.pages_calibrated(ana.id, book, [Calibration(143, 900), Calibration(20, 100)], NOW)
        assert await kept.maps.calibrations(ana.id, book) == (Calibration(20, 100), Calibration(143, 900))
        await kept.maps.pages_calibrated(ana.id, book, [Calibration(143, 800)], NOW)
        assert await kept.maps.calibrations(ana.id, book) == (Calibration(143, 800),)
        assert await kept.maps.calibrations(bob.id, book) == await kept.maps.calibrations(ana.id, other) == ()
