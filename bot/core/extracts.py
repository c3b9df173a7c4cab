"""Whether a sentence is an extract of what is quoted: its words in their order, nothing left out that could turn it.

This asks nobody and reads nothing: what it lets pass was said so by the book, in a clause of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.lists import Language, language_of
from bot.core.names import NOUN_CAPITALS
from bot.core.offsets import Span
from bot.core.speech import in_speech
from bot.core.told import Told
from bot.core.words import Kind, Word

_FRAME: Final = 6
"""Words within which "the narrator says that" ends."""
_GAPS: Final = 2
"""At most so many clauses are left out within a sentence."""


def extracted(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether ``sentence`` says what is quoted, word after word.

    It begins and ends where a clause does, and leaves out whole clauses only: none that denies, fears or supposes, none
    that tells of somebody who could have done it. Nor may the book only ask. Another time of an auxiliary, a number in
    digits, "the narrator" for an "I" that is not said aloud, and "the narrator says that" before it are no difference.
    """
    touched = told.touched(quote)
    if not sentence or not touched:
        return False
    language = language_of(told.language)
    quoted = [
        _At(word, n, at == 0, asked)
        for n in touched
        for at, (word, asked) in enumerate(zip(told.sentences[n], told.asking[n], strict=True))
    ]
    extract = _Extract(tuple(_without_frame(sentence, language)), tuple(quoted), told, language)
    framed = len(extract.said) < len(sentence)
    return any(
        extract.begins_at(at) and not (framed and extract.aloud(quoted[at])) and extract.fits(0, at)
        for at in range(len(quoted))
    )


@dataclass(frozen=True, slots=True)
class _At:
    """A quoted word, the number of its sentence, whether it is the first there, and whether it is only asked."""

    word: Word
    line: int
    first: bool
    asked: bool

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

    def begins_at(self, at: int) -> bool:
        """Whether it may begin with the quoted word ``at``: a clause does, and nothing before it weighs on it."""
        here = self.quoted[at]
        while not self.quoted[at].starts:
            if self.quoted[at - 1].word.folded not in self.language.joining:
                return False
            at -= 1
        return not any(self._weighs(other.word) for other in self.quoted[:at] if other.line == here.line)

    def fits(self, n: int, at: int, gaps: int = 0) -> bool:
        """Whether its words from ``n`` on stand in what is quoted from ``at`` on."""
        if n == len(self.said):
            return self._may_end(at)
        if at >= len(self.quoted) or self.quoted[at].asked:
            return False
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
            beyond = self.quoted[end].starts and not self._acts(at, end)
            if beyond and any(self.fits(n + taken, end + 1, gaps + 1) for taken in self._matched(n, end, joint=True)):
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
        return not self.aloud(there)

    def aloud(self, there: _At) -> bool:
        """Whether a quoted word is said aloud: it is not what the narrator says."""
        sentence = self.told.passage.sentences[there.line]
        at = sentence.span.start - self.told.passage.span.start + there.word.start
        return in_speech(self.told.passage.text, at, self.told.language)

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
        left = self.quoted[at:end]
        first = left[0].word.folded
        if first in self.language.subjects and first not in self.language.relatives:
            return True
        nouns = self.told.language in NOUN_CAPITALS
        names = [n for n, other in enumerate(left) if other.word.capital and not other.word.opens]
        return bool(names) and (names[0] <= 2 or not nouns) and first not in self.language.prepositions


def _without_frame(sentence: Sequence[Word], language: Language) -> Sequence[Word]:
    """A sentence without "the narrator says that" before it."""
    for n, word in enumerate(sentence[:_FRAME]):
        if n and word.folded == "that":
            before = sentence[:n]
            teller = any(one.folded in language.narrator for one in before)
            small = all(one.kind in {Kind.GRAMMAR, Kind.DISCOURSE} for one in before)
            return (
                sentence[n + 1 :] if teller and small and not any(w.negates or w.hedges for w in before) else sentence
            )
    return sentence
