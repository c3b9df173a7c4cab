"""Names in a question that the audience has not met: such a question is answered privately (leak channel 15)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from bot.core.terms import terms

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_NOUN_CAPITALS: Final = frozenset(("de", "lb"))
"""Languages that capitalise every noun: there a capital says nothing."""


def names_asked(question: str, unmet: Collection[str], language: str | None) -> tuple[str, ...]:
    """The capitalised words of ``question`` whose terms are among ``unmet``, in order.

    The first word of a sentence counts only where a name is likely: before another capital or an apostrophe.
    """
    if language in _NOUN_CAPITALS:
        return ()
    found = []
    words = list(_WORD.finditer(question))
    for index, word in enumerate(words):
        bare = re.sub(r"['’]s$", "", word[0])
        if not bare[0].isupper() or not terms(bare, language).keys() & set(unmet):
            continue
        before = question[: word.start()].rstrip()
        following = words[index + 1][0] if index + 1 < len(words) else ""
        opens = not before or before[-1] in ".!?:…"
        if not opens or bare != word[0] or following[:1].isupper():
            found.append(bare)
    return tuple(dict.fromkeys(found))
