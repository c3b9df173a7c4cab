"""How telling the sentences of a stretch are, without a model. Pure: a function of that stretch alone.

A sentence is scored by how close it comes to what the stretch is about (the centroid of Radev et al., *Centroid-based
summarization of multiple documents*, 2004, on sentences): the cosine of its terms, each weighted by ``tf * isf``, with
the sum of all sentences of the stretch, times ``n / (n + FEW)`` for a sentence of n different terms, for one of few
terms comes close to it too easily. ``isf`` is ``log(1 + N / n)`` over these N sentences, of which n have the term; the
terms of names count by `NAME`, or they would have the whole say. On that stand small bonuses for what reads well alone:
a beginning of a paragraph, a name; a sentence that leans on the one before it ("He", "But"), or asks, loses. Further
ones are chosen by maximal marginal relevance (Carbonell and Goldstein, 1998), so that they do not say the same.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.answer import Citation
from bot.core.evidence import Evidence, ReadSentence
from bot.core.names import NAME_WORD
from bot.core.terms import question_terms

SHORTEST: Final = 45
LONGEST: Final = 260
"""Code points of a telling sentence: shorter ones tell little, longer ones are no quotes."""

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
class Told:
    """One sentence of a stretch: of evidence ``row`` the ``index``-th."""

    row: int
    index: int
    sentence: ReadSentence


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence that may be quoted alone, its weighted terms, and how telling it is."""

    told: Told
    terms: dict[str, float]
    score: float

    @property
    def sentence(self) -> ReadSentence:
        return self.told.sentence


def told_from(evidence: Sequence[Evidence], start: int) -> list[Told]:
    """The sentences of ``evidence`` that begin at ``start`` (code points) or later, in order."""
    return [
        Told(row, index, sentence)
        for row, item in enumerate(evidence)
        for index, sentence in enumerate(item.passage.sentences)
        if sentence.span.start >= start
    ]


def scored(told: Sequence[Told], language: str | None, named: frozenset[str]) -> list[Scored]:
    """The sentences among ``told`` that may be quoted alone, each with its score; ``named`` are the words of names."""
    of_names = frozenset(question_terms(" ".join(sorted(named)), language))
    counted = [question_terms(one.sentence.text, language) for one in told]
    having = Counter(term for terms in counted for term in terms)
    total = len(counted)
    isf = {term: math.log1p(total / n) * (NAME if term in of_names else 1.0) for term, n in having.items()}
    centroid: dict[str, float] = {}
    for terms in counted:
        for term, count in terms.items():
            centroid[term] = centroid.get(term, 0.0) + count * isf[term]
    length = norm(centroid)
    found = []
    for one, terms in zip(told, counted, strict=True):
        if stands_alone(one.sentence):
            weighted = {term: count * isf[term] for term, count in terms.items()}
            cosine = dot(weighted, centroid) / ((norm(weighted) * length) or 1.0)
            score = cosine * len(terms) / (len(terms) + FEW) + _bonus(one.sentence, named)
            found.append(Scored(one, weighted, score))
    return found


def best_of(left: Sequence[Scored], chosen: Sequence[Scored], evidence: Sequence[Evidence]) -> Scored:
    """The most telling of ``left`` (at least one) beside those ``chosen`` already; of equals the earliest."""
    best, most = left[0], -math.inf
    for one in sorted(left, key=lambda s: (-s.score, s.sentence.span.start)):
        if round(one.score, 9) < most:  # beside what is chosen it only loses
            break
        marginal = round(_marginal(one, chosen, evidence), 9)
        if marginal > most or (marginal == most and one.sentence.span.start < best.sentence.span.start):
            best, most = one, marginal
    return best


def cited_in_order(chosen: Sequence[Scored], evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    """The sentences as citations in story order, numbered from 1."""
    ordered = sorted(chosen, key=lambda s: s.sentence.span)
    return tuple(
        Citation(n, s.sentence.span, s.sentence.text, evidence[s.told.row]) for n, s in enumerate(ordered, start=1)
    )


def stands_alone(sentence: ReadSentence) -> bool:
    """Whether it has the length of a quote, begins as a sentence does, and is ended by a mark."""
    text = sentence.text.strip()
    if not SHORTEST <= len(text) <= LONGEST or "\n\n" in text or not _ENDED.search(text):
        return False
    first = text.lstrip(_QUOTES + "—–-([")[:1]
    shouted = sum(map(str.isupper, text)) * 2 > sum(map(str.isalpha, text))
    return bool(first) and not first.islower() and not first.isdigit() and not shouted and quotes_close(text)


def quotes_close(text: str) -> bool:
    """Whether no speech is cut: as many marks open as close."""
    return text.count("“") == text.count("”") and text.count('"') % 2 == 0 and text.count("(") == text.count(")")


def leans(text: str) -> bool:
    """Whether a sentence leans on the one before it: "He ...", "But ..."."""
    first = _FIRST_WORD.search(text)
    return first is not None and first[0].casefold() in _LEANING


def _bonus(sentence: ReadSentence, named: frozenset[str]) -> float:
    text = sentence.text
    bonus = PARAGRAPH if sentence.paragraph_start else 0.0
    bonus -= ASKS if "?" in text else 0.0
    bonus += NAMED if not set(NAME_WORD.findall(text)).isdisjoint(named) else 0.0
    return bonus - (LEANS if leans(text) else 0.0)


def _marginal(one: Scored, chosen: Sequence[Scored], evidence: Sequence[Evidence]) -> float:
    own = norm(one.terms) or 1.0
    like = max((dot(one.terms, other.terms) / (own * (norm(other.terms) or 1.0)) for other in chosen), default=0.0)
    chapter = evidence[one.told.row].passage.chapter
    again = sum(evidence[other.told.row].passage.chapter == chapter for other in chosen)
    return one.score - SAME * like - SAME_CHAPTER * again


def dot(one: dict[str, float], other: dict[str, float]) -> float:
    """The inner product of two sparse vectors; the order of their terms has no say."""
    return math.fsum(weight * other[term] for term, weight in one.items() if term in other)


def norm(weights: dict[str, float]) -> float:
    """The Euclidean length of a sparse vector."""
    return math.sqrt(math.fsum(weight * weight for weight in weights.values()))
