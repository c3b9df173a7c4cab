"""The walk over one document's tree: no recursion, whatever the depth."""

from __future__ import annotations

from typing import Final

from lxml import etree

from bot.ingest.canonical import BLOCK_GAP, LINE_GAP, collapse
from bot.ingest.epub.blocks import Scope, TextWalk
from bot.ingest.epub.marks import (
    CLASSED_NOTE,
    Anchor,
    NoteRef,
    Page,
    Picture,
    Typed,
    is_classed_note,
    is_dropped,
    is_note_marker,
    page_label,
    types_of,
)
from bot.ingest.epub.package import local, resolve

_BLOCK_TAGS = """
    p div h1 h2 h3 h4 h5 h6 section article aside header footer main nav body blockquote ul ol dl li dt dd table caption
    thead tbody tfoot tr figure figcaption hr pre address hgroup form fieldset details summary center svg text
"""
_BLOCKS: Final = frozenset(_BLOCK_TAGS.split())
_ROWS: Final = frozenset(("li", "dt", "dd", "tr", "text"))
_LISTS: Final = frozenset(("ul", "ol", "dl", "table", "svg"))
_CELLS: Final = frozenset(("td", "th"))
_HEADINGS: Final = {f"h{n}": n for n in range(1, 7)}
_SECTIONING: Final = frozenset(["body", "section", "article", "aside", "nav", "div"])


def walk_document(root: etree._Element, out: TextWalk, path: str, *, linear: bool, is_nav: bool) -> None:
    """Append the text and marks of one document to ``out``.

    Raises ``FileRefused`` (``book_too_long``).
    """
    _Document(out, out.begin(path, linear=linear, is_nav=is_nav)).walk(root)


class _Open:
    """An element that was begun: the marks that end with it, and what its end must undo."""

    __slots__ = ("anchors", "linked", "scoped")

    def __init__(self) -> None:
        self.anchors: list[Anchor] = []
        self.linked = False
        self.scoped = False


class _Document:
    """The walk over one document."""

    def __init__(self, out: TextWalk, number: int) -> None:
        self.out = out
        self.file = out.files[number]
        self.number = number
        self.scopes = [Scope()]
        self.open: list[_Open] = []
        self.links = 0
        self.lists: set[etree._Element] = set()
        self.alt = ""

    def walk(self, root: etree._Element) -> None:
        walker = etree.iterwalk(root, events=("start", "end"), tag="*")
        for event, element in walker:
            tag = local(element)
            if event == "start":
                if not self._start(element, tag):
                    walker.skip_subtree()
            else:
                self._end(tag)
                if element is not root:
                    self._write(element.tail)
        self._flush()
        self.out.close(self.number, self.scopes[-1])

    def _write(self, text: str | None) -> None:
        before = self.out.raw_length
        self.out.write(text, preformatted=self.scopes[-1].preformatted)
        if self.links:
            self.out.linked += self.out.raw_length - before

    def _flush(self) -> None:
        if self.alt and not self.out.visible:
            self.out.pictures.append(Picture(self.out.mark(), self.number, self.scopes[-1].level, self.alt))
        self.alt = ""
        self.out.flush(self.number, self.scopes[-1])

    def _start(self, element: etree._Element, tag: str) -> bool:
        """Open an element; False where nothing inside it is to be read."""
        out, opened = self.out, _Open()
        if tag in _BLOCKS:
            self._flush()
        self.open.append(opened)
        self._name(element, opened)
        types = types_of(element)
        if self._is_left_out(element, tag, types):
            for inner in element.iter(etree.Element):
                self._name(inner, opened)
            return False
        if tag in _BLOCKS and tag != "body" and is_classed_note(element):
            types |= {CLASSED_NOTE}
        if types and tag in _BLOCKS:
            opened.anchors.append(out.mark())
            out.typed.append(Typed(opened.anchors[-1], self.number, tag, types, element.get("id") or ""))
            if tag == "body":
                self.file.types = types
        if tag in _BLOCKS:
            self._open_block(element, tag, types)
            opened.scoped = True
        elif tag == "br":
            out.write("\n", preformatted=True)
        elif tag in _CELLS:
            self._write(" ")
        elif tag == "a" and element.get("href") is not None:
            opened.linked = True
            self.links += 1
        self._write(element.text)
        return True

    def _name(self, element: etree._Element, opened: _Open) -> None:
        """Record the element's id; the first of one name in a file wins."""
        for key in ("id", "name"):
            name = element.get(key)
            if name and (self.number, name) not in self.out.ids:
                opened.anchors.append(self.out.mark())
                self.out.ids[self.number, name] = opened.anchors[-1]

    def _is_left_out(self, element: etree._Element, tag: str, types: frozenset[str]) -> bool:
        """Whether the element is not text to read; note markers, pages and pictures are recorded."""
        if is_dropped(element, tag) or (tag == "title" and not self.scopes[-1].level):
            return True
        if tag in ("img", "image"):
            self.alt = self.alt or collapse(element.get("alt") or "")
            return False
        label = page_label(element, types)
        if label is not None:
            self.out.pages.append(Page(self.out.mark(), label))
            return True
        return tag == "a" and self._takes_marker(element, types)

    def _takes_marker(self, link: etree._Element, types: frozenset[str]) -> bool:
        target = resolve(self.file.path, link.get("href") or "")
        if target is None or not target.fragment or not is_note_marker(link, types):
            return False
        if not self.out.visible and "noteref" not in types:
            return False  # at the start of a block: a note's own number, linked back to its marker
        self.out.noterefs.append(NoteRef(self.out.mark(), self.number, target, "noteref" in types))
        return True

    def _open_block(self, element: etree._Element, tag: str, types: frozenset[str]) -> None:
        outer = self.scopes[-1]
        scope = Scope(outer)
        scope.style = element.get("class") or ""
        scope.types = types if tag in _SECTIONING else outer.types | types
        scope.level = _HEADINGS.get(tag) or (outer.level if outer.group else 0)
        if "heading" in types and not scope.level:
            level = element.get("aria-level") or ""
            scope.level = int(level) if level in "123456" and level else 2
        if (scope.level or tag == "hgroup") and not outer.group:
            self.out.groups += 1
            scope.group = self.out.groups
        scope.preformatted = outer.preformatted or tag == "pre"
        self.scopes.append(scope)
        parent = element.getparent()
        if tag in _ROWS and parent is not None:
            if parent in self.lists:
                self.out.gap = LINE_GAP
            self.lists.add(parent)

    def _end(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._flush()
        opened = self.open.pop()
        for anchor in opened.anchors:
            self.out.end(anchor)
        self.links -= opened.linked
        if opened.scoped:
            self.scopes.pop()
        if tag in _LISTS:
            self.out.gap = BLOCK_GAP
