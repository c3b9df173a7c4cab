"""Joining the lines of a paragraph: hyphens at line ends, dashes, and scripts without spaces."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Final

from bot.ingest.pdf.lines import SOFT_HYPHEN

_HYPHENS: Final = "-\u2010\u2011" + SOFT_HYPHEN
_DASHES: Final = "—―⸺"
_PREFIXES: Final = frozenset(
    ["self", "well", "half", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
)
_SUFFIXES: Final = frozenset(["ish", "less", "ness", "hood", "ing"])
_LONGEST_WORD: Final = 60  # code points of a compound that are looked at
_WORD: Final = r"[^\W_]+(?:['’][^\W_]+)*"
_COMPOUND: Final = re.compile(rf"{_WORD}(?:[-\u2010\u2011]{_WORD})*")
_TAIL: Final = re.compile(rf"({_WORD}(?:[-\u2010\u2011]{_WORD})*)[{_HYPHENS}]$")
_HEAD: Final = re.compile(rf"{_WORD}(?:[-\u2010\u2011]{_WORD})*")
_NO_SPACE: Final = ("CJK ", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "FULLWIDTH", "BOPOMOFO")


class LineJoiner:
    """Joins two lines as the book itself spells its words.

    It counts the words, and the compounds with a hyphen, that stand inside lines. A word parted by a hyphen at a line
    end is joined; the hyphen stays where the compound is commoner in this book than the joined word, where the second
    half is capitalised, where it begins with one of a few words that make compounds, and where the file tells the
    typesetter's hyphens (U+2010) from the author's.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        self._soft_2010 = True
        ends_in_2010 = 0
        broken = False
        for line in lines:
            whole = _HEAD.sub("", line, count=1) if broken else line
            broken = line.endswith(tuple(_HYPHENS))
            ends_in_2010 += line.endswith("\u2010")
            whole = _TAIL.sub("", whole) if broken else whole
            if "\u2010" in whole or "\u2011" in whole:
                self._soft_2010 &= "\u2010" not in whole
                whole = whole.replace("\u2010", "-").replace("\u2011", "-")
            self._words.update(_COMPOUND.findall(whole.casefold()))
        self._typeset_2010 = self._soft_2010 and ends_in_2010 > 2

    def seam(self, before: str, after: str) -> tuple[int, str]:
        """How ``after`` joins on to ``before``: how many characters of ``before`` to drop, and what to put between."""
        if not before or not after:
            return 0, ""
        if before[-1] in _HYPHENS:
            return self._hyphen_seam(before, after)
        if before[-1] in _DASHES or after[0] in _DASHES or (_spaceless(before[-1]) and _spaceless(after[0])):
            return 0, ""
        return 0, " "

    def _hyphen_seam(self, before: str, after: str) -> tuple[int, str]:
        tail, head = _TAIL.search(before[-_LONGEST_WORD:]), _HEAD.match(after)
        if before[-1] == SOFT_HYPHEN:
            return 1, ""
        if tail is None or head is None:
            dash = tail is None and before.endswith((" -", "--")) and not after[0].islower()
            return 0, " " if dash else ""
        return (0, "") if self._keeps_hyphen(before[-1], tail[1], head[0]) else (1, "")

    def _keeps_hyphen(self, hyphen: str, tail: str, head: str) -> bool:
        if hyphen == "\u2010" and self._soft_2010:
            return False
        if self._typeset_2010:  # the typesetter's own hyphens are U+2010: this one is the author's
            return True
        if head[0].isdigit() or tail[-1].isdigit():
            return True
        if head[0].isupper():
            return not (tail.isupper() and head.isupper())
        return self._is_compound(tail.casefold(), head.casefold())

    def _is_compound(self, first: str, second: str) -> bool:
        left, right = first.rpartition("-")[2], second.partition("-")[0]
        joined = self._count(left + right)
        compound = max(self._count(f"{first}-{second}"), self._count(f"{left}-{right}"))
        if joined or compound:
            return compound > joined
        if "-" in first:
            return self._words[left] > 0
        if "-" in second:
            return min(self._words[left], self._words[right]) > 0
        return left in _PREFIXES and len(right) > 2 and right not in _SUFFIXES

    def _count(self, word: str) -> int:
        return sum(self._words[word + ending] for ending in ("", "s", "’s", "'s"))


def _spaceless(char: str) -> bool:
    if ord(char) < 0x2E80:
        return False
    return unicodedata.name(char, "").startswith(_NO_SPACE) or (
        unicodedata.east_asian_width(char) == "W" and not (unicodedata.name(char, "").startswith("HANGUL"))
    )
