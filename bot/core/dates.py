"""Dates as people say them: "2026-12-20", "20 December", "Dec 20th, 2026", "20.12.", "next Sunday", "in 3 weeks"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

JUST_PAST: Final = 60
"""Days: a date said without its year that passed no longer ago is taken for that one, not for next year's."""

_MONTH: Final = r"(?P<month>jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|" + "|".join(MONTHS) + r")\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?"
_YEAR: Final = r"(?:,? (?P<year>\d{4}))?"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\.(?: ?(?P<year>\d{4}))?",
        rf"{_DAY} (?:of )?{_MONTH}{_YEAR}",
        rf"{_MONTH} {_DAY}{_YEAR}",
    )
)
_WEEKDAY: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_LEADING: Final = re.compile(rf"^(?:on )?(?:the )?(?:{_WEEKDAY},? (?=\d|[a-z]))?(?:the )?")
_NEXT: Final = re.compile(rf"(?:next |this |on |coming )*({_WEEKDAY})")
_AHEAD: Final = re.compile(r"in (\d{1,3}) (day|week)s?")


def date_said(said: str, today: date) -> date | None:
    """The date that ``said`` means on ``today``, or None where it means none; it may lie in the past.

    Without a year it is the next one, unless it passed within `JUST_PAST` days. A weekday is the next after ``today``.
    """
    words = " ".join(said.casefold().split()).strip(" !")
    if relative := _relative(words.rstrip("."), today):
        return relative
    bare = _LEADING.sub("", words)
    for text in dict.fromkeys((bare, bare.rstrip("."))):
        for form in _FORMS:
            if match := form.fullmatch(text):
                return _dated(match, today)
    return None


def _relative(words: str, today: date) -> date | None:
    if words in {"today", "tonight"}:
        return today
    if words == "tomorrow":
        return today + timedelta(days=1)
    if match := _NEXT.fullmatch(words):
        wanted = next(n for n, day in enumerate(WEEKDAYS) if day.startswith(match[1][:3]))
        return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)
    if match := _AHEAD.fullmatch(words):
        return today + timedelta(days=int(match[1]) * (7 if match[2] == "week" else 1))
    return None


def _dated(match: re.Match[str], today: date) -> date | None:
    month = match["month"]
    number = int(month) if month.isdigit() else _month(month)
    if match["year"]:
        return _date(int(match["year"]), number, int(match["day"]))
    return next(_without_year(number, int(match["day"]), today), None)


def _without_year(month: int, day: int, today: date) -> Iterator[date]:
    for year in range(today.year - 1, today.year + 9):  # the 29th of February comes within eight years
        found = _date(year, month, day)
        if found is not None and found >= today - timedelta(days=JUST_PAST):
            yield found


def _month(name: str) -> int:
    return next(n for n, month in enumerate(MONTHS, start=1) if month.startswith(name[:3]))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
