"""Builds the sample book: ``a-turn-owing/*.md`` -> ``a-turn-owing.epub``, the same bytes every time.

Written with ``zipfile`` and not with ebooklib (0.20): its writer puts the present time in the archive, re-serialises
the documents, makes landmarks only from the EPUB 2 guide, and leaves the page list out of the NCX, whereas a sample
that is committed must be rebuilt byte for byte. Entries are stored, not deflated: two builds of zlib need not compress
alike.

Usage: ``python samples/build_sample.py [TARGET.epub]``
"""

from __future__ import annotations

import sys
import zipfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

from sample_pages import Page, Pager, Source, contents, documents, read_sources

SLUG = "a-turn-owing"
TITLE = "A Turn Owing"
AUTHOR = "The Dogear authors"
IDENTIFIER = "urn:uuid:6f1c2a5e-0d09-5ea7-9f50-a7c0de500050"
MODIFIED = "2026-01-01T00:00:00Z"
HERE = Path(__file__).parent

CSS = """\
body { margin: 5%; line-height: 1.4; }
h1, h2 { text-align: center; font-weight: normal; margin: 2em 0 1.5em; }
p { margin: 0; text-indent: 1.3em; text-align: justify; }
p.first, hr + p, blockquote p, aside p, .subtitle { text-indent: 0; }
.subtitle { text-align: center; font-style: italic; margin-bottom: 1.5em; }
.dropcap { float: left; font-size: 3em; line-height: 0.9; padding-right: 0.08em; }
.letter { margin: 1em 2em; }
.letter p + p { margin-top: 0.6em; }
.verse { margin: 1em 3em; font-style: italic; }
hr { border: none; text-align: center; margin: 1.2em 0; }
hr::before { content: "* * *"; }
aside { font-size: 0.85em; border-top: thin solid; margin-top: 2em; padding-top: 0.5em; }
sup { line-height: 0; font-size: 0.7em; }
ol { list-style: none; }
"""

COVER = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 900" role="img" aria-label="{TITLE}">
<rect width="600" height="900" fill="#24343d"/>
<path d="M0 640 L150 600 L210 610 L250 640 L262 900 L0 900 Z" fill="#0f191e"/>
<path d="M390 900 L402 560 L430 500 L480 505 L520 560 L540 900 Z" fill="#0f191e"/>
<path d="M250 640 Q330 640 402 560" fill="none" stroke="#d9d2bd" stroke-width="2"/>
<circle cx="452" cy="490" r="11" fill="#e8b93a"/>
<text x="300" y="210" font-family="serif" font-size="76" fill="#f3ecd8" text-anchor="middle">{TITLE}</text>
<text x="300" y="270" font-family="serif" font-size="28" fill="#d9d2bd" text-anchor="middle">{AUTHOR}</text>
</svg>
"""

CONTAINER = """\
<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""


@dataclass(frozen=True, slots=True)
class Built:
    """The made-up book: sources, (file, label, XHTML) in reading order, and pages."""

    sources: tuple[Source, ...]
    files: tuple[tuple[str, str, str], ...]
    pages: tuple[Page, ...]


def make(folder: Path) -> Built:
    """Reads the sources in ``folder`` and lays them out."""
    sources = read_sources(folder)
    pager = Pager()
    files = tuple(documents(sources, pager))
    return Built(sources, files, tuple(pager.pages))


def package(book: Built) -> str:
    """The package file."""
    ids = [f"f{at}" for at in range(len(book.files))]
    items = "\n".join(
        f'<item id="{key}" href="{name}" media-type="application/xhtml+xml"/>'
        for key, (name, _, _) in zip(ids, book.files, strict=True)
    )
    spine = "\n".join(f'<itemref idref="{key}"/>' for key in ids)
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">{IDENTIFIER}</dc:identifier>
<dc:title>{TITLE}</dc:title>
<dc:creator>{AUTHOR}</dc:creator>
<dc:language>en</dc:language>
<dc:rights>Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0)</dc:rights>
<dc:description>An enumerator comes to an island that must number fifty souls.</dc:description>
<meta property="dcterms:modified">{MODIFIED}</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="css" href="book.css" media-type="text/css"/>
<item id="cover" href="cover.svg" media-type="image/svg+xml" properties="cover-image"/>
{items}
</manifest>
<spine toc="ncx">
{spine}
</spine>
</package>
"""


def nav(book: Built) -> str:
    """The navigation document: contents, landmarks, page list."""
    marks = (("toc", "Contents", "contents"), ("bodymatter", "Start of the story", "part-one"))
    found = [(kind, label, name) for kind, label, part in marks for name, _, _ in book.files if part in name]
    found += [("endnotes", "Notes", f"{s.name}.xhtml") for s in book.sources if s.type == "endnotes"]
    landmarks = "\n".join(f'<li><a epub:type="{kind}" href="{name}">{label}</a></li>' for kind, label, name in found)
    pages = "\n".join(f'<li><a href="{page.href}">{page.label}</a></li>' for page in book.pages)
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>{TITLE}</title></head>
<body>
<nav epub:type="toc" role="doc-toc"><h2>Contents</h2>
{contents(book.sources)}
</nav>
<nav epub:type="landmarks" hidden=""><h2>Landmarks</h2><ol>
{landmarks}
</ol></nav>
<nav epub:type="page-list" role="doc-pagelist" hidden=""><h2>Pages</h2><ol>
{pages}
</ol></nav>
</body>
</html>
"""


def ncx(book: Built) -> str:
    """The EPUB 2 contents, with the page list."""
    points: list[str] = []
    in_part = False
    for at, (name, label, _) in enumerate(book.files, 1):
        opens, chapter = name.startswith("part-"), label.startswith("Chapter ")
        if in_part and not chapter:
            points.append("</navPoint>")
            in_part = False
        text = f'<navLabel><text>{escape(label, quote=False)}</text></navLabel><content src="{name}"/>'
        points.append(f'<navPoint id="n{at}" playOrder="{at}">{text}{"" if opens else "</navPoint>"}')
        in_part = in_part or opens
    targets = ""
    for order, page in enumerate(book.pages, len(book.files) + 1):
        kind = "normal" if page.label.isdigit() else "front"
        targets += (
            f'<pageTarget id="p{page.label}" type="{kind}" playOrder="{order}">'
            f'<navLabel><text>{page.label}</text></navLabel><content src="{page.href}"/></pageTarget>\n'
        )
    listing = "\n".join(points)
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="en">
<head>
<meta name="dtb:uid" content="{IDENTIFIER}"/><meta name="dtb:depth" content="2"/>
<meta name="dtb:totalPageCount" content="{len(book.pages)}"/>
<meta name="dtb:maxPageNumber" content="{book.pages[-1].label}"/>
</head>
<docTitle><text>{TITLE}</text></docTitle>
<navMap>
{listing}
</navMap>
<pageList>
<navLabel><text>Pages</text></navLabel>
{targets}</pageList>
</ncx>
"""


def build(folder: Path, target: Path) -> Built:
    """Writes the EPUB of the sources in ``folder`` to ``target``: entries stored, in order, dated 1980-01-01."""
    book = make(folder)
    entries = {
        "META-INF/container.xml": CONTAINER,
        "EPUB/book.css": CSS,
        "EPUB/cover.svg": COVER,
        "EPUB/nav.xhtml": nav(book),
        "EPUB/package.opf": package(book),
        "EPUB/toc.ncx": ncx(book),
        **{f"EPUB/{name}": text for name, _, text in book.files},
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, text in [("mimetype", "application/epub+zip"), *sorted(entries.items())]:
            entry = zipfile.ZipInfo(name)
            entry.create_system = 3  # the same on every platform
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode("utf-8"))
    return book


if __name__ == "__main__":
    destination = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / f"{SLUG}.epub"
    built = build(HERE / SLUG, destination)
    print(f"{destination.name}: {len(built.files)} documents, {len(built.pages)} pages")
