"""Heading candidates of a PDF: lines that stand out by size, weight or place, grouped as one heading each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.ingest.headings import Heading, Strength, parse_heading
from bot.ingest.pdf.hyphens import LineJoiner
from bot.ingest.pdf.lines import HEADING_RATIO, Line
from bot.ingest.pdf.paragraphs import Layout, joined

_LONGEST: Final = 220  # code points of a line that may be a heading
_NUMBERED_TITLE: Final = re.compile(r"(\d{1,3}|[IVXL]{1,7}) ([^\W\d_].*)")
_NEAR: Final = 3.4  # type sizes between the baselines of a number and its title


@dataclass(frozen=True, slots=True)
class Candidate:
    """Lines ``[first, last)`` of the book's lines that may be one heading.

    ``number_line`` is the text of its first line where that is a chapter or part heading, else empty; ``title`` is the
    rest, or all of it where there is no rest. ``parsed`` is how the first line reads, or None.
    """

    first: int
    last: int
    page: int
    size: float
    title_size: float
    bold: bool
    number_line: str
    title: str
    parsed: Heading | None
    large: bool

    @property
    def silent(self) -> bool:
        """Whether the heading does not stand in the text (a picture): it has no lines."""
        return self.first == self.last

    @property
    def text(self) -> str:
        return (
            f"{self.number_line}\n{self.title}" if self.number_line and self.number_line != self.title else self.title
        )

    @property
    def style(self) -> tuple[int, bool]:
        """Type size in half points, and weight: what headings of one level share."""
        return round(2 * self.size), self.bold


def candidates(lines: Sequence[Line], layout: Layout, joiner: LineJoiner) -> list[Candidate]:
    """All candidates in text order. ``lines`` are the book's lines in reading order, without notes and heads."""
    looks = [_Look(lines, i, layout) for i in range(len(lines))]
    found: list[Candidate] = []
    i = 0
    while i < len(lines):
        if not looks[i].is_candidate:
            i += 1
            continue
        end = i + 1
        while end < len(lines) and looks[end].is_candidate and _runs_on(lines[end - 1], lines[end], 6.0):
            end += 1
        found.extend(_split(lines, looks, (i, end), joiner))
        i = end
    return found


def made_of(lines: Sequence[Line], first: int, last: int, body: float, joiner: LineJoiner) -> Candidate:
    """The lines ``[first, last)`` as a candidate, whatever they look like."""
    text = joined(lines[first:last], joiner).text
    line = lines[first]
    return Candidate(
        first=first,
        last=last,
        page=line.page,
        size=line.size,
        title_size=line.size,
        bold=line.bold,
        number_line="",
        title=text,
        parsed=parse_heading(text),
        large=line.size >= HEADING_RATIO * body,
    )


def _runs_on(before: Line, after: Line, sizes: float) -> bool:
    gap = after.baseline - before.baseline
    return before.page == after.page and 0 < gap <= sizes * max(before.size, after.size)


class _Look:
    """How one line looks among its neighbours."""

    def __init__(self, lines: Sequence[Line], index: int, layout: Layout) -> None:
        line = lines[index]
        self.parsed: Heading | None = None
        self.is_candidate = False
        self.large = line.size >= HEADING_RATIO * layout.body and any(c.isalnum() for c in line.text)
        if not line.text or len(line.text) > _LONGEST:
            return
        plain = not self.large and not line.bold
        left, right = layout.edges(line)
        if plain and line.x1 - line.x0 > 0.92 * (right - left) > 0 and len(line.text) > 40:
            return
        self.parsed = parse_heading(line.text)
        if self.parsed is None and not plain:
            self.parsed = _numbered_title(line.text)
        self.is_candidate = self.large or _stands_out(lines, index, layout, self.parsed)


def _numbered_title(text: str) -> Heading | None:
    """ "1 The Lamp": the wide space that a typesetter puts behind the number is one space in the text."""
    match = _NUMBERED_TITLE.fullmatch(text)
    return parse_heading(f"{match[1]}. {match[2]}") if match else None


def _stands_out(lines: Sequence[Line], index: int, layout: Layout, parsed: Heading | None) -> bool:
    line = lines[index]
    above = index == 0 or _apart(lines[index - 1], line, layout)
    below = index + 1 == len(lines) or _apart(line, lines[index + 1], layout)
    left, right = layout.edges(line)
    middle = (line.x0 + line.x1) / 2
    centred = line.x0 - left > 1.5 * layout.body and abs(middle - (left + right) / 2) < 0.06 * (right - left)
    marked = centred or line.bold
    if parsed is None or parsed.bare:
        caps = line.text.isupper() and len(line.text) > 3
        if parsed is not None and parsed.strength is Strength.WEAK:
            return False
        return above and len(line.text) <= 100 and ((line.bold and below) or (centred and (below or caps)))
    if parsed.strength is Strength.STRONG:
        breaks = index == 0 or layout.breaks(lines[index - 1], line)
        return (above or marked or breaks) and len(line.text) <= _LONGEST
    return above and (below or marked) and parsed.strength is Strength.FAIR


def _apart(before: Line, after: Line, layout: Layout) -> bool:
    if before.page != after.page or before.column != after.column:
        return True
    return after.baseline - before.baseline > 1.35 * layout.leading or after.baseline < before.baseline


def _split(lines: Sequence[Line], looks: Sequence[_Look], run: tuple[int, int], joiner: LineJoiner) -> list[Candidate]:
    """One run of candidate lines as headings: a number takes the title lines near below it."""
    found: list[Candidate] = []
    i = run[0]
    while i < run[1]:
        parsed = looks[i].parsed
        head_end = i + 1
        while head_end < run[1] and _wraps(lines[head_end - 1], lines[head_end], looks[head_end]):
            head_end += 1
        if head_end > i + 1:
            parsed = parse_heading(joined(lines[i:head_end], joiner).text) or parsed
        end = head_end
        if parsed is not None and not parsed.named:
            while end < run[1] and looks[end].parsed is None and _runs_on(lines[end - 1], lines[end], _NEAR):
                end += 1
        found.append(_candidate(lines, (i, head_end, end), parsed, looks[i].large, joiner))
        i = end
    return found


def _wraps(before: Line, after: Line, look: _Look) -> bool:
    """Whether ``after`` is the second line of the same words: same type, set solid."""
    same = abs(before.size - after.size) < 0.4 and before.bold == after.bold
    numbered = look.parsed is not None and (not look.parsed.bare or look.parsed.title.strip(".").isdigit())
    return same and not numbered and _runs_on(before, after, 1.45)


def _candidate(
    lines: Sequence[Line], bounds: tuple[int, int, int], parsed: Heading | None, large: bool, joiner: LineJoiner
) -> Candidate:
    first, head_end, end = bounds
    head = joined(lines[first:head_end], joiner).text
    rest = joined(lines[head_end:end], joiner).text
    numbered = parsed is not None and bool(rest)
    return Candidate(
        first=first,
        last=end,
        page=lines[first].page,
        size=lines[first].size,
        title_size=lines[end - 1].size,
        bold=lines[first].bold,
        number_line=head if numbered else "",
        title=rest if numbered else head,
        parsed=parsed,
        large=large,
    )


def silent_at(lines: Sequence[Line], first: int, title: str) -> Candidate:
    """A heading that is known from the outline alone, before the line ``first``."""
    return Candidate(
        first=first,
        last=first,
        page=lines[first].page,
        size=0.0,
        title_size=0.0,
        bold=False,
        number_line="",
        title=title,
        parsed=parse_heading(title),
        large=False,
    )
