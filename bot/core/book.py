"""A book as Dogear knows it: canonical text, sections that partition it, chapters, sentences, passages."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.core.offsets import Span


class SectionKind(StrEnum):
    """What a section is. Only ``BODY`` is read in order; everything else is sealed (see ``revealed_at``)."""

    BODY = "body"
    FRONT = "front"
    ESSAY = "essay"  # introduction, foreword, afterword, cast list, family tree, chronology, reading guide
    CONTENTS = "contents"
    FOOTNOTES = "footnotes"  # notes that stand in the file of their markers
    NOTES = "notes"  # endnotes, and notes not proven to be footnotes
    BACK = "back"
    PREVIEW = "preview"  # of another book: never revealed
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Part:
    """One level of the division above a chapter ("Book Two", "Part One: The Lamp").

    ``number`` is the printed number where there is one, else the ordinal among its siblings; it is all that is
    ever shown before the reader has met the part's title.
    """

    title: str
    number: int


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of the canonical text with a kind. All sections of a book partition its text.

    ``chapter`` is ``#N``, the ordinal among the sections that begin a unit of reading, or None. ``printed`` is the
    number as the book prints it ("XII", "12"), ``printed_number`` the same as an integer. ``heading_end`` is the
    offset at which the heading ends; it equals ``span.end`` where the title does not stand in the text.
    ``revealed_at`` is the offset a reader must have reached to be shown all of this section's text: its own end for the
    body, the end of the body for sealed matter, one past the end of the text (never) for a preview of another book.
    ``title_known_at`` is the offset before which what was read does not settle what is title and what is prose.
    """

    ordinal: int
    kind: SectionKind
    span: Span
    title: str
    heading_end: int
    revealed_at: int
    chapter: int | None = None
    printed: str | None = None
    printed_number: int | None = None
    parts: tuple[Part, ...] = ()
    title_known_at: int = 0

    @property
    def title_revealed_at(self) -> int:
        """The offset a reader must have reached to be shown the title: past its heading and all that settled it."""
        known_at = max(self.heading_end, self.title_known_at)
        return known_at if self.kind is SectionKind.BODY else max(known_at, self.revealed_at)


@dataclass(frozen=True, slots=True)
class PageMark:
    """The start of a printed page: its label as printed ("ii", "143") and its offset."""

    label: str
    start: int


@dataclass(frozen=True, slots=True)
class BookText:
    """What a file was reduced to: the canonical text and its map. Made once at ingest, stored, never recomputed.

    ``language`` is an ISO 639-1 code or None where nothing says; ``encoding`` is set for plain text files only.
    ``body_end`` is the offset at which the last body section ends.
    """

    text: str
    sections: tuple[Section, ...]
    title: str
    author: str = ""
    language: str | None = None
    pages: tuple[PageMark, ...] = ()
    encoding: str | None = None
    warnings: tuple[str, ...] = field(default=())

    @property
    def body_end(self) -> int:
        return max((s.span.end for s in self.sections if s.kind is SectionKind.BODY), default=0)

    @property
    def chapters(self) -> tuple[Section, ...]:
        return tuple(s for s in self.sections if s.chapter is not None)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one section. Its ``span`` has no white space at either end.

    ``revealed_at`` (in the body) is the offset at which a reader can tell that the sentence has ended: its own end
    plus the one code point after it that decided the cut, never more than the next sentence's start. In sealed
    matter it is the section's ``revealed_at``.
    """

    span: Span
    revealed_at: int


@dataclass(frozen=True, slots=True)
class PassageCut:
    """The extent of one passage as cut at ingest: whole sentences ``[first, last]`` of one section, by index."""

    ordinal: int
    section: int
    span: Span
    revealed_at: int
    first: int
    last: int
