"""Drop caps: a large first letter, drawn anywhere in the file, goes back to the line it begins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from bot.ingest.pdf.lines import Line, Page

_RATIO: Final = 1.8
_LETTER: Final = re.compile(r"[“\"‘'«„—]?[^\W\d_]{1,2}['’]?|[“\"‘'«„]")
_ONE_LETTER_WORDS: Final = frozenset("aioyeàóèéuwz")
_WORDS: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Words:
    """How often each word, and each two words in a row, stand in the book (case folded, inside lines)."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.single: Counter[str] = Counter()
        self.pairs: Counter[tuple[str, str]] = Counter()
        for line in lines:
            words = [w.casefold() for w in _WORDS.findall(line)]
            self.single.update(words)
            self.pairs.update(pairwise(words))


def with_drop_caps(page: Page, body: float, words: Words) -> Page:
    """The page with every drop cap joined to the topmost body line that stands beside it."""
    caps = [line for line in page.lines if _is_cap(line, body)]
    lines = [line for line in page.lines if line not in caps]
    for cap in caps:
        beside = [i for i, line in enumerate(lines) if _is_beside(cap, line, body)]
        if not beside:
            lines.append(cap)
            continue
        first = min(beside, key=lambda i: (lines[i].top, lines[i].x0))
        for i in beside:
            lines[i] = replace(lines[i], x0=cap.x0)
        lines[first] = _begun(cap, lines[first], words)
    return replace(page, lines=tuple(lines))


def _is_cap(line: Line, body: float) -> bool:
    return line.size >= _RATIO * body and _LETTER.fullmatch(line.text) is not None


def _is_beside(cap: Line, line: Line, body: float) -> bool:
    if line.size >= 1.5 * body or line.size < 0.7 * body or line.x0 < cap.x1 - 0.3 * cap.size:
        return False
    if line.x0 > cap.x1 + 1.5 * cap.size:
        return False
    overlap = min(cap.bottom, line.bottom) - max(cap.top, line.top)
    return overlap > 0.5 * line.height


def _begun(cap: Line, line: Line, words: Words) -> Line:
    space = " " if _is_word_alone(cap.text, line.text, words) else ""
    shift = len(cap.text) + len(space)
    markers = tuple((at + shift, label) for at, label in line.markers)
    return replace(line, text=cap.text + space + line.text, markers=markers, drop_cap=True)


def _is_word_alone(cap: str, rest: str, words: Words) -> bool:
    """Whether a letter such as A or I is a word of its own before ``rest`` ("A continuation", not "Acontinuation")."""
    letter = cap.strip("“\"‘'«„—").casefold()
    if not rest[:1].isalpha() or not letter or cap[-1:] in "'’":
        return False
    following = [w.casefold() for w in _WORDS.findall(rest)[:1]]
    if not following:
        return False
    whole, apart = words.single[letter + following[0]], words.pairs[(letter, following[0])]
    if whole or apart:
        return apart > whole
    return letter in _ONE_LETTER_WORDS and len(following[0]) > 1 and words.single[following[0]] > 1


def words_of(pages: Sequence[Page]) -> Words:
    """The words of all lines."""
    return Words(line.text for page in pages for line in page.lines)
