"""The ways in which a person may say a chapter's title."""

from __future__ import annotations

import re
from typing import Final

from bot.core.phrases import CHAPTER_WORDS, FILLER, FINISHED, IN, SHORT_OF
from bot.core.statements import folded_title

_BREAK: Final = re.compile(r"\s*(?:[:.—–\n]|\s-\s)\s*")
_NUMBER: Final = re.compile(r"\d+|[ivxlc]+")


def spoken_titles(title: str) -> tuple[str, ...]:
    """``title`` folded, and what follows its first break or its number: "Chapter 9: The Bell" is also "the bell".

    Each also without the words at its beginning that a statement may begin with ("finished The Bell" says "bell").
    """
    pieces = _BREAK.split(title.strip(), maxsplit=1)
    whole, *said = map(folded_title, (title, *pieces[1:]))
    match whole.split(" ", 2):
        case [word, number, after] if word in CHAPTER_WORDS and _NUMBER.fullmatch(number):
            said.append(after)
    return tuple(dict.fromkeys(form for words in (whole, *said) for form in (words, _without_opening(words)) if form))


def _without_opening(words: str) -> str:
    while True:
        ends = (found.end() for pattern in (FILLER, SHORT_OF, FINISHED, IN) if (found := pattern.match(words)))
        end = next((end for end in ends if end < len(words)), None)
        if end is None:
            return words
        words = words[end:]
