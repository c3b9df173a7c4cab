"""From openings to planned sections: which begin chapters, which are divisions, where the story starts and ends.

Fail closed: before the first chapter that is numbered, named or typed as one, all is sealed; what follows the story is
sealed where its type, its label or its content says that it is no story.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.canonical import BLOCK_GAP
from bot.ingest.epub.lines import HeadingIndex, folded
from bot.ingest.epub.matter import kind_by_content, kind_by_label, kind_by_type
from bot.ingest.epub.openings import PART_TYPES, UNIT_TYPES, Opening, Source
from bot.ingest.epub.select import PART_PROSE, says_part, says_unit, select

BODY: Final = SectionKind.BODY
_UNIT_SIZE: Final = 1500  # a division with more text of its own and no chapter below it is a chapter


@dataclass(slots=True, eq=False)
class Planned:
    """A section to be. ``kind`` is None while nothing is known of it; ``proven``: it is story by number, name or type.

    ``numbered`` says that the number of its heading is believed.
    """

    opening: Opening
    end: int
    kind: SectionKind | None = None
    proven: bool = False
    division: bool = False
    numbered: bool = False
    is_title: bool = False

    @property
    def start(self) -> int:
        return self.opening.start


def plan(
    openings: list[Opening], index: HeadingIndex, remote_notes: dict[int, int], starts: Sequence[int], title: str
) -> list[Planned]:
    """Sections in text order, the first at 0, each with its kind.

    ``remote_notes`` counts the notes in each document that other documents point at; ``starts`` are the offsets at
    which the book says that its text begins (landmarks, then guide).
    """
    kept = select(openings, index)
    planned = [Planned(o, 0) for o in kept]
    _close(planned, len(index.text))
    for section in planned:
        section.is_title = _is_title(section.opening, folded(title))
    _say_divisions(planned)
    _believe_numbers(planned)
    for section in planned:
        _say_kind(section, index, remote_notes)
    planned = _swallowed(planned)
    _close(planned, len(index.text))
    _seal(planned, index, starts)
    if not planned or planned[0].start > 0:
        first = Opening(0, 0, Source.FILE, "", None, None)
        planned.insert(0, Planned(first, planned[0].start if planned else len(index.text), SectionKind.UNKNOWN))
        planned[0].kind = kind_by_content(index.walk, index.text, *_blocks(planned[0], index)) or SectionKind.FRONT
    return planned


def _close(planned: list[Planned], length: int) -> None:
    for section, following in zip(planned, [*planned[1:], None], strict=True):
        section.end = following.start if following is not None else length


def _blocks(section: Planned, index: HeadingIndex) -> tuple[int, int]:
    return bisect_left(index.starts, section.start), bisect_left(index.starts, section.end)


def _is_title(opening: Opening, title: str) -> bool:
    """Whether an entry is the book's own title ("Dracula", "Dracula by Bram Stoker"), not a section of it."""
    own = folded(opening.title)
    if not title or not own or says_unit(opening) or opening.types & PART_TYPES:
        return False
    return own == title or own.startswith((f"{title}by", f"{title}von", f"{title}de"))


def _say_divisions(planned: list[Planned]) -> None:
    """Mark the sections that are divisions: they say so or have chapters below them, and little text of their own."""
    alive = {section.opening for section in planned}
    for section in planned:
        opening = section.opening
        if section.is_title or says_unit(opening) or kind_by_type(opening.types) not in (None, BODY):
            continue
        below = [child for child in opening.children if child in alive]
        own = section.end - opening.text_end
        if says_part(opening):
            section.division = True
        elif below and kind_by_label(opening) in (None, BODY):
            section.division = own <= PART_PROSE
    _say_bare_pages(planned)
    for section, following in zip(planned, [*planned[1:], None], strict=True):
        above_something = following is not None and (
            following.opening in section.opening.children or (not following.division and _may_be_below(following))
        )
        if section.division and not above_something and section.end - section.opening.text_end >= _UNIT_SIZE:
            section.division = False


def _say_bare_pages(planned: list[Planned]) -> None:
    """Mark titles without a word of text below them, between chapters, as divisions: a chapter has prose."""
    pages = [
        i
        for i, (s, following) in enumerate(pairwise(planned))
        if s.opening.heading is None
        and s.opening.heading_end is not None
        and not s.is_title
        and not s.opening.types & UNIT_TYPES
        and s.end - s.opening.heading_end <= len(BLOCK_GAP)
        and _may_be_below(s)
        and _may_be_below(following)
    ]
    begun = next((i for i, s in enumerate(planned) if says_unit(s.opening)), 0)
    for i in pages:
        planned[i].division = i > begun or len(pages) > 1


def _may_be_below(section: Planned) -> bool:
    return (kind_by_type(section.opening.types) or kind_by_label(section.opening)) in (None, BODY)


def _believe_numbers(planned: list[Planned]) -> None:
    """Believe a bare number where numbers count up; a number with its word always."""
    bare = [s for s in planned if not s.division and s.opening.heading is not None and s.opening.heading.bare]
    many = len(bare) >= 3 and 2 * len(bare) >= sum(1 for s in planned if _may_be_below(s) and not s.division)
    last = 0
    for section in planned:
        heading = section.opening.heading
        if section.division:
            last = 0
        if heading is None or heading.number is None or section.division:
            continue
        if (
            not heading.bare
            or heading.number in (last + 1, 1)
            or (last == 0 and heading.number == 0)
            or (many and heading.number > last)
        ):
            section.numbered, last = True, heading.number


def _say_kind(section: Planned, index: HeadingIndex, remote_notes: dict[int, int]) -> None:
    """The kind by type, then by what it holds, then by label; None where nothing says."""
    opening = section.opening
    first, last = _blocks(section, index)
    by_type = kind_by_type(opening.types)
    content = kind_by_content(index.walk, index.text, first, last)
    file = index.walk.files[opening.file]
    holds_notes = remote_notes.get(opening.file, 0) * 3 >= max(
        1, sum(1 for b in index.walk.blocks[first:last] if not b.level)
    )
    label = kind_by_label(opening)
    if file.is_nav or content is SectionKind.CONTENTS:
        section.kind = SectionKind.CONTENTS
    elif by_type is not None:
        section.kind = by_type
    elif remote_notes.get(opening.file) and holds_notes:
        section.kind = SectionKind.NOTES
    elif label not in (None, BODY) and not section.numbered:
        section.kind = label
    elif section.numbered or label is BODY or section.division:
        section.kind = BODY
    elif content is not None:
        section.kind = content
    elif not file.linear:
        section.kind = SectionKind.BACK
    elif section.is_title and section.end - section.start < _UNIT_SIZE:
        section.kind = SectionKind.FRONT
    elif file.types & {"frontmatter", "backmatter"}:
        section.kind = SectionKind.FRONT if "frontmatter" in file.types else SectionKind.BACK
    if not file.linear and section.kind is BODY:
        section.kind = SectionKind.BACK
    section.proven = section.kind is BODY


def _swallowed(planned: list[Planned]) -> list[Planned]:
    """Without the headings inside other matter: a preview's chapters, an essay's sections, notes by chapter."""
    kept: list[Planned] = []
    zone: Planned | None = None
    begun = False
    for section in planned:
        if zone is not None and _belongs(section, zone, begun):
            continue
        kept.append(section)
        if section.kind is BODY or section.kind is None:
            zone = None
            begun = begun or (section.proven and not section.division)
        else:
            zone = section
    return kept


def _belongs(section: Planned, zone: Planned, begun: bool) -> bool:
    opening, outer = section.opening, zone.opening
    if outer in opening.path:
        return section.kind in (None, BODY) and zone.kind is not SectionKind.FRONT
    if section.kind not in (None, BODY):
        return section.kind is zone.kind and opening.source is Source.HEADING and opening.file == outer.file
    if zone.kind is SectionKind.PREVIEW and begun:
        return True
    if opening.source in (Source.TOC, Source.TYPED):
        return False
    lesser = outer.level > 0 and (opening.level > outer.level or opening.level == 0)
    if opening.file == outer.file and lesser:
        return True
    return begun and zone.kind in (SectionKind.NOTES, SectionKind.ESSAY, SectionKind.BACK)


def _doubt(planned: list[Planned]) -> None:
    """Seal what is typed as a chapter, as some programs type everything, but labelled as other matter, where it
    stands before the first chapter or behind the last.
    """
    sure = [i for i, s in enumerate(planned) if s.proven and not s.division and not _is_mistyped(s)]
    for i, section in enumerate(planned):
        if sure and _is_mistyped(section) and not sure[0] < i < sure[-1]:
            section.kind, section.proven = kind_by_label(section.opening), False


def _is_mistyped(section: Planned) -> bool:
    opening = section.opening
    return (
        section.kind is BODY
        and not section.numbered
        and opening.types & UNIT_TYPES == {"chapter"}
        and kind_by_label(opening) not in (None, BODY)
    )


def _seal(planned: list[Planned], index: HeadingIndex, starts: Sequence[int]) -> None:
    """Settle what nothing has said: sealed before the story, story within it, and behind it unless typed otherwise."""
    files = index.walk.files
    distinguishes = any("frontmatter" in file.types for file in files)
    for section in planned:
        if section.kind is None and distinguishes and "bodymatter" in files[section.opening.file].types:
            section.kind, section.proven = BODY, True
    _doubt(planned)
    proven = [i for i, s in enumerate(planned) if s.proven and not s.division]
    if proven:
        first = proven[0]
    else:
        unknown = [i for i, s in enumerate(planned) if s.kind is None]
        stated = [i for i in unknown if planned[i].start in starts]
        first = next(iter(stated or unknown), 0)
    while first > 0 and planned[first - 1].division and planned[first - 1].kind is BODY:
        first -= 1
    begun = False
    for i, section in enumerate(planned):
        if section.kind is None:
            section.kind = SectionKind.UNKNOWN if i < first else BODY
        elif begun and section.kind is SectionKind.FRONT:
            section.kind = SectionKind.BACK
        elif not begun and section.kind is SectionKind.PREVIEW:
            section.kind = SectionKind.ESSAY
        begun = begun or (section.kind is BODY and not section.division)
