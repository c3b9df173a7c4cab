"""Whether what is shown tells what the reader has not met."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.core.answer import Answer, Refusal
from bot.core.offsets import Span
from bot.core.shelf import SectionRow
from bot.core.verbatim import verbatim
from bot.measure.questions import Question


@dataclass(frozen=True, slots=True)
class Halves:
    """A book as one reader knows it: ``read`` is all text revealed at their boundary, ``unread`` the rest."""

    read: str
    unread: str


def halves(text: str, sections: Sequence[SectionRow], boundary: int) -> Halves:
    """Part the canonical text at a boundary (an offset): sealed matter is read where it has been revealed."""
    read, unread = [], []
    for section in sections:
        cut = section.end if section.revealed_at <= boundary else section.start
        if section.kind == "body":
            cut = min(max(boundary, section.start), section.end)
        read.append(text[section.start : cut])
        unread.append(text[cut : section.end])
    return Halves(verbatim("\n".join(read)), verbatim("\n".join(unread)))


def tell_tales(question: Question, parts: Halves) -> tuple[re.Pattern[str], ...]:
    """What would be a leak if it were shown: secrets that the reader met neither in the read part nor in the question.

    Secrets are whole words, whatever their case.
    """
    known = f"{parts.read}\n{verbatim(question.text)}"
    return tuple(pattern for pattern in _patterns(question) if not pattern.search(known))


def could_leak(tales: Sequence[re.Pattern[str]], parts: Halves) -> bool:
    """Whether the unread part has any of it: only then can a leak be seen at all."""
    return any(pattern.search(parts.unread) for pattern in tales)


def _patterns(question: Question) -> Iterator[re.Pattern[str]]:
    for secret in question.secrets:
        if plain := verbatim(secret):
            yield re.compile(rf"(?<!\w){re.escape(plain)}(?!\w)", re.IGNORECASE)
    for pattern in question.patterns:
        yield re.compile(pattern)


@dataclass(frozen=True, slots=True)
class Leaks:
    """What one reply gave away: how many tell-tale words, and how many citations past the boundary."""

    words: int
    citations: int

    def __bool__(self) -> bool:
        return bool(self.words or self.citations)


def past(span: Span, sections: Sequence[SectionRow], boundary: int) -> bool:
    """Whether any of ``span`` was not yet open at the boundary, by the book's own map."""
    return any(
        section.start < span.end and span.start < section.end
        for section in sections
        if (span.end > boundary if section.kind == "body" else section.revealed_at > boundary)
    )


def leaks(
    outcome: Answer | Refusal,
    shown: Sequence[str],
    boundary: int,
    sections: Sequence[SectionRow],
    tales: Sequence[re.Pattern[str]],
) -> Leaks:
    """Look through everything shown for one reply: its lines, claims and quotes, and where its citations stand.

    ``boundary`` is where the reader was put, not what the reply says of itself.
    """
    texts = list(shown)
    citations = outcome.citations if isinstance(outcome, Answer) else ()
    if isinstance(outcome, Answer):
        texts += [*(claim.text for claim in outcome.claims), *(citation.quote for citation in citations)]
    plain = [verbatim(text) for text in texts]
    return Leaks(
        words=sum(any(pattern.search(text) for text in plain) for pattern in tales),
        citations=sum(past(citation.span, sections, boundary) for citation in citations),
    )
