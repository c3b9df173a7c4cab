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
_WORD: Final = r"[^\W_]+(?:['’][^\W_]+)*"
_COMPOUND: Final = re.compile(rf"{_WORD}(?:[-\u2010\u2011]{_WORD})*")
_TAIL: Final = re.compile(rf"({_WORD}(?:[-\u2010\u2011]{_WORD})*)[{_HYPHENS}]$")
_HEAD: Final = re.compile(rf"{_WORD}(?:[-\u2010\u2011]{_WORD})*")
_NO_SPACE: Final = ("CJK ", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "FULLWIDTH", "BOPOMOFO")


class LineJoiner:
    """Joins two lines as the book itself spells its words.

    It counts the words, and the compounds with a hyphen, that stand inside lines. A word parted by a hyphen at a line
    end is joined; the hyphen stays where the compound is commoner in this book than the joined word, where the second
    half is capitalised, or where the compound had a hyphen before.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        self._soft_2010 = True
        for line in lines:
            inside = line.rstrip(_HYPHENS)
            self._soft_2010 &= "\u2010" not in inside
            self._words.update(
                word.casefold().replace("\u2010", "-").replace("\u2011", "-") for word in _COMPOUND.findall(inside)
            )

    def seam(self, before: str, after: str) -> tuple[int, str]:
        """How ``after`` joins on to ``before``: characters to drop from the end of ``before``, and what to put between."""
        if not before or not after:
            return 0, ""
        if before[-1] in _HYPHENS:
            return self._hyphen_seam(before, after)
        if before[-1] in _DASHES or after[0] in _DASHES or (_spaceless(before[-1]) and _spaceless(after[0])):
            return 0, ""
        return 0, " "

    def _hyphen_seam(self, before: str, after: str) -> tuple[int, str]:
        tail, head = _TAIL.search(before), _HEAD.match(after)
        if before[-1] == SOFT_HYPHEN:
            return 1, ""
        if tail is None:
            return 0, " " if before.endswith((" -", "--")) and not after[0].islower() else ""
        if head is None:
            return 0, ""
        first, second = tail[1].casefold(), head[0].casefold()
        if before[-1] == "\u2010" and self._soft_2010 and "-" not in second:
            return 1, ""
        if head[0][0].isdigit() or first[-1].isdigit():
            return 0, ""
        if head[0][0].isupper() and not (tail[1].isupper() and head[0].isupper()):
            return 0, ""
        return (0, "") if self._is_compound(first, second) else (1, "")

    def _is_compound(self, first: str, second: str) -> bool:
        joined, compound = self._count(first + second), self._count(f"{first}-{second}")
        if joined or compound:
            return compound > joined
        if "-" in first or "-" in second:
            return True
        # Neither spelling stands elsewhere in the book: a compound only if both halves are common words of it.
        return len(first) > 3 and len(second) > 3 and min(self._words[first], self._words[second]) >= _COMMON

    def _count(self, word: str) -> int:
        return sum(self._words[word + ending] for ending in ("", "s", "’s", "'s"))


_COMMON: Final = 3


def _spaceless(char: str) -> bool:
    if ord(char) < 0x2E80:
        return False
    return unicodedata.name(char, "").startswith(_NO_SPACE) or unicodedata.east_asian_width(char) == "W" and not (
        unicodedata.name(char, "").startswith("HANGUL")
    )
