"""Which openings a book has: the table's, the typed ones, headings the table lacks, whole files if nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.epub.lines import HeadingIndex, HeadingLines, folded, is_generic
from bot.ingest.epub.matter import MATTER_TYPES, kind_by_label, kind_by_type
from bot.ingest.epub.openings import (
    PART_TYPES,
    UNIT_TYPES,
    Opening,
    Source,
    file_openings,
    heading_openings,
    join,
    toc_openings,
    typed_openings,
    types_at,
)
from bot.ingest.epub.places import PlacedEntry
from bot.ingest.headings import Heading, Strength

_FEW: Final = 3
_FINER: Final = 1.5  # headings outnumber the table's entries by this: the table is too coarse


def without_lists(found: list[HeadingLines], index: HeadingIndex) -> list[HeadingLines]:
    """Without paragraphs that are links or follow each other without prose between: a printed list of contents."""
    kept = []
    listed = False
    for at, lines in enumerate(found):
        block = index.walk.blocks[lines.first] if lines.first <= lines.last else None
        linked = block is not None and block.linked > 0.6 * (block.end - block.start)
        following = found[at + 1] if at + 1 < len(found) else None
        adjacent = (
            following is not None
            and following.file == lines.file
            and following.first == lines.last + 1
            and _counts_on(lines.heading, following.heading)
        )
        if lines.level or lines.picture or not (linked or adjacent or listed):
            kept.append(lines)
        listed = adjacent
    return kept


def _counts_on(left: Heading | None, right: Heading | None) -> bool:
    return left is not None and right is not None and not left.is_part and left.unit == right.unit


class OpeningFinder:
    """Finds the openings of one book."""

    def __init__(self, index: HeadingIndex, entries: list[PlacedEntry], title: str) -> None:
        self.index = index
        self.walk = index.walk
        self.text = index.text
        self.book_title = folded(title)
        self.entries = entries
        self.types = types_at(index)

    def openings(self) -> list[Opening]:
        """All openings: the table's, the typed ones, headings that the table lacks, and whole files if nothing else."""
        toc = [o for o in toc_openings(self.entries, self.index) if not self._is_only_picture(o)]
        typed = typed_openings(self.index, MATTER_TYPES)
        keyword = heading_openings(self.index, iter(without_lists(self._strong_headings(toc), self.index)))
        aside = [o for o in file_openings(self.index) if not self.walk.files[o.file].linear]
        found = join([toc, typed, keyword, aside])
        if self._is_coarse(found):
            more = self._finer(found)
            found = join([found, more])
        taken = {opening.start for opening in found}
        for opening in found:
            opening.types |= self.types.get(opening.start, frozenset())
            self._take_running_title(opening, taken)
        return found

    def _take_running_title(self, opening: Opening, taken: set[int]) -> None:
        """Begin at the book's title where a file repeats it above the heading."""
        block = bisect_left(self.index.starts, opening.start) - 1
        if block < 0 or opening.heading_end is None or opening.empty:
            return
        above = self.walk.blocks[block]
        same_file = above.file == self.index.walk.blocks[block + 1].file == opening.file
        if same_file and above.start not in taken and self.book_title:
            line = folded(self.text[above.start : above.end])
            opening.start = above.start if line == self.book_title else opening.start

    def _is_only_picture(self, opening: Opening) -> bool:
        """A page without text that is no division: a cover, a plate, a map."""
        if not opening.empty or opening.children:
            return False
        kind = kind_by_label(opening)
        return not (kind is SectionKind.BODY or (opening.heading is not None and kind is None))

    def _strong_headings(self, toc: list[Opening]) -> list[HeadingLines]:
        """Headings that say chapter, part, prologue and so on, and labels that open a file."""
        chosen = []
        first_in_file = {f.anchor.start for f in self.walk.files if f.anchor.end > f.anchor.start}
        chapter_levels = Counter(o.level for o in toc if o.level and kind_by_label(o) in (None, SectionKind.BODY))
        usual = chapter_levels.most_common(1)[0][0] if chapter_levels else 0
        for lines in self.index.found:
            heading = lines.heading
            sure = heading is not None and not heading.bare and self._is_sure(lines, heading)
            label = lines.level > 0 and self._is_label(lines) and lines.level <= (usual or lines.level)
            opens = lines.level > 0 and lines.start in first_in_file and (lines.level == usual or self._is_label(lines))
            if sure or label or opens:
                chosen.append(lines)
        return chosen

    @staticmethod
    def _is_sure(lines: HeadingLines, heading: Heading) -> bool:
        return lines.level > 0 or lines.picture or heading.strength is Strength.STRONG

    @staticmethod
    def _is_label(lines: HeadingLines) -> bool:
        opening = Opening(lines.start, lines.file, Source.HEADING, lines.title, lines.heading, lines.end)
        return kind_by_label(opening) not in (None, SectionKind.BODY)

    def _story(self, openings: list[Opening]) -> list[Opening]:
        """The openings that are not known to be other matter."""
        story = []
        for o in openings:
            types = o.types | self.types.get(o.start, frozenset())
            kind = kind_by_type(types) or kind_by_label(o)
            if kind in (None, SectionKind.BODY) and not is_generic(o.title) and folded(o.title) != self.book_title:
                story.append(o)
        return story

    def _is_coarse(self, openings: list[Opening]) -> bool:
        story = self._story(openings)
        units = [o for o in story if not self._says_part(o)]
        sure = [o for o in units if o.types & UNIT_TYPES or o.heading is not None]
        if len(units) < 2 and not (len(sure) == 1 and len(self.walk.files) == 1):
            return True
        bare = self._bare_headings()
        restarts = sum(1 for lines in bare if lines.heading is not None and lines.heading.number == 1)
        continued = restarts < len(units)  # numbers that restart in every entry only divide it
        return continued and not sure and len(units) <= _FEW <= len(bare) and len(bare) > _FINER * len(units)

    def _says_part(self, opening: Opening) -> bool:
        types = opening.types | self.types.get(opening.start, frozenset())
        if types & UNIT_TYPES:
            return False
        return bool(types & PART_TYPES) or (opening.heading is not None and opening.heading.is_part)

    def _bare_headings(self) -> list[HeadingLines]:
        """Numbers that stand alone and count up, in heading elements if any do."""
        bare = [
            h for h in self.index.found if h.heading is not None and h.heading.bare and h.heading.number is not None
        ]
        elements = [h for h in bare if h.level]
        kept: list[HeadingLines] = []
        last = 0
        for lines in elements or bare:
            number = lines.heading.number if lines.heading else None
            if number is not None and (number in (last + 1, 1) or (not kept and number == 0)):
                kept.append(lines)
                last = number
        return kept if len(kept) >= 2 else []

    def _finer(self, openings: list[Opening]) -> list[Opening]:
        """Openings for a book whose table says too little: counted headings, else the level of most headings,
        else every file.
        """
        bare = self._bare_headings()
        if bare:
            return heading_openings(self.index, iter(bare))
        by_level: dict[int, list[HeadingLines]] = {}
        for lines in self.index.found:
            if lines.level and not self._is_label(lines) and folded(lines.title) != self.book_title:
                by_level.setdefault(lines.level, []).append(lines)
        for level in sorted(by_level):
            if len(by_level[level]) >= 2:
                return heading_openings(self.index, iter(by_level[level]))
        return [o for o in file_openings(self.index) if self.walk.files[o.file].linear]
