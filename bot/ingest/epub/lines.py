"""Heading lines in the walked text: heading elements, and paragraphs that read as headings (Calibre, InDesign)."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from bot.ingest.epub.blocks import TextWalk
from bot.ingest.epub.marks import Block
from bot.ingest.epub.notes import Note
from bot.ingest.headings import Heading, Strength, parse_heading

LONGEST_PARAGRAPH_HEADING: Final = 90

_QUOTES: Final = "\"“”„‟‘‚«»‹›「『'"
_MOST_SPACES: Final = 14
_TITLE_CLASS = re.compile(r"title|subtitle|chap|head|tit\b", re.I)
_TITLE_TYPES: Final = frozenset(("title", "subtitle", "fulltitle", "ordinal"))
_SENTENCE_END = re.compile(r"[.,;:…][\"'”’»)]*$")
_ENDS_ITSELF = re.compile(r"[.:;,!?…—–-]$")

_GENERIC_TITLE = re.compile(
    r"(?:(?:start|begin)(?:ning|s)?(?: reading| here| of (?:the )?(?:text|book|content))?|commencer(?: la lecture)?"
    r"|text|main text|body|bodymatter|content|story|book|section[\s_-]*\d+|part\d{3,}|(?:index_)?split_?\d+|untitled"
    r"|unknown|[\w-]+\.x?html?|chapter\d{3,}|title)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class HeadingLines:
    """The lines of one heading, ``[start, end)``; ``level`` is 0 for paragraphs. ``first``, ``last`` index blocks.

    ``heading`` is what its first line (or all of them) parse to. ``picture`` headings have no text: start == end.
    """

    start: int
    end: int
    file: int
    level: int
    title: str
    heading: Heading | None
    first: int
    last: int
    style: str = ""
    picture: bool = False


def is_generic(title: str) -> bool:
    """Whether an entry's title names no section ("Begin Reading", a file's name)."""
    return _GENERIC_TITLE.fullmatch(title.strip()) is not None


def folded(text: str) -> str:
    """Letters and digits only, compatibility-folded, for comparing titles."""
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def join_lines(lines: list[str]) -> str:
    """The lines of a heading as one title: ``Chapter One`` and ``The Lamp`` give ``Chapter One: The Lamp``."""
    title = ""
    for line in (part.strip() for whole in lines for part in whole.split("\n")):
        if not title:
            title = line
        elif line:
            parsed = parse_heading(title)
            numbered = parsed is not None and not parsed.named and not _ENDS_ITSELF.search(title)
            title = f"{title}{':' if numbered else ''} {line}"
    return title


class HeadingIndex:
    """All heading lines of a walked text, by offset."""

    def __init__(self, walk: TextWalk, text: str, notes: list[Note]) -> None:
        self.walk = walk
        self.text = text
        self.starts = [block.start for block in walk.blocks]
        self._notes = notes
        self._note_starts = [note.start for note in notes]
        self.found = sorted([*self._scan(), *self._pictures()], key=lambda h: (h.start, h.first))
        self._found_starts = [h.start for h in self.found]

    def in_note(self, offset: int) -> bool:
        """Whether ``offset`` lies in a note that stands among other text."""
        at = bisect_left(self._note_starts, offset + 1) - 1
        return at >= 0 and self._notes[at].start <= offset < self._notes[at].end

    def at(self, offset: int) -> HeadingLines | None:
        """The heading that starts exactly at ``offset``; one with text before a picture."""
        index = bisect_left(self._found_starts, offset)
        same = [h for h in self.found[index : index + 3] if h.start == offset]
        return next((h for h in same if not h.picture), same[0] if same else None)

    def block_at(self, offset: int) -> int:
        """The index of the block that holds ``offset``, or of the next one."""
        index = bisect_left(self.starts, offset + 1) - 1
        if index >= 0 and offset < self.walk.blocks[index].end:
            return index
        return index + 1

    def _line(self, block: Block) -> str:
        return self.text[block.start : block.end]

    def _scan(self) -> list[HeadingLines]:
        blocks, found, index = self.walk.blocks, [], 0
        while index < len(blocks):
            block = blocks[index]
            lines = self._read(index) if not self.in_note(block.start) else None
            if lines is not None:
                found.append(lines)
                index = lines.last + 1
            else:
                index += 1
        return found

    def _read(self, index: int) -> HeadingLines | None:
        """The heading whose first line is block ``index``, with the lines that belong to it."""
        blocks = self.walk.blocks
        block = blocks[index]
        line = self._line(block)
        plain = not block.level and not block.group
        if plain and (len(line) > LONGEST_PARAGRAPH_HEADING or line[0] in _QUOTES or line.count(" ") > _MOST_SPACES):
            return None
        heading = parse_heading(line)
        if plain and not self._is_heading_paragraph(line, heading):
            return None
        last = index
        while last + 1 < len(blocks) and self._continues(block, heading, last):
            last += 1
        lines = [self._line(b) for b in blocks[index : last + 1]]
        title = join_lines(lines)
        level = block.level or max((b.level for b in blocks[index : last + 1]), default=0)
        heading = heading or parse_heading(title)
        return HeadingLines(block.start, blocks[last].end, block.file, level, title, heading, index, last, block.style)

    @staticmethod
    def _is_heading_paragraph(line: str, heading: Heading | None) -> bool:
        if heading is None or len(line) > LONGEST_PARAGRAPH_HEADING or "\n\n" in line:
            return False
        if heading.bare:
            return heading.strength >= Strength.FAIR and not heading.named
        return heading.strength is Strength.STRONG or (
            heading.strength is Strength.FAIR and not _SENTENCE_END.search(line)
        )

    def _continues(self, first: Block, heading: Heading | None, last: int) -> bool:
        """Whether the block after ``last`` is one more line of the heading that starts with ``first``."""
        block, following = self.walk.blocks[last], self.walk.blocks[last + 1]
        if following.file != first.file or self.in_note(following.start):
            return False
        if first.group and following.group == first.group:
            return True
        line = self._line(following)
        if len(line) > 200 or parse_heading(line) is not None:
            return False
        unnamed = heading is not None and not heading.named and block is first
        if following.level:
            same = following.level == first.level or not (heading is not None and heading.is_part)
            return unnamed and 0 < first.level <= following.level and same
        titled = bool(_TITLE_CLASS.search(following.style)) or bool(following.types & _TITLE_TYPES)
        return unnamed and titled and not _SENTENCE_END.search(line)

    def _pictures(self) -> list[HeadingLines]:
        found = []
        for picture in self.walk.pictures:
            heading = parse_heading(picture.alt)
            if picture.level or (heading is not None and not heading.bare and heading.strength is Strength.STRONG):
                at = picture.at.start
                index = self.block_at(at)
                found.append(
                    HeadingLines(
                        at, at, picture.file, picture.level, picture.alt, heading, index, index - 1, picture=True
                    )
                )
        return found
