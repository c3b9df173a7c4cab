"""Whether a sentence tells what is said aloud as the narrator's, or of who says it or is spoken to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from bot.core.names import NOUN_CAPITALS
from bot.core.offsets import Span
from bot.core.told import FRAME, Told, framed, telling, throughout
from bot.core.words import Kind, Word

SPOKEN: Final = 8
"""Words: an "I" so near before a word that is said aloud is who says it."""


def misattributes(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence gives what is said aloud to somebody else than who says it: what the narrator does is told by
    an "I" that nobody says aloud, what "the narrator says that" stands outside of speech.
    """
    if any(word.folded in told.lists.narrator for word in sentence):
        if not framed(sentence, told.lists) and not _teller(told, quote):
            return True
        if any(word.folded in told.lists.framing for word in sentence[:FRAME]) and not _of_the_book(
            sentence, told, quote
        ):
            return True
    return _across_speech(sentence, told, quote)


def _of_the_book(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether any word that tells something stands in what is quoted, and not aloud: the narrator says it."""
    said = {word.key for word in telling(sentence)}
    return any(
        word.key in said and not told.aloud(n, at)
        for n in told.touched(quote)
        for at, word in enumerate(told.sentences[n])
    )


def _teller(told: Told, quote: Span) -> bool:
    """Whether what is quoted has an "I" that nobody says aloud."""
    return any(
        word.folded in told.lists.speaker and not told.aloud(n, at)
        for n in told.touched(quote)
        for at, word in enumerate(told.sentences[n])
    )


def _across_speech(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether it puts a name beside what somebody says there, and the name is outside of what is said, or the other way
    round: nobody is told to do what they only tell of others, or what was done while they were spoken to.
    """
    said = telling(sentence)
    seen = set()
    for one, other in [*pairwise(said), *((said[0], word) for word in said[2:])]:
        if one.capital == other.capital:
            continue
        name, deed = (one, other) if one.capital else (other, one)
        if name.opens and told.language in NOUN_CAPITALS:
            continue
        tells = any(word.kind is Kind.DISCOURSE for word in _around(sentence, name)), _says(sentence, name, deed)
        if (name.key, deed.key, tells) in seen:
            continue
        seen.add((name.key, deed.key, tells))
        apart = (
            _said_of_another(told, n, a, b, tells)
            for n in told.touched(quote)
            for a, first in enumerate(told.sentences[n])
            for b, second in enumerate(told.sentences[n])
            if first.key == name.key and first.capital and second.key == deed.key
        )
        if throughout(apart):
            return True
    return False


def _around(sentence: Sequence[Word], word: Word) -> Iterator[Word]:
    """The words beside a whole name."""
    first = last = sentence.index(word)
    while first and sentence[first - 1].capital and not sentence[first].parted:
        first -= 1
    while last + 1 < len(sentence) and sentence[last + 1].capital and not sentence[last + 1].parted:
        last += 1
    yield from sentence[max(0, first - 1) : first]
    yield from sentence[last + 1 : last + 3]


def _says(sentence: Sequence[Word], name: Word, deed: Word) -> bool:
    """Whether between a name and a deed somebody else says something: "... Wren, he asked in wonder"."""
    between = sentence[sentence.index(name) : sentence.index(deed)]
    return any(one is not name and other.kind is Kind.DISCOURSE for one, other in pairwise(between))


def _said_of_another(told: Told, line: int, name: int, deed: int, tells: tuple[bool, bool]) -> bool:
    """Whether a deed is said aloud, and not by an "I" there, and a name stands outside of it, or the other way round;
    unless the sentence ``tells`` who says it.
    """
    outside, aloud = not told.aloud(line, name), told.aloud(line, deed)
    at = deed if outside else name
    near = {word.folded for word in told.sentences[line][max(0, at - SPOKEN) : at + 1]}
    return aloud is outside and not tells[not outside] and not near & told.lists.speaker.keys()
