"""From drafts to sections: spans that partition the text, ordinals, part numbers and seals.

What is not proven to be body is sealed to the end of the body; previews of other books are never revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from bot.core.book import BookText, Part, Section, SectionKind
from bot.core.errors import FileRefused
from bot.core.offsets import Span
from bot.ingest.canonical import clean
from bot.ingest.draft import BookDraft, SectionDraft
from bot.ingest.headings import parse_heading

TITLE_LOOK_AHEAD: Final = 3
"""Blocks after a heading that may settle whether its last lines are title or prose."""


def assemble(draft: BookDraft) -> BookText:
    """``draft`` as a book whose sections are closed, numbered and sealed.

    Raises `FileRefused` ("no_text") where there is no text or no body, and ``ValueError`` where the draft breaks a rule
    (sections out of order or beginning in white space, marks outside the text, text that is not canonical): that is a
    bug of the reader, not of the file.
    """
    if not draft.text or not draft.sections:
        raise FileRefused("no_text", "The file has no readable text; choose a file of the book with its text in it.")
    _check(draft)
    spans = _spans(draft)
    drafts = _proven(draft.sections, spans)
    if all(section.kind is not SectionKind.BODY for section in drafts):
        raise FileRefused("no_text", "No story text was found in the file; choose a file that holds the whole book.")
    body_end = max(span.end for section, span in zip(drafts, spans, strict=True) if section.kind is SectionKind.BODY)
    chapter = 0
    sections = []
    for ordinal, (section, span, parts) in enumerate(zip(drafts, spans, _parts(drafts), strict=True)):
        begins = section.kind is SectionKind.BODY and section.starts_chapter
        chapter += begins
        sections.append(
            Section(
                ordinal=ordinal,
                kind=section.kind,
                span=span,
                title=section.title,
                heading_end=span.end if section.heading_end is None else section.heading_end,
                revealed_at=_revealed_at(ordinal, drafts, spans, body_end),
                chapter=chapter if begins else None,
                printed=section.printed,
                printed_number=section.printed_number,
                parts=parts,
                title_known_at=_title_known_at(draft.text, section.heading_end, span),
            )
        )
    return BookText(
        text=draft.text,
        sections=tuple(sections),
        title=draft.title,
        author=draft.author,
        language=draft.language,
        pages=draft.pages,
        encoding=draft.encoding,
        warnings=draft.warnings,
    )


def _check(draft: BookDraft) -> None:
    """Raise ``ValueError`` where the draft breaks a rule; the message holds offsets, never text."""
    text, sections = draft.text, draft.sections
    if text != text.strip() or clean(text) != text:
        raise ValueError("the text is not canonical")
    if sections[0].start != 0:
        raise ValueError(f"the first section starts at {sections[0].start}, not at 0")
    for before, after in pairwise(sections):
        if not before.start < after.start:
            raise ValueError(f"sections out of order: {before.start}, {after.start}")
    for section, span in zip(sections, _spans(draft), strict=True):
        if section.start >= len(text) or text[section.start].isspace():
            raise ValueError(f"a section starts at {section.start}, where no visible character stands")
        if section.heading_end is not None and not span.start <= section.heading_end <= span.end:
            raise ValueError(f"a heading ends at {section.heading_end}, outside [{span.start}, {span.end})")
        if section.marker is not None and not 0 <= section.marker <= len(text):
            raise ValueError(f"a note's marker stands at {section.marker}, outside the text")
    for page in draft.pages:
        if not 0 <= page.start <= len(text):
            raise ValueError(f"a page starts at {page.start}, outside the text")
    for first, second in pairwise(draft.pages):
        if first.start > second.start:
            raise ValueError(f"pages out of order: {first.start}, {second.start}")


def _spans(draft: BookDraft) -> tuple[Span, ...]:
    starts = [section.start for section in draft.sections]
    return tuple(Span(start, end) for start, end in zip(starts, [*starts[1:], len(draft.text)], strict=True))


def _proven(drafts: Sequence[SectionDraft], spans: Sequence[Span]) -> tuple[SectionDraft, ...]:
    """The drafts with every unproven body sealed.

    Before the first chapter only title pages of parts are body (a heading and nothing else that could be an essay); a
    body without a heading that follows a preview of another book belongs to that preview.
    """
    proven: list[SectionDraft] = []
    begun = False
    preview = False
    for section, span in zip(drafts, spans, strict=True):
        kind = section.kind
        if kind is SectionKind.BODY:
            begun = begun or section.starts_chapter
            preview = preview and not section.starts_chapter
            if preview:
                kind = SectionKind.PREVIEW
            elif not begun and not _is_part_page(section, span):
                kind = SectionKind.UNKNOWN
        elif kind is SectionKind.PREVIEW:
            preview = True
        proven.append(section if kind is section.kind else replace(section, kind=kind))
    return tuple(proven)


_LONGEST_PART_PAGE = 3000
"""Code points: a part's title page with its motto; what is longer could be an introduction."""


def _is_part_page(section: SectionDraft, span: Span) -> bool:
    heading = parse_heading(section.title)
    named = bool(section.parts) or (heading is not None and heading.is_part)
    return named and len(span) <= _LONGEST_PART_PAGE


def _parts(drafts: Iterable[SectionDraft]) -> list[tuple[Part, ...]]:
    """The part path of every draft, with ordinals among siblings where no number is printed."""
    paths: list[tuple[Part, ...]] = []
    last: tuple[tuple[str, int | None], ...] = ()
    counts: list[int] = []
    for section in drafts:
        if not section.parts:
            paths.append(())
            continue
        same = 0
        while same < min(len(last), len(section.parts)) and last[same] == section.parts[same]:
            same += 1
        if same < len(section.parts):
            siblings = counts[same] + 1 if same < len(counts) else 1
            counts[same:] = [siblings, *[1] * (len(section.parts) - same - 1)]
        last = section.parts
        paths.append(
            tuple(
                Part(title, count if number is None else number)
                for (title, number), count in zip(section.parts, counts, strict=False)
            )
        )
    return paths


def _revealed_at(ordinal: int, drafts: Sequence[SectionDraft], spans: Sequence[Span], body_end: int) -> int:
    section = drafts[ordinal]
    if section.kind is SectionKind.BODY:
        return spans[ordinal].end
    if section.kind is SectionKind.PREVIEW:
        return spans[-1].end + 1
    if section.kind is SectionKind.FOOTNOTES and section.marker is not None:
        return _chapter_end(section.marker, drafts, spans) or body_end
    return body_end


def _chapter_end(marker: int, drafts: Sequence[SectionDraft], spans: Sequence[Span]) -> int | None:
    """The end of the chapter whose body holds the offset ``marker``, None where no chapter does."""
    holder = next((index for index, span in enumerate(spans) if marker in span), None)
    if holder is None or drafts[holder].kind is not SectionKind.BODY:
        return None
    end = spans[holder].end
    for section, span in zip(drafts[holder + 1 :], spans[holder + 1 :], strict=True):
        if section.kind is SectionKind.BODY:
            if section.starts_chapter:
                break
            end = span.end
    return end


def _title_known_at(text: str, heading_end: int | None, span: Span) -> int:
    """The end of the last block that may have had a say in what is title and what is prose: readers of files look at
    most `TITLE_LOOK_AHEAD` blocks past a heading. It counts as read with the paragraph break after it.
    """
    at = span.end if heading_end is None else heading_end
    for _ in range(TITLE_LOOK_AHEAD + 1):
        found = text.find("\n\n", at, span.end)
        if found < 0:
            return span.end
        at = found + 2
    return min(at, span.end)
