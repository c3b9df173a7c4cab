"""The ways in which a person may say a chapter's title."""

from __future__ import annotations

import re
from typing import Final

from bot.core.phrases import CHAPTER_WORDS
from bot.core.statements import folded_title

_BREAK: Final = re.compile(r"\s*(?:[:.—–\n]|\s-\s)\s*")
_NUMBER: Final = re.compile(r"\d+|[ivxlc]+")


def spoken_titles(title: str) -> tuple[str, ...]:
    """``title`` folded, and what follows its first break or its number: "Chapter 9: The Bell" is also "the bell"."""
    pieces = _BREAK.split(title.strip(), maxsplit=1)
    whole, *rest = map(folded_title, (title, *pieces[1:]))
    match whole.split(" ", 2):
        case [word, number, after] if word in CHAPTER_WORDS and _NUMBER.fullmatch(number):
            rest.append(after)
    return tuple(dict.fromkeys(said for said in (whole, *rest) if said))
