"""`/club schedule`: the schedule of a room's book, set by an admin in words or by buttons. What a pace would come to is
shown before it is set; setting it is told to the room.

A button's subject is the room, since what is said to one person may stand in a private chat; its value is what is
meant, and the book that it was meant for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.adapters.chat.parts import Button, Weight
from bot.adapters.chat.places import book_here
from bot.adapters.chat.presses import Action, Press
from bot.adapters.chat.render import number_of
from bot.adapters.chat.said import Said, said
from bot.adapters.chat.scene import Scene, scene_in_room, tell_room
from bot.adapters.wording import line, schedules
from bot.core.club import BookId
from bot.core.club_rooms import rooms_listed
from bot.core.errors import Refused
from bot.core.paces import Pace
from bot.core.rights import require_admin, require_insider
from bot.core.scheduling import ScheduleSeen, paces_offered, schedule_meant, schedule_seen, set_schedule

OFF: Final = "off"
"""The word that takes a schedule away."""
CHOSEN: Final = "✓ "
"""Stands before the label of what is chosen now."""
_MEANT: Final = re.compile(r"(?:(off)|([cw])([1-9][0-9]{0,2})-([0-6x]))-([1-9][0-9]{0,15})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Meant:
    """What a button means: a pace, or None for no schedule, and the book that it was offered for."""

    pace: Pace | None
    book: BookId

    @property
    def value(self) -> str:
        """As it stands in a button: "c3-4-17" is 3 chapters a week, due on Fridays, in book 17; "w8-x-17" 8 weeks."""
        if self.pace is None:
            return f"{OFF}-{self.book}"
        kind, number = ("c", self.pace.chapters) if self.pace.chapters else ("w", self.pace.weeks)
        return f"{kind}{number}-{'x' if self.pace.weekday is None else self.pace.weekday}-{self.book}"

    @property
    def said(self) -> str | Pace:
        return OFF if self.pace is None else self.pace

    @classmethod
    def of(cls, value: str) -> Meant | None:
        """What ``value`` means; None where it is empty or nothing of ours."""
        found = _MEANT.fullmatch(value)
        if found is None:
            return None
        off, kind, number, day, book = found.groups()
        if off:
            return cls(None, BookId(int(book)))
        chapters, weeks = (int(number), 0) if kind == "c" else (0, int(number))
        return cls(Pace(chapters, weeks, None if day == "x" else int(day)), BookId(int(book)))


async def schedule(scene: Scene, what: str | None) -> Said:
    """Show the schedule, to an admin with what it may be; or set it, which is told to the room."""
    require_insider(scene.member)
    if what is not None:
        require_admin(scene.member)
    rooms = await _rooms(scene)
    if len(rooms) > 1:
        if what is not None:
            raise Refused("no_room", line("chat_no_room", scene.language))
        buttons = [Button(_press(scene, Action.SCHEDULE, room), title) for room, title in rooms[:25]]
        return said(line("chat_which_book", scene.language), buttons=buttons)
    ((room, _),) = rooms
    there = await scene_in_room(scene, room)
    return await _begun(there, room) if what is None else said(*await _set(there, what))


async def _rooms(scene: Scene) -> Sequence[tuple[int, str]]:
    """The room that they speak in, by its number; elsewhere one for each book that is read, with its title."""
    listed = await rooms_listed(scene.house)
    if scene.room is not None:
        return [(room.id, "") for room, _ in listed if room.key == scene.room]
    if not listed:
        raise Refused("no_room", line("chat_no_room", scene.language))
    known = [(room, book) for room, book in listed if book is not None and (book.announced or room.book is None)]
    read = {book.id: (room.id, book.title) for room, book in reversed(known)}
    chosen = await book_here(scene) if scene.member.dm_book is not None else None
    if chosen is not None and chosen.id in read:
        return [read[chosen.id]]
    return list(reversed(read.values())) or [(listed[0][0].id, "")]


def _press(scene: Scene, action: Action, room: int, value: str = "") -> Press:
    return Press(action, scene.house.club, room, number_of(scene.member.person), value)


def _rows(seen: ScheduleSeen, language: str) -> list[str]:
    return schedules.schedule(seen.book.title, seen.schedule.milestones, seen.chapter_map, seen.today, language)


async def _set(scene: Scene, said_so: str | Pace, before: ScheduleSeen | None = None) -> list[str]:
    """Set it, and tell the room, unless it is as it was ``before``; what is said of it."""
    seen = await set_schedule(scene.house, scene.member, scene.in_room(), scene.see, said_so)
    rows, language = _rows(seen, scene.language), scene.language
    if not seen.schedule.milestones:
        rows = [line("schedule_off", language, title=seen.book.title)]
    if before is None or before.schedule.milestones != seen.schedule.milestones:
        await tell_room(scene, *rows, key=f"s{int(scene.house.clock().timestamp())}")
    return [*rows, *schedules.spread(seen.schedule.spread, language)]


async def _begun(scene: Scene, room: int) -> Said:
    """The schedule as it is; for an admin with the paces that it may have."""
    language, key = scene.language, scene.in_room()
    if not scene.member.admin:
        seen = await schedule_seen(scene.house, key)
        return said(*_rows(seen, language), *schedules.due(seen.due, seen.chapter_map, seen.today, language))
    seen, paces = await paces_offered(scene.house, scene.member, key, scene.see)
    book = seen.book.id
    buttons = [
        Button(_press(scene, Action.SCHEDULE, room, Meant(pace, book).value), _label(pace, language)) for pace in paces
    ]
    if seen.schedule.milestones:
        off = _press(scene, Action.SCHEDULE, room, Meant(None, book).value)
        buttons.append(Button(off, line("chat_schedule_none", language), begins=True))
    post = line("chat_weekly_post", language)
    buttons.append(Button(_press(scene, Action.WEEKLY, room), post, begins=not seen.schedule.milestones))
    due = schedules.due(seen.due, seen.chapter_map, seen.today, language)
    how = [line("chat_schedule_how", language)] if paces else []
    rows = _rows(seen, language)
    if paces and not seen.schedule.milestones:
        rows = [line("chat_schedule_unset", language, title=seen.book.title)]
    return said(*rows, *due, *how, buttons=buttons)


def _label(pace: Pace, language: str) -> str:
    if pace.chapters:
        return line("chat_pace_chapters", language, count=pace.chapters)
    return line("chat_pace_weeks", language, count=pace.weeks)


async def offered(scene: Scene, press: Press) -> Said:
    """What a pace would come to, to be set or not; or the schedule as it is, where none was chosen."""
    require_insider(scene.member)
    there, room = await scene_in_room(scene, press.subject), press.subject
    meant = Meant.of(press.value)
    if meant is None:
        return await _begun(there, room)
    seen = await schedule_meant(scene.house, scene.member, there.in_room(), there.see, meant.said)
    if seen.book.id != meant.book:
        return await _begun(there, room)
    return _draft(scene, room, meant, seen)


def _draft(scene: Scene, room: int, meant: Meant, seen: ScheduleSeen) -> Said:
    language, buttons = scene.language, []
    if meant.pace is None:
        lines = [line("chat_schedule_would_end", language, title=seen.book.title)]
        confirm = line("chat_schedule_none", language)
    else:
        head, confirm = line("chat_schedule_would_be", language, title=seen.book.title), line("chat_set_it", language)
        lines = [head, *_rows(seen, language)[1:], *schedules.spread(seen.schedule.spread, language)]
        due = seen.schedule.milestones[-1].due.weekday()
        for weekday, name in enumerate(line("weekdays", language).split(",")):
            other = replace(meant, pace=replace(meant.pace, weekday=weekday))
            press = _press(scene, Action.SCHEDULE, room, other.value)
            buttons.append(Button(press, f"{CHOSEN if weekday == due else ''}{name}"))
        lines.append(line("chat_schedule_days", language))
    buttons.append(Button(_press(scene, Action.SET_SCHEDULE, room, meant.value), confirm, Weight.MAIN, begins=True))
    buttons.append(Button(_press(scene, Action.SCHEDULE, room), line("chat_schedule_back", language)))
    return said(*lines, buttons=buttons)


async def chosen(scene: Scene, press: Press) -> Said:
    """Set what was shown, and tell the room; a second press tells it nothing."""
    require_admin(scene.member)
    there, room = await scene_in_room(scene, press.subject), press.subject
    meant = Meant.of(press.value)
    seen = await schedule_seen(scene.house, there.in_room())
    if meant is None or seen.book.id != meant.book:
        return await _begun(there, room)
    lines = await _set(there, meant.said, seen)
    again = Button(_press(scene, Action.SCHEDULE, room), line("chat_schedule_change", scene.language))
    return said(line("chat_schedule_set", scene.language), *lines, buttons=[again])
