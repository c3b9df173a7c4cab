"""The lines of a PDF page: text, box and type size, with drop caps put back and note markers taken out.

Boxes are in points from the top left corner of the page. MuPDF emits fragments in the order in which the file draws
them; `read_page` joins the fragments of one line and leaves the order of lines to `bot.ingest.pdf.columns`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import pymupdf

from bot.ingest.canonical import clean

FLAGS: Final = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
SOFT_HYPHEN: Final = "\u00ad"
"""At the end of a line's text alone: the typesetter says that the word goes on."""
HEADING_RATIO: Final = 1.15  # a line this much larger than the body is never a running head
_DROP_CAP_RATIO: Final = 1.8
_RAISED: Final = 1  # bits of MuPDF's span flags
_BOLD: Final = 16
_MARKER: Final = re.compile(r"[\[(]?(\d{1,3}|[*∗†‡§¶‖]{1,4})[\])]?")
_DROP_CAP: Final = re.compile(r"[“\"‘'«„—]?\w{1,2}['’]?")
_LETTER_SPACED: Final = re.compile(r"(?:\S\s+){3,}\S")

ClosedUp = dict[tuple[str, int], str]
"""Letter-spaced lines by their text and width (points), and what they say without the spacing."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of type. ``markers`` are the note markers taken out of it: (index into ``text``, label)."""

    page: int
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    size: float
    text: str
    bold: bool = False
    column: int = 0
    markers: tuple[tuple[int, str], ...] = ()
    drop_cap: bool = False

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class Page:
    """A page's lines (of one column after another, once ordered). ``number`` counts pages of the file from 0."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]


def read_page(page: pymupdf.Page, seen: ClosedUp) -> tuple[Page, list[int]]:
    """The page's fragments as lines, and the number of the block each stands in.

    ``seen`` remembers letter-spaced lines (running heads, above all) from page to page.
    """
    if page.rotation:
        page.remove_rotation()  # type: ignore[no-untyped-call]
    data = page.get_textpage(flags=FLAGS).extractDICT()
    lines: list[Line] = []
    blocks: list[int] = []
    for number, block in enumerate(data["blocks"]):
        for raw in block.get("lines", ()):
            if abs(raw["dir"][1]) > 0.2:  # turned text: watermarks and margin notes
                continue
            for line in _fragments(page, raw, seen):
                lines.append(line)
                blocks.append(number)
    return Page(page.number, data["width"], data["height"], tuple(lines)), blocks


def _fragments(page: pymupdf.Page, raw: dict[str, Any], seen: ClosedUp) -> Iterable[Line]:
    spans = [span for span in raw["spans"] if span["text"]]
    inked = [span for span in spans if span["text"].strip()]
    if not inked:
        return
    if _LETTER_SPACED.fullmatch("".join(span["text"] for span in spans).strip()):
        text = _closed_up(page, raw, seen)
        yield replace(_line(page.number, inked), text=clean(text).strip())
        return
    first, rest = inked[0], inked[1:]
    if rest and _is_drop_cap(first, rest):
        yield _line(page.number, [first])
        spans = spans[spans.index(first) + 1 :]
    line = _line(page.number, spans)
    if line.text or line.markers:
        yield line


def _is_drop_cap(first: dict[str, Any], rest: Sequence[dict[str, Any]]) -> bool:
    if not _DROP_CAP.fullmatch(first["text"].strip()):
        return False
    return bool(first["size"] >= _DROP_CAP_RATIO * _main_size(rest))


def _main_size(spans: Sequence[dict[str, Any]]) -> float:
    """The largest size that sets a fair share of the letters: small capitals take the size of their capitals."""
    if all(span["size"] == spans[0]["size"] for span in spans):
        return round(float(spans[0]["size"]), 1)
    letters: Counter[float] = Counter()
    for span in spans:
        letters[round(span["size"], 1)] += len(span["text"].replace(" ", ""))
    total = letters.total()
    return max((size for size, count in letters.items() if count >= 0.15 * total), default=0.0)


def _line(page: int, spans: Sequence[dict[str, Any]]) -> Line:
    inked = [span for span in spans if span["text"].strip()]
    size = _main_size(inked)
    base = max((s["origin"][1] for s in inked if s["size"] >= 0.9 * size), default=inked[0]["origin"][1])
    text, markers = "", []
    if all(s["size"] == inked[0]["size"] and not s["flags"] & _RAISED for s in inked):
        text = "".join(span["text"] for span in spans)
    else:
        for span in spans:
            label = _marker(span, size, base)
            if label is None:
                text += span["text"]
            else:
                text = _squeezed(text)
                markers.append((len(text), label))
    soft = text.rstrip().endswith(SOFT_HYPHEN)
    text = _squeezed(text)
    lead = len(text) - len(text.lstrip())
    text = text.strip() + (SOFT_HYPHEN if soft else "")
    bold = sum(len(s["text"]) for s in inked if s["flags"] & _BOLD or "bold" in s["font"].casefold())
    return Line(
        page=page,
        x0=min(s["bbox"][0] for s in inked),
        top=min(s["bbox"][1] for s in inked),
        x1=max(s["bbox"][2] for s in inked),
        bottom=max(s["bbox"][3] for s in inked),
        baseline=base,
        size=size,
        text=text,
        bold=2 * bold > sum(len(s["text"]) for s in inked),
        markers=tuple((min(max(0, at - lead), len(text)), label) for at, label in markers),
    )


def _squeezed(text: str) -> str:
    return re.sub(" +", " ", clean(text).replace("\n", " "))


def _marker(span: dict[str, Any], size: float, baseline: float) -> str | None:
    """The label, where a span is a raised note marker."""
    text = span["text"].strip()
    match = _MARKER.fullmatch(text)
    if match is None:
        return None
    raised = span["flags"] & _RAISED or baseline - span["origin"][1] > 0.15 * size
    symbol = not match[1].isdigit()
    if (raised or symbol) and (span["size"] <= 0.85 * size or (raised and symbol)):
        return match[1].replace("∗", "*")
    return None


def _closed_up(page: pymupdf.Page, raw: dict[str, Any], seen: ClosedUp) -> str:
    """Letter-spaced type without the spacing: the wider gaps are the spaces between words."""
    text = "".join(span["text"] for span in raw["spans"]).strip()
    width = round(raw["bbox"][2] - raw["bbox"][0])
    if (text, width) not in seen:
        seen[(text, width)] = _measured(page, raw["bbox"])
    return seen[(text, width)]


def _measured(page: pymupdf.Page, box: Sequence[float]) -> str:
    clip = pymupdf.Rect(box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1)  # type: ignore[no-untyped-call]
    raw = page.get_textpage(clip=clip, flags=FLAGS).extractRAWDICT()
    chars = [
        c
        for block in raw["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        for c in span["chars"]
        if not c["c"].isspace()
    ]
    gaps = [b["bbox"][0] - a["bbox"][2] for a, b in pairwise(chars)]
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    out = "".join(c["c"] + (" " if gap > 1.6 * usual else "") for c, gap in zip(chars, [*gaps, 0.0], strict=True))
    return re.sub(r"(?i)^(chapter|part|book|volume|kapitel|chapitre)(?=[^\W_]+$)(?!s\b)", r"\1 ", out)


def body_size(pages: Iterable[Page]) -> float:
    """The type size that sets most of the text, in points."""
    letters: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            letters[round(line.size * 2) / 2] += len(line.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def joined_fragments(page: Page, blocks: Sequence[int], gutter: float | None) -> Page:
    """Fragments of one block on one baseline made one line, except across the gutter between two columns."""
    lines: list[Line] = []
    last_block = -1
    for line, block in zip(page.lines, blocks, strict=True):
        if lines and block == last_block and _continues(lines[-1], line, gutter):
            lines[-1] = _merged(lines[-1], line)
        else:
            lines.append(line)
        last_block = block
    return replace(page, lines=tuple(lines))


def _continues(before: Line, after: Line, gutter: float | None) -> bool:
    if abs(before.baseline - after.baseline) > 0.3 * max(before.size, after.size) or after.x0 < before.x1 - 2:
        return False
    if before.size >= _DROP_CAP_RATIO * after.size and _DROP_CAP.fullmatch(before.text):
        return False
    return gutter is None or not (before.x1 <= gutter <= after.x0)


def _merged(before: Line, after: Line) -> Line:
    space = " " if before.text and after.text and after.x0 - before.x1 > 0.1 * before.size else ""
    shift = len(before.text) + len(space)
    return replace(
        before,
        top=min(before.top, after.top),
        x1=after.x1,
        bottom=max(before.bottom, after.bottom),
        size=before.size if len(before.text) >= len(after.text) else after.size,
        text=before.text + space + after.text,
        bold=before.bold and after.bold,
        markers=before.markers + tuple((at + shift, label) for at, label in after.markers),
    )
