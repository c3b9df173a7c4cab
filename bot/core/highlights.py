"""The most telling sentences of a stretch that has been read, without a model. Pure: a function of that stretch alone.

A sentence is scored by how close it comes to what the stretch is about (the centroid of Radev et al., *Centroid-based
summarization of multiple documents*, 2004, on sentences): the cosine of its terms, each weighted by ``tf * isf``, with
the sum of all sentences of the stretch, times ``n / (n + FEW)`` for a sentence of n different terms, for one of few
terms comes close to it too easily. ``isf`` is ``log(1 + N / n)`` over these N sentences, of which n have the term; the
terms of names count by `NAME`, or they would have the whole say. On that stand small bonuses for what reads well alone:
a beginning of a paragraph, a name; a sentence that leans on the one before it ("He", "But"), or asks, loses. Further
ones are chosen by maximal marginal relevance (Carbonell and Goldstein, 1998), so that they do not say the same, and in
different chapters where they can be.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.answer import Citation
from bot.core.evidence import Evidence, ReadSentence
from bot.core.names import NAME_WORD
from bot.core.terms import question_terms

HIGHLIGHTS: Final = 3
SHORTEST: Final = 45
LONGEST: Final = 260
"""Code points of a highlight: shorter ones tell little, longer ones are no quotes."""

FEW: Final = 5
NAME: Final = 0.4
"""The weight of a term of a name beside that of another."""
PARAGRAPH: Final = 0.02
NAMED: Final = 0.02
LEANS: Final = 0.06
ASKS: Final = 0.03
"""Bonuses, and what a sentence loses that leans on the one before it or asks, beside scores of 0 to about 0.3."""
SAME: Final = 0.5
"""How much of its likeness (cosine) to one chosen already a further one loses."""
SAME_CHAPTER: Final = 0.05

_QUOTES: Final = "“”\"„«»‘’'"
_LEANING_WORDS: Final = (
    "he she it they him them her his its their this that these those there then so but and or yet nor for thus hence "
    "here such also however still meanwhile afterwards therefore"
)
_LEANING: Final = frozenset(_LEANING_WORDS.split())
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")
_ENDED: Final = re.compile(r"[.!?…。！？][”\"’'»)）」』]*$")


@dataclass(frozen=True, slots=True)
class _Scored:
    row: int
    index: int
    sentence: ReadSentence
    terms: dict[str, float]
    score: float


def highlights(
    evidence: Sequence[Evidence], start: int, language: str | None, names: Collection[str] = (), most: int = HIGHLIGHTS
) -> tuple[Citation, ...]:
    """At most ``most`` sentences of ``evidence`` that begin at ``start`` (code points) or later, in story order.

    ``names`` are names met. Nothing but the sentences of ``evidence`` has a say.
    """
    told = [
        (row, index, sentence)
        for row, item in enumerate(evidence)
        for index, sentence in enumerate(item.passage.sentences)
        if sentence.span.start >= start
    ]
    left = _scored(told, language, frozenset(word for name in names for word in NAME_WORD.findall(name)))
    chosen: list[_Scored] = []
    while left and len(chosen) < most:
        best = max(left, key=lambda s: (round(_marginal(s, chosen, evidence), 9), -s.sentence.span.start))
        chosen.append(best)
        left = [s for s in left if s is not best]
    chosen.sort(key=lambda s: s.sentence.span)
    return tuple(Citation(n, s.sentence.span, s.sentence.text, evidence[s.row]) for n, s in enumerate(chosen, start=1))


def _scored(
    told: Sequence[tuple[int, int, ReadSentence]], language: str | None, named: frozenset[str]
) -> list[_Scored]:
    of_names = frozenset(question_terms(" ".join(sorted(named)), language))
    counted = [question_terms(sentence.text, language) for _, _, sentence in told]
    having = Counter(term for terms in counted for term in terms)
    total = len(counted)
    isf = {term: math.log1p(total / n) * (NAME if term in of_names else 1.0) for term, n in having.items()}
    centroid: dict[str, float] = {}
    for terms in counted:
        for term, count in terms.items():
            centroid[term] = centroid.get(term, 0.0) + count * isf[term]
    length = _norm(centroid)
    scored = []
    for (row, index, sentence), terms in zip(told, counted, strict=True):
        if _stands_alone(sentence):
            weighted = {term: count * isf[term] for term, count in terms.items()}
            cosine = _dot(weighted, centroid) / ((_norm(weighted) * length) or 1.0)
            score = cosine * len(terms) / (len(terms) + FEW) + _bonus(sentence, named)
            scored.append(_Scored(row, index, sentence, weighted, score))
    return scored


def _stands_alone(sentence: ReadSentence) -> bool:
    """Whether it has the length of a quote, begins as a sentence does, and is ended by a mark."""
    text = sentence.text.strip()
    if not SHORTEST <= len(text) <= LONGEST or "\n\n" in text or not _ENDED.search(text):
        return False
    first = text.lstrip(_QUOTES + "—–-([")[:1]
    letters = [c for c in text if c.isalpha()]
    shouted = sum(c.isupper() for c in letters) * 2 > len(letters)
    return bool(first) and not first.islower() and not first.isdigit() and not shouted and _quotes_close(text)


def _quotes_close(text: str) -> bool:
    """Whether no speech is cut: as many marks open as close."""
    return text.count("“") == text.count("”") and text.count('"') % 2 == 0 and text.count("(") == text.count(")")


def _bonus(sentence: ReadSentence, named: frozenset[str]) -> float:
    text = sentence.text
    first = _FIRST_WORD.search(text)
    bonus = PARAGRAPH if sentence.paragraph_start else 0.0
    bonus -= ASKS if "?" in text else 0.0
    bonus += NAMED if not set(NAME_WORD.findall(text)).isdisjoint(named) else 0.0
    return bonus - (LEANS if first and first[0].casefold() in _LEANING else 0.0)


def _marginal(one: _Scored, chosen: Sequence[_Scored], evidence: Sequence[Evidence]) -> float:
    own = _norm(one.terms) or 1.0
    like = max((_dot(one.terms, other.terms) / (own * (_norm(other.terms) or 1.0)) for other in chosen), default=0.0)
    chapter = evidence[one.row].passage.chapter
    again = sum(evidence[other.row].passage.chapter == chapter for other in chosen)
    return one.score - SAME * like - SAME_CHAPTER * again


def _dot(one: dict[str, float], other: dict[str, float]) -> float:
    return math.fsum(weight * other[term] for term, weight in one.items() if term in other)


def _norm(weights: dict[str, float]) -> float:
    return math.sqrt(math.fsum(weight * weight for weight in weights.values()))
