"""An admin sets the schedule, members ask what is due, and who opted in is reminded privately."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.core.audience import See, for_room
from bot.core.chapters import ChapterMap
from bot.core.club import Member
from bot.core.club_rooms import book_read, books_read
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.notices import DueSoon, Tell
from bot.core.paces import Pace, paces
from bot.core.ports import BookRecord
from bot.core.rights import require_admin, require_member
from bot.core.schedule import Due, Milestone, Schedule, due_on, schedule_said
from bot.core.search import boundary_of
from bot.core.weekly import local_day
from bot.core.weekly_post import chapters_done, no_book

REMIND_DAYS: Final = 2
"""Members are reminded so many days before a chapter is due, or as soon after as there is a round."""


@dataclass(frozen=True, slots=True)
class ScheduleSeen:
    """The schedule of a room's book, and what it says ``today``, the date in the club's zone."""

    book: BookRecord
    chapter_map: ChapterMap
    schedule: Schedule
    due: Due
    today: date


async def schedule_seen(house: Clubhouse, room: str) -> ScheduleSeen:
    """The schedule of the book that is read in ``room`` (its key). Raises `Refused` where none is read."""
    book = await book_read(house, room)
    if book is None:
        raise no_book()
    milestones = await house.timetable.schedule(book.id)
    async with house.searching.doors.opened() as door:
        settings = settings_of(await door.settings())
        chapter_map = await door.chapter_map(book.id)
    return _seen(book, chapter_map, Schedule(milestones), local_day(house.clock(), settings.time_zone))


async def schedule_meant(house: Clubhouse, admin: Member, room: str, see: See, said: str | Pace) -> ScheduleSeen:
    """The schedule that an admin means for the book of a room, which stays as it is; what is computed begins after what
    all have finished. Raises `Refused` with one sentence.
    """
    require_admin(admin)
    seen = await schedule_seen(house, room)
    words = said.said(seen.today) if isinstance(said, Pace) else said
    schedule = schedule_said(words, seen.chapter_map, seen.today, await _done(house, room, see, seen))
    return _seen(seen.book, seen.chapter_map, schedule, seen.today)


async def set_schedule(house: Clubhouse, admin: Member, room: str, see: See, said: str | Pace) -> ScheduleSeen:
    """Give the book of a room the schedule that an admin means: `schedule_meant`. Raises `Refused`."""
    meant = await schedule_meant(house, admin, room, see, said)
    await house.timetable.schedule_set(meant.book.id, meant.schedule.milestones, admin.id, house.clock())
    return meant


async def paces_offered(house: Clubhouse, admin: Member, room: str, see: See) -> tuple[ScheduleSeen, tuple[Pace, ...]]:
    """The schedule of the book of a room, and the paces that suit what not all have finished. Raises `Refused`."""
    require_admin(admin)
    seen = await schedule_seen(house, room)
    return seen, paces(len(seen.chapter_map.chapters) - await _done(house, room, see, seen))


async def _done(house: Clubhouse, room: str, see: See, seen: ScheduleSeen) -> int:
    """The last chapter that all have finished who count in a room."""
    async with house.searching.doors.opened() as door:
        boundary = await boundary_of(door, for_room(room, seen.book.id, see))
    return chapters_done(boundary.offset, seen.chapter_map)


async def remind(house: Clubhouse, member: Member, on: bool) -> None:
    """A member opts in to reminders, or out. Raises `Refused` for who is no member."""
    require_member(member)
    await house.roster.reminded(member.id, on)


async def send_reminders(house: Clubhouse, tell: Tell, now: datetime) -> int:
    """Remind every member who opted in of what is due in two days or less and what they have not finished; each once.

    Every book that is read now and has a schedule counts; of one that a room alone reads those are reminded who have
    said a place in it. Returns how many were told. One that could not be delivered is not tried again.
    """
    told = 0
    for book in await books_read(house):
        milestones = await house.timetable.schedule(book.id)
        for member, notice in await _reminders(house, book, milestones, now) if milestones else ():
            if await house.timetable.reminder_kept(member.id, book.id, notice.milestone, now):
                told += await tell.tell(member, notice)
    return told


async def _reminders(
    house: Clubhouse, book: BookRecord, milestones: tuple[Milestone, ...], now: datetime
) -> list[tuple[Member, DueSoon]]:
    async with house.searching.doors.opened() as door:
        settings = settings_of(await door.settings())
        chapter_map = await door.chapter_map(book.id)
        members = [m for m in await door.members() if m.joined and m.reminded and m.reachable and not m.away]
        places = await door.positions_latest(book.id, [m.id for m in members])
        current = await door.current_book()
    if current is None or current.id != book.id:
        members = [m for m in members if m.id in places]
    today = local_day(now, settings.time_zone)
    soon = [
        m
        for m in milestones
        if today <= m.due <= today + timedelta(days=REMIND_DAYS) and m.chapter <= len(chapter_map.chapters)
    ]
    return [
        (member, DueSoon(book.title, milestone, chapter_map, today))
        for member in members
        for milestone in soon
        if chapters_done(places.get(member.id, 0), chapter_map) < milestone.chapter
    ]


def _seen(book: BookRecord, chapter_map: ChapterMap, schedule: Schedule, today: date) -> ScheduleSeen:
    """What is said of a schedule; chapters that the book no longer has are left out."""
    kept = tuple(m for m in schedule.milestones if m.chapter <= len(chapter_map.chapters))
    return ScheduleSeen(book, chapter_map, Schedule(kept, schedule.spread), due_on(kept, today), today)
