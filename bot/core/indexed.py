"""Everything that is stored of a book but vectors."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.book import BookText, PassageCut, SectionKind, Sentence

INGEST_VERSION = 1
"""Goes up whenever the same file would be stored differently."""


@dataclass(frozen=True, slots=True)
class IndexedSentence:
    """A sentence as it is stored. ``lead`` is the white space between it and the sentence before it."""

    section: int
    chapter: int | None
    passage: int
    sentence: Sentence
    paragraph_start: bool
    lead: str
    text: str
    folded: str


@dataclass(frozen=True, slots=True)
class IndexedPassage:
    """A passage as it is stored: its cut, and how often each term (by id) stands in it."""

    cut: PassageCut
    chapter: int | None
    body: bool
    length: int
    terms: dict[int, int]


@dataclass(frozen=True, slots=True)
class IndexedBook:
    """Everything that is stored of a book but vectors.

    ``text_sha256`` is of the canonical text in UTF-8; ``names`` maps each name to where it is first revealed.
    """

    book: BookText
    language: str
    text_sha256: str
    sentences: tuple[IndexedSentence, ...]
    passages: tuple[IndexedPassage, ...]
    names: dict[str, int]

    @property
    def body_start(self) -> int:
        return min((s.span.start for s in self.book.sections if s.kind is SectionKind.BODY), default=0)
