"""The reading schedule of a book: what an admin says becomes chapters with dates. Pure; it knows numbers alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Final

from bot.core.chapters import Chapter, ChapterMap, chapter_name
from bot.core.dates import date_said
from bot.core.errors import Refused
from bot.core.numerals import with_digits
from bot.core.places import Found, NotLocated, Unclear
from bot.core.reading import host_standing, locate, parse
from bot.core.statements import ChapterSaid, PlainNumber, Statement, Whole

WEEK: Final = timedelta(days=7)
FURTHEST: Final = timedelta(days=5 * 366)
"""What is due later than this is a slip of the pen."""
SHORTEST: Final = 4
"""Days: no milestone is computed for a week that is shorter."""


class Spread(StrEnum):
    """How the rest of a book was laid out over weeks."""

    LENGTH = "length"
    CHAPTERS = "chapters"


@dataclass(frozen=True, slots=True)
class Milestone:
    """Chapter ``#chapter`` is to be finished by the end of the day ``due``, in the club's zone."""

    chapter: int
    due: date

    def __post_init__(self) -> None:
        if self.chapter < 1:
            raise ValueError("a milestone is the end of a chapter")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Milestones, each further on and later than the one before; ``spread`` says how computed ones were laid out.

    Raises ``ValueError`` for milestones that are not in order.
    """

    milestones: tuple[Milestone, ...]
    spread: Spread | None = None

    def __post_init__(self) -> None:
        if any(b.chapter <= a.chapter or b.due <= a.due for a, b in pairwise(self.milestones)):
            raise ValueError("milestones must be in order, each later than the one before")


@dataclass(frozen=True, slots=True)
class Due:
    """What a schedule says on a day: the milestone that should have been reached, those due within the next seven
    days, and the first one after them.
    """

    reached: Milestone | None = None
    week: tuple[Milestone, ...] = ()
    later: Milestone | None = None


def due_on(milestones: Iterable[Milestone], day: date) -> Due:
    """What ``milestones``, in order, say on ``day``; what is due on the day itself should have been reached."""
    every = list(milestones)
    behind = [m for m in every if m.due <= day]
    week = tuple(m for m in every if day < m.due <= day + WEEK)
    later = next((m for m in every if m.due > day + WEEK), None)
    return Due(behind[-1] if behind else None, week, later)


_OFF: Final = frozenset(("off", "none", "no schedule", "delete", "remove"))
_BY: Final = re.compile(r"\s(?:is due |due |)(?:by|until|till|->|→)\s", re.IGNORECASE)
_FROM: Final = re.compile(r"\s(?:from|starting|beginning)(?: on)?\s", re.IGNORECASE)
_RATE: Final = re.compile(
    r"(\d{1,4})(?: chapters?| chs?\.?)?(?: a| per| each| every|/| /)? ?(?:week|weekly)(?: (?:from|starting|beginning)"
    r"(?: on)? (.+))?",
    re.IGNORECASE,
)
_SEPARATOR: Final = re.compile(r"\s*[;\n,]\s*(?:and |then )*|\s+(?:and|then)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Rest:
    """The rest of the book over weeks: so many chapters a week, or up to a last day."""

    begin: date | None
    rate: int = 0
    end: date | None = None


def schedule_said(said: str, chapter_map: ChapterMap, today: date, done: int = 0) -> Schedule:
    """The schedule that an admin means; what is computed begins after chapter ``#done``, or after what is named.

    Raises `Refused` with one sentence for what cannot be understood, is past, or lies beyond the last chapter.
    """
    words = " ".join(with_digits(said.casefold()).split()) if said.isascii() else said.casefold()
    if words.strip(" .!") in _OFF:
        return Schedule(())
    if not chapter_map.chapters:
        raise _no_chapters()
    items = [_item(item, chapter_map, today) for item in _items(words, today)]
    if not items:
        raise _not_understood()
    rests = [item for item in items if isinstance(item, _Rest)]
    if len(rests) > 1:
        raise _two_spreads()
    named = sorted((item for item in items if isinstance(item, Milestone)), key=lambda m: m.due)
    _check_order(named, chapter_map)
    if not rests:
        return Schedule(tuple(named))
    if named and isinstance(items[-1], Milestone):
        raise _two_spreads()
    after = named[-1].chapter if named else done
    if after >= len(chapter_map.chapters):
        raise _all_read()
    begin = rests[0].begin or (named[-1].due + timedelta(days=1) if named else today)
    if named and begin <= named[-1].due:
        raise Refused("schedule_order", "The rest must begin after the last date you named: say a later one.")
    left = chapter_map.chapters[after:]
    if rests[0].end is None:
        return Schedule((*named, *_by_rate(left, rests[0].rate, begin)), Spread.CHAPTERS)
    return Schedule((*named, *_by_length(left, begin, rests[0].end)), Spread.LENGTH)


def _items(words: str, today: date) -> list[str]:
    """The parts of a list. "20 December, 2026" and "part 2, chapter 3 by ..." are one each."""
    items: list[str] = []
    whole = True
    for piece in filter(None, _SEPARATOR.split(words.strip(" !;,\n"))):
        dated = whole and items and date_said(f"{_BY.split(items[-1])[-1]}, {piece}", today)
        if items and (not whole or dated):
            items[-1] += f", {piece}"
        else:
            items.append(piece)
        whole = bool(_BY.search(items[-1]) or _RATE.fullmatch(items[-1]))
    return items


def _item(item: str, chapter_map: ChapterMap, today: date) -> Milestone | _Rest:
    if rate := _RATE.fullmatch(item):
        if int(rate[1]) < 1:
            raise Refused("schedule_rate", "At least one chapter a week: say 3 chapters a week from 1 December.")
        return _Rest(_day(rate[2], today) if rate[2] else None, rate=int(rate[1]))
    what, *when = _BY.split(item, maxsplit=1)
    if not when:
        raise _not_understood()
    until, *begin = _FROM.split(when[0], maxsplit=1)
    due = _day(until, today)
    statement = Whole() if what.strip() in {"end", "the end", "finish", "rest", "the rest"} else parse(what)
    if isinstance(statement, Whole):
        start = _day(begin[0], today) if begin else None
        if start is not None and start > due:
            raise Refused("schedule_order", "The schedule would end before it begins: change one of the dates.")
        return _Rest(start, end=due)
    if begin:
        raise _not_understood()
    return Milestone(_chapter(statement, chapter_map), due)


def _day(said: str, today: date) -> date:
    day = date_said(said, today)
    if day is None:
        raise Refused("schedule_date", "That date cannot be read: write it as 2026-12-20, or 20 December 2026.")
    if day < today:
        raise Refused("schedule_past", f"{day.isoformat()} is past: today is {today.isoformat()} for the club.")
    if day > today + FURTHEST:
        raise Refused("schedule_far", f"{day.isoformat()} is more than five years away: check the year.")
    return day


def _chapter(statement: Statement, chapter_map: ChapterMap) -> int:
    if not isinstance(statement, ChapterSaid):
        raise _only_chapters()
    finished = replace(statement, extent=PlainNumber.FINISHED)
    place = locate(finished, chapter_map, Found(), host_standing(chapter_map))
    if isinstance(place, NotLocated):
        if place.code == "past_end":
            last = chapter_name(chapter_map.chapters[-1], chapter_map)
            raise Refused("schedule_past_end", f"The book ends before that: its last is {last}.")
        raise Refused(f"schedule_{place.code}", place.message)
    if isinstance(place, Unclear):
        ordinals = dict.fromkeys(c.chapter for c in place.candidates if c.chapter)
        names = " or ".join(chapter_name(chapter_map.chapters[n - 1], chapter_map) for n in ordinals)
        raise Refused("schedule_unclear", f"That may be {names}: say which, with its part, or as #{min(ordinals)}.")
    if place.chapter is None:
        raise _only_chapters()
    return place.chapter


def _check_order(named: Sequence[Milestone], chapter_map: ChapterMap) -> None:
    for before, after in pairwise(named):
        if after.chapter <= before.chapter or after.due == before.due:
            first, second = (chapter_name(chapter_map.chapters[m.chapter - 1], chapter_map) for m in (before, after))
            raise Refused("schedule_order", f"Dates must go with the chapters: {second} is due after {first}.")


def _by_rate(left: Sequence[Chapter], rate: int, begin: date) -> list[Milestone]:
    """``rate`` chapters each week; the first week ends six days after ``begin``."""
    ends = [*range(rate, len(left), rate), len(left)]
    return [Milestone(left[n - 1].ordinal, begin + WEEK * week - timedelta(days=1)) for week, n in enumerate(ends, 1)]


def _by_length(left: Sequence[Chapter], begin: date, end: date) -> list[Milestone]:
    """About the same number of code points each day, a milestone each week counted back from ``end``; a first week of
    fewer than `SHORTEST` days has none.

    By length and not by chapters, because the longest chapter of a novel is often many times the shortest.
    """
    days = (end - begin).days + 1
    dues = sorted(end - WEEK * back for back in range((days + 7 - SHORTEST) // 7 or 1))
    found: list[Milestone] = []
    first, last = left[0].start, left[-1].end
    for due in dues[:-1]:
        target = first + (last - first) * ((due - begin).days + 1) / days
        nearest = min(left[:-1], key=lambda c: (abs(c.end - target), c.ordinal), default=None)
        if nearest is not None and nearest.ordinal > (found[-1].chapter if found else 0):
            found.append(Milestone(nearest.ordinal, due))
    return [*found, Milestone(left[-1].ordinal, end)]


def _not_understood() -> Refused:
    return Refused(
        "schedule_not_understood",
        "Say what is due and when: 12 by 2026-12-20; several with commas between them; 3 chapters a week from "
        "1 December; end by 2027-01-31 to have the rest spread evenly; or off.",
    )


def _no_chapters() -> Refused:
    return Refused("schedule_no_chapters", "This book has no chapters that a schedule could name.")


def _only_chapters() -> Refused:
    return Refused(
        "schedule_only_chapters",
        "A schedule goes by chapters: say 12 by 2026-12-20, part 2 ch 3 by 20 December, or end.",
    )


def _all_read() -> Refused:
    return Refused("schedule_all_read", "Everyone has finished the book: there is nothing left to schedule.")


def _two_spreads() -> Refused:
    return Refused(
        "schedule_two_spreads",
        "Only the last of several can be spread over weeks: name chapter and date in the others.",
    )
