"""Footnotes: the small type at the foot of a page or column, taken out of the prose and kept with its page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.ingest.pdf.lines import Line, Page

_SMALL: Final = 0.92  # of the body size
_LABEL: Final = re.compile(r"[\[(]?(\d{1,3}|[*∗†‡§¶‖]{1,4})[\])]?[.:]?\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Note:
    """One footnote: the page and the label of its marker ("3", "*"), and its lines."""

    page: int
    label: str
    lines: tuple[Line, ...]


def without_notes(pages: Sequence[Page], body: float) -> tuple[list[Page], list[Note]]:
    """The pages (lines in reading order) without footnotes, and the footnotes in the order of the pages."""
    kept: list[Page] = []
    notes: list[Note] = []
    last_page = -2  # the last page that had a note, which may run on
    for page in pages:
        taken: set[int] = set()
        for column in sorted({line.column for line in page.lines}):
            lines = [line for line in page.lines if line.column == column]
            foot = _small_foot(lines, body)
            start = next((i for i, line in enumerate(foot) if _label(line) is not None), None)
            if start is None and last_page != page.number - 1:
                continue
            runs_on = foot[:start]
            if runs_on and notes and last_page == page.number - 1:
                notes[-1] = replace(notes[-1], lines=(*notes[-1].lines, *runs_on))
                taken.update(id(line) for line in runs_on)
            if start is not None:
                notes.extend(_split(foot[start:]))
                taken.update(id(line) for line in foot[start:])
        if taken:
            last_page = page.number
        kept.append(replace(page, lines=tuple(line for line in page.lines if id(line) not in taken)))
    return kept, notes


def _small_foot(lines: Sequence[Line], body: float) -> list[Line]:
    """The trailing run of small lines of one column, if there is larger type above it."""
    by_height = sorted(lines, key=lambda line: line.baseline)
    start = len(by_height)
    while start and by_height[start - 1].size <= _SMALL * body:
        start -= 1
    return by_height[start:] if start else []


def _label(line: Line) -> str | None:
    if line.markers and line.markers[0][0] == 0:
        return line.markers[0][1]
    match = _LABEL.match(line.text)
    return match[1].replace("∗", "*") if match else None


def _split(lines: Sequence[Line]) -> Iterable[Note]:
    """Notes that follow one another; a number starts a note only where it goes on from the one before."""
    current: list[Line] = []
    label = ""
    for line in lines:
        found = _label(line)
        if found is not None and (not current or _goes_on(label, found)):
            if current:
                yield Note(current[0].page, label, tuple(current))
            current, label = [_without_label(line)], found
        else:
            current.append(line)
    if current:
        yield Note(current[0].page, label, tuple(current))


def _goes_on(before: str, after: str) -> bool:
    if before.isdigit() and after.isdigit():
        return int(after) == int(before) + 1
    return not after.isdigit()


def _without_label(line: Line) -> Line:
    if line.markers and line.markers[0][0] == 0:
        return replace(line, markers=())
    return replace(line, text=_LABEL.sub("", line.text, count=1), markers=())
