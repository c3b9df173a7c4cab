"""Cutting text into windows that an embedding model reads whole.

The cut is causal: it is decided from the left, and the windows of a text, all but the last, are the windows of
every text that begins with it. Two things make it so. A text is cut only where complete words overflow the
budget, since the last word of a text may be unfinished; and ``RESERVE`` tokens are kept free for that word,
words of more bytes being counted in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bot.core.offsets import Span

RESERVE = 16
"""Tokens kept free for an unfinished last word; also the most bytes that one unit of text may have."""

DEFAULT_TOKENS = 254
LEAST_TOKENS = 2 * RESERVE

_SENTENCE_END = re.compile(
    r"[.!?…](?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)[\"'”’»)\]]*\s+|[。！？][」』”’）]*\s*|\n\s*"
)
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest stretch that is never divided: it starts at code point ``start`` and costs at most ``tokens``."""

    start: int
    tokens: int


def units(text: str, words: Sequence[tuple[int, int, int]]) -> list[Unit]:
    """Units of the words ``(start, end, tokens)`` of ``text``; one of more than ``RESERVE`` bytes becomes several.

    No known tokeniser makes more tokens of a piece than it has bytes of UTF-8, so that is what a piece costs.
    """
    found: list[Unit] = []
    for start, end, tokens in words:
        if end - start <= RESERVE // 4 or _size(text[start:end]) <= RESERVE:
            found.append(Unit(start, tokens))
        else:
            found.extend(_pieces(text, start, end))
    return found


def estimated_units(text: str) -> list[Unit]:
    """Units where the model's tokeniser is not at hand: a token for every three bytes of a word, rounded up."""
    words = [(m.start(), m.end(), -(-_size(m[0]) // 3)) for m in _WORD.finditer(text)]
    return [Unit(u.start, min(u.tokens, 6)) for u in units(text, words)]


def cut(text: str, found: Sequence[Unit], limit: int) -> list[Span]:
    """Spans that cover ``text`` in order, each of at most ``limit`` tokens by the count of its units.

    A window ends at the last sentence-like end in its second half, else at the last white space there, else at
    the last unit that fits. Text without units is one window; empty text has none.
    Raises ``ValueError`` when ``limit`` is below ``LEAST_TOKENS``.
    """
    if limit < LEAST_TOKENS:
        raise ValueError(f"a window needs at least {LEAST_TOKENS} tokens, not {limit}")
    if not text:
        return []
    cuts = [0, *_cuts(text, found, limit - RESERVE), len(text)]
    return [Span(start, end) for start, end in pairwise(cuts)]


def _cuts(text: str, found: Sequence[Unit], budget: int) -> Iterator[int]:
    total = np.concatenate(([0], np.cumsum([u.tokens for u in found], dtype=np.int64)))
    ends = {m.end() for m in _SENTENCE_END.finditer(text)}
    first, last = 0, len(found) - 1
    while True:
        # the unit that overflows the budget; it must be complete, that is, not the last of the text
        over = max(int(np.searchsorted(total, total[first] + budget, side="right")) - 1, first + 1)
        if over >= last:
            return
        half = int(np.searchsorted(total, total[first] + budget // 2))
        first = _best(text, found, range(over, min(max(half, first + 1), over) - 1, -1), ends)
        yield found[first].start


def _best(text: str, found: Sequence[Unit], candidates: range, ends: set[int]) -> int:
    for index in candidates:
        if found[index].start in ends:
            return index
    for index in candidates:
        if text[found[index].start - 1].isspace():
            return index
    return candidates[0]


def _size(word: str) -> int:
    """Bytes of UTF-8."""
    return len(word) if word.isascii() else len(word.encode(errors="replace"))


def _pieces(text: str, start: int, end: int) -> Iterator[Unit]:
    begin, size = start, 0
    for at in range(start, end):
        more = _size(text[at])
        if size + more > RESERVE:
            yield Unit(begin, size)
            begin, size = at, 0
        size += more
    yield Unit(begin, size)
