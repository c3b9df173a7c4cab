"""The weekly club progress of a room, as a value: who is where, what is due, and what everyone has newly read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.core.answer import Citation
from bot.core.audience import See, for_room
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap, finished_chapter
from bot.core.club import BookId, Member, MemberId
from bot.core.club_rooms import book_read
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused, SpoilerLeak
from bot.core.evidence import Evidence
from bot.core.highlights import highlights
from bot.core.membership import pending
from bot.core.ports import BookRecord, Door, NameMet
from bot.core.rooms import is_quiet
from bot.core.schedule import Due, Milestone, due_on
from bot.core.search import boundary_of
from bot.core.talk import Talk, talk_about
from bot.core.timetable import WeekRecord
from bot.core.weekly import IsoWeek, week_of, weekly_due, weekly_next

WEEKS: Final = 16
"""How many weeks of the club are told."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How many chapters a member who shows their place has finished, and how many when the post before was made."""

    name: str
    chapters: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class WeekPoint:
    """How many chapters everyone had finished in a week, and how many the schedule asked for by its end.

    ``club`` is None in weeks of which nothing is known (none was posted, or they are to come).
    """

    week: IsoWeek
    club: int | None
    expected: int | None


@dataclass(frozen=True, slots=True)
class WeeklyPost:
    """One week's post for one room. ``places`` are what stands behind the bars, by member.

    ``reached`` is the club's place, an offset in code points: its boundary's, and while nobody counts (all are away)
    what it was when the post before was made. ``moved`` says that it or a bar is further on than then; ``waiting`` is
    how many of the audience have not said where they are. Raises `SpoilerLeak` when a highlight was admitted under any
    other boundary.
    """

    week: IsoWeek
    day: date
    book: BookRecord
    boundary: Boundary
    chapter_map: ChapterMap
    bars: tuple[Bar, ...]
    places: Mapping[MemberId, int]
    due: Due
    scheduled: bool
    points: tuple[WeekPoint, ...]
    highlights: tuple[Citation, ...]
    talk: Talk | None
    waiting: int
    reached: int
    moved: bool

    def __post_init__(self) -> None:
        if any(citation.evidence.boundary != self.boundary for citation in self.highlights):
            raise SpoilerLeak("a highlight was admitted under another boundary than its post's")

    @property
    def finished(self) -> int:
        """How many chapters everyone has finished."""
        return chapters_done(self.reached, self.chapter_map)

    @property
    def record(self) -> WeekRecord:
        """What is kept of it."""
        audience = self.boundary.audience.members
        return WeekRecord(self.week, self.book.id, self.reached, audience, self.places)


def no_book() -> Refused:
    """Nothing is read."""
    return Refused("no_book", "The club reads no book yet: an admin adds one.")


def chapters_done(offset: int, chapter_map: ChapterMap) -> int:
    """How many chapters end at or before ``offset``."""
    chapter = finished_chapter(offset, chapter_map)
    return chapter.ordinal if chapter else 0


async def weekly_post(
    house: Clubhouse, room: str, see: See, now: datetime, week: IsoWeek | None = None, viewer: MemberId | None = None
) -> WeeklyPost:
    """The post of ``week`` (by default the next to be sent) for ``room`` (its key), under the room's boundary.

    Where a ``viewer`` is shown it alone, they count too, whatever else is known of them.
    The book, the boundary, the places and all evidence are read in one transaction. Raises `Refused` where nothing is
    read.
    """
    book = await book_read(house, room)
    if book is None:
        raise no_book()
    milestones = await house.timetable.schedule(book.id)
    weeks = await house.timetable.weeks(book.id)
    async with house.searching.doors.opened() as door:
        book = await door.book(book.id)
        settings = settings_of(await door.settings())
        week = week or _next_week(settings, now, weeks)
        earlier = [record for record in weeks if record.week < week][-WEEKS:]
        boundary = await boundary_of(door, for_room(room, book.id, see, viewer))
        shown = await _shown(door, book.id)
        chapter_map = await door.chapter_map(book.id)
        waiting = await pending(door, boundary)
        last = earlier[-1].boundary if earlier else 0
        reached = boundary.offset if boundary.audience.members else min(last, book.body_end)
        start = min(last, reached)
        evidence = await _newly_read(door, boundary, start)
        names = await door.names_met(boundary) if evidence else ()
    day = now.astimezone(settings.time_zone).date()
    kept = [m for m in milestones if m.chapter <= len(chapter_map.chapters)]
    places = {member.id: chapters_done(offset, chapter_map) for member, offset in shown}
    before = earlier[-1].chapters if earlier else {}
    bars = tuple(Bar(member.name, places[member.id], before.get(member.id)) for member, _ in shown)
    quotes, talk = await asyncio.to_thread(_told, evidence, start, book.language, names, week)
    return WeeklyPost(
        week=week,
        day=day,
        book=book,
        boundary=boundary,
        chapter_map=chapter_map,
        bars=bars,
        places=places,
        due=due_on(kept, day),
        scheduled=bool(kept),
        points=_points(earlier, week, reached, chapter_map, kept),
        highlights=quotes,
        talk=talk,
        waiting=waiting,
        reached=reached,
        moved=reached > start or any(bar.chapters > (bar.before or 0) for bar in bars),
    )


async def weekly_holds(house: Clubhouse, room: str, see: See, post: WeeklyPost, viewer: MemberId | None = None) -> bool:
    """Whether the book and its map are the same, and the audience, nobody went back behind the boundary, and no bar is
    one member's secret now, or longer than their place; and whether the room is the club's still, and anything may be
    said there, or the one ``viewer`` who alone sees it is in the club still.
    """
    async with house.searching.doors.opened() as door:
        there = await door.room(room)
        if there is None or (viewer is None and is_quiet(there, house.clock())):
            return False
        try:
            book = await door.book(post.book.id)
        except Refused:  # it was removed, or replaced by another file
            return False
        boundary = await boundary_of(door, for_room(room, post.book.id, see, viewer))
        if viewer is not None and not any(m.id == viewer and m.joined for m in await door.present(post.book.id)):
            return False
        shown = {member.id: chapters_done(at, post.chapter_map) for member, at in await _shown(door, post.book.id)}
    same = boundary.audience == post.boundary.audience and boundary.offset >= post.boundary.offset
    bars = all(chapters <= shown.get(member, -1) for member, chapters in post.places.items())
    return same and book.same_text(post.book) and bars


def _next_week(settings: ClubSettings, now: datetime, weeks: Sequence[WeekRecord]) -> IsoWeek:
    """The week of the post that is due, or, where it has been made, of the next one."""
    due = weekly_due(settings, now).week
    current = week_of(now.astimezone(settings.time_zone).date())
    if due == current and due not in {record.week for record in weeks}:
        return due
    return weekly_next(settings, now).week


async def _shown(door: Door, book: BookId) -> list[tuple[Member, int]]:
    """Members who show the club their place, by name, with it.

    Who is away or aside is left out like who hides theirs: their place beside the club's would tell that it does not
    count.
    """
    members = [m for m in await door.members() if m.joined and m.shown and not m.away and not m.aside]
    places = await door.positions_latest(book, [member.id for member in members])
    return [(member, places[member.id]) for member in members if member.id in places]


async def _newly_read(door: Door, boundary: Boundary, start: int) -> tuple[Evidence, ...]:
    """The body from ``start`` (an offset) to the boundary, as evidence in text order."""
    if boundary.offset <= start:
        return ()
    admitted = await door.passages_admitted(boundary)
    new = admitted.ordinals[admitted.bodies & (admitted.ends > start)]
    passages = [*await door.passages_read(boundary, new.tolist())]
    straddling = await door.passage_straddling(boundary)
    if straddling is not None and straddling.span.end > start:
        passages.append(straddling)
    return tuple(Evidence(boundary, passage) for passage in passages)


def _told(
    evidence: Sequence[Evidence], start: int, language: str, names: Sequence[NameMet], week: IsoWeek
) -> tuple[tuple[Citation, ...], Talk | None]:
    if not evidence:
        return (), None
    quotes = highlights(evidence, start, language, [name.name for name in names])
    return quotes, talk_about(evidence, start, names, quotes, week)


def _points(
    earlier: Sequence[WeekRecord],
    week: IsoWeek,
    reached: int,
    chapter_map: ChapterMap,
    milestones: Sequence[Milestone],
) -> tuple[WeekPoint, ...]:
    """The weeks from the first that was posted, and those to come up to the end of the schedule."""
    club = {record.week: chapters_done(record.boundary, chapter_map) for record in earlier}
    club[week] = chapters_done(reached, chapter_map)
    first = min(club)
    last = max(week, *(week_of(m.due) for m in milestones)) if milestones else week
    points: list[WeekPoint] = []
    day = first.day(6)
    while week_of(day) <= last and len(points) < 2 * WEEKS:
        asked = due_on(milestones, day).reached
        at = week_of(day)
        points.append(WeekPoint(at, club.get(at), asked.chapter if asked else (0 if milestones else None)))
        day = date.fromordinal(day.toordinal() + 7)
    return tuple(points)
