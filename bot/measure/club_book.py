"""The small book that every simulated club reads: generated prose, with sealed matter before and after it.

What may be shown of it at which offset is worked out here from its own sections, and by nothing of the program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.core.book import BookText, SectionKind
from bot.core.offsets import Span
from bot.core.ports import EmbeddingModel, Vectors
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.sections import assemble
from bot.measure.library import cast, paragraphs

CHAPTERS: Final = 8
CHAPTER: Final = 1_500
"""Code points of a chapter: small, so that thousands of clubs have a copy each."""
DIMENSION: Final = 32


@dataclass(frozen=True, slots=True)
class ClubBook:
    """The book as the simulation knows it: its text, its names, and where each chapter ends (code points)."""

    text: BookText
    names: tuple[str, ...]

    @property
    def ends(self) -> tuple[int, ...]:
        return tuple(chapter.span.end for chapter in self.text.chapters)

    def done(self, offset: int) -> int:
        """How many chapters end at or before ``offset``."""
        return sum(end <= offset for end in self.ends)

    def opens_at(self, span: Span) -> int:
        """The offset that a reader must have reached to be shown ``span``: what is not body opens at the very end."""
        inside = next((s for s in self.text.sections if s.span.covers(span)), None)
        if inside is None:
            return len(self.text.text) + 1
        return span.end if inside.kind is SectionKind.BODY else self.text.body_end


def club_book(seed: int) -> ClubBook:
    """An introduction, `CHAPTERS` chapters and notes, of generated prose."""
    rng = np.random.default_rng(seed)
    names = cast(rng)
    kinds = (SectionKind.ESSAY, *[SectionKind.BODY] * CHAPTERS, SectionKind.NOTES)
    headings = ("Introduction", *(f"Chapter {n}" for n in range(1, CHAPTERS + 1)), "Notes")
    text, drafts = "", []
    for ordinal, (kind, heading) in enumerate(zip(kinds, headings, strict=True)):
        start = len(text)
        body = kind is SectionKind.BODY
        text += "\n\n".join([heading, *paragraphs(rng, names, CHAPTER if body else CHAPTER // 3)]) + "\n\n"
        drafts.append(
            SectionDraft(
                kind=kind,
                start=start,
                title=heading,
                heading_end=start + len(heading),
                starts_chapter=body,
                printed=str(ordinal) if body else None,
                printed_number=ordinal if body else None,
                parts=(),
            )
        )
    return ClubBook(assemble(BookDraft(text.rstrip(), tuple(drafts), title="Simulated", language="en")), names)


class DrawnEmbedder:
    """Unit vectors drawn from a hash of each text: what is measured is what is around them."""

    model = EmbeddingModel("drawn", DIMENSION, hashlib.sha256(b"drawn").hexdigest())

    def windows(self, text: str) -> list[Span]:
        """One window, the whole text."""
        return [Span(0, len(text))]

    def embed_passages(self, windows: Sequence[str]) -> Vectors:
        """Shape ``(len(windows), DIMENSION)``."""
        return np.stack([_drawn(window) for window in windows])

    def embed_question(self, question: str) -> Vectors:
        """Shape ``(DIMENSION,)``."""
        return _drawn(question)


def _drawn(text: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)
