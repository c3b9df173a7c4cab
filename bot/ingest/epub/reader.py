"""`read_epub`: an EPUB file as a draft of a book."""

from __future__ import annotations

from pathlib import Path

from bot.core.errors import FileRefused
from bot.ingest.draft import BookDraft
from bot.ingest.epub.archive import Archive
from bot.ingest.epub.blocks import TextWalk
from bot.ingest.epub.ending import cut_endings
from bot.ingest.epub.layout import lay_out, page_marks
from bot.ingest.epub.lines import HeadingIndex
from bot.ingest.epub.notes import find_notes
from bot.ingest.epub.package import Package, read_package, refuse_protected
from bot.ingest.epub.parts import parts_of
from bot.ingest.epub.places import Places, choose_toc
from bot.ingest.epub.plan import plan
from bot.ingest.epub.structure import OpeningFinder
from bot.ingest.epub.toc import Navigation, read_navigation
from bot.ingest.epub.walker import walk_document
from bot.ingest.epub.xhtml import parse_document

MAX_DOCUMENT_BYTES = 12_000_000


def read_epub(data: Path) -> BookDraft:
    """The book in the EPUB file at ``data``.

    Raises ``FileRefused``: not_a_zip, not_an_epub, zip_encrypted, zip_bomb, zip_too_large, too_many_entries, drm,
    opf_unreadable, too_deep, doc_too_large, book_too_long, no_text.
    """
    warnings: list[str] = []
    with Archive(data) as archive:
        refuse_protected(archive)
        package = read_package(archive, warnings)
        walk = _walk(archive, package, warnings)
        navigation = read_navigation(archive, package)
    text = walk.finish()
    if not text:
        raise FileRefused("no_text", "This EPUB holds pictures only, no text; upload an edition with text.")
    return _draft(walk, text, package, navigation, warnings)


def _walk(archive: Archive, package: Package, warnings: list[str]) -> TextWalk:
    walk = TextWalk()
    unreadable = 0
    for item in package.spine:
        data = archive.read(item.path, MAX_DOCUMENT_BYTES)
        if data is None:
            unreadable += 1
            continue
        root = parse_document(data)
        if root is not None:
            is_nav = package.nav is not None and archive.find(package.nav) == item.path
            walk_document(root, walk, item.path, linear=item.linear, is_nav=is_nav)
    if unreadable:
        warnings.append(f"{unreadable} of the {len(package.spine)} texts in this EPUB are damaged and were left out.")
    return walk


def _draft(walk: TextWalk, text: str, package: Package, navigation: Navigation, warnings: list[str]) -> BookDraft:
    places = Places(walk)
    notes, remote = find_notes(walk, places)
    index = HeadingIndex(walk, text, notes)
    openings = OpeningFinder(index, choose_toc(navigation, places), package.title).openings()
    starts = [
        place[1] for target in (*navigation.landmarks, *navigation.guide) if (place := places.find(target)) is not None
    ]
    planned = cut_endings(plan(openings, index, remote, starts, package.title), index)
    final, sections, layout = lay_out(text, planned, parts_of(planned), notes)
    return BookDraft(
        text=final,
        sections=sections,
        title=package.title,
        author=package.author,
        language=package.language,
        pages=page_marks(_pages(walk, navigation, places), layout),
        warnings=tuple(warnings),
    )


def _pages(walk: TextWalk, navigation: Navigation, places: Places) -> list[tuple[str, int]]:
    """Printed pages from the book's page list, else from the marks in its text."""
    listed = [(label, place[1]) for label, target in navigation.pages if (place := places.find(target)) is not None]
    return listed or [(page.label, page.at.start) for page in walk.pages]
