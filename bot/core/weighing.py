"""Whether a sentence turns what is quoted: denies it, or tells as done what the book denies, fears or only supposes."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from bot.core.lists import Language
from bot.core.offsets import Span
from bot.core.told import Told, telling, throughout
from bot.core.words import TELLING, Kind, Word

REACH: Final = 5
"""Words: a negation or a hedge weighs on what follows it so closely."""
_WOULD: Final = frozenset(("would", "should"))
"""What a "’d" stands for."""
ASIDE: Final = 3
"""Words that tell nothing: so many between two commas part no clause."""


def only_asked(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether all that a sentence tells of what is quoted is asked there, and the sentence leaves it no more open."""
    touched = told.touched(quote)
    said = {word.key for word in sentence if word.kind in TELLING}
    asked = (
        asked
        for n in touched
        for word, asked in zip(told.sentences[n], told.asking[n], strict=True)
        if word.key in said
    )
    whole = all(told.asks[n] for n in touched)
    return (whole or throughout(asked)) and not _hedges_more(sentence, told.quoted(quote))


def turned(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence denies what is quoted undenied, or tells as done what is denied or only feared there."""
    quoted, linking, either = told.quoted(quote), told.lists.linking, told.lists.either
    left_open = any(_is(word, either) for word in sentence)
    undenied = any(not _denied(sentence[n + 1 :], quoted, linking) for n, word in enumerate(sentence) if word.negates)
    if undenied or _denies_another(sentence, quoted) or _after_a_condition(sentence, quoted, told.lists):
        return True
    if any(_undenied(sentence, n, quoted, linking) for n, word in enumerate(sentence) if word.kind is Kind.DISCOURSE):
        return True
    supposing = not _hedges_more(sentence, quoted)
    supposed = {word.key: supposing and _supposed_there(word, quoted, told.lists) for word in telling(sentence)}
    for at, word in enumerate(sentence):
        if word.kind not in TELLING:
            continue
        weighed = _weighed_there(word, quoted, linking)
        denied, hedges = _weighed(sentence, at, linking)
        told_as_done = supposing and not hedges
        if weighed and (
            all(denied != there for there, _ in weighed) or (told_as_done and all(hedged for _, hedged in weighed))
        ):
            return True
        if not left_open and _one_of_two(word, quoted, either):
            return True
        if supposed[word.key] and not _supposed(sentence, at, told.lists):
            return True
    return False


def _undenied(sentence: Sequence[Word], at: int, quoted: Sequence[Sequence[Word]], linking: Set[str]) -> bool:
    """Whether a word is denied wherever it is quoted, and not in a sentence."""
    weighed = _weighed_there(sentence[at], quoted, linking)
    return throughout(denied for denied, _ in weighed) and not _weighed(sentence, at, linking)[0]


def _after_a_condition(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether a sentence begins with what is quoted just after an "if" or the like alone."""
    first = [word.key for word in sentence[:2]]
    return throughout(
        n > 0 and part[n - 1].folded in lists.conditions
        for part in quoted
        for n in range(len(part) - 1)
        if [part[n].key, part[n + 1].key] == first
    )


def _denies_another(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether a sentence ends with a denial ("... war es nicht") of something else than what is quoted does."""
    said = _denied_last(sentence)
    there = {key for part in quoted for key in _clauses_denied(part)}
    return said is not None and bool(there) and said not in there


def _denied_last(part: Sequence[Word]) -> str | None:
    """What tells something last before a denial that nothing follows."""
    for n in range(len(part) - 1, -1, -1):
        if part[n].negates:
            return next((word.key for word in reversed(part[:n]) if word.kind in TELLING), None)
        if part[n].kind in TELLING:
            return None
    return None


def _clauses_denied(part: Sequence[Word]) -> list[str]:
    ends = [n for n in range(1, len(part) + 1) if n == len(part) or part[n].parted]
    found = (_denied_last(part[:end]) for end in ends)
    return [key for key in found if key is not None]


def _denied(rest: Sequence[Word], quoted: Sequence[Sequence[Word]], linking: Set[str]) -> bool:
    """Whether what a sentence denies next is denied in what is quoted too."""
    for word in rest[:REACH]:
        if word.parted:
            break
        if word.kind is not Kind.GRAMMAR:
            return any(denied for denied, _ in _weighed_there(word, quoted, linking))
    return any(word.negates for part in quoted for word in part)


def _weighed(part: Sequence[Word], at: int, linking: Set[str]) -> tuple[bool, bool]:
    """Whether the word at an index is denied (and that not denied again), and whether it is hedged, by what stands just
    before it: also before a comma, where a ``linking`` word follows that.
    """
    first = at
    while first > max(0, at - REACH) and (not part[first].parted or part[first].folded in linking):
        first -= 1
    before = part[first:at]
    return sum(word.negates for word in before) % 2 == 1, any(word.hedges for word in before)


def _supposed_there(word: Word, quoted: Sequence[Sequence[Word]], lists: Language) -> bool:
    """Whether a word stands in what is quoted, and wherever it does in a clause that is only supposed."""
    return throughout(_supposed(part, n, lists) for part in quoted for n, one in enumerate(part) if one.key == word.key)


def _supposed(part: Sequence[Word], at: int, lists: Language) -> bool:
    """Whether the clause of the word at an index begins with "if", with "that" after a denial or a hedge, however
    far before, or just after a word of supposing; or is joined by "and" to such a one in a sentence that begins with a
    hedge ("Suppose that ...").
    """
    n = at - 1
    while n >= 0:
        if _is(part[n], lists.linking):
            joined = n > 0 and _is(part[n - 1], lists.joining)
            minds = [n, *(m for m in range(n) if joined and _is(part[m], lists.linking))]
            mind = any(_is(word, lists.supposing) for m in minds for word in part[max(0, m - REACH) : m])
            return mind or any(word.hedges or word.negates for word in part[: n + 1])
        if part[n].parted and not (part[0].hedges and _is(part[n], lists.joining)):
            aside = _put_in(part, n)
            if aside == n:
                return False
            n = aside
        n -= 1
    return False


def _put_in(part: Sequence[Word], end: int) -> int:
    """Where what is put in between two commas before ``end`` begins ("that he, too, was"); ``end`` if nothing is."""
    for n in range(end - 1, max(0, end - ASIDE - 1), -1):
        if part[n].kind in TELLING:
            break
        if part[n].parted:
            return n
    return end


def _one_of_two(word: Word, quoted: Sequence[Sequence[Word]], either: Set[str]) -> bool:
    """Whether a word is left open wherever it is quoted: what it tells, or else another."""
    return throughout(_open(part, n, either) for part in quoted for n, one in enumerate(part) if one.key == word.key)


def _open(part: Sequence[Word], at: int, either: Set[str]) -> bool:
    """Whether "or" stands in the clause of the word at an index, so near before it or after it: of "six or seven boats"
    the boats are not left open.
    """
    first, last = at, at + 1
    while first > max(0, at - REACH) and not part[first].parted:
        first -= 1
    while last < min(len(part), at + REACH) and (not part[last].parted or _is(part[last], either)):
        last += 1
    return any(_is(part[n], either) and (abs(n - at) == 1 or not _of_numbers(part, n)) for n in range(first, last))


def _of_numbers(part: Sequence[Word], at: int) -> bool:
    return all(word.kind is Kind.NUMBER for word in part[max(0, at - 1) : at + 2 : 2])


def _is(word: Word, listed: Set[str]) -> bool:
    return word.folded in listed


def _hedges_more(sentence: Sequence[Word], quoted: Sequence[Sequence[Word]]) -> bool:
    """Whether a sentence hedges with a word that is not quoted."""
    there = {word.key for part in quoted for word in part}
    shortened = any(word.text.endswith(("’d", "'d")) for part in quoted for word in part)
    return any(word.hedges and word.key not in there and not (shortened and _is(word, _WOULD)) for word in sentence)


def _weighed_there(word: Word, quoted: Sequence[Sequence[Word]], linking: Set[str]) -> list[tuple[bool, bool]]:
    """The same of a word wherever it is quoted."""
    return [_weighed(part, n, linking) for part in quoted for n, one in enumerate(part) if one.key == word.key]
