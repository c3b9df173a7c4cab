"""Contents pages: lists of titles with page numbers, whose lines are no headings."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.ingest.numerals import roman_value
from bot.ingest.pdf.lines import Line

_PAGE: Final = re.compile(r"[\s.·…_](?P<page>\d{1,4}|[ivxlc]{1,7})$")
_LEADERS: Final = re.compile(r"(?:[.·…]\s?){4,}")
_LEAST_ENTRIES: Final = 3


def contents_pages(lines: Sequence[Line], body: float, labelled: set[int], targets: Sequence[str]) -> set[int]:
    """The pages that hold a contents list.

    ``labelled`` are pages with a heading such as "Contents"; ``targets`` the titles that such a list may name (of the
    outline, and of headings found elsewhere). A list has page numbers that do not fall, or, under its label, short
    lines most of which are titles.
    """
    by_page: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        by_page[line.page].append(line)
    found = {page for page, own in by_page.items() if _is_list(own, body)}
    titles = Counter(_key(title) for title in targets)
    for page in sorted(labelled):
        at: int | None = page
        while at is not None and at in by_page and (at in found or _names_titles(by_page[at], titles, at == page)):
            found.add(at)
            at = at + 1
    first_prose = min((page for page, own in by_page.items() if _is_prose(own, body)), default=0)
    return {page for page in found if page <= first_prose or page in labelled or page - 1 in found}


def _is_list(lines: Sequence[Line], body: float) -> bool:
    small = [line for line in lines if line.size < 1.5 * body]
    numbers = [number for line in small if (number := _entry_page(line.text)) is not None]
    leaders = sum(_LEADERS.search(line.text) is not None for line in small)
    if max(len(numbers), leaders) < _LEAST_ENTRIES or 2 * max(len(numbers), leaders) < len(small):
        return False
    falls = sum(b < a for a, b in pairwise(numbers))
    return falls <= 1 + len(numbers) // 10


def _entry_page(text: str) -> int | None:
    match = _PAGE.search(text[-9:])
    title = text[: -len(match["page"])].rstrip(" .·…_") if match else ""
    if match is None or not any(c.isalpha() for c in title):
        return None
    label = match["page"]
    if label.isdigit():
        return 1000 + int(label)
    value = roman_value(label)
    return value if value and not title.endswith((",", ";")) else None


def _names_titles(lines: Sequence[Line], titles: Counter[str], labelled: bool) -> bool:
    rest = [line for line in lines if _key(line.text)]
    named = sum(titles[_key(line.text)] > 0 for line in rest)
    return named >= (2 if labelled else 3) and 2 * named >= len(rest) - 1


def _is_prose(lines: Sequence[Line], body: float) -> bool:
    plain = [line for line in lines if abs(line.size - body) < 0.1 * body and _entry_page(line.text) is None]
    return sum(len(line.text) for line in plain) > 600


def _key(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
