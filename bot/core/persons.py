"""Whether a sentence tells of one person what is told of another: by the pronouns that stand beside a deed there."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Final

from bot.core.lists import Language
from bot.core.offsets import Span
from bot.core.told import Told, telling, tells, throughout
from bot.core.words import TELLING, Kind, Word

Part = Sequence[Word]

NOUN: Final = 3
"""Words: so far before a thing stands its article."""


def of_another(sentence: Part, told: Told, quote: Span) -> bool:
    """Whether any deed is told of somebody else, or done to somebody else."""
    quoted, lists = told.quoted(quote), told.lists
    return (
        _another_did(sentence, quoted, lists)
        or _done_to_another(sentence, quoted, lists)
        or _i_did(sentence, quoted, lists)
        or _who_it_was_done_to(sentence, quoted, lists)
        or _named_after(sentence, quoted, lists)
        or _who_was_told(sentence, quoted, lists)
        or _of_a_phrase(sentence, quoted, lists)
        or _comes_after(sentence, quoted, lists)
    )


def _persons(lists: Language) -> Set[str]:
    return lists.subjects - lists.articles - lists.relatives - lists.things


def _stands_for(said: str, there: str, lists: Language) -> bool:
    """Whether one pronoun may stand for another: "he" for an "I" too, and "the narrator"."""
    return said == there or said in lists.speaker.get(there, ()) or (said in lists.narrator and there in lists.speaker)


def _another_did(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether a pronoun, or the narrator, does what another pronoun does there, be it one "and" before."""
    persons = _persons(lists)
    for n, (who, deed) in enumerate(pairwise(sentence)):
        if who.folded not in persons | lists.narrator or deed.parted:
            continue
        if who.folded in lists.narrator and deed.kind is Kind.DISCOURSE:
            continue
        after = sentence[n + 2].key if n + 2 < len(sentence) and not tells(deed) else None
        found = [
            _subject(part, m, lists)
            for part in quoted
            for m, word in enumerate(part)
            if m and word.key == deed.key and (after is None or (m + 1 < len(part) and part[m + 1].key == after))
        ]
        if found and not any(one is None or _stands_for(who.folded, one, lists) for one in found):
            return True
    return False


def _subject(part: Part, at: int, lists: Language) -> str | None:
    """The pronoun that does a deed: just before it, or where "and" does, the one that begins the clause before that."""
    persons = _persons(lists)
    if part[at].parted and part[at - 1].folded not in lists.joining:
        return None
    if part[at - 1].folded in persons:
        return part[at - 1].folded
    if part[at - 1].folded not in lists.joining:
        return None
    for n in range(at - 2, -1, -1):
        begins = n == 0 or part[n].parted or part[n - 1].folded in lists.joining
        if not begins or part[n].folded in lists.joining:
            continue
        if part[n].folded in persons:
            return part[n].folded
        if part[n].capital or part[n].folded in lists.articles | lists.owning | lists.subjects or part[n].opens:
            return None
    return None


def _done_to_another(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether somebody is done to what is done to another there: "seized me" of "seized him"."""
    for deed, whom in pairwise(sentence):
        if not tells(deed) or whom.folded not in lists.objects:
            continue
        found = [other.folded for part in quoted for one, other in pairwise((*part, *part[:1])) if one.key == deed.key]
        if found and all(one in lists.objects and not _stands_for(whom.folded, one, lists) for one in found):
            return True
    return False


def _i_did(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether a thing does what "I" do there."""
    tellers = _persons(lists) & lists.speaker.keys()
    for who, deed in pairwise(sentence):
        if who.kind not in TELLING or who.capital or deed.kind not in TELLING or deed.parted:
            continue
        before = [one.folded for part in quoted for one, other in pairwise(part) if other.key == deed.key]
        if throughout(one in tellers for one in before):
            return True
    return False


def _who_it_was_done_to(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether somebody to whom something is done there, or a thing, does what is told "and" after that."""
    for who, deed in pairwise(sentence):
        if who.kind not in TELLING or not tells(deed) or deed.parted or deed.capital:
            continue
        found = [
            m > 0 and part[m - 1].folded in lists.joining and _is_object(part, m, who.key, lists)
            for part in quoted
            for m, word in enumerate(part)
            if word.key == deed.key
        ]
        if throughout(found):
            return True
    return False


def _is_object(part: Part, before: int, key: str, lists: Language) -> bool:
    """Whether what stands last before a place under a key has its article just after a deed or a preposition, and
    somebody stands before that.
    """
    at = next((n for n in range(before - 1, -1, -1) if part[n].key == key), 0)
    first = next((n for n in range(at - 1, max(-1, at - 1 - NOUN), -1) if part[n].folded in lists.articles), 0)
    if first < 2 or any(word.parted for word in part[first : at + 1]):
        return False
    rules = part[first - 1]
    acts = (rules.kind in TELLING and not rules.capital) or rules.folded in lists.prepositions
    persons = _persons(lists)
    return acts and any(word.folded in persons or (word.capital and word.kind in TELLING) for word in part[: first - 1])


def _named_after(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether a name stands for a pronoun that begins a clause there before anybody is named so."""
    said = telling(sentence)
    if len(said) < 2 or not said[0].capital or said[1].capital:
        return False
    name, deed = said[0].key, said[1].key
    persons = _persons(lists) - lists.speaker.keys()
    found = [
        _pronoun_before(part, m, persons, lists) and any(n > m for n in _places(part, name)) and _first(part, name) > m
        for part in quoted
        for m, word in enumerate(part)
        if word.key == deed
    ]
    return throughout(found)


def _places(part: Part, key: str) -> list[int]:
    return [n for n, word in enumerate(part) if word.key == key]


def _first(part: Part, key: str) -> int:
    return next(iter(_places(part, key)), -1)


def _pronoun_before(part: Part, at: int, persons: Set[str], lists: Language) -> bool:
    """Whether one of some pronouns stands so near before a place, and a clause of its own begins with it."""
    return any(
        part[n].folded in persons and (n == 0 or part[n].parted or part[n - 1].folded in lists.joining)
        for n in range(max(0, at - NOUN), at)
    )


def _who_was_told(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether a name does what "he" did there of whom "him" was asked or told: "Ana asked her why she slept"."""
    said = telling(sentence)
    if len(said) < 2 or not said[0].capital or said[1].capital:
        return False
    name, deed = said[0].key, said[1].key
    found = [_told_of(part, _first(part, name), m, lists) for part in quoted for m in _places(part, deed)]
    return throughout(found)


def _told_of(part: Part, name: int, deed: int, lists: Language) -> bool:
    persons = _persons(lists)
    who = next((n for n in range(deed - 1, max(-1, deed - 2 - NOUN), -1) if part[n].folded in persons), -1)
    if name < 0 or who < name:
        return False
    same = next((own for own in lists.genders if part[who].folded in own), frozenset[str]())
    return any(
        one.kind is Kind.DISCOURSE and other.folded in same & lists.objects for one, other in pairwise(part[name:who])
    )


def _of_a_phrase(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether a thing is what another is there, in whose phrase it stands last: "the tide had turned" of "the boat on
    the tide had turned".
    """
    for n, (who, deed) in enumerate(pairwise(sentence)):
        if (
            who.kind not in TELLING
            or who.capital
            or deed.parted
            or not (_helps(deed, lists) or deed.folded in lists.unreal)
        ):
            continue
        article = next((m for m in range(n - 1, max(-1, n - NOUN), -1) if sentence[m].folded in lists.articles), None)
        if article is None or _phrased(sentence, article, lists):
            continue
        found = [
            m >= n - article and _phrased(part, m - (n - article), lists)
            for part in quoted
            for m, (one, other) in enumerate(pairwise(part))
            if one.key == who.key and other.key == deed.key
        ]
        if throughout(found):
            return True
    return False


def _phrased(part: Part, at: int, lists: Language) -> bool:
    """Whether an article stands at an index, and a preposition that begins no clause before it."""
    return (
        at > 0 and part[at].folded in lists.articles and not part[at].parted and part[at - 1].folded in lists.phrasing
    )


def _comes_after(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether a thing that is named after a deed alone does it, or has it done to it, where somebody else did it there
    in the same voice.
    """
    said = telling(sentence)
    if len(said) < 2 or said[0].capital or said[1].capital:
        return False
    first, second = sentence.index(said[0]), sentence.index(said[1])
    between = sentence[first + 1 : second]
    if any(word.parted for word in sentence[first + 1 : second + 1]) or not all(
        _helps(word, lists) for word in between
    ):
        return False
    passive = bool(between) and between[-1].folded in lists.being
    found = [
        _done_by_another(part, m, said[0].key, passive, lists) for part in quoted for m in _places(part, said[1].key)
    ]
    return throughout(found)


def _helps(word: Word, lists: Language) -> bool:
    return word.folded in lists.being or word.folded in lists.tenses


def _done_by_another(part: Part, deed: int, key: str, passive: bool, lists: Language) -> bool:
    """Whether a deed has a subject just before it, in this voice, and what stands under a key comes after it alone."""
    n = deed - 1
    while n > 0 and _helps(part[n], lists) and not part[n + 1].parted:
        n -= 1
    if n < 0 or part[n + 1].parted or (n < deed - 1 and part[deed - 1].folded in lists.being) != passive:
        return False
    somebody = part[n].kind in TELLING or part[n].folded in _persons(lists)
    places = _places(part, key)
    return somebody and bool(places) and places[0] > deed
