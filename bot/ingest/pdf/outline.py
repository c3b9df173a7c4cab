"""The outline (bookmarks) of a PDF, each entry verified against a heading that stands in the text.

Destinations are hints: where destination names repeat, every entry of part two points into part one, and a bookmark
may point at the page before or after its heading. So entries are matched in their own order to headings in text order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pymupdf

from bot.ingest.canonical import collapse
from bot.ingest.headings import Heading, parse_heading
from bot.ingest.numerals import parse_numeral
from bot.ingest.pdf.headings import Candidate, made_of, silent_at
from bot.ingest.pdf.hyphens import LineJoiner
from bot.ingest.pdf.lines import Line

_NEAR_PAGES: Final = 1  # a bookmark may miss its heading's page by this much
_MOST_ENTRIES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One bookmark. ``page`` is the page of the file it points to (from 0, -1 for none), ``parent`` an index."""

    level: int
    title: str
    page: int
    parent: int | None
    has_children: bool


@dataclass(frozen=True, slots=True)
class Verified:
    """A bookmark and the heading that bears it out; ``candidate`` is None where none was found."""

    entry: Entry
    candidate: Candidate | None


def read_outline(document: pymupdf.Document) -> list[Entry]:
    """The document's bookmarks in their order. A single entry above all others (the book's title) is left out."""
    raw = [(level, collapse(title), page - 1) for level, title, page, *_ in document.get_toc(simple=True)]
    raw = [item for item in raw[:_MOST_ENTRIES] if item[1]]
    if len(raw) > 3 and sum(level == 1 for level, _, _ in raw) == 1 and raw[0][0] == 1:
        raw = [(level - 1, title, page) for level, title, page in raw[1:]]
    entries: list[Entry] = []
    above: list[int] = []
    for i, (level, title, page) in enumerate(raw):
        del above[max(0, level - 1) :]
        children = i + 1 < len(raw) and raw[i + 1][0] > level
        entries.append(Entry(level, title, page, above[-1] if above else None, children))
        above.append(i)
    return entries


def verify(
    entries: Sequence[Entry], found: Sequence[Candidate], lines: Sequence[Line], body: float, joiner: LineJoiner
) -> list[Verified]:
    """Every entry with the heading it names, in the order of the entries.

    A heading serves one entry, and later entries take later headings, so repeated titles and repeated destinations
    come out right. Where no candidate fits, a whole line of the page pointed to that says the same is taken.
    """
    keys = [_Key.of(c) for c in found]
    result: list[Verified] = []
    after = -1  # index of the line at which the last match began
    for entry in entries:
        wanted = _Key.of_title(entry.title)
        fits = [c for c, key in zip(found, keys, strict=True) if c.first > after and wanted.fits(key)]
        near = [c for c in fits if abs(c.page - entry.page) <= _NEAR_PAGES]
        match = min(near, key=lambda c: (abs(c.page - entry.page), c.first), default=None)
        if match is None:
            match = _line_that_says(entry, wanted, after, (lines, body, joiner)) or (fits[0] if fits else None)
        if match is not None:
            after = match.first
        result.append(Verified(entry, match))
    return _by_place(result, found, lines)


def _by_place(result: Sequence[Verified], found: Sequence[Candidate], lines: Sequence[Line]) -> list[Verified]:
    """Entries that no words bear out, taken by their page where it lies between the pages of their neighbours.

    Such an entry takes an unclaimed heading of its page, else the top of the page (its heading is a picture).
    """
    claimed = {v.candidate.first for v in result if v.candidate is not None}
    tops = {line.page: i for i, line in reversed(list(enumerate(lines)))}
    pages = [v.candidate.page if v.candidate is not None else v.entry.page for v in result]
    done: list[Verified] = []
    for i, v in enumerate(result):
        page = v.entry.page
        before = max(pages[:i], default=-1)
        after = min(pages[i + 1 :], default=page + 1)
        if v.candidate is not None or page not in tops or not before < page < after:
            done.append(v)
            continue
        here = [c for c in found if c.page == page and c.first not in claimed and (c.large or c.parsed is not None)]
        done.append(Verified(v.entry, here[0] if here else silent_at(lines, tops[page], v.entry.title)))
    return done


def _line_that_says(
    entry: Entry, wanted: _Key, after: int, book: tuple[Sequence[Line], float, LineJoiner]
) -> Candidate | None:
    lines, body, joiner = book
    if len(wanted.text) < 3:
        return None
    for i in range(after + 1, len(lines)):
        if lines[i].page > entry.page + _NEAR_PAGES:
            return None
        if lines[i].page < entry.page - _NEAR_PAGES:
            continue
        for last in (i + 1, i + 2):
            if _letters("".join(line.text for line in lines[i:last])) == wanted.text:
                return made_of(lines, i, min(last, len(lines)), body, joiner)
    return None


@dataclass(frozen=True, slots=True)
class _Key:
    """What two spellings of one heading share: letters and digits, the title's alone, the number."""

    text: str
    title: str
    number: int | None
    keyword: str | None

    @classmethod
    def of(cls, candidate: Candidate) -> _Key:
        parsed = candidate.parsed
        title = _letters(candidate.title) if candidate.number_line or parsed is None else _title_alone(candidate.title)
        return cls(
            _letters(candidate.text), title, parsed.number if parsed else None, parsed.keyword if parsed else None
        )

    @classmethod
    def of_title(cls, title: str) -> _Key:
        parsed: Heading | None = parse_heading(title)
        number = parsed.number if parsed else None
        keyword = parsed.keyword if parsed else None
        return cls(_letters(title), _title_alone(title), number, keyword)

    def fits(self, heading: _Key) -> bool:
        """Whether this bookmark names ``heading``."""
        if self.text and self.text == heading.text:
            return True
        if self.number is not None and heading.number is not None and self.number != heading.number:
            return False
        if self.keyword and heading.keyword and (self.keyword == "part") != (heading.keyword == "part"):
            return False
        if self.title and heading.title:
            return self.title == heading.title or (len(self.title) > 7 and heading.title.startswith(self.title))
        same_number = self.number is not None and self.number == heading.number
        return same_number and (self.keyword == heading.keyword or self.keyword is None or heading.keyword is None)


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def _title_alone(text: str) -> str:
    """The letters of a heading without its chapter word and number; empty where it has nothing else."""
    parsed = parse_heading(text)
    if parsed is None:
        first, _, rest = text.partition(" ")
        return _letters(rest if rest and parse_numeral(first.rstrip(".:")) else text)
    if not parsed.named:
        return "" if parsed.number is not None or parsed.keyword else _letters(text)
    words = text.split()
    for i in range(1, len(words)):
        head, tail = " ".join(words[:i]), " ".join(words[i:])
        number = parse_heading(head)
        if number is not None and not number.named and number.number == parsed.number:
            return _letters(tail)
    return _letters(text)
