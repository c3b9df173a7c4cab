"""Where sections may begin: what the table of contents, the types and the headings say, joined in text order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.epub.lines import HeadingIndex, HeadingLines, folded, is_generic
from bot.ingest.epub.places import PlacedEntry
from bot.ingest.headings import Heading, parse_heading
from bot.ingest.labels import label_kind

UNIT_TYPES: Final = frozenset(
    ("chapter", "prologue", "epilogue", "short-story", "interlude", "novella", "conclusion", "afterpiece")
)
PART_TYPES: Final = frozenset(("part", "volume", "division"))
_SECTIONS: Final = frozenset(("body", "section", "article", "nav", "div", "aside"))
_REACH_BLOCKS: Final = 4  # how far behind a target its heading may stand (a picture's caption, an epigraph)


class Source(IntEnum):
    """What made an opening, the surest first."""

    TOC = 0
    TYPED = 1
    HEADING = 2
    FILE = 3


@dataclass(slots=True, eq=False)
class Opening:
    """A place where a section may begin.

    ``heading_end`` is None where the title does not stand in the text. ``path`` are the entries of the table of
    contents above it, outermost first; ``above`` are divisions that begin at the same place, without text of their own.
    """

    start: int
    file: int
    source: Source
    title: str
    heading: Heading | None
    heading_end: int | None
    types: frozenset[str] = frozenset()
    level: int = 0
    depth: int = 0
    empty: bool = False
    path: tuple[Opening, ...] = ()
    above: list[Opening] = field(default_factory=list)
    children: list[Opening] = field(default_factory=list)
    style: str = ""

    @property
    def text_end(self) -> int:
        """The end of its heading, or its start."""
        return self.start if self.heading_end is None else self.heading_end


def toc_openings(entries: list[PlacedEntry], index: HeadingIndex) -> list[Opening]:
    """One opening for every entry; those nested know the entries above them."""
    made = [_from_entry(entry, index) for entry in entries]
    for entry, opening in zip(entries, made, strict=True):
        opening.path = tuple(made[i] for i in entry.parents)
        if opening.path:
            opening.path[-1].children.append(opening)
    return made


def _from_entry(entry: PlacedEntry, index: HeadingIndex) -> Opening:
    file = index.walk.files[entry.file]
    empty = file.anchor.end <= file.anchor.start
    lines = None if empty else _heading_near(entry, index)
    wanted = parse_heading(entry.title)
    start, end = entry.offset, None
    if lines is not None:
        end = lines.end if not lines.picture else None
        start = lines.start if lines.start < entry.offset or entry.anchored else _before(entry, lines, index)
    elif not empty:
        end = _plain_title(entry, index)
        start = _block_start(entry.offset, index)
    heading = wanted if wanted is not None else (lines.heading if lines is not None else None)
    title = "" if is_generic(entry.title) or _contradicts(entry.title, lines) else entry.title
    if not title and lines is not None:
        title = lines.title
    if end is not None and lines is not None:
        end = _whole_title(title, wanted, start, lines, index)
    level, style = (lines.level, lines.style) if lines is not None else (0, "")
    return Opening(
        start, entry.file, Source.TOC, title, heading, end, level=level, depth=entry.depth, empty=empty, style=style
    )


def _block_start(offset: int, index: HeadingIndex) -> int:
    block = index.block_at(offset)
    return index.walk.blocks[block].start if block < len(index.walk.blocks) else offset


def _before(entry: PlacedEntry, lines: HeadingLines, index: HeadingIndex) -> int:
    """The start of a whole file whose heading comes later: the file's, unless another heading stands between."""
    between = bisect_left(index.starts, entry.offset)
    for block in range(between, lines.first):
        other = index.at(index.starts[block])
        if other is not None and other is not lines:
            return lines.start
    return entry.offset


def _heading_near(entry: PlacedEntry, index: HeadingIndex) -> HeadingLines | None:
    """The heading an entry means: the nearest at or after its target, or just before it, that says the same."""
    blocks = index.walk.blocks
    at = index.block_at(entry.offset)
    near = [*range(at, min(at + _REACH_BLOCKS, len(blocks))), *((at - 1, at - 2) if entry.anchored else ())]
    here_in_file = [blocks[block].start for block in near if block >= 0 and blocks[block].file == entry.file]
    found_here = [found for start in here_in_file if (found := index.at(start)) is not None]
    candidates = [found for found in found_here if not found.first < at <= found.last]  # not a later line of one
    for found in candidates:
        if _says_same(entry.title, found):
            return found
    here = candidates[0] if candidates and candidates[0].first <= at <= max(candidates[0].last, at) else None
    if here is not None and here.start >= entry.offset - 1 and (here.level or here.heading is not None):
        return here if _may_mean(entry.title, here) else None
    return None


def _contradicts(title: str, lines: HeadingLines | None) -> bool:
    """Whether a table calls a place matter ("Table of Contents") where a chapter's heading stands."""
    if lines is None or lines.heading is None or lines.heading.keyword is None or _says_same(title, lines):
        return False
    return label_kind(title) not in (None, SectionKind.BODY)


def _says_same(title: str, lines: HeadingLines) -> bool:
    wanted, found = folded(title), folded(lines.title)
    if not wanted or not found:
        return False
    if wanted == found or wanted.startswith(found) or found.startswith(wanted) or wanted.endswith(found):
        return True
    left, right = parse_heading(title), lines.heading
    if left is None or right is None or left.number is None or left.is_part != right.is_part:
        return found.endswith(wanted) and len(wanted) > 3
    return left.number == right.number


def _may_mean(title: str, lines: HeadingLines) -> bool:
    """Whether a heading at the very target may go with a title that says otherwise: not if both are numbered."""
    left, right = parse_heading(title), lines.heading
    if left is None or right is None:
        return not (right is not None and right.is_part)
    return left.number is None or right.number is None or left.is_part == right.is_part


def _plain_title(entry: PlacedEntry, index: HeadingIndex) -> int | None:
    """The end of the paragraphs at the target that spell the title out, or None."""
    left = folded(entry.title)
    end = None
    for block in index.walk.blocks[index.block_at(entry.offset) :][:4]:
        line = folded(index.text[block.start : block.end])
        if not left or not line or block.file != entry.file or not left.startswith(line):
            break
        left, end = left[len(line) :], block.end
    return end if not left else None


def _whole_title(
    title: str, heading: Heading | None, start: int, lines: HeadingLines, index: HeadingIndex
) -> int | None:
    """The end of the heading that a table's title means, its last words standing perhaps in the next paragraph."""
    end = lines.end
    for block in index.walk.blocks[lines.last + 1 : lines.last + 3]:
        if _stands(title, heading, index.text[start:end]):
            return end
        line = folded(index.text[block.start : block.end])
        if block.file != lines.file or not line or not folded(title).endswith(line):
            return None
        end = block.end
    return end if _stands(title, heading, index.text[start:end]) else None


def _stands(title: str, heading: Heading | None, text: str) -> bool:
    """Whether all words of ``title`` but its number and keyword stand in the heading's text."""
    wanted, found = folded(title), folded(text)
    if not wanted or wanted in found:
        return True
    if heading is None:
        return False
    if not heading.named:
        return True
    words = [w for w in map(folded, title.replace("\n", " ").split()) if w]
    return any("".join(words[skip:]) in found for skip in range(1, min(len(words), 5)))


def typed_openings(index: HeadingIndex, kinds: frozenset[str]) -> list[Opening]:
    """Elements typed as units, divisions or matter (``kinds``), outside notes and outside other units."""
    made: list[Opening] = []
    inside = -1
    for typed in sorted(index.walk.typed, key=lambda t: (t.anchor.start, -t.anchor.end)):
        start, end = typed.anchor.start, typed.anchor.end
        if end <= start or start < inside or not typed.types & (UNIT_TYPES | PART_TYPES | kinds):
            continue
        if index.in_note(start) or typed.tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "header"):
            continue
        lines = index.at(start)
        if not typed.types & (UNIT_TYPES | PART_TYPES):
            at_start = start <= index.walk.files[typed.file].anchor.start
            if typed.tag not in _SECTIONS or not (at_start or (lines is not None and lines.level)):
                continue
        if not typed.types & PART_TYPES:
            inside = end
        made.append(_from_lines(start, typed.file, Source.TYPED, lines, typed.types))
    return made


def heading_openings(index: HeadingIndex, chosen: Iterator[HeadingLines]) -> list[Opening]:
    """Openings at the chosen headings."""
    return [_from_lines(lines.start, lines.file, Source.HEADING, lines, frozenset()) for lines in chosen]


def _from_lines(start: int, file: int, source: Source, lines: HeadingLines | None, types: frozenset[str]) -> Opening:
    if lines is None:
        return Opening(start, file, source, "", None, None, types)
    end = None if lines.picture else lines.end
    return Opening(start, file, source, lines.title, lines.heading, end, types, level=lines.level, style=lines.style)


def file_openings(index: HeadingIndex) -> list[Opening]:
    """An opening at the start of every document with text."""
    return [
        _from_lines(file.anchor.start, number, Source.FILE, index.at(file.anchor.start), frozenset())
        for number, file in enumerate(index.walk.files)
        if file.anchor.end > file.anchor.start
    ]


def types_at(index: HeadingIndex) -> dict[int, frozenset[str]]:
    """Offset -> the types of the elements that start there and hold more than a heading."""
    found: dict[int, frozenset[str]] = {}
    for typed in index.walk.typed:
        if typed.anchor.end > typed.anchor.start and typed.tag not in (
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "p",
            "hgroup",
        ):
            found[typed.anchor.start] = found.get(typed.anchor.start, frozenset()) | typed.types
    return found


def _adopt(opening: Opening, found: Opening) -> None:
    """Give an opening without a title that of the heading at its place."""
    if not opening.title and found.title:
        opening.title, opening.heading, opening.heading_end = found.title, found.heading, found.heading_end
        opening.level, opening.style = found.level, found.style


def join(groups: list[list[Opening]]) -> list[Opening]:
    """All openings in text order. An opening inside the heading of an earlier group's adds its types to that one."""
    joined: list[Opening] = []
    for group in groups:
        known = sorted(joined, key=lambda o: o.start)
        starts = [o.start for o in known]
        for opening in group:
            at = bisect_left(starts, opening.start + 1) - 1
            before = known[at] if at >= 0 else None
            if before is not None and opening.start < max(before.text_end, before.start + 1) and not opening.path:
                if before.start == opening.start and opening.source is not Source.TOC:
                    before.types |= opening.types
                    _adopt(before, opening)
                if before.source is not Source.TOC or opening.source is not Source.TOC:
                    continue
            joined.append(opening)
    return sorted(joined, key=lambda o: (o.start, o.source, o.depth))
