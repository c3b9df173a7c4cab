"""Reads a plain text book: decode, cut Gutenberg's markers, join lines, find headings, seal what is not the story."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.book import SectionKind
from bot.core.errors import FileRefused
from bot.ingest.candidates import Candidate, candidates_of, is_caps, is_prose, split_headings
from bot.ingest.canonical import BLOCK_GAP, CanonicalBuilder, clean
from bot.ingest.charset import decode
from bot.ingest.contents import ContentsList, contents_lists
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.gutenberg import without_boilerplate
from bot.ingest.matter import label_at
from bot.ingest.outline import Outline, outline_of
from bot.ingest.paragraphs import Block, Layout, blocks_of, joined, layout_of

_PAGE_BREAK = re.compile(r"([^\W\d_A-Z][,;]?[ \t]*)\n?\f\n?(?=[^\W\d_A-Z])")
_THE_END = re.compile(
    r"[\s*_.—–-]*(?:the\s+end|finis|fin|ende|fine|fim|einde|koniec|конец|slut|τέλος|완|끝"
    r"|[（(]?(?:全文完|全书完|全書完|全剧终|完结|完結|完|终|終|了)[）)]?)[\s*_.!—–-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a section begins: its first block, its kind, and the heading that begins it."""

    block: int
    kind: SectionKind
    heading: Candidate | None = None
    label: str = ""


def read_text(data: bytes) -> BookDraft:
    """The book in a plain text file.

    Raises `FileRefused`: "binary_file" where it is no text, "empty" where there is nothing to read.
    """
    decoded = decode(data)
    cut = without_boilerplate(decoded.text.replace("\r\n", "\n").replace("\r", "\n"))
    text = clean(_PAGE_BREAK.sub(r"\1\n", cut.text).replace("\f", "\n\n\n") if "\f" in cut.text else cut.text)
    layout = layout_of(text.split("\n"))
    blocks = split_headings(blocks_of(text, layout), layout)
    if not blocks:
        raise FileRefused("empty", "The file is empty; choose the file that holds the book's text.")
    candidates = candidates_of(blocks, layout)
    lists = contents_lists(blocks, candidates)
    outline = outline_of(blocks, candidates, lists)
    marks = _marks(blocks, outline, lists)
    draft_text, starts, ends = _canonical(blocks, layout)
    warnings = [*cut.warnings, *outline.warnings]
    if decoded.bad:
        warnings.append(f"{decoded.bad} characters could not be read as {decoded.encoding}.")
    if not outline.headings:
        warnings.append(
            "No chapter headings were found: the book is one chapter, so say places in percent or by quote."
        )
    return BookDraft(
        text=draft_text,
        sections=tuple(_sections(marks, starts, ends, blocks)),
        title=cut.title,
        author=cut.author,
        language=cut.language,
        encoding=decoded.encoding,
        warnings=tuple(warnings),
    )


def _canonical(blocks: Sequence[Block], layout: Layout) -> tuple[str, list[int], list[int]]:
    """The text, and where each block starts and ends in it."""
    builder = CanonicalBuilder()
    spans = [builder.add(joined(block, layout), BLOCK_GAP) for block in blocks]
    return builder.text(), [span.start for span in spans], [span.end for span in spans]


def _marks(blocks: Sequence[Block], outline: Outline, lists: Sequence[ContentsList]) -> list[_Mark]:
    """Where every section begins, in order; two never begin at the same block."""
    preview = _preview_start(blocks, outline.headings)
    headings = [c for c in outline.headings if c.block < preview]
    if not headings:
        return [_Mark(0, SectionKind.BODY), *_matter_behind(blocks)]
    marks = {c.block: _Mark(c.block, SectionKind.BODY, c) for c in headings}
    if preview < len(blocks):
        marks[preview] = _Mark(preview, SectionKind.PREVIEW, label=blocks[preview].flat)
    first, last = headings[0].block, headings[-1]
    titles = {index for c in headings for index in range(c.block, c.after)}
    for listed in lists:
        if listed.first < preview and listed.first not in titles:
            marks.setdefault(listed.first, _Mark(listed.first, SectionKind.CONTENTS))
        if listed.end < preview and listed.end not in titles:
            after = SectionKind.FRONT if listed.end < first else SectionKind.BACK
            marks.setdefault(listed.end, _Mark(listed.end, after))
    for index, block in enumerate(blocks[:preview]):
        if index in marks or index in titles or any(index in listed for listed in lists):
            continue
        kind = label_at(index, blocks)
        if kind is not None and _seals(kind, index, block, headings):
            marks[index] = _Mark(index, kind, label=block.flat)
    _seal_after_the_end(blocks[:preview], last, marks)
    marks.setdefault(0, _Mark(0, SectionKind.FRONT))
    return [marks[block] for block in sorted(marks)]


def _matter_behind(blocks: Sequence[Block]) -> list[_Mark]:
    """The labelled matter in the last third of a book without headings."""
    return [
        _Mark(index, kind, label=blocks[index].flat)
        for index in range(max(1, len(blocks) * 2 // 3), len(blocks))
        if (kind := label_at(index, blocks)) is not None
        and (blocks[index].blank_before >= 2 or is_caps(blocks[index].flat))
    ]


def _preview_start(blocks: Sequence[Block], headings: Sequence[Candidate]) -> int:
    """The block at which a preview of another book begins, to the end of the file; ``len(blocks)`` where none does.

    The label must stand after a chapter, and the numbers must not go on behind it: then it was no preview.
    """
    for index in range(headings[0].after if headings else len(blocks), len(blocks)):
        block = blocks[index]
        if label_at(index, blocks) is not SectionKind.PREVIEW:
            continue
        before = [c.heading.number for c in headings if c.block < index and c.heading.number]
        after = [c.heading.number for c in headings if c.block > index]
        goes_on = (before[-1] + 1 in after) if before else bool(after)
        apart = block.blank_before >= 2 or is_caps(block.flat) or block.size <= 40
        if apart and not goes_on and index * 2 > len(blocks):
            return index
    return len(blocks)


def _seals(kind: SectionKind, index: int, block: Block, headings: Sequence[Candidate]) -> bool:
    """Whether a label at ``index`` is believed, given the chapters around it."""
    if index < headings[0].block:
        return True
    before = [c for c in headings if c.block < index]
    after = [c for c in headings if c.block > index]
    apart = block.blank_before >= 2 or is_caps(block.flat)
    if not after:
        return apart or (block.blank_before >= 1 and block.size <= 40)
    if kind is SectionKind.NOTES:
        return apart
    beside_part = before[-1].heading.is_part or after[0].heading.is_part
    return kind is SectionKind.ESSAY and apart and beside_part


def _seal_after_the_end(blocks: Sequence[Block], last: Candidate, marks: dict[int, _Mark]) -> None:
    for index in range(last.after, len(blocks) - 1):
        block = blocks[index]
        if block.size <= 40 and _THE_END.fullmatch(block.flat) and any(map(is_prose, blocks[last.after : index])):
            marks.setdefault(index + 1, _Mark(index + 1, SectionKind.BACK))
            return


def _sections(
    marks: Sequence[_Mark], starts: Sequence[int], ends: Sequence[int], blocks: Sequence[Block]
) -> list[SectionDraft]:
    path: list[tuple[str, str, int | None]] = []
    drafts = []
    for position, mark in enumerate(marks):
        start = starts[mark.block]
        if mark.kind is not SectionKind.BODY or mark.heading is None:
            heading_end = ends[mark.block] if mark.label else None
            single = mark.kind is SectionKind.BODY
            drafts.append(SectionDraft(mark.kind, start, mark.label, start if single else heading_end, single))
            continue
        heading = mark.heading.heading
        if heading.is_part:
            level = path[0][0] if path and heading.number is None else heading.unit
            _descend(path, level, mark.heading.title, heading.number)
        elif heading.above is not None:
            above = heading.above
            if not any(unit == above.unit and number == above.number for unit, _, number in path):
                _descend(path, above.unit, above.title, above.number)
        alone = heading.is_part and not _has_chapters(marks[position + 1 :], heading.unit)
        drafts.append(
            SectionDraft(
                SectionKind.BODY,
                start,
                mark.heading.title,
                ends[mark.heading.after - 1],
                starts_chapter=not heading.is_part or alone,
                printed=heading.printed,
                printed_number=heading.number,
                parts=tuple((title, number) for _, title, number in (path[:-1] if alone else path)),
            )
        )
    return drafts


def _descend(path: list[tuple[str, str, int | None]], unit: str, title: str, number: int | None) -> None:
    """Enter a part: beside the last one of its word, or below what is open."""
    level = next((i for i, (known, _, _) in enumerate(path) if known == unit), len(path))
    path[level:] = [(unit, title, number)]


def _has_chapters(after: Sequence[_Mark], unit: str) -> bool:
    """Whether a chapter, or a smaller part, stands before the next part of the same word."""
    for mark in after:
        if mark.kind is SectionKind.BODY and mark.heading is not None:
            heading = mark.heading.heading
            return not heading.is_part or heading.unit != unit
    return False
