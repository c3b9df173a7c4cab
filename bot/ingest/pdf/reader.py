"""A PDF book as a draft: its canonical text, sections, printed pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pymupdf

from bot.core.book import SectionKind
from bot.core.errors import FileRefused
from bot.ingest.canonical import collapse
from bot.ingest.draft import BookDraft
from bot.ingest.labels import label_kind
from bot.ingest.pdf.compose import Composer
from bot.ingest.pdf.contents import contents_pages
from bot.ingest.pdf.headings import Candidate, candidates
from bot.ingest.pdf.hyphens import LineJoiner
from bot.ingest.pdf.layout import LaidOut, lay_out
from bot.ingest.pdf.lines import Line
from bot.ingest.pdf.outline import Entry, read_outline, verify
from bot.ingest.pdf.pages import page_labels
from bot.ingest.pdf.paragraphs import Layout
from bot.ingest.pdf.structure import Structure

MAX_PAGES: Final = 5_000
_UNREADABLE: Final = "This PDF is damaged or incomplete. Please download or export it again and upload the new file."
_JUNK_TITLE: Final = re.compile(
    r"(?i)untitled.*|microsoft word.*|.*\.(dvi|docx?|odt|rtf|tex|indd|pdf|qxd|pmd|html?|txt)|\W*|document\d*|title"
)


def read_pdf(
    path: Path, *, max_pages: int = MAX_PAGES, progress: Callable[[float], None] = lambda _fraction: None
) -> BookDraft:
    """The PDF at ``path`` as a draft. ``progress`` gets 0..1.

    A file that only an owner's password protects is read: it opens without one. Raises `FileRefused`:
    ``pdf_unreadable``, ``pdf_password``, ``too_many_pages``, ``pdf_scanned``, ``pdf_no_text``.
    """
    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]
    try:
        document = pymupdf.open(path, filetype="pdf")  # type: ignore[no-untyped-call]
    except (RuntimeError, ValueError, OSError) as error:
        raise FileRefused("pdf_unreadable", _UNREADABLE) from error
    with document:
        _check(document, max_pages)
        try:
            return _read(document, progress)
        except (RuntimeError, ValueError) as error:
            if type(error).__module__.startswith("pymupdf"):
                raise FileRefused("pdf_unreadable", _UNREADABLE) from error
            raise


def _check(document: pymupdf.Document, max_pages: int) -> None:
    if document.needs_pass:
        raise FileRefused(
            "pdf_password", "This PDF is protected with a password. Please upload a copy that opens without one."
        )
    if document.page_count == 0:
        raise FileRefused("pdf_unreadable", _UNREADABLE)
    if document.page_count > max_pages:
        raise FileRefused(
            "too_many_pages", f"This PDF has more than {max_pages:,} pages. Please upload a single volume."
        )


def _read(document: pymupdf.Document, progress: Callable[[float], None]) -> BookDraft:
    laid_out = lay_out(document, progress)
    lines = laid_out.lines
    layout = Layout(lines, laid_out.body)
    joiner = LineJoiner(line.text for line in lines)
    found = candidates(lines, layout, joiner)
    entries = read_outline(document)
    in_contents = _contents(laid_out, found, entries)
    outside = [c for c in found if c.page not in in_contents]
    allowed = [c for c in found if c.page not in in_contents or label_kind(c.text) is SectionKind.CONTENTS]
    verified = verify(entries, allowed, lines, laid_out.body, joiner)
    headings = Structure(lines, found, verified, in_contents).headings()
    composer = Composer(lines, laid_out.notes, layout, joiner)
    first = next((h.candidate.first for h in headings if h.role != "matter"), len(lines))
    draft = composer.draft(headings, outside, page_labels(document, laid_out.folios))
    meta = document.metadata or {}
    warnings = list(laid_out.warnings)
    if document.is_repaired:
        warnings.append("the PDF was damaged and has been repaired; check that its last chapter is there")
    return BookDraft(
        text=draft.text,
        sections=draft.sections,
        title=_title(meta.get("title") or "", lines[:first], laid_out.body),
        author=_author(meta.get("author") or ""),
        pages=draft.pages,
        warnings=tuple(warnings),
    )


def _contents(laid_out: LaidOut, found: Sequence[Candidate], entries: Sequence[Entry]) -> set[int]:
    labelled = {c.page for c in found if label_kind(c.text) is SectionKind.CONTENTS}
    targets = [entry.title for entry in entries]
    for c in found:
        if c.page not in labelled:
            targets += [c.text, c.title, c.number_line]
    return contents_pages(laid_out.lines, laid_out.body, labelled, targets)


def _title(meta: str, before: Sequence[Line], body: float) -> str:
    """The title that the file states, else the largest line before the first chapter's heading."""
    stated = collapse(meta)[:200]
    if stated and not _JUNK_TITLE.fullmatch(stated):
        return stated
    large = [line for line in before if line.page < 6 and line.size > 1.3 * body and label_kind(line.text) is None]
    first = [line for line in large if line.page == large[0].page]
    return max(first, key=lambda line: line.size).text[:200] if first else ""


def _author(meta: str) -> str:
    stated = collapse(meta)[:200]
    return "" if _JUNK_TITLE.fullmatch(stated) else stated
