"""Whether a passage bears a sentence out, without a model: by its words, where they stand, and how.

No such check can read. What it holds is this: a sentence is made of what the passage itself says, near to the words
that are quoted, and does not turn into a fact what is denied or only feared there. How much of what is true survives it
and how much of what is not is in docs/answers.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from typing import Final

from bot.core.offsets import Span
from bot.core.told import Told, telling, throughout
from bot.core.words import TELLING, Kind, Word

AROUND: Final = 2
"""Sentences on either side of those quoted that are near to the quote."""
NEAR: Final = 0.75
"""The least share of what a sentence tells that stands near the quote."""
SHORT: Final = 7
"""Words that tell something: so many may have one pair the other way round than the book."""
SHORTEST: Final = 4
"""Words: fewer are no sentence, unless they are quoted so."""
TOLD_BY: Final = 2
"""So many words near the quote must tell what a verb is about that tells little itself and does not stand there."""
TOGETHER: Final = 4
"""Two words that a sentence puts side by side stand so near in the passage, counted in words that tell."""
APART: Final = 16
"""Words: two that changed places have the same between them so far apart."""


def backed(sentence: Sequence[Word], told: Told, quote: Span, freely: bool = False) -> bool:
    """Whether every word that tells something stands in the passage, nearly all of them near the quote and side by side
    as there; and, where one tells an outcome, all of them in the very sentences that are quoted.

    Said ``freely`` a common verb may be the teller's own, and more may stand apart.
    """
    said = telling(sentence)
    if len(sentence) < SHORTEST or all(word.kind is not Kind.GRAMMAR for word in sentence):
        return False
    quoted = {word.key for part in told.quoted(quote) for word in part}
    outcome = any(word.kind is Kind.FATE for word in said)
    near = quoted if outcome else {word.key for part in told.quoted(quote, AROUND) for word in part}
    little = told.lists.light | told.lists.common
    common = [word for word in said[:2] if freely and _verb_of_its_own(sentence, word, told, quote)][:1]
    told_so = [word for word in said if word not in common]
    own = [word for word in told_so if not word.capital or word.kind is not Kind.CONTENT]
    if said[-1:] == common or not all(_stands(word, told) for word in told_so):
        return False
    if common and sum(word.key in near for word in own) < TOLD_BY:
        return False
    if all(word.folded in little for word in told_so) or _more_often(told_so, told, quote):
        return False
    if not own:
        return (
            bool(told_so) and all(word.key in quoted for word in told_so) and _goes_on_so(sentence, told.quoted(quote))
        )
    wider = freely and not outcome
    further = {word.key for part in told.quoted(quote, 2 * AROUND) for word in part} if wider else near
    placed = all(_placed(word, near if n else further, quoted) for n, word in enumerate(told_so))
    close = sum(word.key in near for word in own) >= NEAR * len(own)
    return placed and close and _together(sentence, told_so, told, quote, (freely, outcome))


def _goes_on_so(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether what follows each name follows it in what is quoted: small words tell who would and who would not."""
    there = {(one.key, other.key) for part in quoted for one, other in pairwise(part)}
    return all(
        (one.key, other.key) in there for one, other in pairwise(sentence) if one.capital and one.kind in TELLING
    )


def _verb_of_its_own(sentence: Sequence[Word], word: Word, told: Told, quote: Span) -> bool:
    """Whether a word is a common verb that the passage does not have, stands next to who does it, and takes the place
    of no word that is quoted.
    """
    at = sentence.index(word)
    if at == 0 or word.folded not in told.lists.light | told.lists.common or word.key in told.keys:
        return False
    before = sentence[at - 1]
    somebody = before.capital or before.folded in told.lists.subjects
    return somebody and not _in_anothers_place(sentence, word, told.quoted(quote))


def _in_anothers_place(sentence: Sequence[Word], word: Word, quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether what is quoted has another word that tells something where a sentence has a verb of its own: between what
    stands before that and what it tells next.
    """
    at = sentence.index(word)
    before, said = sentence[at - 1].key, {one.key for one in sentence}
    after = next((one.key for one in telling(sentence[at + 1 :])), None)
    for part in quoted:
        for n, one in enumerate(part):
            ends = (m for m in range(n + 2, min(n + APART, len(part))) if part[m].key == after)
            if one.key == before and any(left.key not in said for m in ends for left in telling(part[n + 1 : m])):
                return True
    return False


def _more_often(said: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence says a word twice that stands once in what is quoted: one of them is in another's place."""
    counted = Counter(word.key for part in told.quoted(quote) for word in part)
    return any(counted[key] and count > counted[key] for key, count in Counter(word.key for word in said).items())


def _placed(word: Word, near: Set[str], quoted: Set[str]) -> bool:
    """Whether a word stands where one of its kind must."""
    if word.kind is Kind.FATE:
        return word.key in quoted
    return (word.kind is not Kind.NUMBER and not word.capital) or word.key in near


def _together(sentence: Sequence[Word], said: Sequence[Word], told: Told, quote: Span, how: tuple[bool, bool]) -> bool:
    """Whether what a sentence has ``said`` side by side stands side by side near the quote and in the same order, but
    for one pair of a short one; with nobody passed over between somebody and a deed.

    ``how`` is whether it is said freely, and whether it tells an outcome. Freely the subject may stand for a pronoun
    there, not of an outcome.
    """
    freely, outcome = how
    near = told.quoted(quote, AROUND)
    places = _places(near)
    pairs = list(pairwise(said))
    apart = [n for n, (a, b) in enumerate(pairs) if not _side_by_side(places, a, b, (-TOGETHER, TOGETHER))]
    turned_round = [
        pair for n, pair in enumerate(pairs) if n not in apart and not _side_by_side(places, *pair, (0, TOGETHER))
    ]
    if len(turned_round) > (len(said) <= SHORT) or any(
        _keeps_its_place(*pair) or _same_between(sentence, near, *pair) for pair in turned_round
    ):
        return False
    spoken = [word for word in sentence if word in said or word.kind is Kind.DISCOURSE]
    lists = told.lists
    tellers = lists.subjects & lists.speaker.keys()
    if any(word.folded in tellers | lists.narrator for word in sentence):
        tellers = frozenset()
    pronouns = (lists.subjects - lists.articles, tellers | (lists.things - lists.articles))
    if any(_same_between(sentence, near, *pair) and not _stand_so(near, *pair) for pair in pairwise(spoken)):
        return False
    others = {word.key for word in spoken}
    if any(_passed_over(near, *pair, others, pronouns) for pair in {*pairs, *pairwise(spoken)}):
        return False
    if len({word.key for word in said}) < len(said) and not _in_order(said, told.quoted(quote)):
        return False
    subject = freely and not outcome and _is_subject(sentence, said[0], near, told.lists.articles)
    deed = next((word for word in said if not word.capital), said[0])
    brought = _brought(said[0], told.quoted(quote))
    if brought and (_named_later(said[0], told, quote) or not _for_a_pronoun(deed, told, quote, name=True)):
        return False
    return not apart or (subject and apart == [0] and _for_a_pronoun(said[1], told, quote, name=said[0].capital))


def _for_a_pronoun(deed: Word, told: Told, quote: Span, *, name: bool) -> bool:
    """Whether a pronoun stands just before a deed in what is quoted: a thing may stand for it, and a name unless it is
    one of things alone ("it", "there") or the teller's own.
    """
    others = told.lists.things | told.lists.speaker.keys()
    pronouns = told.lists.subjects - others if name else told.lists.subjects
    return any(
        word.key == deed.key and any(one.folded in pronouns for one in part[max(0, n - 4) : n])
        for part in told.quoted(quote)
        for n, word in enumerate(part)
    )


def _brought(subject: Word, quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether it is a name that nothing that is quoted has: of another sentence."""
    return subject.capital and all(word.key != subject.key for part in quoted for word in part)


def _named_later(subject: Word, told: Told, quote: Span) -> bool:
    """Whether a passage names somebody after what is quoted alone: a pronoun there does not mean them."""
    touched = told.touched(quote)
    lines = [n for n, part in enumerate(told.sentences) for word in part if word.key == subject.key and word.capital]
    return bool(lines) and min(lines) > touched[-1]


def _in_order(said: Sequence[Word], quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether what is quoted has these words in their order: of one that is said twice nothing else tells it."""
    there = iter(word.key for part in quoted for word in part)
    return all(word.key in there for word in said)


def _same_between(sentence: Sequence[Word], near: Sequence[Sequence[Word]], one: Word, other: Word) -> bool:
    """Whether the same stands between two words in a sentence and, the other way round, near the quote: they changed
    places.
    """
    return any(_between(sentence, one, other) & _between(part, other, one) for part in near)


def _between(part: Sequence[Word], one: Word, other: Word) -> set[tuple[str, ...]]:
    """What stands between two words in this order, wherever they stand so near each other."""
    found = set()
    for n, word in enumerate(part):
        for m in range(n + 1, min(n + APART, len(part))):
            if word.key == one.key and part[m].key == other.key:
                found.add(tuple(between.key for between in part[n + 1 : m]))
    return found


def _stand_so(near: Sequence[Sequence[Word]], one: Word, other: Word) -> bool:
    """Whether two words stand in this order anywhere near the quote."""
    return any(
        first.key == one.key and any(word.key == other.key for word in part[n + 1 :])
        for part in near
        for n, first in enumerate(part)
    )


def _keeps_its_place(one: Word, other: Word) -> bool:
    """Whether two words say something else the other way round: numbers, two names."""
    return Kind.NUMBER in {one.kind, other.kind} or (one.capital and other.capital)


def _passed_over(
    near: Sequence[Sequence[Word]], one: Word, other: Word, said: Set[str], pronouns: tuple[Set[str], Set[str]]
) -> bool:
    """Whether wherever a name and what follows it stand in one sentence somebody else stands between them, or a pronoun
    that is none of theirs ("I", "it"): ``pronouns`` are all, and those.
    """
    if not one.capital or other.capital:
        return False
    return throughout(
        any(_other_name(between, said) for between in part[n + 1 : end]) or _of_another(part[n + 1 : end + 1], pronouns)
        for part in near
        for n, word in enumerate(part)
        if word.key == one.key
        for end in _ends(part, n, other)
    )


def _ends(part: Sequence[Word], at: int, other: Word) -> list[int]:
    """Where a word stands after the one at an index: in the same form, if it does so anywhere."""
    ends = [n for n in range(at + 1, len(part)) if part[n].key == other.key]
    return [n for n in ends if part[n].folded == other.folded] or ends


def _of_another(part: Sequence[Word], pronouns: tuple[Set[str], Set[str]]) -> bool:
    """Whether the last clause of a part has a pronoun of something else next before its end."""
    every, others = pronouns
    for n in range(len(part) - 2, -1, -1):
        if part[n + 1].parted:
            return False
        if part[n].folded in every:
            return part[n].folded in others
    return False


def _other_name(word: Word, said: Set[str]) -> bool:
    return word.capital and not word.opens and word.kind in {Kind.CONTENT, Kind.FATE} and word.key not in said


def _places(parts: Sequence[Sequence[Word]]) -> dict[str, list[tuple[int, int]]]:
    """Where each word that tells stands: the number of its sentence, and its number in it."""
    places: dict[str, list[tuple[int, int]]] = {}
    for line, part in enumerate(parts):
        for at, word in enumerate(telling(part)):
            places.setdefault(word.key, []).append((line, at))
    return places


def _side_by_side(
    places: Mapping[str, Sequence[tuple[int, int]]], one: Word, other: Word, within: tuple[int, int]
) -> bool:
    """Whether ``other`` stands in one sentence with ``one``, so many telling words after it (before, if negative)."""
    least, most = within
    there = places.get(other.key, ())
    return any(a == b and least <= n - m <= most for a, m in places.get(one.key, ()) for b, n in there)


def _is_subject(sentence: Sequence[Word], word: Word, near: Sequence[Sequence[Word]], articles: Set[str]) -> bool:
    """Whether it is the name, or the thing with its article (as near the quote), that a sentence begins with."""
    at = sentence.index(word)
    if word.capital and at <= 1:
        return True
    if at != 1 or sentence[0].folded not in articles:
        return False
    pairs = (pair for part in near for pair in pairwise(part))
    return any(one.folded in articles and other.key == word.key for one, other in pairs)


def _stands(word: Word, told: Told) -> bool:
    return word.key in told.keys or word.folded in told.names
