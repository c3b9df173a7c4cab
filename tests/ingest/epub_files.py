"""Makes small EPUB files, good and bad; all prose is our own."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from bot.core.book import BookText, SectionKind
from bot.ingest.epub import read_epub
from bot.ingest.sections import assemble

CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="{opf}" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
XHTML = (
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"'
    ' xmlns:epub="http://www.idpf.org/2007/ops"><head><title>x</title></head>{body}</html>'
)

Entry = tuple[str, str] | tuple[str, str, "Sequence[Entry]"]
"""(title, href) of an entry of a table of contents, and the entries below it."""


def prose(number: int, paragraphs: int = 4) -> str:
    """Paragraphs that occur in one chapter only."""
    return "".join(
        f"<p>On walk {number}.{n} the miller counted {number * 7 + n} herons by the weir, and nobody in the village"
        f" of Low Barrow believed him. He wrote the number down on the back of an old seed list.</p>"
        for n in range(paragraphs)
    )


def page(body: str, body_type: str = "") -> str:
    """A whole content document around ``body``."""
    attribute = f' epub:type="{body_type}"' if body_type else ""
    return XHTML.format(body=f"<body{attribute}>{body}</body>")


def chapter(number: int, heading: str = "", tag: str = "h2") -> str:
    """A content document with one heading and prose."""
    return page((f"<{tag}>{heading}</{tag}>" if heading else "") + prose(number))


def nav(entries: Sequence[Entry], *more: str) -> str:
    """A navigation document with a table of contents (and further ``nav`` elements)."""
    return page(f'<nav epub:type="toc"><h1>Contents</h1>{_items(entries)}</nav>' + "".join(more))


def _items(entries: Sequence[Entry]) -> str:
    items = ""
    for entry in entries:
        below = _items(entry[2]) if len(entry) == 3 else ""
        label = (
            f"<a href={quoteattr(entry[1])}>{escape(entry[0])}</a>" if entry[1] else f"<span>{escape(entry[0])}</span>"
        )
        items += f"<li>{label}{below}</li>"
    return f"<ol>{items}</ol>"


def ncx(entries: Sequence[Entry], more: str = "") -> str:
    """An NCX with a map of ``entries``."""
    return (
        '<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head/>'
        f"<navMap>{_points(entries)}</navMap>{more}</ncx>"
    )


def _points(entries: Sequence[Entry]) -> str:
    return "".join(
        f"<navPoint><navLabel><text>{escape(e[0])}</text></navLabel><content src={quoteattr(e[1])}/>"
        f"{_points(e[2]) if len(e) == 3 else ''}</navPoint>"
        for e in entries
    )


def write_epub(  # a maker of fixtures: every part of the format may be varied
    path: Path,
    files: Mapping[str, str | bytes],
    spine: Sequence[str] | None = None,
    *,
    toc: Sequence[Entry] | None = None,
    toc_ncx: Sequence[Entry] | None = None,
    folder: str = "OEBPS/",
    manifest: str = "",
    guide: str = "",
    language: str = "en",
    title: str = "The Miller of Low Barrow",
    raw: Mapping[str, str | bytes] | None = None,
    aside: Sequence[str] = (),
) -> Path:
    """An EPUB of ``files`` (names relative to ``folder``) in the order of ``spine``; ``aside`` are not linear."""
    order = list(files) if spine is None else list(spine)
    named: dict[str, str | bytes] = dict(files)
    extra, ncx_id = manifest, ""
    if toc is not None:
        named["nav.xhtml"] = nav(toc)
    if "nav.xhtml" in named and "nav.xhtml" not in files:
        extra += '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    if toc_ncx is not None:
        named["toc.ncx"] = ncx(toc_ncx)
        extra += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        ncx_id = ' toc="ncx"'
    items = "".join(
        f'<item id="i{n}" href={quoteattr(name)} media-type="application/xhtml+xml"/>' for n, name in enumerate(order)
    )
    refs = "".join(f'<itemref idref="i{n}"{_linear(name, aside)}/>' for n, name in enumerate(order))
    opf = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>Ada Thorn</dc:creator><dc:language>{language}</dc:language>"
        f"</metadata><manifest>{items}{extra}</manifest><spine{ncx_id}>{refs}</spine>{guide}</package>"
    )
    members: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER.format(opf=f"{folder}content.opf"),
        f"{folder}content.opf": opf,
        **{folder + name: data for name, data in named.items()},
        **(raw or {}),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def _linear(name: str, aside: Sequence[str]) -> str:
    return ' linear="no"' if name in aside else ""


def read(path: Path) -> BookText:
    """The finished book."""
    return assemble(read_epub(path))


def titles(book: BookText) -> list[str]:
    """The titles of the chapters in order."""
    return [section.title for section in book.chapters]


def kinds(book: BookText) -> list[tuple[str, str]]:
    """(kind, title) of every section in order."""
    return [(section.kind.value, section.title) for section in book.sections]


def text_of(book: BookText, kind: SectionKind) -> str:
    """The text of all sections of a kind."""
    return "\n".join(section.span.of(book.text) for section in book.sections if section.kind is kind)


def after_heading(book: BookText, number: int) -> str:
    """The prose of chapter ``#number``."""
    section = book.chapters[number - 1]
    end = section.heading_end if section.heading_end < section.span.end else section.span.start
    return book.text[end : section.span.end].strip()
