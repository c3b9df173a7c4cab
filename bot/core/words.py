"""The words of a sentence, by what they do in it: carry it, or tell something of the book."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from bot.core.lists import LANGUAGES, language_of
from bot.core.numerals import number_of_word
from bot.core.terms import TOKEN, stem


class Kind(StrEnum):
    """What a word does. ``FATE`` is content that tells an outcome; ``WIDE`` a pair of characters without spaces."""

    GRAMMAR = "grammar"
    DISCOURSE = "discourse"
    CONTENT = "content"
    FATE = "fate"
    NUMBER = "number"
    WIDE = "wide"


TELLING: Final = frozenset((Kind.CONTENT, Kind.FATE, Kind.NUMBER, Kind.WIDE))
"""Kinds that tell something of the book."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written at ``start`` (code points), without a possessive ending; ``key`` is the same for its forms.

    ``opens`` says that a sentence or a speech begins with it: its capital says nothing. ``parted`` says that a comma or
    the like stands before it. ``negates`` and ``hedges``: after it something is denied, or not told as done.
    """

    text: str
    start: int
    key: str
    kind: Kind
    opens: bool = False
    parted: bool = False
    negates: bool = False
    hedges: bool = False

    @property
    def folded(self) -> str:
        """It without case, as the lists have it."""
        return _folded(self.text)

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


@lru_cache(maxsize=1 << 16)
def _folded(word: str) -> str:
    return word.casefold().replace("'", "’")


def words(text: str, language: str | None) -> tuple[Word, ...]:
    """The words of ``text`` in order; ``language`` (ISO 639-1) is the book's."""
    found: list[Word] = []
    for match in TOKEN.finditer(text):
        before = text[max(0, match.start() - _BACK) : match.start()].rstrip(" \"'“‘«»„(")
        opens = not before or (before[-1] in '.!?:;…¿¡—–”’"\n。！？：；」』' and not _ABBREVIATED.search(before))
        parted = opens or before[-1] in ",()，、，；："
        if match["wide"]:
            pairs = map("".join, pairwise(match[0])) if len(match[0]) > 1 else iter(match[0])
            found += [
                Word(pair, match.start() + n, pair, Kind.WIDE, opens and not n, parted and not n)
                for n, pair in enumerate(pairs)
            ]
            continue
        if two := contracted(match[0], language):
            found += _two(match[0], match.start(), two, (opens, parted), language)
            continue
        bare = match[0][:-2] if match[0].endswith(("’s", "'s")) else match[0]
        negates, hedges = _weighing(bare, language)
        named = bare[0].isupper() and not opens
        kind = _key_and_kind(bare, language)
        found.append(Word(bare, match.start(), *kind, opens, parted, negates, hedges and not named))
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def contracted(word: str, language: str | None) -> tuple[str, str] | None:
    """The two words that are written as one ("don't"), the first with its capital; None where it is one."""
    two = language_of(language).contracted.get(_folded(word))
    if two is None:
        return None
    first, second = two
    return (first.capitalize() if word[0].isupper() else first), second


def _two(written: str, at: int, two: tuple[str, str], where: tuple[bool, bool], language: str | None) -> Iterator[Word]:
    """Two words that are written as one: the second begins within it."""
    starts = (at, at + min(len(two[0]), len(written) - 1))
    for word, start, (opens, parted) in zip(two, starts, (where, (False, False)), strict=True):
        yield Word(word, start, *_key_and_kind(word, language), opens, parted, *_weighing(word, language))


_ABBREVIATED: Final = re.compile(
    r"(?<!\w)(?:Mrs?|Ms|Messrs|Mme|Mlle|Drs?|Prof|Rev|Hon|Ste?|Capt|Col|Gen|Lieut|Lt|Maj|Sergt|Sgt|Supt|Insp|Mt|Hr|Fr"
    r"|[A-HJ-ZÄÖÜ])\.$"
)
"""A title or an initial: its full stop ends nothing."""
_BACK: Final = 12
"""Code points looked back at: more than marks ever stand between two words."""


@lru_cache(maxsize=1 << 17)
def _key_and_kind(bare: str, language: str | None) -> tuple[str, Kind]:
    key, lists = key_of(bare, language), language_of(language)
    folded = _folded(bare)
    if folded in lists.grammar:
        return key, Kind.GRAMMAR
    if (number := number_of_word(folded)) is not None:
        return f"={number}", Kind.NUMBER
    if any(character.isdigit() for character in bare):
        return key, Kind.NUMBER
    if folded in lists.discourse:
        return key, Kind.DISCOURSE
    return key, Kind.FATE if key in _fate_keys(language) else Kind.CONTENT


@lru_cache(maxsize=1 << 16)
def _weighing(bare: str, language: str | None) -> tuple[bool, bool]:
    """Whether a word denies, and whether it hedges."""
    lists, folded = language_of(language), _folded(bare)
    return (
        folded in lists.negations or folded.endswith("n’t"),
        folded in lists.hedges or folded.endswith(("’ll", "’d")),
    )


@lru_cache(maxsize=1 << 16)
def key_of(word: str, language: str | None) -> str:
    """What all forms of a word have in common: its stem, after irregular forms are made regular."""
    folded = word.casefold()
    return stem(language_of(language).regular.get(folded, folded), language)


@lru_cache(maxsize=32)
def _fate_keys(language: str | None) -> frozenset[str]:
    """The keys of words that tell an outcome."""
    return frozenset(key_of(word, language) for word in language_of(language).fates)


def spoken(text: str) -> str | None:
    """The language whose small words stand most often in ``text``, at least twice; None where no one does."""
    folded = [_folded(match[0]) for match in TOKEN.finditer(text) if not match["wide"]]
    counts = {language: sum(word in lists.grammar for word in folded) for language, lists in LANGUAGES.items()}
    best = max(counts, key=lambda language: counts[language])
    others = [count for language, count in counts.items() if language != best]
    return best if counts[best] >= 2 and counts[best] > max(others) else None
