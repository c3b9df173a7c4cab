"""Paragraphs from lines: by indent, by a last line that ends early, by a gap; never by the end of a page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from bot.ingest.pdf.hyphens import LineJoiner
from bot.ingest.pdf.lines import SOFT_HYPHEN, Line

_CLOSED: Final = ("”", "»", "」", '"')
_OPENED: Final = ("“", "«", "「", '"')
_ENDINGS: Final = tuple(".!?…:;—。！？”’\"'»)］」』")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph's text. ``pages`` are (index into ``text``, page) where a page of the file begins in it;
    ``markers`` are (index, page, label) of note markers.
    """

    text: str
    pages: tuple[tuple[int, int], ...]
    markers: tuple[tuple[int, int, str], ...]


class Layout:
    """The measures that decide on paragraphs, taken from all body lines of the book (points)."""

    def __init__(self, lines: Sequence[Line], body: float) -> None:
        self.body = body
        prose = [line for line in lines if abs(line.size - body) <= 0.1 * body and line.text]
        self._by_column: dict[tuple[int, int], list[Line]] = defaultdict(list)
        for line in prose:
            self._by_column[(line.page, line.column)].append(line)
        steps = [
            after.baseline - before.baseline
            for column in self._by_column.values()
            for before, after in pairwise(column)
            if 0 < after.baseline - before.baseline < 3 * body
        ]
        self.leading = median(steps) if steps else 1.2 * body
        self._edges = self._all_edges(prose)
        full = sum(abs(self.edges(line)[1] - line.x1) < 0.25 * body for line in prose)
        indented = sum(0.6 * body < line.x0 - self.edges(line)[0] < 5 * body for line in prose)
        self._ragged = full < 0.35 * len(prose)
        self._indents = indented >= 0.04 * len(prose)

    def _all_edges(self, prose: Sequence[Line]) -> dict[tuple[int, int], tuple[float, float]]:
        usual: dict[tuple[int, int], tuple[float, float]] = {}
        for parity, column in {(line.page % 2, line.column) for line in prose}:
            same = [line for line in prose if line.page % 2 == parity and line.column == column]
            usual[(parity, column)] = (_common(line.x0 for line in same), _right(line.x1 for line in same))
        edges: dict[tuple[int, int], tuple[float, float]] = {}
        for key, lines in self._by_column.items():
            left, right = usual[(key[0] % 2, key[1])]
            if len(lines) >= 8:
                own = _common(line.x0 for line in lines)
                # Half the lines of a page of short speeches are indented: then its margin is the usual one.
                left = own if abs(own - left) > 4 * self.body else min(left, own) if own < left else left
                right = (
                    max(line.x1 for line in lines) if right - max(line.x1 for line in lines) > 3 * self.body else right
                )
            edges[key] = (left, right)
        return edges

    def edges(self, line: Line) -> tuple[float, float]:
        """Left and right edge of the column that ``line`` stands in."""
        return self._edges.get((line.page, line.column), (line.x0, line.x1))

    def breaks(self, before: Line, after: Line) -> bool:
        """Whether ``after`` begins a new paragraph."""
        together = before.page == after.page and before.column == after.column
        gap = together and not after.drop_cap and after.baseline - before.baseline > 1.4 * self.leading
        if gap or abs(before.size - after.size) > 0.12 * self.body:
            return True
        if before.text.endswith(("-", "\u2010", SOFT_HYPHEN)) and after.text[:1].islower():
            return False
        one_speech_after_another = before.text.endswith(_CLOSED) and after.text.startswith(_OPENED)
        if after.drop_cap or (not together and one_speech_after_another):
            return True
        return self._begins_indented(before, after) or self._stops_short(before, after, self.edges(before)[1])

    def _begins_indented(self, before: Line, after: Line) -> bool:
        indent, indent_before = after.x0 - self.edges(after)[0], before.x0 - self.edges(before)[0]
        if indent <= 0.6 * self.body:
            return False
        return abs(indent - indent_before) >= 0.3 * self.body or before.text.endswith(_ENDINGS)

    def _stops_short(self, before: Line, after: Line, right: float) -> bool:
        """Whether the first word of ``after`` would have fitted on the line before: its end was meant."""
        word = after.text.split(" ", 1)[0]
        width = (after.x1 - after.x0) / max(1, len(after.text))
        if after.text and ord(after.text[0]) >= 0x2E80:
            return right - before.x1 > 2.6 * before.size
        room = right - before.x1
        needed = (len(word) + 1) * width
        ended = before.text.endswith(_ENDINGS)
        if self._ragged:  # then only a line that ends a sentence far from the edge, in a book that does not indent
            return ended and not self._indents and room > max(needed * 1.6, 0.25 * (right - self.edges(before)[0]))
        return room > needed * (1.15 if ended else 1.6) + (0 if ended else 0.1 * (right - self.edges(before)[0]))


def _common(values: Iterable[float]) -> float:
    counts = Counter(round(value) for value in values)
    if not counts:
        return 0.0
    most = max(counts.values())
    return float(min(value for value, count in counts.items() if count >= 0.4 * most))


def _right(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.97 * len(ordered)))] if ordered else 0.0


def paragraphs(lines: Sequence[Line], layout: Layout, joiner: LineJoiner) -> list[Paragraph]:
    """The paragraphs of ``lines`` (in reading order, without headings)."""
    groups: list[list[Line]] = []
    for line in lines:
        if groups and not layout.breaks(groups[-1][-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [joined(group, joiner) for group in groups]


def joined(lines: Sequence[Line], joiner: LineJoiner) -> Paragraph:
    """One paragraph of ``lines``. Where a page begins inside a word, the page is said to begin with that word."""
    text = ""
    pages: list[tuple[int, int]] = []
    markers: list[tuple[int, int, str]] = []
    for line in lines:
        drop, between = joiner.seam(text, line.text)
        text = text[: len(text) - drop] + between
        at = len(text)
        if not pages or pages[-1][1] != line.page:
            pages.append((at if between or not text else text.rfind(" ") + 1, line.page))
        markers.extend((at + index, line.page, label) for index, label in line.markers)
        text += line.text
    text = text.rstrip(SOFT_HYPHEN)
    return Paragraph(text, tuple(pages), tuple((min(at, len(text)), page, label) for at, page, label in markers))
