"""Whether a sentence leaves out who says so just before it, or whom the book makes an exception of just after."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.lists import Language
from bot.core.offsets import Span
from bot.core.told import Told, throughout
from bot.core.words import Word

Part = Sequence[Word]


def told_by_others(sentence: Part, told: Told, quote: Span) -> bool:
    """Whether it leaves out that somebody says so, not aloud, just before it ("people said, he had gone"); or whom the
    book makes an exception of just after it.
    """
    first = [word.key for word in sentence[:2]]
    said = []
    for n in told.touched(quote):
        part, text = told.sentences[n], told.passage.sentences[n].text
        for at, word in enumerate(part[:-1]):
            if [word.key, part[at + 1].key] == first:
                before = part[at - 1] if at else word
                between = text[before.start + len(before.text) : word.start]
                said.append(before.folded in told.lists.supposing and word.parted and between.strip() == ",")
    return throughout(said) or _barred(sentence, told.quoted(quote), told.lists)


def _barred(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether nobody or everybody is told of, and whom the book makes an exception of just after that is left out."""
    if not sentence or any(word.folded in lists.barring for word in sentence):
        return False
    nobody = any(word.negates for word in sentence[:2])
    if not nobody and not any(word.negates or word.folded in lists.universal for word in sentence):
        return False
    last = sentence[-1].key
    ends = [
        n + 1 < len(part) and (part[n + 1].folded in lists.barring or (nobody and _saves(part[n + 1 : n + 3], lists)))
        for part in quoted
        for n, word in enumerate(part)
        if word.key == last
    ]
    return throughout(ends)


def _saves(part: Part, lists: Language) -> bool:
    """Whether ", but" and somebody follow."""
    if len(part) < 2 or not part[0].parted or part[0].folded not in lists.saving:
        return False
    return part[1].capital or part[1].folded in lists.objects
