"""PDF books made by code, with our own prose: what the PDF tests read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import wrap

import pymupdf

BODY = 10.0
LEADING = 13.0
LEFT, RIGHT, TOP, BOTTOM = 50.0, 310.0, 60.0, 440.0
WIDTH, HEIGHT = 360.0, 500.0

_SUBJECTS = ("The lamp keeper", "A gull", "The ferry", "Old Tamsin", "The harbour clock", "Nobody on the quay")
_DEEDS = (
    "watched the tide go out past the last of the green buoys",
    "waited under the bell until the rain had gone over the hill",
    "carried a copper kettle up the stairs and set it down again",
    "counted the steps to the water and found one too many",
    "kept the key in a tin under the loose board by the door",
)


def prose(seed: int, sentences: int = 12) -> str:
    """Invented sentences, the first and the last of which name ``seed``."""
    middle = [
        f"{_SUBJECTS[(seed + i) % len(_SUBJECTS)]} {_DEEDS[(seed * 3 + i * 2) % len(_DEEDS)]}."
        for i in range(sentences)
    ]
    return " ".join(
        [f"So began the morning numbered {seed} at the harbour.", *middle, f"Thus ended day {seed} for all."]
    )


@dataclass
class PdfBook:
    """Writes pages line by line, as a typesetter would: ``document`` is the result."""

    running_head: Callable[[int], str] | None = None
    folio: Callable[[int], str] | None = None
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    y: float = BOTTOM + 1
    page: pymupdf.Page | None = None

    def new_page(self) -> pymupdf.Page:
        """A new page with its running head and folio."""
        self.page = page = self.document.new_page(width=WIDTH, height=HEIGHT)
        number = self.document.page_count
        if self.running_head is not None and (head := self.running_head(number)):
            page.insert_text((LEFT, 30), head, fontsize=8, fontname="tiro")
        if self.folio is not None and (folio := self.folio(number)):
            page.insert_text((WIDTH / 2 - 5, HEIGHT - 25), folio, fontsize=BODY, fontname="tiro")
        self.y = TOP
        return page

    def line(
        self, text: str, *, x: float = LEFT, size: float = BODY, font: str = "tiro", leading: float = LEADING
    ) -> None:
        """One line of type."""
        if self.page is None or self.y > BOTTOM:
            self.new_page()
        assert self.page is not None
        self.page.insert_text((x, self.y), text, fontsize=size, fontname=font)
        self.y += leading

    def heading(self, text: str, *, size: float = 18, after: float = 12) -> None:
        """A heading in large bold type."""
        self.y += 8
        self.line(text, size=size, font="tibo", leading=size + after)

    def paragraph(self, text: str, columns: int = 58) -> None:
        """An indented paragraph, broken into lines of at most ``columns`` characters."""
        for i, part in enumerate(wrap(text, columns, break_on_hyphens=False)):
            self.line(part, x=LEFT + (14 if i == 0 else 0))

    def chapter(self, heading: str | Sequence[str], seed: int, paragraphs: int = 3) -> int:
        """A chapter on a new page; returns the number of that page (from 1)."""
        self.new_page()
        first = int(self.document.page_count)
        for text in [heading] if isinstance(heading, str) else heading:
            self.heading(text)
        for i in range(paragraphs):
            self.paragraph(prose(seed * 10 + i))
        return first

    def save(self, path: Path, **options: object) -> Path:
        """Write the file."""
        self.document.save(path, **options)  # type: ignore[no-untyped-call]
        return path
