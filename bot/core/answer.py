"""What a question gets: an answer whose every sentence is cited, or the fixed refusal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.core.boundary import Boundary
from bot.core.errors import SpoilerLeak
from bot.core.evidence import Evidence
from bot.core.offsets import Span


class Engine(StrEnum):
    """Who wrote the sentences: the book itself, or a model."""

    QUOTES = "quotes"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Citation:
    """The quote's span (code points) and chapter, out of admitted evidence.

    Raises `SpoilerLeak` when the quote does not stand verbatim in the evidence it names.
    """

    n: int
    span: Span
    quote: str
    evidence: Evidence

    def __post_init__(self) -> None:
        passage = self.evidence.passage
        start = self.span.start - passage.span.start
        if not passage.span.covers(self.span) or passage.text[start : start + len(self.span)] != self.quote:
            raise SpoilerLeak(f"citation {self.n} does not stand in passage {passage.ordinal}")

    @property
    def chapter(self) -> int | None:
        return self.evidence.passage.chapter


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence, with the numbers of its citations."""

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """Somebody as far as was read: the names met of them, the fullest first, and where they were met.

    ``first`` and ``last`` are the chapters (``#N``) in which they first and last stand, or None outside chapters;
    ``others`` are names met of others who are called the same; ``revealed_at`` is where all of it has been met.
    """

    names: tuple[str, ...]
    first: int | None
    last: int | None
    others: tuple[str, ...]
    revealed_at: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The claims that survived, in order, for one audience under one boundary; ``card`` heads those about somebody.

    Raises `SpoilerLeak` when a citation was admitted under any other boundary, or the card reaches past it.
    """

    boundary: Boundary
    question: str
    engine: Engine
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    card: Card | None = None

    def __post_init__(self) -> None:
        if not self.claims:
            raise ValueError("an answer without claims is a refusal")
        if any(citation.evidence.boundary != self.boundary for citation in self.citations):
            raise SpoilerLeak("a citation was admitted under another boundary than its answer's")
        if self.card is not None and not self.boundary.admits(self.card.revealed_at):
            raise SpoilerLeak(f"book {self.boundary.book}: a card reaches past the boundary {self.boundary.offset}")
        known = {citation.n for citation in self.citations}
        if any(not claim.citations or not known.issuperset(claim.citations) for claim in self.claims):
            raise SpoilerLeak("a claim without a citation")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The fixed refusal: the same whether the answer comes later, never, or was cut."""

    boundary: Boundary
    question: str
