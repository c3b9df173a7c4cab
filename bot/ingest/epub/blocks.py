"""The text under construction: canonical characters, blocks and lines, and the marks that structure is read from."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from bot.core.errors import FileRefused
from bot.ingest.canonical import BLOCK_GAP, CanonicalBuilder, clean
from bot.ingest.epub.marks import Anchor, Block, File, NoteRef, Page, Picture, Typed

MAX_CHARACTERS: Final = 20_000_000

_BREAK = re.compile(r"[\t-\r\x1c-\x1e\x85\u2028\u2029]+")
_DROP_CAP_STYLE = re.compile(r"drop|initial|figleft|capital|lettrine", re.I)
_DROP_CAP = re.compile(r"\s*[\"'“‘«„]?[^\W\d_]\s*")
_SPACES = re.compile(r"  +")
_LINE_END = re.compile(r" *\n[ \n]*")
_REMOVED = "\u00ad\u200b\u2060\ufeff"
_HANGUL_TAILS = range(0x1160, 0x1200)


class Scope:
    """What the innermost open elements say about a block."""

    __slots__ = ("group", "level", "preformatted", "style", "types")

    def __init__(self, outer: Scope | None = None) -> None:
        self.level: int = outer.level if outer else 0
        self.group: int = outer.group if outer else 0
        self.style: str = outer.style if outer else ""
        self.types: frozenset[str] = outer.types if outer else frozenset()
        self.preformatted: bool = outer.preformatted if outer else False


class TextWalk:
    """Gathers the text and the marks of documents in reading order."""

    def __init__(self) -> None:
        self.builder = CanonicalBuilder()
        self.files: list[File] = []
        self.blocks: list[Block] = []
        self.pictures: list[Picture] = []
        self.typed: list[Typed] = []
        self.noterefs: list[NoteRef] = []
        self.pages: list[Page] = []
        self.ids: dict[tuple[int, str], Anchor] = {}
        self._raw: list[str] = []
        self.raw_length = 0
        self.visible = False
        self._marks: list[tuple[int, Anchor]] = []
        self._ends: list[tuple[int, Anchor]] = []
        self.gap = BLOCK_GAP
        self.linked = 0
        self.groups = 0
        self._held = False

    def begin(self, path: str, *, linear: bool, is_nav: bool) -> int:
        """Open a document; its number."""
        self.files.append(File(path, linear, is_nav, self.mark()))
        return len(self.files) - 1

    def close(self, file: int, scope: Scope) -> None:
        """End a document.

        Raises ``FileRefused`` (``book_too_long``) beyond ``MAX_CHARACTERS``.
        """
        self.flush(file, scope, held=True)
        self.gap = BLOCK_GAP
        anchor = self.files[file].anchor
        anchor.end = max(len(self.builder), anchor.start)
        if len(self.builder) > MAX_CHARACTERS:
            raise FileRefused("book_too_long", "This book holds more than 20 million characters; upload it in volumes.")

    def finish(self) -> str:
        """The whole text. Marks behind the last character are set to its end."""
        text = self.builder.text()
        for _, anchor in self._marks:
            anchor.start = len(text)
            anchor.end = max(anchor.end, anchor.start)
        for file in self.files:
            file.anchor.end = max(file.anchor.end, file.anchor.start)
        self._marks.clear()
        return text

    def mark(self) -> Anchor:
        """A mark at the next visible character."""
        anchor = Anchor()
        self._marks.append((self.raw_length, anchor))
        return anchor

    def end(self, anchor: Anchor) -> None:
        """End a mark behind what was written so far."""
        if self.visible:
            self._ends.append((self.raw_length, anchor))
        else:
            anchor.end = len(self.builder)

    def write(self, text: str | None, *, preformatted: bool) -> None:
        if not text:
            return
        if not preformatted and _BREAK.search(text):
            text = _BREAK.sub(" ", text)
        if self._held:
            text = text.lstrip()
            self._held = not text
        if not self.visible and text.strip():
            self.visible = True
        self._raw.append(text)
        self.raw_length += len(text)

    def flush(self, file: int, scope: Scope, *, held: bool = False) -> None:
        """End the block that was being written; ``held``: a large first letter too, though nothing goes on with it."""
        if not self.visible:
            self._marks = [(0, anchor) for _, anchor in self._marks]
            self._raw, self.raw_length, self.linked = [], 0, 0
            return
        if not held and self._is_drop_cap(scope):
            self._held = True
            return
        self._held = False
        points = sorted({at for at, _ in self._marks} | {at for at, _ in self._ends})
        text, offsets = _settle("".join(self._raw), points, keep_spaces=scope.preformatted)
        span = self.builder.add(text, self.gap)
        if len(span):
            for at, anchor in self._marks:
                anchor.start = min(span.start + offsets[at], span.end)
            self._marks = []
            style, types = scope.style, scope.types
            self.blocks.append(
                Block(span.start, span.end, file, scope.level, scope.group, style, types, min(self.linked, len(span)))
            )
            self.gap = BLOCK_GAP
        else:
            self._marks = [(0, anchor) for _, anchor in self._marks]
        for at, anchor in self._ends:
            anchor.end = min(span.start + offsets[at], span.end)
        self._raw, self.raw_length, self.visible, self._ends, self.linked = [], 0, False, [], 0

    def _is_drop_cap(self, scope: Scope) -> bool:
        """Whether the block is a large first letter in a box of its own, which the next block goes on with."""
        if scope.level or self.raw_length > 12 or not (self._held or _DROP_CAP_STYLE.search(scope.style)):
            return False
        if not _DROP_CAP.fullmatch("".join(self._raw)):
            return False
        self._raw = ["".join(self._raw).rstrip()]
        self.raw_length = len(self._raw[0])
        return True


def _settle(raw: str, points: list[int], *, keep_spaces: bool) -> tuple[str, dict[int, int]]:
    """Canonical text of a block and where each raw offset lies in it, in one pass.

    Cuts are moved behind combining characters first, so that composing piece by piece equals composing the whole.
    """
    pieces: list[str] = []
    offsets: dict[int, int] = {}
    length, before, last = 0, 0, "\n"
    for point in [*points, len(raw)]:
        cut = max(point, before)
        while cut < len(raw) and cut > before and _joins_left(raw[cut]):
            cut += 1
        piece = clean(raw[before:cut])
        if not keep_spaces:
            if "  " in piece:
                piece = _SPACES.sub(" ", piece)
            if "\n" in piece:
                piece = _LINE_END.sub("\n", piece)
            if last in " \n":
                piece = piece.lstrip(" " if last == " " and "\n" in piece else " \n")
            if piece[:1] == "\n" and last == " " and pieces:
                pieces[-1] = pieces[-1][:-1]
                length -= 1
        if piece:
            pieces.append(piece)
            length += len(piece)
            last = piece[-1]
        offsets[point] = length
        before = cut
    text = unicodedata.normalize("NFC", "".join(pieces))
    if not keep_spaces:
        return text.rstrip(" \n"), offsets
    lines = "\n".join(line.rstrip(" ") for line in text.strip("\n").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", lines), offsets


def _joins_left(char: str) -> bool:
    return unicodedata.combining(char) != 0 or ord(char) in _HANGUL_TAILS or char in _REMOVED
