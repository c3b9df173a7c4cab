"""One passage as words: what a sentence about it is held against."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final
from weakref import WeakValueDictionary

from bot.core.evidence import Passage
from bot.core.lists import Language, language_of
from bot.core.offsets import Span
from bot.core.speech import in_speech
from bot.core.words import TELLING, Kind, Word, words

FRAME: Final = 6
"""Words within which "the narrator says that" ends."""
_CLOSING: Final = " \"'“”‘’«»‹›)\n"
_PART: Final = re.compile(r"[.!?…？！。]+[\"'“”‘’«»‹›)]*(?:\s|$)|[“„«»‘]")
"""Where within a sentence something else begins: after a full stop that somebody's speech ends with, or with speech."""


@dataclass(frozen=True)
class Told:
    """One passage as words, with the passages beside it. ``language`` (ISO 639-1) is the book's."""

    passage: Passage
    language: str | None
    beside: tuple[str, ...] = ()
    _read: dict[int, tuple[Word, ...]] = field(default_factory=dict, repr=False, compare=False)
    _aloud: dict[tuple[int, int], bool] = field(default_factory=dict, repr=False, compare=False)

    def sentence(self, number: int) -> tuple[Word, ...]:
        """The words of one sentence, by its number from 0."""
        if number not in self._read:
            self._read[number] = words(self.passage.sentences[number].text, self.language)
        return self._read[number]

    @cached_property
    def sentences(self) -> tuple[tuple[Word, ...], ...]:
        return tuple(map(self.sentence, range(len(self.passage.sentences))))

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(word.key for sentence in self.sentences for word in sentence)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every word with a capital, folded: of the passage and those beside it."""
        own = (word for sentence in self.sentences for word in sentence)
        near = (word for text in self.beside for word in words(text, self.language))
        return frozenset(name for word in (*own, *near) if word.capital for name in (word.folded, word.key))

    @cached_property
    def asks(self) -> tuple[bool, ...]:
        """Which sentences ask."""
        return tuple(sentence.text.rstrip(_CLOSING).endswith(("?", "？")) for sentence in self.passage.sentences)

    @cached_property
    def asking(self) -> tuple[tuple[bool, ...], ...]:
        """Which words of each sentence are asked: of all of one that asks, or of a part that ends so."""
        found = []
        for asks, sentence, listed in zip(self.asks, self.passage.sentences, self.sentences, strict=True):
            text, at, asked = sentence.text, 0, []
            for end in [*_PART.finditer(text), None]:
                until = len(text) if end is None else end.end()
                if asks or (end is not None and end[0][0] in "?？"):
                    asked.append((at, until))
                at = until
            found.append(tuple(any(a <= word.start < b for a, b in asked) for word in listed))
        return tuple(found)

    @property
    def lists(self) -> Language:
        return language_of(self.language)

    def aloud(self, number: int, at: int) -> bool:
        """Whether a word, by the number of its sentence and its own, is said aloud: the narrator does not say it."""
        if (number, at) not in self._aloud:
            start = self.passage.sentences[number].span.start - self.passage.span.start
            place = start + self.sentence(number)[at].start
            self._aloud[number, at] = in_speech(self.passage.text, place, self.language)
        return self._aloud[number, at]

    def touched(self, span: Span) -> list[int]:
        """The numbers of the sentences that hold any of ``span``."""
        return [n for n, s in enumerate(self.passage.sentences) if s.span.start < span.end and span.start < s.span.end]

    def quoted(self, span: Span, around: int = 0) -> tuple[tuple[Word, ...], ...]:
        """The sentences that hold any of ``span``, and so many around them."""
        touched = self.touched(span)
        if not touched:
            return ()
        return self.sentences[max(0, touched[0] - around) : touched[-1] + around + 1]


_IN_USE: Final[WeakValueDictionary[tuple[Passage, str | None, tuple[str, ...]], Told]] = WeakValueDictionary()


def told_by(passage: Passage, language: str | None, beside: tuple[str, ...]) -> Told:
    """A passage as words: read once for all who ask about it at once, and kept no longer than they do."""
    key = (passage, language, beside)
    told = _IN_USE.get(key)
    if told is None:
        told = _IN_USE[key] = Told(passage, language, beside)
    return told


def unmet_names(sentence: Iterable[Word], met: frozenset[str], language: str | None) -> list[str]:
    """The words of a sentence that a capital makes a name and that are not among those ``met`` (folded).

    A word that opens a sentence may have its capital for that alone: it is no name where it is a small word.
    """
    found = []
    for word in sentence:
        if not word.capital or word.kind in {Kind.GRAMMAR, Kind.DISCOURSE, Kind.NUMBER}:
            continue
        folded = word.folded
        if folded not in met and not (language == "de" and word.key in met):
            found.append(word.text)
    return found


def framed(sentence: Sequence[Word], lists: Language) -> int:
    """How many words "the narrator says that" takes up before a sentence: 0 where it does not stand there, or is denied
    or hedged.
    """
    that = next((n for n, word in enumerate(sentence[:FRAME]) if n and word.folded in lists.framing), 0)
    before, others = sentence[:that], [word for word in sentence[:that] if word.folded not in lists.narrator]
    if len(others) == len(before) or any(word.parted for word in sentence[1 : that + 1]):
        return 0
    small = all(word.kind in {Kind.GRAMMAR, Kind.DISCOURSE} and not (word.negates or word.hedges) for word in others)
    return that + 1 if small and any(word.kind is Kind.DISCOURSE for word in others) else 0


def throughout(found: Iterable[bool]) -> bool:
    """Whether there is anything, and all of it is so. It looks no further than to the first that is not."""
    there = False
    for so in found:
        if not so:
            return False
        there = True
    return there


def tells(word: Word) -> bool:
    """Whether a word tells something of the book, or how somebody tells it."""
    return word.kind in TELLING or word.kind is Kind.DISCOURSE


def telling(sentence: Iterable[Word]) -> list[Word]:
    """The words of a sentence that tell something of the book."""
    return [word for word in sentence if word.kind in TELLING]
