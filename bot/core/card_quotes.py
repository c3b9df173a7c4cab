"""The sentences that tell most of somebody, without a model. Pure: a function of the sentences read.

A sentence that names them counts by what introduces people: an apposition ("Sherman, the bird-stuffer"), "was a", a
word of kin, trade or looks close to the name (the patterns of Hearst, *Automatic acquisition of hyponyms*, 1992, and of
definition questions), and by how early it stands; that somebody speaks tells little of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.answer import Citation
from bot.core.evidence import Evidence, ReadSentence
from bot.core.names import NAME_WORD, mentions
from bot.core.offsets import Span
from bot.core.telling import leans, stands_alone

QUOTES: Final = 5
"""Sentences of a card; the last of them is of where they were last seen."""
CODE_POINTS: Final = 300
"""The longest stretch of a sentence that is quoted."""

_ARTICLE: Final = r"(?:a|an|the|my|his|her|our|your|their|its|one of)"
_AFTER: Final = re.compile(
    rf"(?:['’]s)?(?:,?\s+(?:was|is|had been|were)\s+(?:\w+\s+){{0,2}}?{_ARTICLE}\s+\w"
    rf"|,\s+{_ARTICLE}\s+(?:\w+[\s,-]+){{0,4}}?\w"
    rf"|,\s+(?:who|whose|whom)\s|,\s+(?:son|daughter|wife|widow|brother|sister|nephew|niece)\s+of|\s+\(|,\s+(?:of|from)\s)"
)
_BEFORE: Final = re.compile(
    rf"(?:\b(?:named|called|name (?:is|was|of)|known as)\s+[“\"‘']?"
    rf"|\b{_ARTICLE}\s+(?:[\w-]+,?\s+){{0,3}}[a-z][\w-]*,?\s+"
    r"|\b(?:this|that)\s+(?:is|was)\s+)$"
)
_SPEAKS: Final = re.compile(
    r"(?:said|says|asked|cried|replied|answered|exclaimed|remarked|returned|continued|observed|added|whispered|shouted)\s*"
)
_IS: Final = re.compile(r"\s+(?:was|is|had|has|were|seemed|looked|lived|came|stood|wore|became)\b")
_TELLING_WORDS: Final = (
    "father mother son daughter brother sister wife husband widow uncle aunt cousin nephew niece child baby "
    "orphan ward friend companion lover sweetheart bride enemy rival guest host neighbour servant maid "
    "housekeeper butler governess nurse cook groom gardener coachman doctor physician surgeon lawyer solicitor "
    "attorney clerk detective inspector constable sergeant soldier officer captain colonel major general "
    "sailor mate merchant banker farmer priest clergyman rector curate minister teacher tutor student "
    "professor master mistress gentleman lady woman man boy girl fellow creature person figure count prince "
    "princess baron duke heir heiress beggar thief murderer prisoner keeper hunter trader preacher tradesman "
    "age aged years old young elderly tall short small little stout thin lean fat slender handsome beautiful "
    "pretty plain ugly pale dark fair eyes eye face hair beard moustache nose voice manner manners character "
    "temper rich poor wealthy clever proud kind gentle cruel mad born married lives lived property estate "
    "income pounds"
)
_TELLS: Final = frozenset(_TELLING_WORDS.split())
"""Kin, trades and looks."""
_OPENS: Final = 2
_CLOSE: Final = 70
"""Code points on either side of a name within which a word says something of who bears it."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence that names somebody: of evidence ``row``, with where in it the name stands (code points)."""

    row: int
    sentence: ReadSentence
    at: Span
    score: float


def mentions_of(
    evidence: Sequence[Evidence], names: frozenset[str], known: Mapping[tuple[str, ...], str]
) -> list[Mention]:
    """The sentences that name somebody by one of ``names``, in order; ``known`` maps the words of every name met to it.

    A name that stands in a longer one ("Holmes" in "Mycroft Holmes") is none of theirs.
    """
    looked = frozenset(word for name in names for word in NAME_WORD.findall(name))
    found = []
    for row, item in enumerate(evidence):
        for sentence in item.passage.sentences:
            at = _named(sentence, names, known, looked)
            if at is not None:
                found.append(Mention(row, sentence, at, tells_of(sentence, at)))
    return found


def _named(
    sentence: ReadSentence, names: frozenset[str], known: Mapping[tuple[str, ...], str], looked: frozenset[str]
) -> Span | None:
    if not any(word in sentence.text for word in looked):
        return None
    words = list(NAME_WORD.finditer(sentence.text))
    for at, size, name in mentions([word[0] for word in words], known):
        if name in names:
            return Span(words[at].start(), words[at + size - 1].end())
    return None


def tells_of(sentence: ReadSentence, at: Span) -> float:
    """How much a sentence tells of whom it names at ``at``."""
    text = sentence.text
    before, after = text[max(0, at.start - _CLOSE) : at.start], text[at.end : at.end + _CLOSE]
    score = 1.0 if _AFTER.match(text, at.end) else 0.0
    score += 0.6 if _BEFORE.search(before) else 0.0
    score += 0.3 if _IS.match(text, at.end) else 0.0
    close = {word.casefold() for word in NAME_WORD.findall(before + " " + after)}
    score += 0.25 * min(3, len(close & _TELLS))
    if _SPEAKS.search(before[-12:]) or _SPEAKS.match(after.lstrip(" ,")):
        score -= 0.8
    score += 0.2 if at.start <= _OPENS else 0.0
    score -= 0.0 if stands_alone(sentence) else 0.3 if score >= 1.0 else 0.8
    score -= 0.2 if leans(text) else 0.0
    return score - (0.2 if "?" in text else 0.0)


def card_quotes(
    evidence: Sequence[Evidence], found: Sequence[Mention], forced: Sequence[ReadSentence] = ()
) -> tuple[Citation, ...]:
    """At most `QUOTES` quotes out of ``found`` (at least one), in order: those that tell most, of which the earlier
    count for more; the last good one of all; and ``forced`` in any case.
    """
    chosen = [m for m in found if m.sentence in forced][:2]
    last = _last(found)
    total = len(found)
    ranked = sorted(
        enumerate(found), key=lambda pair: (-round(pair[1].score + 0.5 * _early(pair[0], total), 6), pair[0])
    )
    for _, mention in ranked:
        if len(chosen) >= QUOTES - (last not in chosen):
            break
        if mention not in chosen and not any(_alike(mention, other) for other in chosen):
            chosen.append(mention)
    if last not in chosen:
        chosen.append(last)
    quotes = []
    for n, mention in enumerate(sorted(chosen, key=lambda m: m.sentence.span), start=1):
        span = quoted_span(mention)
        start = span.start - mention.sentence.span.start
        quotes.append(Citation(n, span, mention.sentence.text[start : start + len(span)], evidence[mention.row]))
    return tuple(quotes)


def _early(index: int, total: int) -> float:
    """1 for the first mention, falling to 0 for the last."""
    return 1.0 - index / max(1, total - 1)


def _last(found: Sequence[Mention]) -> Mention:
    """The best among the last few mentions."""
    few = found[-6:]
    return max(enumerate(few), key=lambda pair: (round(pair[1].score + 0.05 * pair[0], 6), pair[0]))[1]


def _alike(one: Mention, other: Mention) -> bool:
    """Whether two sentences share most of their words."""
    words = [{w.casefold() for w in NAME_WORD.findall(m.sentence.text) if len(w) > 3} for m in (one, other)]
    small = min(map(len, words))
    return small > 0 and len(words[0] & words[1]) > 0.6 * small


def quoted_span(mention: Mention) -> Span:
    """The span (code points of the book) that is quoted: the sentence, or of a long one the stretch with the name."""
    text, at, base = mention.sentence.text, mention.at, mention.sentence.span.start
    if len(text) <= CODE_POINTS:
        return mention.sentence.span
    start = 0
    if at.end > CODE_POINTS * 2 // 3:  # from the last break that leaves the name well inside
        breaks = [m.end() for m in re.finditer(r"[,;:.!?—–]\s*|\s(?=[“\"‘])", text) if m.end() <= at.start]
        near = [b for b in breaks if at.start - b <= CODE_POINTS // 2]
        spaces = text.find(" ", max(0, at.start - CODE_POINTS // 2)) + 1
        start = near[0] if near else min(at.start, spaces)
    end = min(len(text), start + CODE_POINTS)
    if end < len(text):
        space = text.rfind(" ", at.end, end)
        end = space if space > 0 else end
    return Span(base + start, base + end)
