"""The reading order of a page's lines: one column after another, top to bottom, however the file draws them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.ingest.pdf.lines import Line, Page

_SAME_ROW: Final = 0.5  # of the smaller height
_LEAST_PAIRS: Final = 4  # rows that must show two columns side by side


def gutter_of(page: Page) -> float | None:
    """The x (points) of the left edge of the second of two columns, or None on a page of one column.

    It is the left edge shared by several fragments that have another fragment on their left, and that no more than
    a few lines (headings, running heads) cross.
    """
    lines = [line for line in page.lines if line.text]
    starts: Counter[int] = Counter()
    for left, right in _side_by_side(lines):
        if right.x0 > 0.3 * page.width and left.x1 <= right.x0:
            starts[round(right.x0 / 2)] += 1
    best: float | None = None
    most = _LEAST_PAIRS - 1
    for key, count in sorted(starts.items()):
        near = count + starts[key + 1]
        x = 2.0 * key - 2
        crossing = sum(line.x0 < x - 2 and line.x1 > x + 4 for line in lines)
        right_side = sum(line.x0 >= x - 2 for line in lines)
        wide = [line for line in lines if line.x0 >= x - 2 and line.x1 - line.x0 > 0.2 * page.width]
        if near > most and crossing <= 0.2 * len(lines) and right_side >= near and len(wide) >= _LEAST_PAIRS:
            best, most = x, near
    return best


def _side_by_side(lines: Sequence[Line]) -> Iterable[tuple[Line, Line]]:
    rows = sorted(lines, key=lambda line: line.top)
    for i, one in enumerate(rows):
        for other in rows[i + 1 :]:
            if other.top > one.bottom:
                break
            overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
            if overlap < _SAME_ROW * min(one.height, other.height):
                continue
            left, right = (one, other) if one.x0 <= other.x0 else (other, one)
            if left.x1 <= right.x0 + 1:
                yield left, right


def in_reading_order(page: Page, gutter: float | None) -> Page:
    """The same page with its lines in reading order and numbered by column (0, or 0 and 1)."""
    if gutter is None:
        return replace(page, lines=_one_column(page.lines))
    bands: list[tuple[list[Line], list[Line]]] = [([], [])]
    for line in sorted(page.lines, key=lambda line: (line.baseline, line.x0)):
        if line.x0 < gutter - 2 and line.x1 > gutter + 4:
            bands.append(([line], []))
            bands.append(([], []))
        elif line.x0 >= gutter - 2:
            bands[-1][1].append(replace(line, column=1))
        else:
            bands[-1][0].append(line)
    return replace(page, lines=tuple(line for left, right in bands for line in (*left, *right)))


def _one_column(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Top to bottom; but in the file's own order where lines stand side by side without being columns (tables)."""
    body = [line for line in lines if not line.drop_cap]
    pairs = sum(1 for _ in _side_by_side(body))
    if pairs > max(2, len(body) // 8):
        return tuple(lines)
    return tuple(sorted(lines, key=lambda line: (round(line.baseline), line.x0)))
