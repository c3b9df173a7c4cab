"""A book that ends where a reader's chapter ends."""

from __future__ import annotations

from bot.core.book import BookText, SectionKind
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.sections import assemble

OPEN = {SectionKind.BODY, SectionKind.FOOTNOTES}


def cut_at_chapter(book: BookText, boundary: int) -> tuple[BookText, int]:
    """The book up to the last words of the last chapter that ends at or before ``boundary`` (at least the first) and of
    its footnotes, and the offset at which that chapter ends in the whole book.

    Sealed matter after it is gone too; what stands before the first chapter is kept, and stays sealed.
    """
    ends = [c.span.end for c in book.chapters if c.span.end <= boundary] or [book.chapters[0].span.end]
    end = ends[-1]
    notes = [s for s in book.sections if s.kind is SectionKind.FOOTNOTES and s.span.start == end]
    kept = [s for s in book.sections if s.span.start < end] + notes
    drafts = [
        SectionDraft(
            kind=s.kind if s.kind in OPEN else SectionKind.PREVIEW,  # finished, but nothing unsealed
            start=s.span.start,
            title=s.title,
            heading_end=s.heading_end,
            starts_chapter=s.chapter is not None,
            printed=s.printed,
            printed_number=s.printed_number,
            parts=tuple((p.title, p.number) for p in s.parts),
            marker=s.revealed_at - 1 if s.kind is SectionKind.FOOTNOTES else None,
        )
        for s in kept
    ]
    text = book.text[: notes[0].span.end if notes else end].rstrip()
    return assemble(BookDraft(text, tuple(drafts), title=book.title, language="en")), end
