"""What is recorded while a document becomes text. All offsets are code points of the text as walked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lxml import etree

from bot.ingest.canonical import collapse
from bot.ingest.epub.package import Target, inner_text, local

CLASSED_NOTE: Final = "classed-note"
"""The type recorded for a block whose class alone says that it holds notes."""

EPUB_TYPE: Final = "{http://www.idpf.org/2007/ops}type"


@dataclass(slots=True)
class Anchor:
    """The extent of an element: from the first visible character at or after its start to its end."""

    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class Block:
    """One block of text ``[start, end)``; ``level`` is 1-6 in a heading, else 0; ``group`` joins lines of one heading.

    ``types`` are those of the elements between the block and its sectioning element; ``linked`` counts the
    characters inside links.
    """

    start: int
    end: int
    file: int
    level: int
    group: int
    style: str
    types: frozenset[str]
    linked: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture with a description where no text stands: a heading drawn as a picture, mostly. ``at``: what follows."""

    at: Anchor
    file: int
    level: int
    alt: str


@dataclass(frozen=True, slots=True)
class Typed:
    """An element that says what it is (``epub:type`` or an ARIA role, without prefixes)."""

    anchor: Anchor
    file: int
    tag: str
    types: frozenset[str]
    name: str


@dataclass(frozen=True, slots=True)
class NoteRef:
    """A note marker that was taken out of the text: where it stood and what it points at."""

    at: Anchor
    file: int
    target: Target
    typed: bool


@dataclass(frozen=True, slots=True)
class Page:
    """The start of a printed page."""

    at: Anchor
    label: str


@dataclass(slots=True)
class File:
    """A document of the reading order and the stretch of text it gave; empty for pictures."""

    path: str
    linear: bool
    is_nav: bool
    anchor: Anchor
    types: frozenset[str] = frozenset()


_MARK = re.compile(r"[\[(]?(?:\d{1,4}|[*†‡§¶#‖]{1,4}|[ivxlc]{1,6}|[a-z])[\])]?")
_MARK_CLASS = re.compile(r"note-?(?:ref|anchor|mark)|fn-?(?:anchor|ref)|superscript|\bsup\b", re.I)
_NOTE_CLASS = re.compile(r"(?:^|[\s_-])(?:foot|end)-?notes?(?:$|[\s_-])", re.I)
_RAISED = re.compile(r"vertical-align\s*:\s*(?:super|top|text-top)", re.I)
_PAGE_CLASS = re.compile(r"(?:^|[\s-])(?:pagenum|pageno|page-?number|pagebreak)(?:$|\s)", re.I)
_PAGE_WORDS = re.compile(r"^\s*[\[({]?\s*(?:pages?|pg\.?|p\.|seite|s\.)?\s*|\s*[\])}]?\s*$", re.I)
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_LONGEST_LABEL = 20
_NO_TEXT: Final = frozenset(
    ("script", "style", "template", "noscript", "head", "rt", "rp", "rtc", "audio", "video", "iframe", "desc")
)


def types_of(element: etree._Element) -> frozenset[str]:
    """The ``epub:type`` tokens and ARIA document roles of an element, in lower case, without prefixes."""
    raw = f"{element.get(EPUB_TYPE) or element.get('epub:type') or ''} {element.get('role') or ''}"
    if raw == " ":
        return frozenset()
    return frozenset(word.rpartition(":")[2].removeprefix("doc-") for word in raw.lower().split())


def is_classed_note(element: etree._Element) -> bool:
    """Whether a block's class says that it holds notes."""
    style = element.get("class")
    return style is not None and _NOTE_CLASS.search(style) is not None


def is_dropped(element: etree._Element, tag: str) -> bool:
    """Whether nothing inside is text to read: scripts, ruby readings, what is hidden."""
    if tag in _NO_TEXT or element.get("hidden") is not None:
        return True
    style = element.get("style")
    return style is not None and _NOT_SHOWN.search(style) is not None


def page_label(element: etree._Element, types: frozenset[str]) -> str | None:
    """The label of the printed page that starts here, or None where no page does."""
    named = element.get("class")
    if "pagebreak" not in types and not (named and _PAGE_CLASS.search(named)):
        return None
    inside = collapse(inner_text(element))
    if len(inside) > _LONGEST_LABEL:
        return None
    label = collapse(element.get("title") or element.get("aria-label") or inside or element.get("id") or "")
    return clean_label(label)


def clean_label(label: str) -> str | None:
    """A page label without its brackets and the word "page"; None where nothing is left."""
    label = _PAGE_WORDS.sub("", label)
    return label if 0 < len(label) <= _LONGEST_LABEL else None


def is_note_marker(link: etree._Element, types: frozenset[str]) -> bool:
    """Whether a link is a note's marker: typed so, or a raised (or bracketed) link of up to four digits or signs."""
    if "noteref" in types:
        return True
    text = inner_text(link).strip()
    if not _MARK.fullmatch(text):
        return False
    if _looks_raised(link) or (text[0] == "[" and text[-1] == "]"):
        return True
    parent = link.getparent()
    if parent is not None and _looks_raised(parent):
        return True
    children = list(link)
    return len(children) == 1 and not (link.text or "").strip() and _looks_raised(children[0])


def _looks_raised(element: etree._Element) -> bool:
    return (
        local(element) == "sup"
        or _MARK_CLASS.search(element.get("class") or "") is not None
        or _RAISED.search(element.get("style") or "") is not None
    )
