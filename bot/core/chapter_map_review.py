"""An admin looks over the chapter map after ingest, and changes it.

An admin is a reader too: a section goes by kind, number and length. Its title and first words are shown past their own
place only with their consent, to them alone, and that is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.core.book_changes import MapChanged
from bot.core.boundary import Boundary
from bot.core.chapter_maps import FirstWords, SectionOnMap
from bot.core.chapters import ChapterMap
from bot.core.club import BookId, Member, private_to
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused
from bot.core.offsets import Span
from bot.core.ports import BookRecord, Door
from bot.core.remarking import Mark
from bot.core.rights import require_admin, require_member
from bot.core.search import Asked, boundary_of

WORDS: Final = 12
"""How many of a section's first words are shown."""
LONGEST_WORDS: Final = 120
"""Code points: what is set without spaces, or in very long words, is cut here."""


@dataclass(frozen=True, slots=True)
class MapReview:
    """The map of a book as one member may see it. ``titles`` has those they have met, by section number.

    ``confirmed`` says whether an admin has said that the map, as it is now, is right.
    """

    book: BookRecord
    sections: tuple[SectionOnMap, ...]
    chapter_map: ChapterMap
    titles: Mapping[int, str]
    confirmed: bool


@dataclass(frozen=True, slots=True)
class MustConsent:
    """The section lies past the member's place: showing it needs their consent."""

    number: int


async def map_review(house: Clubhouse, admin: Member, book: BookRecord) -> MapReview:
    """The map for an admin who has joined, sealed sections too. Raises `Refused` for anybody else."""
    require_admin(admin)
    require_member(admin)
    sections = await house.maps.section_map(book.id)
    confirmed = await house.maps.map_confirmed_at(book.id) is not None
    async with house.searching.doors.opened() as door:
        boundary = await _own_boundary(door, admin, book.id)
        titles = {t.section + 1: t.title for t in await door.titles_met(boundary)}
        chapter_map = await door.chapter_map(book.id)
    return MapReview(book, sections, chapter_map, titles, confirmed)


async def map_confirmed(house: Clubhouse, admin: Member, shown: BookRecord) -> None:
    """An admin says that the map which they were ``shown`` is right (`MapReview.book`).

    Raises `Refused` for anybody else, and where the map was changed since.
    """
    require_admin(admin)
    if not await house.maps.map_confirmed(shown.id, shown.map_version, admin.id, house.clock()):
        raise Refused("map_changed", "The map was changed since you were shown it: look again with /book chapters.")


async def map_marked(house: Clubhouse, admin: Member, book: BookRecord, mark: Mark) -> MapChanged:
    """Mark sections, and with them seals and places. Raises `Refused` for who is no admin, or a mark that cannot be."""
    require_admin(admin)
    await _require_own(house, book)
    return await house.changes.mark(book.id, mark, house.clock())


async def book_replaced(house: Clubhouse, admin: Member, old: BookRecord, new: BookRecord) -> None:
    """Let another file's book take the place of ``old``: everybody keeps their place, and ``old`` is gone.

    Whatever is being answered about ``old`` is withdrawn: there is no such book any more. Raises `Refused` for who is
    no admin, where it is the same file, or where somebody reads ``new`` already.
    """
    require_admin(admin)
    for book in (old, new):
        await _require_own(house, book)
    await house.changes.replace(old.id, new.id, house.clock())


async def _require_own(house: Clubhouse, book: BookRecord) -> None:
    if book.id not in {own.id for own in await house.roster.books()}:
        raise Refused("unknown_book", "The club has no such book: /book list shows those it has.")


async def first_words(house: Clubhouse, admin: Member, book: BookRecord, number: int) -> FirstWords | MustConsent:
    """Title and first words of section ``number``, as far as the admin has read; else that it needs their consent.

    Raises `Refused` for who is no admin or has not joined.
    """
    require_admin(admin)
    require_member(admin)
    section = await _section(house, book, number)
    async with house.searching.doors.opened() as door:
        boundary = await _own_boundary(door, admin, book.id)
        titles = {t.section + 1: t.title for t in await door.titles_met(boundary)}
        words = await _words_read(door, boundary, section.span, titles.get(number, ""))
    if number in titles and words:
        return FirstWords(number, titles[number], words)
    return MustConsent(number)


async def first_words_consented(house: Clubhouse, admin: Member, book: BookRecord, number: int) -> FirstWords:
    """Title and first words of section ``number`` whatever the admin has read: they agreed, and that is kept.

    Shown once, to them alone. Raises `Refused` for who is no admin or has not joined.
    """
    require_admin(admin)
    require_member(admin)
    await _section(house, book, number)
    consent = await house.maps.consented(admin.id, book.id, number, house.clock())
    return await house.maps.section_shown(consent)


async def _section(house: Clubhouse, book: BookRecord, number: int) -> SectionOnMap:
    sections = await house.maps.section_map(book.id)
    if not 1 <= number <= len(sections):
        raise Refused("no_such_section", f"The book has sections 1 to {len(sections)}.")
    return sections[number - 1]


async def _own_boundary(door: Door, member: Member, book: BookId) -> Boundary:
    return await boundary_of(door, Asked(book, "", private_to(member.id)))


async def _words_read(door: Door, boundary: Boundary, span: Span, title: str) -> str:
    """The first words of a section after its title that a reader has read, or nothing."""
    admitted = await door.passages_admitted(boundary)
    at = [n for n, start in zip(admitted.ordinals.tolist(), admitted.starts.tolist(), strict=True) if start in span]
    read = await door.passages_read(boundary, at[:1]) if at else ()
    if not read and (straddling := await door.passage_straddling(boundary)) and straddling.span.start in span:
        read = (straddling,)
    return opening_words(read[0].text.removeprefix(title)) if read else ""


def opening_words(text: str) -> str:
    """The first words of ``text`` on one line."""
    return " ".join(text.split()[:WORDS])[:LONGEST_WORDS]
