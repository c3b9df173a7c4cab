"""The final text: sections in order, notes moved behind the chapter of their markers, offsets carried along."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from bot.core.book import PageMark, SectionKind
from bot.ingest.canonical import CanonicalBuilder
from bot.ingest.draft import SectionDraft
from bot.ingest.epub.notes import Note
from bot.ingest.epub.parts import Division
from bot.ingest.epub.plan import Planned
from bot.ingest.headings import Heading

_LEFT = (SectionKind.BODY, SectionKind.NOTES)
"""What a note is taken out of; in other matter it stays where it stands."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the walked text without white space at its ends, and where it stands in the final text."""

    start: int
    end: int
    at: int


class Layout:
    """Writes sections and carries offsets of the walked text over to the final text."""

    def __init__(self, walked: str) -> None:
        self._walked = walked
        self._out = CanonicalBuilder()
        self._pieces: list[_Piece] = []
        self._starts: list[int] = []

    def put(self, start: int, end: int) -> int | None:
        """Append ``[start, end)`` of the walked text; its offset in the final text, or None where it is blank."""
        text = self._walked[start:end]
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        if not text:
            return None
        span = self._out.add(text)
        self._pieces.append(_Piece(start + lead, start + lead + len(text), span.start))
        return span.start

    def settle(self) -> str:
        """The final text; offsets may be asked for from now on."""
        self._pieces.sort(key=lambda piece: piece.start)
        self._starts = [piece.start for piece in self._pieces]
        return self._out.text()

    def offset(self, walked: int) -> int:
        """Where a place of the walked text stands in the final text; white space gives what follows it."""
        index = bisect_right(self._starts, walked) - 1
        if index >= 0 and walked <= self._pieces[index].end:
            return self._pieces[index].at + walked - self._pieces[index].start
        if index + 1 < len(self._pieces):
            return self._pieces[index + 1].at
        last = self._pieces[-1]
        return last.at + last.end - last.start


@dataclass(slots=True)
class _Open:
    """A section draft before its offsets are known in the final text."""

    planned: Planned | None
    parts: tuple[Division, ...]
    start: int
    kind: SectionKind
    marker: int | None = None


def lay_out(
    walked: str, planned: list[Planned], parts: list[tuple[Division, ...]], notes: list[Note]
) -> tuple[str, tuple[SectionDraft, ...], Layout]:
    """The final text, its section drafts and the layout that carries further marks over."""
    layout = Layout(walked)
    drafts: list[_Open] = []
    homes = _homes(planned, notes)
    moved = sorted((note for found in homes.values() for note in found), key=lambda note: note.start)
    for number, section in enumerate(planned):
        assert section.kind is not None
        inside = [n for n in moved if section.start <= n.start < section.end]
        first: int | None = None
        at = section.start
        for note in inside:
            begun = layout.put(at, note.start)
            first = begun if first is None else first
            at = max(at, note.end)
        begun = layout.put(at, section.end)
        first = begun if first is None else first
        if first is not None:
            drafts.append(_Open(section, parts[number], first, section.kind))
        _put_notes(layout, drafts, homes.get(number, []))
    text = layout.settle()
    return text, tuple(_draft(d, layout) for d in drafts), layout


def _homes(planned: list[Planned], notes: list[Note]) -> dict[int, list[Note]]:
    """Section -> the notes that go behind it: the body section of the marker, else the body they stand in."""
    starts = [section.start for section in planned]
    homes: dict[int, list[Note]] = {}
    for note in notes:
        place = bisect_right(starts, note.start) - 1
        home = bisect_right(starts, note.marker) - 1 if note.marker is not None else place
        if planned[home].kind is not SectionKind.BODY:
            home = place
        if planned[place].kind not in _LEFT or planned[home].kind is not SectionKind.BODY:
            continue
        homes.setdefault(home, []).append(note)
    return homes


def _put_notes(layout: Layout, drafts: list[_Open], notes: list[Note]) -> None:
    """Write notes, the proven ones first; neighbours of one kind share a section, whose marker is the last."""
    for kind in (SectionKind.FOOTNOTES, SectionKind.NOTES):
        for note in notes:
            if (note.marker is not None) != (kind is SectionKind.FOOTNOTES):
                continue
            start = layout.put(note.start, note.end)
            if start is None:
                continue
            if drafts and drafts[-1].kind is kind and drafts[-1].planned is None:
                if note.marker is not None:
                    drafts[-1].marker = max(drafts[-1].marker or 0, note.marker)
            else:
                drafts.append(_Open(None, (), start, kind, note.marker))


def _draft(opened: _Open, layout: Layout) -> SectionDraft:
    section = opened.planned
    if section is None:
        marker = layout.offset(opened.marker) if opened.marker is not None else None
        return SectionDraft(opened.kind, opened.start, marker=marker)
    opening = section.opening
    heading_end = None
    if opening.heading_end is not None and opening.heading_end > opening.start:
        heading_end = layout.offset(opening.heading_end)
    heading: Heading | None = opening.heading if section.numbered else None
    body = opened.kind is SectionKind.BODY
    return SectionDraft(
        opened.kind,
        opened.start,
        title=opening.title,
        heading_end=heading_end,
        starts_chapter=body and not section.division,
        printed=heading.printed if heading is not None and body else None,
        printed_number=heading.number if heading is not None and body else None,
        parts=opened.parts if body else (),
    )


def page_marks(pages: list[tuple[str, int]], layout: Layout) -> tuple[PageMark, ...]:
    """Pages in the order of the final text, one for a label and a place."""
    marks = sorted({(layout.offset(at), order, label) for order, (label, at) in enumerate(pages)})
    kept: list[PageMark] = []
    for at, _, label in marks:
        if not kept or (kept[-1].label, kept[-1].start) != (label, at):
            kept.append(PageMark(label, at))
    return tuple(kept)
