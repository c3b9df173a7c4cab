"""What every file reader returns, before ordinals and seals are worked out (`bot.ingest.sections.assemble`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.core.book import PageMark, SectionKind


@dataclass(frozen=True, slots=True)
class SectionDraft:
    """A section as a reader of a file format found it.

    It runs from ``start`` to the start of the next draft. ``heading_end`` is None where the title does not stand in
    the text. ``starts_chapter`` is true for a unit of reading (chapter, letter, prologue, epilogue), false for
    a part's title page. ``parts`` are the (title, printed number or None) of the divisions above it, outermost first.
    ``marker`` (footnotes only) is the offset of the last marker in the body that points here.
    """

    kind: SectionKind
    start: int
    title: str = ""
    heading_end: int | None = None
    starts_chapter: bool = False
    printed: str | None = None
    printed_number: int | None = None
    parts: tuple[tuple[str, int | None], ...] = ()
    marker: int | None = None


@dataclass(frozen=True, slots=True)
class BookDraft:
    """The canonical text (final) and drafts in text order, the first of which starts at 0."""

    text: str
    sections: tuple[SectionDraft, ...]
    title: str = ""
    author: str = ""
    language: str | None = None
    pages: tuple[PageMark, ...] = ()
    encoding: str | None = None
    warnings: tuple[str, ...] = field(default=())
