"""Whether a passage bears a sentence out, without a model: by its words, where they stand, and how.

No such check can read. What it holds is this: a sentence is made of what the passage itself says, near to the words
that are quoted, and does not turn into a fact what is denied or only feared there. How much of what is true survives it
and how much of what is not is in docs/answers.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from bot.core.evidence import Passage
from bot.core.offsets import Span
from bot.core.words import TELLING, Kind, Word, words

AROUND: Final = 2
"""Sentences on either side of those quoted that are near to the quote."""
NEAR: Final = 0.75
"""The least share of what a sentence tells that stands near the quote."""
FOUND: Final = 0.6
"""The least share that stands in the passage at all, where a second reading has borne the sentence out."""
ELSEWHERE: Final = 1
"""At most so many words of such a sentence stand in other passages alone."""
REACH: Final = 5
"""Words: a negation or a hedge weighs on what follows it so closely."""


@dataclass(frozen=True)
class Told:
    """One passage as words, with the passages beside it. ``language`` (ISO 639-1) is the book's."""

    passage: Passage
    language: str | None
    beside: tuple[str, ...] = ()

    @cached_property
    def sentences(self) -> tuple[tuple[Word, ...], ...]:
        return tuple(words(sentence.text, self.language) for sentence in self.passage.sentences)

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(word.key for sentence in self.sentences for word in sentence)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every word with a capital, folded: of the passage and those beside it."""
        own = (word for sentence in self.sentences for word in sentence)
        near = (word for text in self.beside for word in words(text, self.language))
        return frozenset(name for word in (*own, *near) if word.capital for name in (word.text.casefold(), word.key))

    def quoted(self, span: Span, around: int = 0) -> tuple[tuple[Word, ...], ...]:
        """The sentences that hold any of ``span``, and so many around them."""
        touched = [
            n for n, s in enumerate(self.passage.sentences) if s.span.start < span.end and span.start < s.span.end
        ]
        if not touched:
            return ()
        return self.sentences[max(0, touched[0] - around) : touched[-1] + around + 1]


def unmet_names(sentence: Iterable[Word], met: frozenset[str], language: str | None) -> list[str]:
    """The words of a sentence that a capital makes a name and that are not among those ``met`` (folded).

    A word that opens a sentence may have its capital for that alone: it is no name where it is a small word.
    """
    found = []
    for word in sentence:
        if not word.capital or word.kind in {Kind.GRAMMAR, Kind.DISCOURSE, Kind.NUMBER}:
            continue
        folded = word.text.casefold()
        if folded not in met and not (language == "de" and word.key in met):
            found.append(word.text)
    return found


def telling(sentence: Iterable[Word]) -> list[Word]:
    """The words of a sentence that tell something of the book."""
    return [word for word in sentence if word.kind in TELLING]


def backed(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether every word that tells something stands in the passage, nearly all of them near the quote, and what tells
    an outcome, or a number, in the very sentences that are quoted.
    """
    said = telling(sentence)
    own = [word for word in said if word.text.casefold() not in told.names or word.kind is not Kind.CONTENT]
    near = {word.key for part in told.quoted(quote, AROUND) for word in part}
    quoted = {word.key for part in told.quoted(quote) for word in part}
    if not own or not all(_stands(word, told) for word in said):
        return False
    if any(word.kind is Kind.FATE and word.key not in quoted for word in said):
        return False
    if any(word.kind is Kind.NUMBER and word.key not in near for word in said):
        return False
    return sum(word.key in near for word in own) >= NEAR * len(own)


def borne_out(sentence: Sequence[Word], told: Told, quote: Span, elsewhere: frozenset[str]) -> bool:
    """The same for a sentence that a second reading has borne out: it may say a little in words of other passages.

    ``elsewhere`` are the keys of all passages that were given. What tells an outcome stands near the quote all the
    same.
    """
    said = telling(sentence)
    near = {word.key for part in told.quoted(quote, AROUND) for word in part}
    away = [word for word in said if not _stands(word, told)]
    if any(word.kind is not Kind.CONTENT or word.key not in elsewhere for word in away) or len(away) > ELSEWHERE:
        return False
    if any(word.kind is Kind.FATE and word.key not in near for word in said):
        return False
    return bool(said) and len(said) - len(away) >= FOUND * len(said)


def _stands(word: Word, told: Told) -> bool:
    return word.key in told.keys or word.text.casefold() in told.names


def turned(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence denies what is not denied there, or tells as done what is denied or only feared."""
    near, quoted = told.quoted(quote, AROUND), told.quoted(quote)
    denies, hedges = any(w.negates for w in sentence), any(w.hedges for w in sentence)
    if denies and not any(word.negates for part in near for word in part):
        return True
    said = {word.key: word.kind for word in telling(sentence)}
    for key, kind in said.items():
        if kind in {Kind.NUMBER, Kind.WIDE}:
            continue
        weighed = [_weighed(part, n) for part in quoted for n, word in enumerate(part) if word.key == key]
        if not weighed:
            continue
        if not denies and all(negated for negated, _ in weighed):
            return True
        if kind is Kind.FATE and not hedges and not denies and all(hedged for _, hedged in weighed):
            return True
    return False


def _weighed(part: Sequence[Word], at: int) -> tuple[bool, bool]:
    """Whether the word at an index is negated, and whether it is hedged, by what stands just before it."""
    before = part[max(0, at - REACH) : at]
    return any(word.negates for word in before), any(word.hedges for word in before)


def names_one_another(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence says of one name that it is another ("Ana is Quillet") though no quoted sentence has both.

    That is: two names met with nothing between them but small words, one of them a form of "be" or "called".
    """
    named = [
        (n, w) for n, w in enumerate(sentence) if w.capital and w.text.casefold() in told.names and w.kind in TELLING
    ]
    for (first, one), (second, other) in pairwise(named):
        between = sentence[first + 1 : second]
        if one.key == other.key or any(word.kind in TELLING for word in between):
            continue
        if any(word.text.casefold() in _IS for word in between):
            return not any(_joined(part, one.key, other.key) for part in told.quoted(quote))
    return False


_IS: Final = frozenset(
    ("is", "was", "be", "been", "being", "are", "were", "called", "calls", "named", "really", "also", "means", "ist",
     "war", "heißt", "est", "était", "es", "era", "è", "é", "это")
)  # fmt: skip


def _joined(part: Sequence[Word], one: str, other: str) -> bool:
    """Whether both stand in a sentence, with nothing that tells anything between them."""
    for n, word in enumerate(part):
        if word.key not in {one, other}:
            continue
        for following in part[n + 1 :]:
            if following.key in {one, other} and following.key != word.key:
                return True
            if following.kind in TELLING:
                break
    return False
