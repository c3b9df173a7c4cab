"""Sentences about people: what one of them is told alone, the list of members, privacy, and what was deleted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.adapters.wording import line, schedules
from bot.core.chapters import ChapterMap, chapter_name
from bot.core.membership import Listed
from bot.core.notices import CountsAgain, DueSoon, Notice, NowAway, WhereAreYou
from bot.core.privacy import Inference, Privacy
from bot.core.roster import Forgotten

_DELETED: Final = (
    "positions",
    "questions",
    "quote_tries",
    "pages",
    "consents",
    "looked_ahead",
    "verdicts",
    "presses",
    "reminders",
    "weekly_places",
    "spoiled",
    "nominations",
    "votes",
    "settings_changed",
    "schedule_set",
    "books_added",
)
"""Kinds of what is kept of a person that have a line of their own."""


def notice(told: Notice, language: str = "en") -> str:
    """What a member is told alone."""
    if isinstance(told, NowAway):
        return line("now_away", language, count=told.days)
    if isinstance(told, CountsAgain):
        return line("counts_again", language)
    if isinstance(told, DueSoon):
        return schedules.due_soon(told, language)
    if isinstance(told, WhereAreYou):
        return line("asked_where", language, titles=", ".join(told.titles))
    return line("set_aside", language)


def listed(member: Listed, chapter_map: ChapterMap | None, language: str = "en") -> str:
    """A member in the list: the last whole chapter of one who shows their place, and else the name alone."""
    if not member.placed or chapter_map is None:
        return line("listed", language, name=member.name)
    if member.chapter is None:
        place = line("listed_none", language)
    elif member.chapter == chapter_map.chapters[-1]:
        place = line("listed_whole", language)
    else:
        place = line("listed_end_of", language, chapter=chapter_name(member.chapter, chapter_map))
    return line("listed_place", language, name=member.name, place=place)


def inference(known: Inference, language: str = "en") -> str:
    """What a room can still infer of a place that is hidden."""
    return line(f"infer_{known.value}", language)


def privacy(seen: Privacy, language: str = "en") -> list[str]:
    """What a member chose, and what can be inferred in any case; nothing for who is no member."""
    if seen.inference is None:
        return []
    chosen = "shown_unsaid" if seen.shown is None else "shown_yes" if seen.shown else "shown_no"
    return [line(chosen, language), inference(seen.inference, language)]


def erased(clubs: Iterable[Forgotten], language: str = "en") -> list[str]:
    """What was deleted of a person, by kind, in one club or in several; and what stays, and why."""
    every = list(clubs)
    counts: dict[str, int] = {}
    for one in every:
        for kind, count in one.counts.items():
            known = kind if kind in _DELETED else "other"
            counts[known] = counts.get(known, 0) + count
    what = [
        line(f"forgotten_{kind}", language, count=counts[kind]) for kind in (*_DELETED, "other") if counts.get(kind)
    ]
    told = [line("forgotten_row", language, what=", ".join([line("forgotten_name", language), *what]))]
    if len(every) > 1:
        told.append(line("forgotten_clubs", language, count=len(every)))
    if counts.get("quote_tries") or counts.get("questions"):
        told.append(line("forgotten_tries", language))
    if any(one.stays_removed for one in every):
        told.append(line("forgotten_removed", language))
    return told
