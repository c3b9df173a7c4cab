"""What a section is: by its type, by its label, by what it holds. Position is left to `bot.ingest.epub.structure`."""

from __future__ import annotations

import re
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.epub.blocks import TextWalk
from bot.ingest.epub.openings import PART_TYPES, UNIT_TYPES, Opening
from bot.ingest.labels import label_kind

LINKED_SHARE: Final = 0.60  # a text with more of its characters in links is a contents page
_MIN_LINKED_BLOCKS: Final = 2

_TYPES: Final = {
    SectionKind.FRONT: "cover titlepage halftitlepage halftitle copyright-page imprint dedication epigraph seriespage"
    " frontispiece other-credits contributors imprimatur",
    SectionKind.ESSAY: "introduction foreword afterword preface preamble dramatis-personae editorial-note"
    " translator-note chronology appreciation",
    SectionKind.CONTENTS: "toc toc-brief landmarks loi lot loa lov page-list",
    SectionKind.NOTES: "endnotes rearnotes endnote rearnote footnotes footnote notes classed-note",
    SectionKind.BACK: "acknowledgments acknowledgements colophon appendix bibliography index glossary errata credits"
    " credit keywords answers qna about-the-author",
    SectionKind.PREVIEW: "preview excerpt teaser",
}
KIND_OF_TYPE: Final = {name: kind for kind, names in _TYPES.items() for name in names.split()}
MATTER_TYPES: Final = frozenset(KIND_OF_TYPE)

_COPYRIGHT = re.compile(r"copyright|©|\(c\) ?\d{4}|all rights reserved|isbn|版权|著作権", re.I)
_SHORT_NOTICE: Final = 3000
_THE_END = re.compile(
    r"(?:the end|finis|fin|ende|fine|slut|koniec|конец|vége|einde|konec|完|終|终|全文完|終わり|おわり|끝)\W*", re.I
)


def is_the_end(line: str) -> bool:
    """Whether a line says that the story is over ("THE END", "Finis")."""
    return len(line) < 20 and _THE_END.fullmatch(line.strip(" *_—–-[]()")) is not None


def kind_by_type(types: frozenset[str]) -> SectionKind | None:
    """The kind that specific types give: BODY for units and divisions; None where there is none."""
    if types & (UNIT_TYPES | PART_TYPES):
        return SectionKind.BODY
    kinds = {KIND_OF_TYPE[name] for name in types & MATTER_TYPES}
    return next((kind for kind in _TYPES if kind in kinds), None)


def kind_by_label(opening: Opening) -> SectionKind | None:
    """The kind that the title (or the heading's first words) gives, None where they do not say."""
    kind = label_kind(opening.title) if opening.title else None
    if kind is None and opening.heading is not None and not opening.heading.bare:
        return SectionKind.BODY
    return kind


def kind_by_content(walk: TextWalk, text: str, first: int, last: int) -> SectionKind | None:
    """The kind that the blocks ``[first, last)`` give: a list of links, a copyright notice; None for prose."""
    blocks = walk.blocks[first:last]
    size = sum(b.end - b.start for b in blocks if not b.level)
    linked = [b for b in blocks if b.linked and not b.level]
    if size and len(linked) >= _MIN_LINKED_BLOCKS and sum(b.linked for b in linked) > LINKED_SHARE * size:
        return SectionKind.CONTENTS
    if blocks and size < _SHORT_NOTICE and _COPYRIGHT.search(text[blocks[0].start : blocks[-1].end]):
        return SectionKind.FRONT
    return None
