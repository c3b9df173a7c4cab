"""When two stretches of text are verbatim equal, and where one stands in a book."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from bot.core.offsets import Span

_PLAIN: Final = str.maketrans(
    dict.fromkeys("‘’‚‛′ʼ＇", "'")
    | dict.fromkeys("“”„‟″＂", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣－⸺⸻", "-")
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad")
)
_SPACES: Final = re.compile(r"\s+")


def verbatim(text: str) -> str:
    """``text`` as verbatim equality sees it.

    NFC, every stretch of space one space, zero-width characters gone, curly quotes straight, dashes ``-``; none at
    either end.
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text).translate(_PLAIN)).strip()


class Searchable:
    """A canonical text (already NFC) in which stretches are found as `verbatim` sees them."""

    def __init__(self, text: str) -> None:
        kept = [(plain, at) for at, character in enumerate(text) if (plain := character.translate(_PLAIN))]
        offsets: list[int] = []
        characters: list[str] = []
        for plain, at in kept:
            spaced = " " if plain.isspace() else plain
            if spaced == " " and characters and characters[-1] == " ":
                continue
            characters.append(spaced)
            offsets.append(at)
        self._text = "".join(characters)
        self._offsets = offsets

    def places(self, stretch: str) -> Iterator[Span]:
        """Every span of the canonical text (code points) that is verbatim equal to ``stretch``, in order."""
        wanted = verbatim(stretch)
        at = self._text.find(wanted) if wanted else -1
        while at >= 0:
            yield Span(self._offsets[at], self._offsets[at + len(wanted) - 1] + 1)
            at = self._text.find(wanted, at + 1)
