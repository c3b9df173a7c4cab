"""Pages of a member's own edition: what they say of them, and the place that a page number then means. Pure.

One calibration ("my page 143 begins: ...") ties a page to an offset. Between two of them, and from the last one on, a
page is worked out in proportion, rounded down (INGEST 4.2, 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.core.chapter_maps import Calibration
from bot.core.chapters import ChapterMap
from bot.core.places import Kind, NotLocated, Place, Standing, at, choice
from bot.core.reading import PERCENT_MARGIN, floored
from bot.core.statements import BackTo, PageSaid, Statement

STORY_PAGE: Final = 21
"""By this page of a printed book its story has begun: what comes before is title, dedication and the like. Of pages
before the first calibration this gives the lower offset."""

_SAID: Final = re.compile(
    r"\s*(?:my\s+)?(?:p|pp|pg|page|seite|s|página|pagina|pág|sida|sivu|стр|страница)(?:\b|(?=\d))\.?\s*(?P<page>\d{1,5})\s*"
    r"(?:=|(?:begins|starts|beginnt|empieza|commence)(?:\s+(?:with|mit|con|par))?\s*[:=]?)\s*(?P<words>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTES: Final = " \n\"'“”„‟«»‘’「」『』"

PAGE_FAR: Final = NotLocated(
    "page_far", "That page lies much further on than where you are: say a chapter or a percentage first."
)


@dataclass(frozen=True, slots=True)
class CalibrationSaid:
    """That the member's own edition has ``page`` beginning with ``words``."""

    page: int
    words: str


def calibration_said(said: str) -> CalibrationSaid | None:
    """``p. 143 = "first words"`` or ``my page 143 begins: ...`` as a value, or None for any other statement."""
    found = _SAID.fullmatch(said)
    if found is None or int(found["page"]) < 1:
        return None
    return CalibrationSaid(int(found["page"]), found["words"].strip(_QUOTES))


def page_said(statement: Statement) -> int | None:
    """The page number of a statement, if it is one that can be counted with."""
    page = statement.place if isinstance(statement, BackTo) else statement
    counted = isinstance(page, PageSaid) and page.label.isascii() and page.label.isdigit()
    return (int(page.label) or None) if counted and isinstance(page, PageSaid) else None


def with_calibration(known: Sequence[Calibration], new: Calibration) -> tuple[Calibration, ...]:
    """``new`` with those of ``known`` that agree with it, by page: what does not is of another edition."""
    agreeing = [c for c in known if (c.page < new.page) == (c.offset < new.offset) and c.page != new.page]
    return tuple(sorted([*agreeing, new], key=lambda c: c.page))


def page_place(page: int, known: Sequence[Calibration], chapter_map: ChapterMap, who: Standing) -> Place:
    """The place at the start of ``page``, by one calibration or more, in order of pages; never past the horizon.

    A page that was calibrated is where it was said to be. Any other is rounded down by a margin, and to the start of
    its chapter, but not below the calibration before it.
    """
    exact = next((c.offset for c in known if c.page == page), None)
    offset = _measured(page, known, chapter_map) if exact is None else exact
    offset = min(offset, chapter_map.body_end)
    if offset > who.horizon:
        return PAGE_FAR
    note = f", from page {page} of your edition"
    return choice([at(offset, chapter_map)], chapter_map, Kind.PAGE, certain=exact is not None, note=note)


def _measured(page: int, known: Sequence[Calibration], chapter_map: ChapterMap) -> int:
    first, last = known[0], known[-1]
    start = Calibration(max(1, min(STORY_PAGE, first.page - 1)), min(chapter_map.body_start, first.offset))
    anchors = [*([start] if first.page > 1 else []), *known]
    if page <= anchors[0].page:
        return min(chapter_map.body_start, anchors[0].offset)
    for before, after in pairwise(anchors):
        if page < after.page:
            raw = before.offset + (after.offset - before.offset) * (page - before.page) // (after.page - before.page)
            return _rounded(raw, before.offset, min(raw - before.offset, after.offset - raw), chapter_map)
    lengths = [(last.offset - chapter_map.body_start) / last.page]
    lengths += [(after.offset - before.offset) / (after.page - before.page) for before, after in pairwise(known)]
    raw = last.offset + int(max(0.0, min(lengths)) * (page - last.page))
    return _rounded(min(raw, chapter_map.body_end - 1), last.offset, raw - last.offset, chapter_map)


def _rounded(raw: int, before: int, distance: int, chapter_map: ChapterMap) -> int:
    """``raw`` less a margin (no more than its ``distance`` from the nearest calibration), not below ``before``."""
    margin = min(chapter_map.body_length * PERCENT_MARGIN // 100, distance)
    return max(before, min(raw - margin, floored(max(0, raw - margin), chapter_map)))
