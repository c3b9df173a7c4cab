"""The answer without a model: the few short passages, verbatim, that come closest to the question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.evidence import Evidence, ReadSentence
from bot.core.offsets import Span
from bot.core.retrieve import Candidate, Query
from bot.core.terms import term_id, terms

QUOTES: Final = 5
SENTENCES: Final = 3
CODE_POINTS: Final = 300
"""At most so many quotes, sentences a quote, and code points a quote: the bot is no way to hand out the text."""

UNRELATED: Final = 0.15
"""Below this similarity (inner product of unit vectors), and without a term in common, a passage is unrelated."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim stretch of one admitted passage: its span (code points of the canonical text) and its text."""

    span: Span
    text: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Whole sentences ``[first, last]`` of evidence ``row``, with a score."""

    row: int
    first: int
    last: int
    score: float


def closest_quotes(
    query: Query, evidence: Sequence[Evidence], candidates: Sequence[Candidate], language: str | None
) -> tuple[Quote, ...]:
    """Up to five quotes of one to three sentences in story order, never overlapping; none means the fixed refusal.

    ``candidates[i]`` tells how ``evidence[i]`` was ranked. Nothing is quoted only where nothing read relates to the
    question at all: scores cannot tell "not answered" from "answered".
    """
    if not any(related(candidate) for candidate in candidates):
        return ()
    weights = _sentence_weights(query, evidence, language)
    chosen: list[_Stretch] = []
    for stretch in sorted(
        _stretches(evidence, candidates, weights), key=lambda s: (-round(s.score, 9), s.row, s.first)
    ):
        if len(chosen) == QUOTES:
            break
        if not any(c.row == stretch.row and c.first <= stretch.last and stretch.first <= c.last for c in chosen):
            chosen.append(stretch)
    quotes = [_quote(evidence[stretch.row], stretch.first, stretch.last) for stretch in chosen]
    return tuple(sorted(quotes, key=lambda quote: quote.span))


def related(candidate: Candidate) -> bool:
    """Whether a passage has a term of the question or comes close to it in meaning."""
    return candidate.text > 0 or candidate.similarity >= UNRELATED


def _sentence_weights(query: Query, evidence: Sequence[Evidence], language: str | None) -> list[list[float]]:
    """For each sentence of the evidence, the summed idf of the question's terms in it; idf is of these sentences."""
    held = [
        [
            query.terms.keys() & {term_id(term) for term in terms(sentence.text, language)}
            for sentence in e.passage.sentences
        ]
        for e in evidence
    ]
    total = sum(len(own) for own in held)
    idf = {}
    for term, weight in query.terms.items():
        found = sum(term in sentence for own in held for sentence in own)
        idf[term] = weight * math.log1p((total - found + 0.5) / (found + 0.5))
    return [[sum(idf[term] for term in sorted(sentence)) for sentence in own] for own in held]


def _stretches(
    evidence: Sequence[Evidence], candidates: Sequence[Candidate], weights: Sequence[Sequence[float]]
) -> Iterator[_Stretch]:
    for row, (item, candidate) in enumerate(zip(evidence, candidates, strict=True)):
        sentences = item.passage.sentences
        for first in range(len(sentences)):
            for last in range(first, min(first + SENTENCES, len(sentences))):
                size = sentences[last].span.end - sentences[first].span.start
                if size > CODE_POINTS and last > first:
                    break
                own = sum(weights[row][first : last + 1]) / math.sqrt(last - first + 1)
                yield _Stretch(row, first, last, candidate.score + own)


def _quote(evidence: Evidence, first: int, last: int) -> Quote:
    passage = evidence.passage
    span = Span(passage.sentences[first].span.start, _end(passage.sentences[first], passage.sentences[last]))
    text = passage.text[span.start - passage.span.start : span.end - passage.span.start]
    return Quote(span, text, evidence)


def _end(first: ReadSentence, last: ReadSentence) -> int:
    """The end of the quote: of its last sentence, or, in a single sentence too long, the last space that fits."""
    limit = first.span.start + CODE_POINTS
    if last.span.end <= limit or last is not first:
        return last.span.end
    space = first.text.rfind(" ", 0, CODE_POINTS)
    return limit if space <= 0 else first.span.start + space
