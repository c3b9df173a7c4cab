"""How fast a club may read what is left of a book: the paces that are offered, and how an admin says each. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

RATES: Final = (1, 2, 3, 4, 5, 7, 10, 15, 20)
"""Chapters a week that may be offered."""
SPANS: Final = (2, 3, 4, 6, 8, 10, 12, 16, 20)
"""Weeks over which the rest may be offered to be spread."""
LONGEST: Final = 52
"""Weeks for which a rate is offered at most."""
MOST_RATES: Final = 6
MOST_SPANS: Final = 5
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Pace:
    """So many ``chapters`` a week, or the rest over so many ``weeks``: one of the two is 0.

    ``weekday`` is the day, from Monday, 0, on which each week's part is due; None has the first week begin at once.
    Raises ``ValueError`` for anything else.
    """

    chapters: int = 0
    weeks: int = 0
    weekday: int | None = None

    def __post_init__(self) -> None:
        if min(self.chapters, self.weeks) != 0 or not 1 <= max(self.chapters, self.weeks) <= 999:
            raise ValueError("a pace is so many chapters a week, or so many weeks")
        if self.weekday is not None and not 0 <= self.weekday <= 6:
            raise ValueError("a weekday is one of seven, from 0")

    def said(self, today: date) -> str:
        """As an admin says it on ``today``, the date in the club's zone. The first week is a whole one, and begins
        within the next seven days.
        """
        wait = 0 if self.weekday is None else (self.weekday + 1 - today.weekday()) % 7
        begin = today + timedelta(days=wait)
        if self.chapters:
            return f"{self.chapters} chapters a week from {begin.isoformat()}"
        end = begin + _WEEK * self.weeks - timedelta(days=1)
        return f"end by {end.isoformat()} from {begin.isoformat()}"


def paces(left: int) -> tuple[Pace, ...]:
    """The paces that suit so many chapters as are ``left``: rates that come to different numbers of weeks, within a
    year, then spans of weeks with a chapter or more in each. None where nothing is left.
    """
    rates: dict[int, Pace] = {}
    for rate in RATES:
        weeks = -(-left // rate)
        if 1 <= weeks <= LONGEST and weeks not in rates:
            rates[weeks] = Pace(chapters=rate)
    if left > 0 and not rates:
        rates[LONGEST] = Pace(chapters=min(999, -(-left // LONGEST)))
    spans = [Pace(weeks=weeks) for weeks in SPANS if weeks <= left][-MOST_SPANS:]
    return (*list(rates.values())[:MOST_RATES], *spans)
