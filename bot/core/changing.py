"""Whether a sentence changes what a small word says, or whose or who it is, or tells as done what is only meant.

"Before" for "after", "his hair" for "her hair", "Mrs. Wren" for "Mr. Wren": no word of these tells anything by itself,
and each makes something else of the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot.core.lists import Language
from bot.core.names import NOUN_CAPITALS
from bot.core.offsets import Span
from bot.core.told import Told, telling, throughout
from bot.core.words import TELLING, Kind, Word

NEAR: Final = 4
"""Words: so near before a word "to be" is said of it."""


def changes(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence changes any of this."""
    quoted, lists = told.quoted(quote), told.lists
    there = {word.folded for part in quoted for word in part}
    said = {word.folded for word in sentence}
    if any(word not in there and lists.rivals.get(word, frozenset()) & there for word in said):
        return True
    if said & lists.future and not there & (lists.future | lists.hedges):
        return True
    return (
        _of_the_other(said, quoted, lists)
        or _before_another(sentence, quoted, lists)
        or _only_meant(sentence, quoted, lists)
        or _on_condition(sentence, quoted, lists)
        or _another_clause(sentence, quoted, lists)
        or _of_somebody(sentence, told, quote)
    )


def _of_the_other(said: set[str], quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether it is told of a man where what is quoted tells of a woman alone, or the other way round, and of nobody
    by a name nor of who says it.
    """
    words = [word for part in quoted for word in part]
    there = {word.folded for word in words}
    if there & lists.speaker.keys() or any(word.capital and word.kind in TELLING for word in words):
        return False
    for own in lists.genders:
        others = frozenset().union(*lists.genders) - own
        if said & own and not there & own and there & others:
            return True
    return False


def _before_another(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether a title stands before a name that has another there, or what is somebody's is somebody else's, or another
    pronoun has done it.
    """
    persons = lists.subjects - lists.articles - lists.relatives
    for one, other in pairwise(sentence):
        for listed in (lists.titles, lists.owning, persons):
            if one.folded not in listed or (other.kind not in TELLING and listed is not persons):
                continue
            others_of = listed - lists.things if other.kind is Kind.DISCOURSE else listed
            before = [a.folded for part in quoted for a, b in pairwise(part) if b.key == other.key]
            others = [word for word in before if word in others_of and word not in lists.speaker]
            if others and len(others) == len(before) and one.folded not in before:
                return True
    return False


def _only_meant(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether a deed is told that stands after "to" alone there ("he refused to go"): in another form than there, or
    just after who does it.
    """
    for n, word in enumerate(sentence):
        if n == 0 or word.capital or word.kind not in {Kind.CONTENT, Kind.FATE}:
            continue
        before = sentence[n - 1]
        if before.folded in lists.purpose:
            continue
        there = [(part, m) for part in quoted for m, one in enumerate(part) if one.key == word.key]
        if there and all(_to_be(part, m, lists) for part, m in there) and not _to_be(sentence, n, lists):
            return True
        if not there or not all(m and part[m - 1].folded in lists.purpose for part, m in there):
            continue
        if before.capital or before.folded in lists.subjects - lists.articles:
            return True
        if all(part[m].folded != word.folded for part, m in there):
            return True
    return False


def _to_be(part: Sequence[Word], at: int, lists: Language) -> bool:
    """Whether "to be" stands so near before a word."""
    before = part[max(0, at - NEAR) : at + 1]
    return any(
        one.folded in lists.purpose and other.folded in lists.being and not any(w.parted for w in before[n + 1 :])
        for n, (one, other) in enumerate(pairwise(before))
    )


def _on_condition(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether something is told that is there so only "if", which the sentence leaves out; it may say "whether"."""
    if any(word.folded in lists.provided | (lists.conditions & lists.linking) for word in sentence):
        return False
    for word in sentence:
        there = ((part, n) for part in quoted for n, one in enumerate(part) if one.key == word.key)
        if word.kind in TELLING and throughout(_conditioned(part, n, lists) for part, n in there):
            return True
    return False


def _conditioned(part: Sequence[Word], at: int, lists: Language) -> bool:
    """Whether an "if" begins a clause before a word, or follows in the words' own clause."""
    for n in range(at + 1, len(part)):
        if part[n].parted:
            break
        if _provides(part, n, lists):
            return True
    for n in range(at - 1, -1, -1):
        starts = n == 0 or part[n].parted or part[n - 1].folded in lists.joining | lists.linking
        if starts and _provides(part, n, lists):
            return True
        if part[n].opens:
            return False
    return False


def _provides(part: Sequence[Word], at: int, lists: Language) -> bool:
    """Whether a word is an "if", and none of "as if"."""
    return part[at].folded in lists.provided and not (at and part[at - 1].folded in lists.likening)


def _another_clause(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether a name stands beside what another clause there tells of somebody else ("Wren slept, and hens had")."""
    said = telling(sentence)
    keys = {word.key for word in said}
    for one, other in pairwise(said):
        if not one.capital or other.capital:
            continue
        there = (
            _begins_anew(part[n + 1 : m], keys, lists)
            for part in quoted
            for n, first in enumerate(part)
            for m in range(n + 1, len(part))
            if first.key == one.key and part[m].key == other.key
        )
        if throughout(there):
            return True
    return False


def _begins_anew(between: Sequence[Word], said: set[str], lists: Language) -> bool:
    return any(
        one.parted and one.folded in lists.joining and other.folded in lists.articles and third.key not in said
        for one, other, third in zip(between, between[1:], between[2:], strict=False)
    )


def _of_somebody(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether it begins with a name that is there only whose, or to whom, something is: "Wren fell" of "Wren's lamp
    fell", or of "the lamp of Wren".
    """
    said, lists = telling(sentence), told.lists
    if told.language in NOUN_CAPITALS and any(_genitive(word, told.quoted(quote)) for word in said if word.capital):
        return True
    if not said or not said[0].capital or said[0].kind is Kind.NUMBER:
        return False
    name = said[0]
    if told.language not in NOUN_CAPITALS and _comes_later(said, told.quoted(quote)):
        return True
    first = sentence.index(name)
    if first and sentence[first - 1].folded in lists.prepositions:
        return False
    there = ((told.sentences[n], told.passage.sentences[n].text) for n in told.touched(quote))
    return throughout(
        _owns(part, at, text) or _after_a_preposition(part, at, lists)
        for part, text in there
        for at, word in enumerate(part)
        if word.key == name.key and word.capital
    )


def _genitive(word: Word, quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether a German name is there only with the "s" that says whose something is."""
    there = {one.folded for part in quoted for one in part if one.key == word.key}
    return there == {f"{word.folded}s"}


def _comes_later(said: Sequence[Word], quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether a sentence begins with a name and what is there told before it, of another name."""
    keys = {word.key for word in said}
    deeds = [word for word in said[1:] if not word.capital][:1]
    return throughout(
        m < n and any(one.capital and one.kind in TELLING and one.key not in keys for one in part[:m])
        for deed in deeds
        for part in quoted
        for n, first in enumerate(part)
        for m, second in enumerate(part)
        if first.key == said[0].key and second.key == deed.key
    )


def _owns(part: Sequence[Word], at: int, text: str) -> bool:
    after = text[part[at].start + len(part[at].text) :][:2].replace("'", "’")
    return after in {"’s", "’ "} and at + 1 < len(part) and not part[at + 1].parted


def _after_a_preposition(part: Sequence[Word], at: int, lists: Language) -> bool:
    """Whether a whole name stands after a preposition, with its title or an article."""
    while at and (part[at - 1].capital or part[at - 1].folded in lists.titles | lists.articles):
        if part[at].parted and part[at - 1].folded not in lists.titles:
            return False
        at -= 1
    return at > 0 and not part[at].parted and part[at - 1].folded in lists.prepositions
