"""Names in a question that the audience has not met: such a question is answered privately (leak channel 15)."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from bot.core.names import NAME_WORD, NOUN_CAPITALS
from bot.core.stopwords import STOP_WORDS
from bot.core.terms import terms

_STOP_WORDS: Final = frozenset(word for listed in STOP_WORDS.values() for word in listed.split())
_ELIDED: Final = re.compile(r"^[a-z]{1,2}['’](?=[^\W\d_])")
"""An article or preposition grown together with a name ("l'Abbé")."""
_AFTER_A_NAME: Final = re.compile(
    r"(?:is|was|were|are|did|does|has|had|have|will|would|could|can|must|should|might)(?:n['’]?t)?|and|or|[a-z]{2,}ed"
)
"""What often follows a name that opens a sentence ("Quillet poisoned him?"), and seldom another capitalised word."""


def names_asked(question: str, unmet: Collection[str], language: str | None) -> tuple[str, ...]:
    """The capitalised words of ``question`` whose terms are among ``unmet``, in order.

    The first word of a sentence counts only where a name is likely: before another capital, an apostrophe, "and" or an
    English verb that follows names.
    """
    if language in NOUN_CAPITALS:  # there a capital says nothing
        return ()
    found = []
    words = list(NAME_WORD.finditer(question))
    for index, word in enumerate(words):
        bare = _ELIDED.sub("", re.sub(r"['’]s$", "", word[0]))
        if not bare[0].isupper() or not terms(f"{word[0]} {bare}", language).keys() & set(unmet):
            continue
        before = question[: word.start()].rstrip()
        following = words[index + 1][0] if index + 1 < len(words) else ""
        opens = not before or before[-1] in ".!?:…¿¡"
        likely = bare != word[0] or following[:1].isupper() or _AFTER_A_NAME.fullmatch(following) is not None
        if not opens or (likely and bare.casefold() not in _STOP_WORDS):
            found.append(bare)
    return tuple(dict.fromkeys(found))
