"""A book's text as JSON, and back. What comes back is checked: the process that read the file is not trusted."""

from __future__ import annotations

from typing import Any

from bot.core.book import BookText, PageMark, Part, Section, SectionKind
from bot.core.offsets import Span


def to_json(book: BookText) -> dict[str, Any]:
    """``book`` as JSON values."""
    return {
        "text": book.text,
        "sections": [
            [
                section.ordinal,
                section.kind.value,
                section.span.start,
                section.span.end,
                section.title,
                section.heading_end,
                section.revealed_at,
                section.chapter,
                section.printed,
                section.printed_number,
                [[part.title, part.number] for part in section.parts],
                section.title_known_at,
            ]
            for section in book.sections
        ],
        "title": book.title,
        "author": book.author,
        "language": book.language,
        "pages": [[page.label, page.start] for page in book.pages],
        "encoding": book.encoding,
        "warnings": list(book.warnings),
    }


def from_json(value: object) -> BookText:
    """The book that `to_json` made ``value`` of. Raises ``ValueError`` for anything else.

    Sections must partition the text in order, and every offset must lie inside it.
    """
    try:
        return _book(value)
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise ValueError("this is no book") from error


def _book(value: Any) -> BookText:
    text = _string(value["text"])
    sections = tuple(_section(item, len(text)) for item in value["sections"])
    at = 0
    for section in sections:
        if section.span.start != at:
            raise ValueError("the sections do not partition the text")
        at = section.span.end
    if at != len(text):
        raise ValueError("the sections do not partition the text")
    chapters = [section.chapter for section in sections if section.chapter is not None]
    if chapters != list(range(1, len(chapters) + 1)):
        raise ValueError("the chapters are not numbered in order")
    pages = tuple(PageMark(_string(label), _offset(start, len(text))) for label, start in value["pages"])
    return BookText(
        text=text,
        sections=sections,
        title=_string(value["title"]),
        author=_string(value["author"]),
        language=_optional_string(value["language"]),
        pages=pages,
        encoding=_optional_string(value["encoding"]),
        warnings=tuple(_string(warning) for warning in value["warnings"]),
    )


def _section(item: Any, length: int) -> Section:
    ordinal, kind, start, end, title, heading_end, revealed_at, chapter, printed, printed_number, parts, known = item
    return Section(
        ordinal=_number(ordinal),
        kind=SectionKind(kind),
        span=Span(_offset(start, length), _offset(end, length)),
        title=_string(title),
        heading_end=_offset(heading_end, length),
        revealed_at=_offset(revealed_at, length + 1),
        chapter=_optional_number(chapter),
        printed=_optional_string(printed),
        printed_number=_optional_number(printed_number),
        parts=tuple(Part(_string(part_title), _number(number)) for part_title, number in parts),
        title_known_at=_offset(known, length),
    )


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no string")
    return value


def _optional_string(value: object) -> str | None:
    return None if value is None else _string(value)


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no number")
    return value


def _optional_number(value: object) -> int | None:
    return None if value is None else _number(value)


def _offset(value: object, most: int) -> int:
    number = _number(value)
    if not 0 <= number <= most:
        raise ValueError(f"no offset of this text: {number}")
    return number
