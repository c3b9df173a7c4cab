"""The canonical text: the rules every file format shares.

NFC; ``\\n`` line ends; every Unicode space is U+0020; soft hyphens, zero-width spaces, word joiners, byte order marks
and overrides of direction are gone, zero-width joiners and non-joiners stay (Persian, Indic scripts, emoji); no control
characters. Blocks are parted by an empty line, and neither a block nor the whole text has white space at either end.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from bot.core.offsets import Span

BLOCK_GAP: Final = "\n\n"
"""What stands between two blocks (paragraphs, headings)."""

LINE_GAP: Final = "\n"
"""What stands between two lines that are kept apart inside a block, and between rows of a list or table."""

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_REMOVED = "\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069"  # the last two: overrides of direction


_SPACE_CHARS = "\t" + "".join(c for c in map(chr, range(0x21, 0x3001)) if unicodedata.category(c) == "Zs")
_SPACE_LIKE = re.compile(f"[{_SPACE_CHARS}]")
_DROPPED = re.compile(f"[\x00-\x08\x0e-\x1f\x7f-\x9f{_REMOVED}\ud800-\udfff]")
_WHITE = re.compile(r"[ \n]+")


def clean(text: str) -> str:
    """``text`` with canonical characters: line ends, spaces and invisible characters as this module says, then NFC.

    White space is neither collapsed nor stripped. Idempotent. Lone surrogates are dropped: no store can hold them.
    """
    text = _DROPPED.sub("", _SPACE_LIKE.sub(" ", _LINE_ENDS.sub("\n", text)))
    return unicodedata.normalize("NFC", text)


def collapse(text: str) -> str:
    """Clean ``text`` as one running line: every stretch of white space is one space, none at the ends."""
    return _WHITE.sub(" ", clean(text)).strip(" ")


class CanonicalBuilder:
    """Joins blocks to one canonical text and says where each of them stands (offsets in code points)."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def next_start(self, gap: str = BLOCK_GAP) -> int:
        """The offset at which the next block added with ``gap`` will start."""
        return self._length + (len(gap) if self._length else 0)

    def add(self, block: str, gap: str = BLOCK_GAP) -> Span:
        """Append ``block`` (already clean) after ``gap`` and return its span; white space at its ends is dropped.

        A block without visible characters adds nothing and has an empty span where the next block will start.
        """
        block = block.strip(" \n")
        start = self.next_start(gap)
        if not block:
            return Span(start, start)
        if self._length:
            self._pieces.append(gap)
        self._pieces.append(block)
        self._length = start + len(block)
        return Span(start, self._length)

    def text(self) -> str:
        """The canonical text so far."""
        return "".join(self._pieces)
