"""Lines of plain text to paragraphs: which lines belong together, and which breaks are meant (verse, addresses)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_SENTENCE_END = re.compile(r"[.!?…:;。！？：；—][\"'”’»«」』)\]）*_]*$")
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_BEFORE_ALL: Final = 3
"""The empty lines that count as standing before the first block."""

_WIDE_SPLIT: Final = 120
"""Lines longer than this are whole paragraphs: nobody wraps there."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading or stanza: its lines with their indentation and the empty lines before it."""

    lines: tuple[str, ...]
    blank_before: int

    @property
    def first(self) -> str:
        return self.lines[0].strip()

    @property
    def indent(self) -> int:
        return len(self.lines[0]) - len(self.lines[0].lstrip(" "))

    @property
    def flat(self) -> str:
        """The lines joined, every space single."""
        return " ".join(" ".join(self.lines).split())

    @property
    def size(self) -> int:
        return sum(map(len, self.lines))


@dataclass(frozen=True, slots=True)
class Layout:
    """``wrapped`` says that paragraphs run over several lines; ``width`` is where they are wrapped, in code points."""

    wrapped: bool
    width: int


def is_cjk(text: str) -> bool:
    """Whether ``text`` is written without spaces (Chinese, Japanese)."""
    return len(_CJK.findall(text)) * 3 > len(text.replace(" ", ""))


def layout_of(lines: Sequence[str]) -> Layout:
    """How the lines of a file are laid out, judged on lines that have a line right after them."""
    visible = sorted(len(line.rstrip()) for line in lines if line.strip())
    if not visible:
        return Layout(False, 0)
    width = visible[min(len(visible) - 1, int(len(visible) * 0.95))]
    followed = [a.rstrip() for a, b in pairwise(lines) if a.strip() and b.strip()]
    ended = sum(bool(_SENTENCE_END.search(line)) for line in followed)
    wrapped = bool(followed) and width <= _WIDE_SPLIT and ended * 2 < len(followed) and not _is_indented_cjk(lines)
    return Layout(wrapped, width)


def _is_indented_cjk(lines: Sequence[str]) -> bool:
    """Whether nearly every longer line is indented, as Chinese paragraphs are: then none of them is wrapped."""
    longer = [line for line in lines if len(line) > 15 and is_cjk(line)]
    return bool(longer) and sum(line.startswith(" ") for line in longer) * 10 >= len(longer) * 7


def blocks_of(text: str, layout: Layout) -> list[Block]:
    """The blocks of ``text``: parted by empty lines, by first-line indents, or (not wrapped) by every line end."""
    blocks: list[Block] = []
    current: list[str] = []
    pending, blank = 0, _BEFORE_ALL

    def close() -> None:
        if current:
            blocks.append(Block(tuple(current), pending))
            current.clear()

    for raw in text.split("\n"):
        line = raw.rstrip(" ")
        if not line:
            close()
            blank += 1
            continue
        if current and (not layout.wrapped or _begins_paragraph(current, line)):
            close()
        if not current:
            pending, blank = blank, 0
        current.append(line)
    close()
    return blocks


def _begins_paragraph(current: Sequence[str], line: str) -> bool:
    """A line indented by one to eight after lines at the margin, the last of which ends a sentence."""
    indent = len(line) - len(line.lstrip(" "))
    margin = len(current[-1]) - len(current[-1].lstrip(" "))
    return (
        0 < indent <= 8
        and margin == 0
        and bool(_SENTENCE_END.search(current[-1]))
        and (len(current) > 1 or not current[0].startswith(" "))
    )


def joined(block: Block, layout: Layout) -> str:
    """The block as canonical text: wrapped lines joined, meant line breaks kept."""
    lines = [" ".join(line.split()) for line in block.lines]
    if len(lines) == 1:
        return lines[0]
    if keeps_lines(block, layout):
        return "\n".join(lines)
    text = lines[0]
    for line in lines[1:]:
        text += _joint(text, line) + line
    return text


def keeps_lines(block: Block, layout: Layout) -> bool:
    """Whether most lines of the block end before they had to: the next word would still have fitted."""
    lines = block.lines
    early = 0
    for line, after in pairwise(lines):
        word = after.split(maxsplit=1)[0]
        fitting = 1 if is_cjk(after) else len(word) + 1
        early += len(line) + fitting <= layout.width - max(6, layout.width // 8)
    indented = all(line.startswith("  ") for line in lines)
    return early * 2 > len(lines) - 1 or (indented and early * 3 > len(lines))


def _joint(before: str, after: str) -> str:
    last, first = before[-1], after[0]
    if _CJK.match(last) and _CJK.match(first):
        return ""
    if (
        last in "-\u2010\u2014"
        and before[-2:-1].isalpha()
        and first.isalpha()
        and (first.islower() or last == "\u2014")
    ):
        return ""
    if before.endswith("--") and before[-3:-2].isalnum():
        return ""
    return " "
