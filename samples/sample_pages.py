"""The sample book's sources as XHTML documents, with the pages of its printed edition marked.

The source is one file a section, in reading order of the file names: a header between two ``---`` lines (``type`` or
``part`` and ``number``, and ``title``), then paragraphs parted by blank lines. ``*emphasis*``; ``{la|foreign words}``;
``{-}`` a soft hyphen; ``> `` a letter; ``| `` a line of verse; ``- `` a list; ``* * *`` a break; ``[^1]`` a footnote
(``[^1]: text`` in the same file); ``[end:1]`` an endnote (``[1] text`` in the file of type ``endnotes``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

PART_TITLES = {"One": "Fifty", "Two": "Forty-Nine"}
WORDS_A_PAGE = 180
BACK_TYPES = frozenset({"endnotes", "afterword", "preview", "contributors"})

_INLINE = re.compile(r"(\*|\{la\|[^}]*\}|\{-\}|\[\^\d+\]|\[end:\d+\]|https://\S+?(?=[.,]?(?:\s|$)))")
_NOTE = re.compile(r"\[\^(\d+)\]: (.*)", re.DOTALL)
_NOTEREF = 'epub:type="noteref" role="doc-noteref"'
_ENDNOTE = re.compile(r"\[(\d+)\] (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Source:
    """One source file: its header and its blocks (paragraphs, letters, verses, notes), as written."""

    name: str
    title: str
    type: str
    part: str = ""
    number: str = ""
    subtitle: str = ""
    blocks: tuple[str, ...] = ()

    @property
    def is_chapter(self) -> bool:
        return self.type == "chapter"

    @property
    def label(self) -> str:
        """What the contents page calls it."""
        return f"Chapter {self.number}: {self.title}" if self.is_chapter else self.title

    def paragraphs(self) -> tuple[str, ...]:
        """The blocks as plain text, markup and footnotes taken out: what a reader reads."""
        kept = (block for block in self.blocks if not _NOTE.fullmatch(block) and block != "* * *")
        return tuple(plain(block) for block in kept)


@dataclass(frozen=True, slots=True)
class Page:
    """A printed page: its label, and the file in which it begins."""

    label: str
    file: str

    @property
    def href(self) -> str:
        return f"{self.file}#page-{self.label}"


@dataclass(slots=True)
class Pager:
    """Counts words and says where the pages begin: roman numerals before Part One, arabic from there on."""

    pages: list[Page] = field(default_factory=list)
    file: str = ""
    words: int = 0
    arabic_from: int | None = None

    def begin(self, file: str) -> str:
        """The mark of the page that begins with ``file``."""
        self.file = file
        return self._mark()

    def start_arabic(self) -> None:
        """The next page is page 1."""
        self.arabic_from = len(self.pages)

    def _mark(self) -> str:
        count = len(self.pages) + 1
        label = roman(count) if self.arabic_from is None else str(count - self.arabic_from)
        self.pages.append(Page(label, self.file))
        self.words = 0
        return f'<span epub:type="pagebreak" role="doc-pagebreak" id="page-{label}" aria-label="{label}"></span>'

    def run(self, text: str) -> str:
        """``text`` (no markup) escaped, with a mark wherever a page is full."""
        parts = []
        for piece in re.split(r"(?<=\s)(?=\S)", text):
            if self.words >= WORDS_A_PAGE and piece.strip():
                parts.append(self._mark())
            self.words += bool(piece.strip())
            parts.append(escape(piece, quote=False))
        return "".join(parts)


def roman(number: int) -> str:
    """1 -> "i", 14 -> "xiv" (below 40)."""
    tens, ones = divmod(number, 10)
    return "x" * tens + ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")[ones]


def read_sources(folder: Path) -> tuple[Source, ...]:
    """The sections of the book in ``folder``, in reading order."""
    return tuple(read_source(path) for path in sorted(folder.glob("*.md")))


def read_source(path: Path) -> Source:
    """One section; raises ``ValueError`` where the header is not closed."""
    empty, header, body = path.read_text(encoding="utf-8").split("---\n", 2)
    if empty:
        raise ValueError(f"{path.name}: the header must stand first")
    facts = dict(line.split(": ", 1) for line in header.splitlines())
    blocks = tuple(block.strip("\n") for block in re.split(r"\n{2,}", body) if block.strip())
    return Source(path.stem, type=facts.pop("type", "chapter"), blocks=blocks, **facts)


def plain(block: str) -> str:
    """A block without its markup."""
    text = re.sub(r"\[\^\d+\]|\[end:\d+\]|\{-\}", "", block)
    text = re.sub(r"\{la\|([^}]*)\}", r"\1", text).replace("*", "")
    return re.sub(r"^[>|-] ?", "", text, flags=re.MULTILINE)


def inline(text: str, pager: Pager, endnotes: str) -> str:
    """Markup of one run of text as XHTML; ``endnotes`` is the file that holds the endnotes."""
    out, emphasis = [], False
    for piece in _INLINE.split(text):
        if piece == "*":
            emphasis = not emphasis
            out.append("<em>" if emphasis else "</em>")
        elif piece.startswith("{la|"):
            out.append(f'<i lang="la" xml:lang="la">{escape(piece[4:-1])}</i>')
        elif piece == "{-}":
            out.append("\u00ad")
        elif piece.startswith("[^"):
            number = piece[2:-1]
            out.append(f'<a {_NOTEREF} href="#fn{number}" id="fnref{number}">*</a>')
        elif piece.startswith("[end:"):
            number = piece[5:-1]
            out.append(f'<sup><a {_NOTEREF} href="{endnotes}#en{number}" id="enref{number}">{number}</a></sup>')
        elif piece.startswith("https://"):
            out.append(f'<a href="{piece}">{piece}</a>')
        else:
            out.append(pager.run(piece))
    return "".join(out)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the body of one document; holds what its blocks need to know of the rest of the book."""

    pager: Pager
    endnotes: str
    marked_in: dict[str, str]

    def text(self, text: str) -> str:
        return inline(text, self.pager, self.endnotes)

    def block(self, block: str, first: bool) -> str:
        """A block that is neither letter, verse, list nor note is a paragraph."""
        if block == "* * *":
            return "<hr/>"
        if block[:2] in {"> ", "| ", "- "}:
            return self.set_off(block)
        if note := _NOTE.fullmatch(block):
            text = self.text(note[2])
            return f'<aside epub:type="footnote" role="doc-footnote" id="fn{note[1]}">\n<p>{text}</p>\n</aside>'
        if note := _ENDNOTE.fullmatch(block):
            back = f'<a role="doc-backlink" href="{self.marked_in[note[1]]}#enref{note[1]}">{note[1]}.</a>'
            return f'<li epub:type="endnote" id="en{note[1]}"><p>{back} {self.text(note[2])}</p></li>'
        if first:
            return f'<p class="first"><span class="dropcap">{escape(block[0])}</span>{self.text(block[1:])}</p>'
        return f"<p>{self.text(block)}</p>"

    def set_off(self, block: str) -> str:
        """A letter, a verse or a list."""
        if block.startswith(">"):
            paragraphs = re.split(r"\n> ?\n", block)
            inner = "\n".join(f"<p>{self.text(re.sub(r'^> ', '', p, flags=re.MULTILINE))}</p>" for p in paragraphs)
            return f'<blockquote epub:type="z3998:letter" class="letter">\n{inner}\n</blockquote>'
        lines = [self.text(line[2:]) for line in block.splitlines()]
        if block.startswith("|"):
            verse = "<br/>\n".join(f"<span>{line}</span>" for line in lines)
            return f'<blockquote epub:type="z3998:verse" class="verse">\n<p>{verse}</p>\n</blockquote>'
        items = "\n".join(f"<li>{line}</li>" for line in lines)
        return f"<ul>\n{items}\n</ul>"

    def section(self, source: Source) -> str:
        """The document's one section, with its heading and the mark of its first page."""
        mark = self.pager.begin(f"{source.name}.xhtml")
        in_order = sorted(source.blocks, key=lambda block: bool(_NOTE.fullmatch(block)))  # footnotes at the end
        blocks = [self.block(block, source.is_chapter and at == 0) for at, block in enumerate(in_order)]
        inner = "\n".join(blocks)
        if source.type == "endnotes":
            inner = f"<ol>\n{inner}\n</ol>"
        title = escape(source.title, quote=False)
        heading = f"<h1>{title}</h1>" if source.type == "titlepage" else f"<h2>{title}</h2>"
        if source.is_chapter:
            number = f'<span epub:type="label">Chapter</span> <span epub:type="ordinal">{source.number}</span>'
            heading = f'<h2>{number}<br/>\n<span epub:type="title">{title}</span></h2>'
        if source.subtitle:
            heading += f'\n<p class="subtitle">{escape(source.subtitle, quote=False)}</p>'
        return f'<section epub:type="{source.type}" id="s">\n{mark}{heading}\n{inner}\n</section>'


def part_section(part: str, pager: Pager) -> str:
    """The page that opens a part."""
    mark = pager.begin(f"part-{part.lower()}.xhtml")
    return f'<section epub:type="part" id="s">\n{mark}<h1>Part {part}<br/>\n{PART_TITLES[part]}</h1>\n</section>'


def matter(source_type: str) -> str:
    """The division of the book that a section of this type belongs to."""
    if source_type in {"chapter", "part"}:
        return "bodymatter"
    return "backmatter" if source_type in BACK_TYPES else "frontmatter"


def document(title: str, kind: str, body: str) -> str:
    """A whole XHTML file."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        ' epub:prefix="z3998: http://www.daisy.org/z3998/2012/vocab/structure/#" lang="en" xml:lang="en">\n'
        f"<head>\n<title>{escape(title)}</title>\n"
        '<link rel="stylesheet" type="text/css" href="book.css"/>\n</head>\n'
        f'<body epub:type="{kind}">\n{body}\n</body>\n</html>\n'
    )


def marked_files(sources: tuple[Source, ...]) -> dict[str, str]:
    """Number of an endnote -> the file in which its marker stands."""
    return {
        number: f"{source.name}.xhtml"
        for source in sources
        for block in source.blocks
        for number in re.findall(r"\[end:(\d+)\]", block)
    }


def documents(sources: tuple[Source, ...], pager: Pager) -> Iterator[tuple[str, str, str]]:
    """(file name, contents label, XHTML) of every document in reading order, the contents page among them."""
    endnotes = next(f"{source.name}.xhtml" for source in sources if source.type == "endnotes")
    maker = Maker(pager, endnotes, marked_files(sources))
    part = ""
    for source in sources:
        if source.type == "introduction":
            mark = pager.begin("03-contents.xhtml")
            body = f'<section epub:type="toc" id="s">\n{mark}<h2>Contents</h2>\n{contents(sources)}\n</section>'
            yield "03-contents.xhtml", "Contents", document("Contents", "frontmatter", body)
        if source.part != part and source.is_chapter:
            part = source.part
            if pager.arabic_from is None:
                pager.start_arabic()
            label = f"Part {part}: {PART_TITLES[part]}"
            yield f"part-{part.lower()}.xhtml", label, document(label, "bodymatter", part_section(part, pager))
        page = document(source.label, matter(source.type), maker.section(source))
        yield f"{source.name}.xhtml", source.label, page


def contents(sources: tuple[Source, ...]) -> str:
    """The contents as nested lists, parts above their chapters."""
    lines, part = ["<ol>"], ""
    for source in sources:
        if part and source.part != part:
            lines.append("</ol></li>")
        if source.part and source.part != part:
            label = f"Part {source.part}: {PART_TITLES[source.part]}"
            lines.append(f'<li><a href="part-{source.part.lower()}.xhtml">{label}</a>\n<ol>')
        part = source.part
        if source.type not in {"titlepage", "copyright-page", "dedication"}:
            lines.append(f'<li><a href="{source.name}.xhtml">{escape(source.label, quote=False)}</a></li>')
    return "\n".join([*lines, "</ol>"])
