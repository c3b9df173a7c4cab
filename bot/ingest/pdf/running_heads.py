"""Running heads and folios: found by repetition and by numbers that count with the pages, and taken out.

A row is all lines on one baseline inside the top or bottom sixth of a page; a slot is the height at which rows of
many pages stand. A row goes when its number counts with the pages, when its words repeat in its slot, or when
most rows of its slot went for these reasons. A line set much larger than the body never goes: it is a heading.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.ingest.numerals import roman_value
from bot.ingest.pdf.lines import HEADING_RATIO, Line, Page

_ZONE: Final = 0.16  # of the page's height, at its top and at its bottom
_APART: Final = 1.4  # body sizes between the baselines of a running head and of the text
_ROWS: Final = 2  # looked at in each zone
_LONGEST: Final = 110  # characters of a running head
_NUMBER: Final = r"(\d{1,4}|[ivxlc]{1,7}|[IVXLC]{1,7})"
_ALONE: Final = re.compile(rf"\W*(?:page|p\.|seite|pág\.?)?\s*{_NUMBER}(?:\s*(?:/|of|von|de)\s*\d+)?\W*", re.I)
_LEADING: Final = re.compile(rf"\W*{_NUMBER}\b\W*\s(?=\S)")
_TRAILING: Final = re.compile(rf"\s\W*\b{_NUMBER}\W*$")


@dataclass(frozen=True, slots=True)
class Folio:
    """A page number as printed: ``label`` ("iv", "12"), its value, and whether it is Roman."""

    label: str
    value: int
    roman: bool


@dataclass(slots=True)
class _Row:
    page: int
    top_zone: bool
    edge: float  # points from the page's nearer edge to the baseline
    lines: tuple[Line, ...]
    text: str
    folios: tuple[tuple[Folio, str], ...]  # a reading of the number, and the words beside it
    gap: float  # points to the next row towards the middle of the page
    slot: int = -1

    @property
    def size(self) -> float:
        return max(line.size for line in self.lines)

    @property
    def alone(self) -> bool:
        return any(not words for _, words in self.folios)


def without_running_heads(pages: Sequence[Page], body: float) -> tuple[list[Page], dict[int, Folio]]:
    """The pages without running heads and folios, and the folio found on each page (by page number)."""
    rows = [row for page in pages for row in _rows(page)]
    for zone in (True, False):
        _number_slots([row for row in rows if row.top_zone is zone])
    needed = 3 if len(pages) > 6 else 2
    folios = _folios(rows, len(pages), needed, body)
    gone = [row for row, _ in folios.values()]
    gone += _repeated(rows, {id(row) for row in gone}, needed, body)
    gone += _in_running_slots(rows, gone, body)
    lines = {id(line) for row in gone for line in row.lines}
    kept = [replace(page, lines=tuple(line for line in page.lines if id(line) not in lines)) for page in pages]
    return kept, {number: folio for number, (_, folio) in folios.items()}


def _rows(page: Page) -> Iterable[_Row]:
    rows: list[list[Line]] = []
    for line in sorted(page.lines, key=lambda line: line.baseline):
        if rows and line.baseline - rows[-1][0].baseline <= 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    baselines = [row[0].baseline for row in rows]
    for i, row in enumerate(rows):
        top = i < _ROWS and row[0].baseline <= _ZONE * page.height
        bottom = i >= len(rows) - _ROWS and min(line.top for line in row) >= (1 - _ZONE) * page.height
        if not top and not bottom:
            continue
        lines = tuple(sorted(row, key=lambda line: line.x0))
        text = " ".join(line.text for line in lines)
        inner = i + 1 if top else i - 1
        gap = abs(baselines[inner] - baselines[i]) if 0 <= inner < len(rows) else page.height
        edge = baselines[i] if top else page.height - baselines[i]
        yield _Row(page.number, top, edge, lines, text, tuple(_numbers(text)), gap)


def _numbers(text: str) -> Iterable[tuple[Folio, str]]:
    if len(text) > _LONGEST:
        return
    if match := _ALONE.fullmatch(text):
        yield from ((folio, "") for folio in _folio(match[1]))
        return
    for match in (_LEADING.match(text), _TRAILING.search(text)):
        if match:
            words = text[: match.start()] + text[match.end() :]
            yield from ((folio, words) for folio in _folio(match[1]))


def _folio(label: str) -> Iterable[Folio]:
    if label.isdigit():
        yield Folio(label, int(label), roman=False)
    elif value := roman_value(label.upper()):
        yield Folio(label, value, roman=True)


def _number_slots(rows: Sequence[_Row]) -> None:
    slot, before = 0 if rows and rows[0].top_zone else 100_000, None
    for row in sorted(rows, key=lambda row: row.edge):
        if before is not None and row.edge - before > 1.5:
            slot += 1
        row.slot, before = slot, row.edge


def _folios(rows: Sequence[_Row], pages: int, needed: int, body: float) -> dict[int, tuple[_Row, Folio]]:
    """For each page the row whose number counts with the pages: ``value - page`` is the same on many of them."""
    votes: Counter[tuple[bool, int]] = Counter()
    for key in {
        (row.page, folio.roman, folio.value - row.page)
        for row in rows
        for folio, words in row.folios
        if row.size < HEADING_RATIO * body or not words
    }:
        votes[key[1:]] += 1
    readings: dict[int, list[tuple[_Row, Folio, bool]]] = defaultdict(list)
    slots: Counter[int] = Counter()
    for row in rows:
        for folio, words in row.folios:
            count = votes[(folio.roman, folio.value - row.page)]
            large = row.size >= HEADING_RATIO * body
            if large and (words or (row.top_zone and count < 10)):
                continue
            if count >= needed and (count >= 3 or (not words and 2 * count >= pages)):
                readings[row.page].append((row, folio, not words))
                slots[row.slot] += 1
    found: dict[int, tuple[_Row, Folio]] = {}
    for page, options in readings.items():
        row, folio, alone = max(options, key=lambda option: (option[2], slots[option[0].slot]))
        if alone or slots[row.slot] >= 2:
            found[page] = (row, folio)
    for row in rows:  # numbers of another sequence (a short preface in Roman numerals) in the place of folios
        alone_there = [folio for folio, words in row.folios if not words]
        if row.page not in found and alone_there and slots[row.slot] >= 3:
            found[row.page] = (row, alone_there[0])
    return found


def _repeated(rows: Sequence[_Row], with_folio: set[int], needed: int, body: float) -> list[_Row]:
    """Rows whose words, without the folio, stand in one slot on several pages, apart from the text."""

    def words(row: _Row) -> str:
        folio = id(row) in with_folio
        beside = min((words for _, words in row.folios if words), key=len, default="") if folio else row.text
        return "".join(c for c in beside.casefold() if c.isalnum())

    small = [row for row in rows if row.size < HEADING_RATIO * body and len(row.text) <= _LONGEST and words(row)]
    pages: dict[tuple[int, str], set[int]] = defaultdict(set)
    for row in small:
        pages[(row.slot, words(row))].add(row.page)
    return [
        row
        for row in small
        if (count := len(pages[(row.slot, words(row))])) >= needed and (row.gap >= _APART * body or count >= 5)
    ]


def _in_running_slots(rows: Sequence[_Row], gone: Sequence[_Row], body: float) -> list[_Row]:
    """Rows of slots in which most rows were proven, if they stand apart from the text."""
    proven = Counter(slot for slot, _ in {(row.slot, row.page) for row in gone})
    all_rows = Counter(row.slot for row in rows)
    pages_gone = {(row.page, row.slot) for row in gone}
    return [
        row
        for row in rows
        if (row.page, row.slot) not in pages_gone
        and proven[row.slot] >= 3
        and proven[row.slot] >= 0.5 * all_rows[row.slot]
        and row.size < HEADING_RATIO * body
        and len(row.text) <= _LONGEST
        and row.gap >= _APART * body
    ]
