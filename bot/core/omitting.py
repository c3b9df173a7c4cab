"""Whether a sentence leaves a small word out that what it tells hangs on: "too", "nor", "nearly", "before", "than".

All its words stand in what is quoted, and say something else without that one: "she is to lift it" of "she is too weak
to lift it".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set
from itertools import pairwise
from typing import Final

from bot.core.lists import Language
from bot.core.offsets import Span
from bot.core.told import Told, tells, throughout
from bot.core.words import Kind, Word

Part = Sequence[Word]

REACH: Final = 8
"""Words: "too", "before" and "than" weigh on what follows them in their clause so closely."""
NEAR: Final = 4
"""Words: so far before "to" stands what rules it, and after "than" what something is compared with."""
JOINED: Final = 20
"""Words: so far back a "would" is looked for that a deed after "and" shares."""


def omits(sentence: Part, told: Told, quote: Span) -> bool:
    """Whether it leaves out any such word."""
    quoted, lists = told.quoted(quote), told.lists
    return (
        _without(sentence, quoted, lists, lists.excess, _too_much)
        or _without(sentence, quoted, lists, lists.until, _until)
        or _without(sentence, quoted, lists, lists.comparing, _compared)
        or _without(sentence, quoted, lists, lists.lacking, _lacked)
        or _without(sentence, quoted, lists, lists.similes | lists.likening, _likened)
        or _denied_on(sentence, quoted, lists)
        or _unreal(sentence, quoted, lists)
        or _to_do_of_another(sentence, quoted, lists)
        or _weight_left_out(sentence, quoted, lists)
        or _only_such(sentence, quoted, lists)
        or _cut_before_a_denial(sentence, quoted)
    )


def _wherever(word: Word, quoted: Sequence[Part], holds: Callable[[Part, int], bool]) -> bool:
    """Whether a word is quoted, and something holds of it wherever it is."""
    return throughout(holds(part, n) for part in quoted for n, one in enumerate(part) if one.key == word.key)


def _telling(sentence: Part) -> Collection[Word]:
    """The words of a sentence that tell something, those with one key once."""
    return {word.key: word for word in sentence if tells(word)}.values()


def _without(
    sentence: Part,
    quoted: Sequence[Part],
    lists: Language,
    weights: Set[str],
    weighed: Callable[[Part, int, Language], bool],
) -> bool:
    """Whether a sentence has none of some small words, and what one of them weighs on wherever it is quoted."""
    if not weights or any(word.folded in weights for word in sentence):
        return False
    return any(_wherever(word, quoted, lambda part, n: weighed(part, n, lists)) for word in _telling(sentence))


def _clause_before(part: Part, at: int, reach: int) -> range:
    """The places before a word in its clause, the last first."""
    first = at
    while first > max(0, at - reach) and not part[first].parted:
        first -= 1
    return range(at - 1, first - 1, -1)


def _too_much(part: Part, at: int, lists: Language) -> bool:
    """Whether "too ... to" stands before a word."""
    before = _clause_before(part, at, REACH)
    to = next((n for n in before if part[n].folded in lists.purpose), None)
    return to is not None and any(part[n].folded in lists.excess for n in before if to - NEAR <= n < to)


def _until(part: Part, at: int, lists: Language) -> bool:
    """Whether a word stands in a clause that begins with "before" or "until"."""
    somebody = lists.subjects | lists.articles | lists.owning
    return any(
        part[n].folded in lists.until and (part[n + 1].capital or part[n + 1].folded in somebody)
        for n in _clause_before(part, at, REACH)
        if n + 1 < at
    )


def _compared(part: Part, at: int, lists: Language) -> bool:
    return any(part[n].folded in lists.comparing for n in _clause_before(part, at, NEAR))


def _lacked(part: Part, at: int, lists: Language) -> bool:
    """Whether "instead of" or the like stands before a word."""
    return any(part[n].folded in lists.lacking for n in _clause_before(part, at, REACH))


def _likened(part: Part, at: int, lists: Language) -> bool:
    """Whether a word stands in a clause that begins with "like" or "as though"."""
    return any(
        part[n].folded in lists.similes and (part[n].folded in lists.likening or part[n - 1].folded in lists.likening)
        for n in _clause_before(part, at, REACH)
    )


def _denied_on(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether something is told that "nor" or "neither" denies, however far before, and nothing denied."""
    if any(word.negates for word in sentence):
        return False

    def denied(part: Part, at: int) -> bool:
        for n in range(at - 1, -1, -1):
            if part[n].folded in lists.spreading:
                return True
            if part[n + 1].parted and part[n + 1].folded in lists.joining:
                return False
        return False

    return any(_wherever(word, quoted, denied) for word in _telling(sentence))


def _unreal(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether something is told as done that somebody only "would" do, or "would" do a thing "and" do."""
    if any(word.hedges for word in sentence):
        return False
    if any(_is_form(other, lists) and _would_only(one.key, quoted, lists) for one, other in pairwise(sentence)):
        return True
    others = lists.subjects - lists.articles - lists.relatives - lists.things

    def joined(part: Part, at: int) -> bool:
        if at < 2 or part[at - 1].folded not in lists.joining:
            return False
        for n in range(at - 2, max(-1, at - JOINED), -1):
            if part[n].folded in lists.unreal:
                return True
            if part[n].folded in others or part[n].opens:
                return False
        return False

    def said(part: Part, at: int) -> bool:
        return any(part[n].folded in lists.unreal for n in _clause_before(part, at, NEAR))

    return any(
        _wherever(word, quoted, joined) or (word.kind is Kind.DISCOURSE and _wherever(word, quoted, said))
        for word in _telling(sentence)
    )


def _would_only(key: str, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether who stands under a key only "would" do anything there."""
    after = [two.folded for part in quoted for one, two in pairwise(part) if one.key == key]
    return throughout(word in lists.unreal for word in after)


def _to_do_of_another(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether "to" do something hangs on another word than there: "was to lift" of "was unable to lift"."""
    if not lists.excess:
        return False
    there = {word.key for part in quoted for word in part}
    for ruling, to, deed in zip(sentence, sentence[1:], sentence[2:], strict=False):
        if to.folded not in lists.purpose or deed.capital or deed.folded in lists.articles or to.parted:
            continue
        if ruling.key not in there and ruling.folded not in lists.being:
            continue
        ruled = [
            _rules(part, n, ruling, lists)
            for part in quoted
            for n, (one, other) in enumerate(pairwise(part))
            if n and one.key == to.key and other.key == deed.key
        ]
        if ruled and not any(ruled):
            return True
    return False


def _rules(part: Part, at: int, ruling: Word, lists: Language) -> bool:
    """Whether a word rules a "to": stands before it, with nothing that tells something between, or what stands between
    two commas.
    """
    if part[at - 1].folded in lists.subjects | lists.speaker.keys() and (ruling.capital or _pronoun(ruling, lists)):
        return True
    for n in range(at - 1, max(-1, at - NEAR - REACH), -1):
        if part[n].key == ruling.key or (_is_form(ruling, lists) and _is_form(part[n], lists)):
            between = part[n + 1 : at]
            aside = bool(between) and between[0].parted and part[at].parted
            small = len(between) < NEAR and all(word.capital or not tells(word) for word in between)
            return aside or (small and not any(word.folded in lists.excess | lists.verging for word in between))
    return False


def _is_form(word: Word, lists: Language) -> bool:
    """Whether it is a form of "be"."""
    return word.folded in lists.being or lists.tenses.get(word.folded) in lists.being


def _pronoun(word: Word, lists: Language) -> bool:
    return any(word.folded in own for own in lists.genders) or word.folded in lists.subjects


def _weight_left_out(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether two words stand side by side that have a word there between them that denies, hedges or narrows."""
    said = {word.folded for word in sentence}
    pairs = {(one.key, other.key): (one, other) for one, other in pairwise(sentence) if not other.parted}
    for one, other in pairs.values():
        between = (
            part[n + 1 : m]
            for part in quoted
            for n, first in enumerate(part)
            if first.key == one.key
            for m in range(n + 1, min(n + NEAR + 1, len(part)))
            if part[m].key == other.key and not any(word.parted for word in part[n + 1 : m + 1])
        )
        if throughout(
            any(_weighs(part, n, said, lists) or _is_too((one, *part), n, said, lists) for n in range(len(part)))
            for part in between
        ):
            return True
    return False


def _is_too(part: Part, at: int, said: Set[str], lists: Language) -> bool:
    """Whether it is a "too" of something that follows the word at an index; after somebody it is "also"."""
    before, word = part[at], part[at + 1]
    small = before.kind is Kind.GRAMMAR and not before.capital and before.folded not in lists.subjects
    return small and word.folded in lists.excess and word.folded not in said


def _weighs(part: Part, at: int, said: Set[str], lists: Language) -> bool:
    word = part[at]
    almost = at > 0 and (part[at - 1].folded, word.folded) in lists.almost
    weighs = word.negates or (word.hedges and word.folded not in lists.likening) or word.folded in lists.narrowing
    return (weighs and word.folded not in said) or almost


def _only_such(sentence: Part, quoted: Sequence[Part], lists: Language) -> bool:
    """Whether "the only one" is told without the clause that says of which."""
    if not lists.sole or any(word.folded in lists.restricting for word in sentence):
        return False

    def such(part: Part, at: int) -> bool:
        for word in part[at + 1 : at + 1 + 2 * REACH]:
            if word.parted:
                return False
            if word.folded in lists.restricting:
                return True
        return False

    return any(word.folded in lists.sole and _wherever(word, quoted, such) for word in sentence)


def _cut_before_a_denial(sentence: Part, quoted: Sequence[Part]) -> bool:
    """Whether a sentence that denies nothing ends just before a word that denies there ("he knew it not")."""
    if len(sentence) < 2 or any(word.negates for word in sentence):
        return False
    last = (sentence[-2].key, sentence[-1].key)
    ends = [
        _denied_next(part, n + 2)
        for part in quoted
        for n, (one, other) in enumerate(pairwise(part))
        if (one.key, other.key) == last
    ]
    return throughout(ends)


def _denied_next(part: Part, at: int) -> bool:
    for word in part[at : at + 3]:
        if word.parted:
            return False
        if word.negates:
            return True
    return False
