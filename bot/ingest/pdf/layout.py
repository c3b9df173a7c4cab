"""From a PDF file to clean lines in reading order: heads, folios, drop caps, columns and footnotes taken care of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pymupdf

from bot.core.errors import FileRefused
from bot.ingest.pdf.columns import gutter_of, in_reading_order
from bot.ingest.pdf.drop_caps import with_drop_caps, words_of
from bot.ingest.pdf.lines import ClosedUp, Line, Page, body_size, joined_fragments, read_page
from bot.ingest.pdf.notes import Note, without_notes
from bot.ingest.pdf.running_heads import Folio, without_running_heads

_FEW: int = 20  # characters of a page that is a picture
_UNREAD = "\ufffd"


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A book's lines in reading order, its footnotes, the folios by page, the body's type size and the warnings."""

    lines: tuple[Line, ...]
    notes: tuple[Note, ...]
    folios: dict[int, Folio]
    body: float
    warnings: tuple[str, ...]


def lay_out(document: pymupdf.Document, progress: Callable[[float], None]) -> LaidOut:
    """Read all pages of ``document``. ``progress`` gets 0..1.

    Raises `FileRefused`: ``pdf_scanned`` where the pages are pictures, ``pdf_no_text`` where there are no letters.
    """
    pages: list[Page] = []
    gutters: dict[int, float | None] = {}
    pictures: list[int] = []
    seen: ClosedUp = {}
    count = len(document)
    for number in range(count):
        page = document[number]
        raw, blocks = read_page(page, seen)
        gutters[number] = gutter_of(raw)
        pages.append(joined_fragments(raw, blocks, gutters[number]))
        if sum(len(line.text) for line in raw.lines) < _FEW and page.get_image_info():
            pictures.append(number)
        progress(0.9 * (number + 1) / count)
    warnings = _check(pages, pictures)
    body = body_size(pages)
    words = words_of(pages)
    pages, folios = without_running_heads(pages, body)
    pages = [in_reading_order(with_drop_caps(page, body, words), gutters[page.number]) for page in pages]
    pages, notes = without_notes(pages, body)
    lines = tuple(line for page in pages for line in page.lines if line.text)
    return LaidOut(lines, tuple(notes), folios, body, warnings)


def _check(pages: list[Page], pictures: list[int]) -> tuple[str, ...]:
    letters = sum(len(line.text) for page in pages for line in page.lines)
    unread = sum(line.text.count(_UNREAD) for page in pages for line in page.lines)
    if 2 * len(pictures) >= len(pages) and letters < 200 * len(pages):
        raise FileRefused(
            "pdf_scanned",
            "This PDF is pictures of pages without text. Please upload an EPUB or a PDF with text (a scan needs OCR).",
        )
    if letters < 20:
        raise FileRefused("pdf_no_text", "This PDF has no text in it. Please upload an EPUB or a PDF with text.")
    if unread > 0.2 * letters:
        raise FileRefused(
            "pdf_no_text", "The letters of this PDF cannot be read as text. Please upload an EPUB or another PDF."
        )
    if 10 * len(pictures) >= len(pages):
        listed = ", ".join(str(number + 1) for number in pictures[:20])
        more = "" if len(pictures) <= 20 else ", ..."
        return (f"{len(pictures)} pages are pictures without text and are missing: {listed}{more}",)
    return ()
