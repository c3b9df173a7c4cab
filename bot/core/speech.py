"""Whether a place of a text is said aloud by somebody: stands between quotation marks."""

from __future__ import annotations

import re
from typing import Final

_SINGLE: Final = re.compile(r"(?<!\w)‘|’(?!\w)")
_DOUBLE: Final = re.compile("[“”„«»]")


def in_speech(text: str, at: int, language: str | None) -> bool:
    """Whether the code point ``at`` stands in speech, by the marks of its paragraph; where they leave it open, it does.

    Marks that open and close are told apart by ``language`` (ISO 639-1): German's close with ``“`` and ``«``.
    """
    start = text.rfind("\n\n", 0, at) + 1
    end = text.find("\n\n", at)
    before, after = text[start:at], text[at : len(text) if end < 0 else end]
    if before.count('"') % 2 == 1:
        return True
    opening = "„»" if language == "de" or "„" in before + after else "“«"
    for marks in (_DOUBLE, _SINGLE):
        last = [found[0] for found in marks.finditer(before)][-1:]
        first = marks.search(after)
        if last:
            if last[0] in opening + "‘":
                return True
        elif first is not None and first[0] not in opening + "‘":
            return True
    return False
