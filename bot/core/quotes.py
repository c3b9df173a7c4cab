"""The answer without a model: the few short passages, verbatim, that come closest to the question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from bot.core.evidence import Evidence
from bot.core.offsets import Span
from bot.core.retrieve import Candidate, Query
from bot.core.terms import term_id, terms

QUOTES: Final = 5
SENTENCES: Final = 3
CODE_POINTS: Final = 300
"""At most so many quotes, sentences a quote, and code points a quote: the bot is no way to hand out the text."""

AGAIN: Final = 0.5
"""What a further quote of the same passage loses, in the units of the fused score (docs/retrieval.md)."""

LINE: Final = 80
"""Code points: a line of its own that is no longer and that no mark ends is a heading, a signature or the like."""

UNRELATED: Final = 0.25
"""Below this similarity (inner product of unit vectors), and without a term in common, a passage is unrelated: words
without sense reach 0.25 with their closest passage, questions about the book 0.27 and more (docs/retrieval.md)."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim stretch of one admitted passage: its span (code points of the canonical text) and its text."""

    span: Span
    text: str
    evidence: Evidence


class Quotable(Protocol):
    """A sentence: its span (code points), its text, and whether it begins a paragraph."""

    @property
    def span(self) -> Span: ...
    @property
    def text(self) -> str: ...
    @property
    def paragraph_start(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is to be quoted: a stretch of passage ``row`` of those that were given."""

    row: int
    span: Span


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Whole sentences ``[first, last]`` of passage ``row``, with a score."""

    row: int
    first: int
    last: int
    score: float

    def overlaps(self, other: _Stretch) -> bool:
        return self.row == other.row and self.first <= other.last and other.first <= self.last


def closest_quotes(
    query: Query, evidence: Sequence[Evidence], candidates: Sequence[Candidate], language: str | None
) -> tuple[Quote, ...]:
    """Up to five quotes of one to three sentences in story order, never overlapping; none means the fixed refusal.

    ``candidates[i]`` tells how ``evidence[i]`` was ranked.
    """
    drawn = closest_drawn(query, [item.passage.sentences for item in evidence], candidates, language)
    return tuple(_quote(evidence[one.row], one.span) for one in drawn)


def closest_drawn(
    query: Query, passages: Sequence[Sequence[Quotable]], candidates: Sequence[Candidate], language: str | None
) -> tuple[Drawn, ...]:
    """What to quote of ``passages``, given by their sentences; ``candidates[i]`` tells how ``passages[i]`` was ranked.

    Nothing is quoted only where nothing relates to the question at all: scores cannot tell "not answered" from
    "answered".
    """
    if not any(related(candidate) for candidate in candidates):
        return ()
    every = _stretches(passages, candidates, _sentence_terms(query, passages, language))
    stretches = [s for s in every if not any(map(_is_line, passages[s.row][s.first : s.last + 1]))] or every
    chosen: list[_Stretch] = []
    while stretches and len(chosen) < QUOTES:
        best = _best(stretches, Counter(stretch.row for stretch in chosen))
        chosen.append(best)
        stretches = [stretch for stretch in stretches if not stretch.overlaps(best)]
    drawn = [Drawn(stretch.row, _span(passages[stretch.row], stretch.first, stretch.last)) for stretch in chosen]
    return tuple(sorted(drawn, key=lambda one: one.span))


def _best(stretches: Sequence[_Stretch], drawn: Counter[int]) -> _Stretch:
    """The best by score, given how often each passage was ``drawn`` on; of equals the longer, then of the closer
    passage the later: what answers follows what has the question's words (docs/retrieval.md).
    """
    return max(stretches, key=lambda s: (round(s.score - AGAIN * drawn[s.row], 9), s.last - s.first, -s.row, s.first))


def _is_line(sentence: Quotable) -> bool:
    """Whether a sentence is a line of its own that no mark ends: a heading, a signature, a date. It answers nothing."""
    return sentence.paragraph_start and len(sentence.text) <= LINE and sentence.text[-1].isalnum()


def related(candidate: Candidate) -> bool:
    """Whether a passage has a term of the question or comes close to it in meaning."""
    return candidate.text > 0 or candidate.similarity >= UNRELATED


def _sentence_terms(
    query: Query, passages: Sequence[Sequence[Quotable]], language: str | None
) -> list[list[dict[int, float]]]:
    """For each sentence of the passages, the question's terms in it with their idf; idf is of these sentences."""
    held = [
        [query.terms.keys() & {term_id(term) for term in terms(sentence.text, language)} for sentence in sentences]
        for sentences in passages
    ]
    total = sum(len(own) for own in held)
    found = Counter(term for own in held for sentence in own for term in sentence)
    idf = {
        term: weight * math.log1p((total - found[term] + 0.5) / (found[term] + 0.5))
        for term, weight in query.terms.items()
    }
    return [[{term: idf[term] for term in query.terms if term in sentence} for sentence in own] for own in held]


def _stretches(
    passages: Sequence[Sequence[Quotable]], candidates: Sequence[Candidate], held: Sequence[Sequence[dict[int, float]]]
) -> list[_Stretch]:
    """Every stretch short enough to quote. Its score is its passage's plus the idf of each question term it has."""
    found = []
    for row, (sentences, candidate) in enumerate(zip(passages, candidates, strict=True)):
        for first in range(len(sentences)):
            own: dict[int, float] = {}
            for last in range(first, min(first + SENTENCES, len(sentences))):
                if last > first and sentences[last].span.end - sentences[first].span.start > CODE_POINTS:
                    break
                own |= held[row][last]
                found.append(_Stretch(row, first, last, candidate.score + math.fsum(own.values())))
    return found


def _quote(evidence: Evidence, span: Span) -> Quote:
    passage = evidence.passage
    return Quote(span, passage.text[span.start - passage.span.start : span.end - passage.span.start], evidence)


def _span(sentences: Sequence[Quotable], first: int, last: int) -> Span:
    return Span(sentences[first].span.start, _end(sentences[first], sentences[last]))


def _end(first: Quotable, last: Quotable) -> int:
    """The end of the quote: of its last sentence, or, in a single sentence too long, the last space that fits."""
    limit = first.span.start + CODE_POINTS
    if last.span.end <= limit or last is not first:
        return last.span.end
    space = first.text.rfind(" ", 0, CODE_POINTS)
    return limit if space <= 0 else first.span.start + space
