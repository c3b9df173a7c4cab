"""The canonical text of a PDF and its sections, from lines, headings and footnotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.book import PageMark, SectionKind
from bot.ingest.canonical import CanonicalBuilder, clean, collapse
from bot.ingest.draft import SectionDraft
from bot.ingest.gutenberg import is_ending
from bot.ingest.pdf.headings import Candidate
from bot.ingest.pdf.hyphens import LineJoiner
from bot.ingest.pdf.lines import Line
from bot.ingest.pdf.notes import Note
from bot.ingest.pdf.paragraphs import Layout, Paragraph, joined, paragraphs
from bot.ingest.pdf.structure import Heading


@dataclass(frozen=True, slots=True)
class Composed:
    """Text, sections in text order and page marks in text order."""

    text: str
    sections: tuple[SectionDraft, ...]
    pages: tuple[PageMark, ...]


class Composer:
    """Writes one book: sections one after another, each with its heading, its paragraphs and then its footnotes."""

    def __init__(self, lines: Sequence[Line], notes: Sequence[Note], layout: Layout, joiner: LineJoiner) -> None:
        self._lines, self._notes, self._layout, self._joiner = lines, notes, layout, joiner
        self._builder = CanonicalBuilder()
        self._sections: list[SectionDraft] = []
        self._page_starts: dict[int, int] = {}
        self._markers: dict[tuple[int, str], int] = {}
        self._parts: list[tuple[Heading, tuple[str, int | None]]] = []

    def draft(self, headings: Sequence[Heading], others: Sequence[Candidate], labels: Sequence[str]) -> Composed:
        """The book under ``headings``. ``others`` are candidates that begin no section but stand as own paragraphs."""
        end = self._licence_start(headings)
        begins = [h.candidate.first for h in headings if h.candidate.first < end]
        used = {h.candidate.first for h in headings}
        apart = [c for c in others if c.first not in used]
        first = begins[0] if begins else end
        if begins:
            self._section(SectionDraft(SectionKind.FRONT, 0), (0, first), apart)
            bounds = [*begins[1:], end]
            for heading, stop in zip(headings, bounds, strict=False):
                self._headed(heading, stop, apart)
        else:
            self._section(SectionDraft(SectionKind.BODY, 0, starts_chapter=True), (0, end), apart)
        if end < len(self._lines):
            self._section(SectionDraft(SectionKind.BACK, 0), (end, len(self._lines)), apart)
        return Composed(self._builder.text(), tuple(self._sections), self._pages(labels))

    def _licence_start(self, headings: Sequence[Heading]) -> int:
        after = max((h.candidate.last for h in headings if h.role == "chapter"), default=0)
        return next((i for i in range(after, len(self._lines)) if is_ending(self._lines[i].text)), len(self._lines))

    def _headed(self, heading: Heading, stop: int, apart: Sequence[Candidate]) -> None:
        c = heading.candidate
        section = SectionDraft(heading.kind, 0, title=_title(heading))
        parsed = c.parsed
        if heading.role == "part":
            self._enter_part(heading)
            section = replace(section, parts=self._path())
        elif heading.kind is SectionKind.BODY:
            if parsed is not None and parsed.above is not None:
                self._enter_part(replace(heading, role="part"), (parsed.above.title, parsed.above.number))
            section = replace(
                section,
                starts_chapter=True,
                printed=parsed.printed if parsed else None,
                printed_number=parsed.number if parsed else None,
                parts=self._path(),
            )
        elif heading.kind is not SectionKind.NOTES:
            self._parts.clear()
        self._section(section, (c.first, max(stop, c.last)), apart, heading)

    def _enter_part(self, heading: Heading, named: tuple[str, int | None] | None = None) -> None:
        parsed = heading.candidate.parsed
        unit = parsed.unit if parsed is not None else ""
        if named is None:
            named = (_part_title(heading), parsed.number if parsed is not None else None)
        elif self._parts and self._parts[-1][1] == named:
            return
        units = [p.candidate.parsed.unit if p.candidate.parsed else "" for p, _ in self._parts]
        if unit in units:
            del self._parts[units.index(unit) :]
        while self._parts and not _inside(heading, self._parts[-1][0]):
            self._parts.pop()
        self._parts.append((heading, named))

    def _path(self) -> tuple[tuple[str, int | None], ...]:
        return tuple(named for _, named in self._parts)

    def _section(
        self, draft: SectionDraft, bounds: tuple[int, int], apart: Sequence[Candidate], heading: Heading | None = None
    ) -> None:
        """Write the lines ``bounds`` as one section, its footnotes behind it."""
        start = self._builder.next_start()
        first, last = bounds
        if heading is not None and not heading.candidate.silent:
            c = heading.candidate
            self._add(self._heading_paragraph(c))
            draft = replace(draft, heading_end=len(self._builder))
            first = c.last
        for other in apart:
            if first <= other.first < last:
                self._prose(first, other.first)
                self._add(self._heading_paragraph(other))
                first = min(other.last, last)
        self._prose(first, last)
        if len(self._builder) <= start:
            return
        self._sections.append(replace(draft, start=start))
        self._footnotes(draft, bounds)

    def _heading_paragraph(self, c: Candidate) -> Paragraph:
        page = self._lines[c.first].page
        markers = tuple(
            (len(c.text), line.page, label) for line in self._lines[c.first : c.last] for _, label in line.markers
        )
        return Paragraph(clean(c.text), ((0, page),), markers)

    def _prose(self, first: int, last: int) -> None:
        for paragraph in paragraphs(self._lines[first:last], self._layout, self._joiner):
            self._add(paragraph)

    def _add(self, paragraph: Paragraph) -> None:
        text = paragraph.text
        lead = len(text) - len(text.lstrip())
        span = self._builder.add(text)
        for index, page in paragraph.pages:
            self._page_starts.setdefault(page, span.start + max(0, index - lead))
        for index, page, label in paragraph.markers:
            self._markers[(page, label)] = min(span.end, span.start + max(0, index - lead))

    def _footnotes(self, draft: SectionDraft, bounds: tuple[int, int]) -> None:
        """The notes of the section's pages whose markers stand in it, and those of its pages without a marker."""
        pages = {line.page for line in self._lines[bounds[0] : bounds[1]]}
        start = self._sections[-1].start
        proven: list[tuple[int, Note]] = []
        unproven: list[Note] = []
        waiting: list[Note] = []
        last_page = max(pages, default=-1)
        for note in self._notes:
            at = self._markers.get((note.page, note.label))
            if at is not None and at >= start:
                proven.append((at, note))
            elif note.page in pages and at is None and (note.page < last_page or bounds[1] == len(self._lines)):
                unproven.append(note)
            else:
                waiting.append(note)
        self._notes = waiting
        if proven and draft.kind is SectionKind.BODY:
            kind = SectionKind.FOOTNOTES
            self._write_notes(kind, [note for _, note in proven], max(at for at, _ in proven))
        elif proven:
            self._write_notes(SectionKind.NOTES, [note for _, note in proven], None)
        if unproven:
            self._write_notes(SectionKind.NOTES, unproven, None)

    def _write_notes(self, kind: SectionKind, notes: Sequence[Note], marker: int | None) -> None:
        start = self._builder.next_start()
        for note in notes:
            self._builder.add(collapse(f"{note.label} {joined(note.lines, self._joiner).text}"))
        self._sections.append(SectionDraft(kind, start, marker=marker))

    def _pages(self, labels: Sequence[str]) -> tuple[PageMark, ...]:
        marks: list[PageMark] = []
        for page, start in sorted(self._page_starts.items()):
            if labels[page] and (not marks or start >= marks[-1].start):
                marks.append(PageMark(labels[page], start))
        return tuple(marks)


def _inside(heading: Heading, outer: Heading) -> bool:
    """Whether the part of ``heading`` lies inside the part of ``outer``: deeper in the outline, or set smaller."""
    if heading.level and outer.level:
        return heading.level > outer.level
    if heading.candidate.size < outer.candidate.size - 0.3:
        return True
    return heading.candidate.first == outer.candidate.last and heading.candidate.size <= outer.candidate.size


def _title(heading: Heading) -> str:
    return _part_title(heading) if heading.role == "part" else heading.candidate.title.replace("\n", " ")


def _part_title(heading: Heading) -> str:
    c = heading.candidate
    return f"{c.number_line}: {c.title}" if c.number_line else c.title
