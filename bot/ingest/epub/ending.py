"""Where the story stops inside its last chapter: a printed "THE END", a Project Gutenberg licence."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.epub.lines import HeadingIndex
from bot.ingest.epub.matter import is_the_end
from bot.ingest.epub.openings import Opening, Source
from bot.ingest.epub.plan import Planned
from bot.ingest.gutenberg import is_ending

_LICENCE_AFTER: Final = 0.30  # of the text: an end marker stands behind it
_LOOKED_AT: Final = 400  # code points at the start of a block


def cut_endings(planned: list[Planned], index: HeadingIndex) -> list[Planned]:
    """``planned`` with what follows the end of the story as back matter of its own."""
    licence = _licence(index)
    kept = [section for section in planned if licence is None or section.start < licence]
    body = [section for section in kept if section.kind is SectionKind.BODY and not section.division]
    extra: list[Planned] = []
    if licence is not None and kept and kept[0].start < licence:
        extra.append(_back(licence, len(index.text), index))
        kept[-1].end = licence
    if body:
        last = body[-1]
        kept = [section for section in kept if not _is_end_mark(section, index) or section is body[0]]
        end = _after_the_end(last, index)
        if end is not None:
            extra.insert(0, _back(end, last.end, index))
            last.end = end
    return _merged(sorted([*kept, *extra], key=lambda section: section.start), len(index.text))


def _merged(planned: list[Planned], length: int) -> list[Planned]:
    for section, following in zip(planned, [*planned[1:], None], strict=True):
        section.end = following.start if following is not None else length
    return planned


def _back(start: int, end: int, index: HeadingIndex) -> Planned:
    file = index.walk.blocks[min(bisect_left(index.starts, start), len(index.starts) - 1)].file
    return Planned(Opening(start, file, Source.FILE, "", None, None), end, SectionKind.BACK)


def _is_end_mark(section: Planned, index: HeadingIndex) -> bool:
    """Whether a section's title is "The End": no section, but the last line of the one before."""
    return section.kind is SectionKind.BODY and is_the_end(section.opening.title)


def _licence(index: HeadingIndex) -> int | None:
    """The first block behind 30 % of the text that begins the Gutenberg licence, or None."""
    floor = _LICENCE_AFTER * len(index.text)
    for block in index.walk.blocks:
        beginning = index.text[block.start : min(block.end, block.start + _LOOKED_AT)]
        if block.start >= floor and any(map(is_ending, beginning.split("\n"))):
            return block.start
    return None


def _after_the_end(last: Planned, index: HeadingIndex) -> int | None:
    """The start of what follows a line "THE END" in the last chapter, or None."""
    first, behind = bisect_left(index.starts, last.start), bisect_left(index.starts, last.end)
    for at in range(first + 1, behind - 1):
        block = index.walk.blocks[at]
        if block.end - block.start < 20 and is_the_end(index.text[block.start : block.end]):
            return index.walk.blocks[at + 1].start
    return None
