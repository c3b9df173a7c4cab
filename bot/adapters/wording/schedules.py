"""Sentences about dates: what is due, the schedule, and the lines of the weekly post that hold no book text."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from bot.adapters.wording import club_place, line, pending
from bot.core.chapters import ChapterMap, chapter_name
from bot.core.notices import DueSoon
from bot.core.schedule import Due, Milestone, Spread
from bot.core.talk import About, Talk
from bot.core.whereabouts import ClubPlace


def day(when: date, today: date, language: str = "en") -> str:
    """A date in words: "Sunday 13 December", with the year where it is not this one."""
    weekday = line("weekdays", language).split(",")[when.weekday()]
    month = line("months", language).split(",")[when.month - 1]
    key = "day" if when.year == today.year else "day_year"
    return line(key, language, weekday=weekday, day=when.day, month=month, year=when.year)


def chapter(milestone: Milestone, chapter_map: ChapterMap) -> str:
    """The chapter of a milestone by its numbers, never its title."""
    return chapter_name(chapter_map.chapters[milestone.chapter - 1], chapter_map)


def schedule(
    title: str, milestones: Iterable[Milestone], chapter_map: ChapterMap, today: date, language: str = "en"
) -> list[str]:
    """The schedule of a book, a line a milestone; those past say so."""
    rows = [
        line(
            "schedule_row" if milestone.due >= today else "schedule_row_past",
            language,
            chapter=chapter(milestone, chapter_map),
            day=day(milestone.due, today, language),
        )
        for milestone in milestones
    ]
    return [line("schedule", language, title=title), *rows] if rows else [line("schedule_none", language, title=title)]


def spread(how: Spread | None, language: str = "en") -> list[str]:
    """How computed milestones were laid out, and why."""
    return [] if how is None else [line(f"schedule_even_{how.value}", language)]


def due(said: Due, chapter_map: ChapterMap, today: date, language: str = "en") -> list[str]:
    """Where the club should be, and what is due next, by numbers."""
    reached = None if said.reached is None else chapter(said.reached, chapter_map)
    if reached is not None and not said.week and said.later is None:
        whole = said.reached is not None and said.reached.chapter == len(chapter_map.chapters)
        return [line("due_over", language) if whole else line("due_over_chapter", language, chapter=reached)]
    lines = [] if reached is None else [line("due_reached", language, chapter=reached)]
    items = [
        line("due_item", language, chapter=chapter(m, chapter_map), day=day(m.due, today, language)) for m in said.week
    ]
    if items:
        lines.append(line("due_week", language, list="; ".join(items)))
    elif said.later is not None:
        when = day(said.later.due, today, language)
        lines.append(line("due_later", language, chapter=chapter(said.later, chapter_map), day=when))
    return lines


def where(club: ClubPlace, language: str = "en") -> list[str]:
    """Where the club is, who is waited for, and what is due: what `/where` tells a room."""
    seen = club.schedule
    lines = [club_place(club.boundary.offset, club.chapter_map, language)]
    if club.pending:
        lines.append(pending(club.pending, language) + ".")
    if club.holding_back:
        lines.append(line("holding_back", language, names=", ".join(club.holding_back)))
    return [*lines, *(due(seen.due, seen.chapter_map, seen.today, language) if seen.schedule.milestones else [])]


def due_soon(told: DueSoon, language: str = "en") -> str:
    """A reminder: what is due and when, by number."""
    ahead = (told.milestone.due - told.today).days
    key = {0: "today", 1: "tomorrow"}.get(ahead)
    when = line(key, language) if key else line("due_on", language, day=day(told.milestone.due, told.today, language))
    return line("reminder", language, title=told.title, chapter=chapter(told.milestone, told.chapter_map), when=when)


def talk(asked: Talk, language: str = "en") -> str:
    """A question to talk about; it holds names of the read part, and is covered in a room."""
    if asked.about is About.QUOTE:
        return line("talk_quote", language, quote=asked.quote)
    if asked.about is About.PART:
        return line("talk_part", language)
    names = dict(zip(("one", "other"), asked.names, strict=False))
    return line(f"talk_{asked.about.value}_{asked.variant}", language, **names)
