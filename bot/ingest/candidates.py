"""Blocks of plain text that could be headings, before contents lists and sequences are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.book import SectionKind
from bot.ingest.headings import MAX_HEADING, Heading, Strength, parse_heading
from bot.ingest.labels import label_kind
from bot.ingest.number_words import fold
from bot.ingest.paragraphs import Block, Layout, is_cjk

_SENTENCE_END = re.compile(r"[.!?;,:…。！？；，、][\"'”’»」』)_]*$")
_QUOTE = re.compile(r"^[\"'“‘«»„「『—–(\[*-]")
_PAGE_NUMBER = re.compile(r"[\s.·…_-]*\b(?:\d{1,4}|[ivxlc]+)\s*$")
_FAR_INDENT: Final = 10
"""From this indentation on a line counts as centred."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """``blocks`` of the book from index ``block`` on that read as a heading; ``title`` is all their lines."""

    block: int
    blocks: int
    heading: Heading
    title: str

    @property
    def key(self) -> tuple[str, int | str | None]:
        """What tells it from other headings: its word and number, or its words where it has no number."""
        heading = self.heading
        if heading.bare and heading.named:
            return "number", words_of(self.title)
        unit = heading.unit or "number"
        return (unit, heading.number) if heading.number is not None else (unit, words_of(self.title))

    @property
    def after(self) -> int:
        """The index of the first block after the heading."""
        return self.block + self.blocks


def words_of(line: str) -> str:
    """``line`` for comparing: letters and digits only, without a page number at its end."""
    return "".join(c for c in fold(_PAGE_NUMBER.sub("", line.strip())) if c.isalnum())


def is_prose(block: Block) -> bool:
    """Whether the block is running text and no heading, list entry or line of a title page."""
    flat = block.flat
    if is_cjk(flat):
        return len(flat) > 40 or (len(flat) > 12 and bool(re.search(r"[。！？]", flat)))
    return len(flat) > 200 or (len(flat) > 45 and bool(_SENTENCE_END.search(flat)))


def leads_to_prose(blocks: Sequence[Block], index: int) -> bool:
    """Whether running text begins within three blocks after ``index`` (a line of speech may stand first)."""
    for block in blocks[index + 1 : index + 4]:
        if is_prose(block):
            return True
        if block.blank_before >= 2 and block is not blocks[index + 1]:
            return False
    return False


def is_caps(text: str) -> bool:
    """Whether ``text`` has letters and no small ones."""
    return text.upper() == text and text.lower() != text


def split_headings(blocks: Sequence[Block], layout: Layout) -> list[Block]:
    """The blocks with headings parted from prose that stands right below (or above) them without an empty line."""
    pieces: list[Block] = []
    for block in blocks:
        rest = block
        while (cut := _cut(rest, layout)) is not None:
            pieces.append(Block(rest.lines[:cut], rest.blank_before))
            rest = Block(rest.lines[cut:], 0)
        pieces.append(rest)
    return pieces


def _cut(block: Block, layout: Layout) -> int | None:
    lines = block.lines
    if len(lines) < 2 or not layout.wrapped:
        return None
    first = parse_heading(lines[0])
    if first is not None and not first.bare and first.strength >= Strength.FAIR:
        length = _heading_lines(block, first, layout)
        return length if length < len(lines) else None
    for index in range(1, len(lines)):
        line = lines[index].strip()
        if len(line) > 60 or not line[:1].isupper() or not _SENTENCE_END.search(lines[index - 1]):
            continue
        inner = parse_heading(line)
        if inner is not None and inner.keyword and inner.strength is Strength.STRONG and not inner.named:
            return index
    return None


def _heading_lines(block: Block, first: Heading, layout: Layout) -> int:
    """How many lines of the block belong to the heading that begins it."""
    lines = [line.strip() for line in block.lines]
    inner = (i for i, line in enumerate(lines) if i and (other := parse_heading(line)) is not None and other.keyword)
    lines = lines[: next(inner, len(lines))]
    if all(is_caps(line) or not any(c.isalpha() for c in line) for line in lines) and len(lines) <= 6:
        return len(lines)
    if first.named and block.size <= MAX_HEADING and len(lines) <= 6:
        wrapped = all(len(line) >= layout.width * 0.6 for line in lines[:-1])
        if wrapped and (not _SENTENCE_END.search(lines[0]) or len(lines) <= 3):
            return len(lines)
    count = 1
    while count < min(len(lines), 4) and (
        is_caps(lines[count]) or (not first.named and count == 1 and is_title_line(lines[count]))
    ):
        count += 1
    return count


def is_title_line(line: str) -> bool:
    """Whether a line below a chapter's number reads as its title: short, no sentence, no speech, no date."""
    text = line.strip(" _*")
    if not text or any(c.isdigit() for c in text) or parse_heading(text) is not None:
        return False
    if label_kind(text) is SectionKind.CONTENTS:
        return False
    if is_cjk(text):
        return len(text) <= 25 and not re.search(r"[。！？，；、：]", text) and not _QUOTE.match(text)
    if is_caps(text):
        return len(text) <= 160
    return len(text) <= 80 and not text[0].islower() and not _SENTENCE_END.search(text) and not _QUOTE.match(text)


def candidates_of(blocks: Sequence[Block], layout: Layout) -> list[Candidate]:
    """Every block that could be a heading, in order, with the title block below it where there is one."""
    found = []
    skip = -1
    for index, block in enumerate(blocks):
        if index <= skip or len(block.first) > 250 or block.size > MAX_HEADING or len(block.lines) > 6:
            continue
        heading = _heading_of(block, index, blocks, layout)
        if heading is None:
            continue
        candidate = Candidate(index, 1, heading, block.flat)
        if not heading.named and _has_title_below(index, blocks, layout, heading):
            below = blocks[index + 1]
            candidate = replace(
                candidate, blocks=2, title=f"{block.flat} {below.flat}", heading=replace(heading, named=True)
            )
            skip = index + 1
        found.append(candidate)
    return found


def _heading_of(block: Block, index: int, blocks: Sequence[Block], layout: Layout) -> Heading | None:
    heading = parse_heading(block.first)
    if heading is None:
        return None
    alone = block.blank_before > 0 or index == 0 or parse_heading(blocks[index - 1].first) is not None
    if not alone and not (block.blank_before == 0 and heading.strength is Strength.STRONG):
        alone = not layout.wrapped and heading.strength is Strength.FAIR and len(block.first) <= 40
        if not alone:
            return None
    if heading.bare:
        return heading if _is_bare_heading(block, heading, layout) else None
    if heading.strength is Strength.WEAK:
        sentence = _SENTENCE_END.search(block.flat) or len(block.flat) > 140 or len(block.lines) > 2
        return None if sentence or not block.blank_before else heading
    return heading


def _is_bare_heading(block: Block, heading: Heading, layout: Layout) -> bool:
    if not heading.named:
        return len(block.lines) == 1
    if len(block.lines) > 3 or any(parse_heading(line) for line in block.lines[1:]):
        return False
    text = block.first
    if re.match(r"\S+\s{2,}", text) and not re.match(r"\S+[.:、]", text):
        return block.indent >= _FAR_INDENT
    return heading.strength >= Strength.FAIR and (not layout.wrapped or block.blank_before > 0)


def _has_title_below(index: int, blocks: Sequence[Block], layout: Layout, heading: Heading) -> bool:
    if index + 2 >= len(blocks):
        return False
    below, after = blocks[index + 1], blocks[index + 2]
    reach = 1 if heading.is_story else 3
    story = heading.number is not None and not heading.is_part
    if len(below.lines) > 3 or below.blank_before > reach:
        return False
    if below.blank_before > 1 and label_kind(below.flat) is not None:
        return False
    caps = is_caps(below.flat) and len(below.flat) <= 160
    if len(below.lines) > 1 and not caps:
        return False
    if not layout.wrapped and is_cjk(below.flat) and below.indent and after.indent:
        return False
    titled = is_title_line(below.flat) or (
        story and (parsed := parse_heading(below.flat)) is not None and parsed.is_story
    )
    return titled and (after.blank_before > 0 or not layout.wrapped) and leads_to_prose(blocks, index + 1)
