"""Which openings begin sections: one for each place, none that only divides a chapter."""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.epub.lines import HeadingIndex, folded, is_generic
from bot.ingest.epub.matter import kind_by_label, kind_by_type
from bot.ingest.epub.openings import PART_TYPES, UNIT_TYPES, Opening, Source

PART_PROSE: Final = 600
"""The most text, in code points, that a division's own page has: an epigraph."""


def select(openings: list[Opening], index: HeadingIndex) -> list[Opening]:
    """The openings, in text order, that begin sections."""
    return _without_inner(_one_per_start(openings), index)


def says_part(opening: Opening) -> bool:
    if opening.types & UNIT_TYPES:
        return False
    return bool(opening.types & PART_TYPES) or (opening.heading is not None and opening.heading.is_part)


def says_unit(opening: Opening) -> bool:
    """Whether it is a unit of reading by type, or by a word such as chapter or prologue."""
    if opening.types & (UNIT_TYPES | PART_TYPES):
        return bool(opening.types & UNIT_TYPES)
    heading = opening.heading
    return heading is not None and not heading.is_part and heading.keyword is not None


def _one_per_start(openings: list[Opening]) -> list[Opening]:
    """At one place the deepest entry is the section; divisions there become its path, other entries go."""
    kept: list[Opening] = []
    for opening in openings:
        before = kept[-1] if kept else None
        if before is None or opening.start >= max(before.text_end, before.start + 1):
            kept.append(opening)
            continue
        if opening.start > before.start:
            if opening.heading is not None or opening.children or not says_unit(before):
                kept.append(opening)  # its own line of one heading: a chapter's below a division's
                before.heading_end = min(before.text_end, opening.start)
            continue
        winner, other = (before, opening) if _outranks(before, opening) else (opening, before)
        if other in winner.path or (says_part(other) and not says_part(winner)):
            winner.above = [*other.above, other, *winner.above]
        else:
            winner.above = [*other.above, *winner.above]
        winner.types |= other.types
        winner.heading_end = winner.heading_end if winner.heading_end is not None else _shared_end(winner, other)
        kept[-1] = winner
    return kept


def _shared_end(winner: Opening, other: Opening) -> int | None:
    return other.heading_end if other in winner.path and folded(winner.title) == folded(other.title) else None


def _outranks(left: Opening, right: Opening) -> bool:
    """Whether ``left`` is the section where both stand at one place."""
    if left in right.path:
        return False
    if says_part(left) != says_part(right):
        return says_part(right)
    if left.empty != right.empty:
        return right.empty
    if (left.heading is None) != (right.heading is None):
        return left.heading is not None
    return is_generic(right.title) or not is_generic(left.title)


def _without_inner(openings: list[Opening], index: HeadingIndex) -> list[Opening]:
    """Without what only divides a chapter: entries below it, typed sub-chapters, lesser headings."""
    units = [
        (t.anchor.start, t.anchor.end)
        for t in index.walk.typed
        if t.types & UNIT_TYPES and not t.types & PART_TYPES and t.tag != "body"
    ]
    dropped: set[Opening] = set()
    kept: list[Opening] = []
    unit: tuple[Opening, int] | None = None
    spans = sorted(units)
    for opening in openings:
        if unit is not None and opening.start >= unit[1]:
            unit = None
        parent = opening.path[-1] if opening.path else None
        if (
            (unit is not None and _is_inside(opening, unit[0]))
            or (parent is not None and _only_divides(opening, parent, dropped))
            or (kept and opening.source is Source.HEADING and not _fits(opening, kept[-1]))
        ):
            dropped.add(opening)
            continue
        kept.append(opening)
        at = bisect_left(spans, (opening.start, 0))
        if at < len(spans) and spans[at][0] == opening.start:
            unit = (opening, max(end for start, end in spans[at : at + 3] if start == opening.start))
    return kept


def _is_inside(opening: Opening, unit: Opening) -> bool:
    """Whether an opening within a typed chapter only divides it."""
    if opening.types & UNIT_TYPES:
        return False
    heading = opening.heading
    named = heading is not None and heading.keyword is not None and (heading.number is not None or heading.is_part)
    return not (named and (not unit.level or not opening.level or opening.level <= unit.level))


def _only_divides(opening: Opening, parent: Opening, dropped: set[Opening]) -> bool:
    """Whether an entry below another only divides what that one begins."""
    heading = opening.heading
    if kind_by_type(opening.types) or kind_by_label(opening) or (heading is not None and heading.keyword is not None):
        return False
    if parent in dropped:
        return True
    if says_part(parent) or kind_by_label(parent) not in (None, SectionKind.BODY):
        return False
    if heading is not None and heading.number is not None and parent.heading is None:
        return False
    if parent.heading is None and not says_unit(parent):
        return opening.file == parent.file and opening.start > parent.text_end + PART_PROSE
    return says_unit(parent) or heading is None or parent.text_end + PART_PROSE < parent.children[0].start


def _fits(opening: Opening, before: Opening) -> bool:
    """Whether a heading that no table names may stand after the section before it."""
    new, old = opening.heading, before.heading
    if new is None or new.keyword is None:
        return True
    lesser = opening.level > before.level > 0
    if lesser and old is not None and not old.is_part and old.number is not None and new.unit != old.unit:
        return new.is_part or new.is_story
    if opening.level == 0 and new.number is not None and old is not None and old.number is not None:
        return new.number in (old.number + 1, 1) or new.unit != old.unit or old.is_part
    return True
