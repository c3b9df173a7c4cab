"""Whether a sentence says that somebody is somebody, or what they are, where the quoted words do not.

In the words of one sentence of the book it is easily said who is who: "The stranger sat by the fire and looked at Ana"
has all the words of "The stranger by the fire was Ana". So what follows a form of "be", or is put beside a name as
another word for it, must stand so in what is quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import Final

from bot.core.identities import says_one
from bot.core.lists import Language
from bot.core.offsets import Span
from bot.core.told import Told
from bot.core.words import TELLING, Word

BESIDE: Final = 5
"""Words: so many articles and forms of "be" may stand between two that are said to be one."""
DESCRIBED: Final = 4
"""Words: so many, with an article, may stand between a form of "be" and what somebody is."""


def equates(sentence: Sequence[Word], told: Told, quote: Span) -> bool:
    """Whether a sentence equates two, or says what somebody is, and no quoted sentence does."""
    quoted, lists = told.quoted(quote), told.lists
    beside: Set[str] = lists.being | lists.relatives
    pairs = [(n, m, beside | lists.titles) for n, m in _put_beside(sentence, lists)]
    for at, links in _predicates(sentence, lists):
        before = next((n for n in range(at - 1, -1, -1) if _tells(sentence[n])), None)
        if before is not None:
            pairs.append((before, at, links | beside))
        elif not _is_so(sentence[at], quoted, links, lists):
            return True
    return any(
        not _joined(sentence[n], sentence[m], quoted, links, lists) and not _said_one(sentence, n, m, told, quote)
        for n, m, links in pairs
    )


def _said_one(sentence: Sequence[Word], one: int, other: int, told: Told, quote: Span) -> bool:
    """Whether a quoted sentence says in one of the usual forms that two are one ("“I am Ana,” said the stranger")."""
    first, second = (_label(sentence, at, told.lists) for at in (one, other))
    quoted = (told.passage.sentences[n].text for n in told.touched(quote))
    return any(says_one(text, first, second, told.language) for text in quoted)


def _label(sentence: Sequence[Word], at: int, lists: Language) -> str:
    """A whole name, or a word with its article."""
    first = last = at
    while sentence[at].capital and first and sentence[first - 1].capital and not sentence[first].parted:
        first -= 1
    if sentence[at].capital:
        last = _last_of_name(sentence, at)
    elif at and sentence[at - 1].folded in lists.articles:
        first = at - 1
    return " ".join(word.text for word in sentence[first : last + 1])


def _tells(word: Word) -> bool:
    return word.kind in TELLING


def _predicates(sentence: Sequence[Word], lists: Language) -> Iterator[tuple[int, Set[str]]]:
    """Where a name, or what has an article, follows a form of "be" or "as"; with what may say so in what is quoted."""
    for at, word in enumerate(sentence):
        name = word.capital
        if not at or not _tells(word) or not (name or sentence[at - 1].folded in lists.articles | lists.degrees):
            continue
        if (link := _told_by(sentence, at, name, lists)) is not None:
            links = lists.being if link.folded in lists.being else lists.being | lists.likening
            yield at, links | lists.degrees if sentence[at - 1].folded in lists.degrees else links


def _told_by(sentence: Sequence[Word], at: int, name: bool, lists: Language) -> Word | None:
    """The form of "be", or the "as", before a word, with articles between them; or before a name with small words, as
    in "none other than", of which none begins a phrase or a clause.
    """
    begins = lists.prepositions | lists.linking | lists.subjects - lists.articles
    while at and sentence[at - 1].folded not in lists.being | lists.likening:
        small = sentence[at - 1].folded
        over = small not in begins if name else small in lists.articles | lists.degrees
        parted = sentence[at].parted and small not in lists.titles
        if _tells(sentence[at - 1]) or parted or not over:
            return None
        at -= 1
    return sentence[at - 1] if at else None


def _put_beside(sentence: Sequence[Word], lists: Language) -> Iterator[tuple[int, int]]:
    """Words that stand beside a name as another word for it: "the old stranger Ana", "the stranger, Ana, ...", "Ana,
    the stranger, ...", "Ana the stranger".
    """
    said = [n for n, word in enumerate(sentence) if _tells(word)]
    for n, m in pairwise(said):
        one, other, between = sentence[n], sentence[m], sentence[n + 1 : m]
        if any(word.folded not in lists.articles | lists.titles for word in between):
            continue
        parted = any(word.parted for word in sentence[n + 1 : m + 1])
        article = any(word.folded in lists.articles for word in between)
        if other.capital and not one.capital:
            named = not article and _has_an_article(sentence, n, lists)
            beside = _ends(sentence, _last_of_name(sentence, m)) if parted else named
        elif one.capital and not other.capital:
            beside = article and (_ends(sentence, m) or not parted)
        else:
            beside = parted and one.capital and _ends(sentence, _last_of_name(sentence, m))
        if beside:
            yield n, m


def _has_an_article(sentence: Sequence[Word], at: int, lists: Language) -> bool:
    """Whether an article stands before a word, with a word between them that says how it is at most."""
    one = at > 1 and _tells(sentence[at - 1]) and not sentence[at - 1].capital and not sentence[at].parted
    before = at - 2 if one else at - 1
    return before >= 0 and sentence[before].folded in lists.articles


def _last_of_name(sentence: Sequence[Word], at: int) -> int:
    while at + 1 < len(sentence) and sentence[at + 1].capital and not sentence[at + 1].parted:
        at += 1
    return at


def _ends(sentence: Sequence[Word], at: int) -> bool:
    """Whether a comma or the like stands after a word, or nothing."""
    return at + 1 == len(sentence) or sentence[at + 1].parted


def _is_so(word: Word, quoted: Sequence[Sequence[Word]], links: Set[str], lists: Language) -> bool:
    """Whether what is quoted says of somebody that they are this: it follows one of ``links``, described or not."""
    small = lists.articles | lists.joining
    return any(one.key == word.key and _follows(part, m, links, small) for part in quoted for m, one in enumerate(part))


def _follows(part: Sequence[Word], at: int, links: Set[str], small: Set[str]) -> bool:
    for n in range(at - 1, max(-1, at - 2 - DESCRIBED), -1):
        if part[n].folded in links:
            return True
        if part[n + 1].parted or not (_tells(part[n]) or part[n].folded in small):
            return False
    return False


def _joined(one: Word, other: Word, quoted: Sequence[Sequence[Word]], links: Set[str], lists: Language) -> bool:
    """Whether two stand beside each other in what is quoted, with nothing between them but articles and ``links``: the
    other way round with a comma or one of those.
    """
    small = links | lists.articles | lists.joining
    for part in quoted:
        first = [n for n, word in enumerate(part) if word.key == one.key]
        second = [n for n, word in enumerate(part) if word.key == other.key]
        for n, m in ((n, m) for n in first for m in second if 0 < abs(n - m) <= BESIDE + 1):
            between = part[min(n, m) + 1 : max(n, m)]
            near = all(word.folded in small for word in between)
            parted = part[max(n, m)].parted or any(word.parted or word.folded in links for word in between)
            if near and (n < m or parted):
                return True
    return False
