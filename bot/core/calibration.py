"""`/progress` with pages of a member's own edition: one calibration, and from then on page numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.core.chapter_maps import Calibration
from bot.core.chapters import ChapterMap
from bot.core.club import BookId, Member
from bot.core.clubhouse import Clubhouse
from bot.core.pages import CalibrationSaid, calibration_said, page_place, page_said, with_calibration
from bot.core.places import (
    NOT_BEHIND,
    QUOTE_NOT_FOUND,
    Candidate,
    Kind,
    Located,
    NotLocated,
    Standing,
    candidate_at,
    candidate_label,
    choice,
    standing,
)
from bot.core.ports import PositionRecord
from bot.core.progress import QUOTE_TRIES, TOO_MANY_TRIES, Understood, progress, quoted
from bot.core.rebuilding import map_changed
from bot.core.rights import require_member
from bot.core.statements import BackTo, PlainNumber, QuoteSaid, Statement, is_plain, parse

TOO_SHORT = NotLocated(
    "quote_too_short", "Quote the first seven words of the page, or more: fewer stand in too many places."
)
BETWEEN: Final = 40
"""Code points: no more stand between the last word of a sentence and the next sentence. Quoted words end so much before
the offset at which they are found, at most; the page begins at the offset less their length and this, or later."""
STANDS_TWICE = NotLocated(
    "quote_twice", "Those words stand in more than one place: quote more of the page's beginning."
)


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Pages of the member's own edition count from now on: they said how ``page`` begins."""

    page: int


async def place_said(house: Clubhouse, member: Member, book: BookId, said: str) -> Understood | Calibrated | NotLocated:
    """What a member says about where they are, or about the pages of their own edition.

    Page numbers go by that edition once one of its pages was said to begin somewhere, whether or not the file has a
    page list. Raises `Refused` for who has not joined, or where the book was changed at this moment.
    """
    require_member(member)
    if calibrating := calibration_said(said):
        return await _calibrated(house, member, book, calibrating)
    statement = parse(said)
    page = page_said(statement)
    known = await house.maps.calibrations(member.id, book) if page is not None else ()
    if page is not None and known:
        return await _page_said(house, member, book, statement, known)
    return await progress(house.searching.doors, house.roster, member, book, said, house.clock())


@dataclass(frozen=True, slots=True)
class Offered:
    """A place that was offered when a member said something, as numbers alone: a button may carry them.

    ``offset`` is in code points, ``chapter`` the ordinal (``#N``) by which it is named, or None, and ``version`` that
    of the map it was offered on.
    """

    offset: int
    chapter: int | None
    version: int


def offered(candidate: Candidate, seen: Understood) -> Offered:
    """One of the candidates of what a member said, to be chosen now or later."""
    return Offered(candidate.offset, candidate.chapter, seen.chapter_map.version)


def meant_by_number(seen: Understood, chosen: Offered) -> tuple[Offered, Offered] | None:
    """What the plain number may mean that was said (``seen``), in the chapter that was chosen by it: finished with it,
    and still in it.

    None where it was no plain number, or the chapter is not the one that bears it: then the number covers only a part
    of that chapter, and its end is further than what was said.
    """
    chapter = None if chosen.chapter is None else seen.chapter_map.chapter(chosen.chapter)
    if chapter is None or seen.number is None or chosen.offset not in (chapter.start, chapter.end):
        return None
    bears = chapter.printed_number if seen.chapter_map.prints_numbers else chapter.ordinal
    if bears != seen.number:
        return None
    return replace(chosen, offset=chapter.end), replace(chosen, offset=chapter.start)


async def number_means(
    house: Clubhouse, member: Member, book: BookId, means: PlainNumber, version: int
) -> Understood | Calibrated | NotLocated | None:
    """Remember what the member means by a plain number, and read the last one that they said by it.

    None where they have said another place since. ``version`` is of the map on which they were asked: raises `Refused`
    where it has changed, for the number may be another chapter's now, and for who has not joined.
    """
    require_member(member)
    async with house.searching.doors.opened() as door:
        if (await door.chapter_map(book)).version != version:
            raise map_changed()
    await house.roster.plain_number_means(member.id, means.value)
    latest = next(iter(await house.roster.positions(member.id, book)), None)
    if latest is None or not is_plain(parse(latest.said)):
        return None
    return await place_said(house, replace(member, plain_number=means.value), book, latest.said)


async def place_chosen(house: Clubhouse, member: Member, book: BookId, chosen: Offered) -> Understood:
    """Save a place that was offered.

    Raises `Refused` for who has not joined, and where the map has changed since: then it was offered on another one.
    """
    require_member(member)
    async with house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book)
        current = (await door.positions_latest(book, [member.id])).get(member.id)
    if chapter_map.version != chosen.version:
        raise map_changed()
    chapter = None if chosen.chapter is None else chapter_map.chapter(chosen.chapter)
    candidate = candidate_at(chosen.offset, chapter, chapter_map)
    place = choice([candidate], chapter_map, Kind.CHAPTER)
    record = PositionRecord(
        member.id,
        book,
        place.offset,
        place.kind.value,
        candidate_label(candidate, chapter_map),
        place.understood,
        at=house.clock(),
        map_version=chosen.version,
    )
    await house.roster.position_appended(record)
    return Understood(place, current, chapter_map)


async def _standing(house: Clubhouse, member: Member, book: BookId) -> tuple[Standing, ChapterMap]:
    async with house.searching.doors.opened() as door:
        chapter_map = await door.chapter_map(book)
        current = (await door.positions_latest(book, [member.id])).get(member.id)
    return standing(PlainNumber.IN, current, chapter_map), chapter_map


async def _calibrated(house: Clubhouse, member: Member, book: BookId, said: CalibrationSaid) -> Calibrated | NotLocated:
    """Find the words as any quoted words are found: seven or more, five tries a day, no further than the horizon."""
    if not QuoteSaid(said.words).long_enough:
        return TOO_SHORT
    if await house.roster.quote_tries(member.id, book, house.clock()) > QUOTE_TRIES:
        return TOO_MANY_TRIES
    who, _ = await _standing(house, member, book)
    async with house.searching.doors.opened() as door:
        found = await quoted(door, book, said.words, who.horizon)
    if len(found.offsets) > 1:
        return STANDS_TWICE
    if not found.offsets:
        return QUOTE_NOT_FOUND
    new = Calibration(said.page, max(0, found.offsets[0] - len(said.words) - BETWEEN))
    known = with_calibration(await house.maps.calibrations(member.id, book), new)
    await house.maps.pages_calibrated(member.id, book, known, house.clock())
    return Calibrated(said.page)


async def _page_said(
    house: Clubhouse, member: Member, book: BookId, statement: Statement, known: tuple[Calibration, ...]
) -> Understood | NotLocated:
    who, chapter_map = await _standing(house, member, book)
    page = page_said(statement)
    assert page is not None
    place = page_place(page, known, chapter_map, who)
    if isinstance(place, NotLocated):
        return place
    if isinstance(statement, BackTo) and who.current is not None and place.offset > who.current:
        return NOT_BEHIND
    assert isinstance(place, Located)
    await house.roster.position_appended(
        PositionRecord(
            member.id,
            book,
            place.offset,
            Kind.PAGE.value,
            f"p. {page}",
            place.understood,
            at=house.clock(),
            map_version=chapter_map.version,
        )
    )
    return Understood(place, who.current, chapter_map)
