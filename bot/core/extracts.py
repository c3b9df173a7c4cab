"""Whether a sentence is an extract of what is quoted: its words in their order, nothing left out that could turn it.

This asks nobody and reads nothing: what it lets pass was said so by the book, in a clause of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from bot.core.lists import Language
from bot.core.names import NOUN_CAPITALS
from bot.core.offsets import Span
from bot.core.told import Told, framed
from bot.core.words import Kind, Word

_GAPS: Final = 2
"""At most so many clauses are left out within a sentence."""
_TRIED: Final = 2_000
"""So many places of a sentence's words are tried: then it is no extract. One that says a word over and over has
no end of them; others have about a hundred at most.
"""


def extracted(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether ``sentence`` says what is quoted, word after word.

    It begins and ends where a clause does, and leaves out whole clauses only: none that denies, fears or supposes, none
    that tells of somebody who could have done it. Nor may the book only ask. Another time of an auxiliary, a number in
    digits, "the narrator" for an "I" that is not said aloud, and "the narrator says that" before it are no difference.
    """
    touched = told.touched(quote)
    if not sentence or not touched:
        return False
    quoted = [
        _At(word, n, at, asked)
        for n in touched
        for at, (word, asked) in enumerate(zip(told.sentences[n], told.asking[n], strict=True))
    ]
    frame = framed(sentence, told.lists)
    extract = _Extract(tuple(sentence[frame:]), tuple(quoted), told, told.lists)
    return bool(extract.said) and any(
        extract.begins_at(at) and not (frame and told.aloud(quoted[at].line, quoted[at].at)) and extract.fits(0, at)
        for at in range(len(quoted))
    )


@dataclass(frozen=True, slots=True)
class _At:
    """A quoted word, the number of its sentence, its own in that, and whether it is only asked."""

    word: Word
    line: int
    at: int
    asked: bool

    @property
    def first(self) -> bool:
        """Whether its sentence begins with it."""
        return self.at == 0

    @property
    def starts(self) -> bool:
        """Whether a clause begins with it."""
        return self.first or self.word.parted


@dataclass(frozen=True)
class _Extract:
    said: tuple[Word, ...]
    quoted: tuple[_At, ...]
    told: Told
    language: Language
    _tried: set[tuple[int, int, int]] = field(default_factory=set)

    def begins_at(self, at: int) -> bool:
        """Whether it may begin with the quoted word ``at``: a clause does, and nothing before it weighs on it."""
        here = self.quoted[at]
        while not self.quoted[at].starts:
            if self.quoted[at - 1].word.folded not in self.language.joining:
                return False
            at -= 1
        return not any(self._weighs(other.word) for other in self.quoted[:at] if other.line == here.line)

    def fits(self, n: int, at: int, gaps: int = 0) -> bool:
        """Whether its words from ``n`` on stand in what is quoted from ``at`` on, after so many ``gaps``."""
        if n == len(self.said):
            return self._may_end(at)
        if at >= len(self.quoted) or self.quoted[at].asked:
            return False
        if (n, at, gaps) in self._tried or len(self._tried) == _TRIED:
            return False
        self._tried.add((n, at, gaps))
        for taken in self._matched(n, at):
            if self.fits(n + taken, at + 1, gaps):
                return True
        return n > 0 and gaps < _GAPS and self._fits_after_a_gap(n, at, gaps)

    def _fits_after_a_gap(self, n: int, at: int, gaps: int) -> bool:
        if not self.quoted[at].starts or self.quoted[at].first:
            return False
        for end in range(at + 1, len(self.quoted)):
            if self.quoted[end].line != self.quoted[at].line or self._weighs(self.quoted[end - 1].word):
                return False
            matched = self._matched(n, end, joint=True) if self.quoted[end].starts else []
            if any(not self._acts(at, end) and self.fits(n + taken, end + 1, gaps + 1) for taken in matched):
                return True
        return False

    def _matched(self, n: int, at: int, joint: bool = False) -> list[int]:
        """How many of its words from ``n`` on can stand for the quoted word ``at``."""
        word, there = self.said[n], self.quoted[at]
        if n and not joint and word.parted != there.starts:
            return []
        found = [1] if self._same(word, there.word) or self._speaker(word, there.word) else []
        if n + 1 < len(self.said) and self._narrator(n, there):
            found.append(2)
        return found

    def _same(self, word: Word, other: Word) -> bool:
        if word.capital != other.capital and not word.opens and not other.opens:
            return word is self.said[0] and word.kind is Kind.GRAMMAR
        one, two = word.folded, other.folded
        same = self.language.tenses
        return one == two or word.key == other.key or (one in same and same[one] == same.get(two))

    def _speaker(self, word: Word, other: Word) -> bool:
        return word.folded in self.language.speaker.get(other.folded, ())

    def _narrator(self, n: int, there: _At) -> bool:
        """Whether two words are "the narrator", and the quoted one is an "I" that is not said aloud."""
        article, name = self.said[n], self.said[n + 1]
        if article.folded not in self.language.articles or name.folded not in self.language.narrator:
            return False
        if there.word.folded not in self.language.speaker or name.parted:
            return False
        return not self.told.aloud(there.line, there.at)

    def _may_end(self, at: int) -> bool:
        """Whether it may end before the quoted word ``at``: a clause does, and the next sets no condition."""
        if at >= len(self.quoted) or self.quoted[at].first:
            return True
        if not self.quoted[at].starts:
            return False
        return not any(other.word.folded in self.language.conditions for other in self.quoted[at : at + 2])

    def _weighs(self, word: Word) -> bool:
        return word.negates or word.hedges or word.folded in self.language.conditions

    def _acts(self, at: int, end: int) -> bool:
        """Whether what is left out may tell of somebody who did what is told after it."""
        first = self.quoted[at].word.folded
        if first in self.language.subjects and first not in self.language.relatives:
            return True
        nouns = self.told.language in NOUN_CAPITALS
        name = next((n for n in self._names[bisect_left(self._names, at) :]), end)
        return name < end and (name - at <= 2 or not nouns) and first not in self.language.prepositions

    @cached_property
    def _names(self) -> list[int]:
        """The quoted words that are names by their capitals."""
        return [n for n, other in enumerate(self.quoted) if other.word.capital and not other.word.opens]
