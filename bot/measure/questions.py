"""Questions with known answers: a file of them, the books they are about, and where their evidence stands."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.core.chapters import ChapterMap, chapter_at
from bot.core.errors import Refused
from bot.core.offsets import Span
from bot.core.verbatim import Searchable

_SUFFIXES: Final = (".epub", ".pdf", ".txt")


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one book.

    ``evidence`` answers it, or is empty where nothing in the book does. ``chapter`` is ``#N`` of the evidence;
    ``before`` is ``#N`` of the last chapter from which the answer cannot be known (0: nothing read). ``secrets`` are
    words, and ``patterns`` expressions, that tell the answer.
    """

    id: str
    book: str
    text: str
    kind: str = ""
    evidence: str = ""
    chapter: int | None = None
    before: int | None = None
    chapters: int | None = None
    secrets: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        return bool(self.evidence)


@dataclass(frozen=True, slots=True)
class Located:
    """A question with its place. Offsets in code points; ``evidence`` and ``met`` are None where nothing answers.

    ``evidence`` is where its evidence stands, ``met`` the end of that chapter, ``end`` that of the body. ``before`` is
    where leaks are looked for: of a question without an answer, the end of the body.
    """

    question: Question
    evidence: Span | None
    met: int | None
    before: int
    end: int


def read_questions(path: Path) -> tuple[Question, ...]:
    """The questions of a JSON Lines file. Raises `Refused` that names the line."""
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(_question(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refused(
                "bad_line", f"Line {number} of {path.name} is no question: it needs at least id, book and question."
            ) from None
    if not found:
        raise Refused("no_questions", f"There are no questions in {path.name}.")
    return tuple(found)


def _question(value: dict[str, Any]) -> Question:
    chapter = value.get("evidence_chapter")
    before = value.get("test_before_chapter")
    if before is None and (first := value.get("answerable_from_chapter")) is not None:
        before = max(0, int(first) - 1)
    evidence = "" if value.get("unanswerable") else str(value.get("evidence") or "")
    return Question(
        id=str(value["id"]),
        book=str(value["book"]),
        text=str(value["question"]),
        kind=str(value.get("kind") or ""),
        evidence=evidence,
        chapter=None if chapter is None else int(chapter),
        before=None if before is None else int(before),
        chapters=value.get("book_chapters"),
        secrets=tuple(value.get("spoiler_terms") or value.get("lure_terms") or ()),
        patterns=tuple(value.get("spoiler_regex") or ()),
    )


def book_file(corpus: Path, name: str) -> Path:
    """``corpus/<name>.epub``, ``.pdf`` or ``.txt``, else the one book file whose name starts with ``name``.

    Raises `Refused` where there is none, or more than one.
    """
    for suffix in _SUFFIXES:
        if (path := corpus / f"{name}{suffix}").is_file():
            return path
    found = [p for p in sorted(corpus.glob("*")) if p.suffix.lower() in _SUFFIXES and p.name.startswith(name)]
    if len(found) != 1:
        how_many = "no book file" if not found else f"{len(found)} book files"
        raise Refused("no_book_file", f"{corpus} has {how_many} for “{name}”: it needs one, such as {name}.epub.")
    return found[0]


def located(question: Question, text: Searchable, chapter_map: ChapterMap) -> Located | None:
    """Where the question stands in its book; None where its evidence is not found.

    Of several places of the evidence that counts which stands in the chapter the question names. Where the book has
    another number of chapters than the question was made for, its chapters are counted from that of the evidence.
    """
    end = chapter_map.body_end
    if not question.answerable:
        return Located(question, None, None, end, end)
    places = [place for place in text.places(question.evidence) if place.end <= end]
    if not places:
        return None
    named = [p for p in places if _chapter_of(p, chapter_map) == question.chapter]
    place = (named or places)[0]
    number = _chapter_of(place, chapter_map)
    chapter = chapter_map.chapter(number)
    met = chapter.end if chapter else place.end
    drift = 0
    if question.chapters not in (None, len(chapter_map.chapters)) and question.chapter is not None:
        drift = number - question.chapter
    before = chapter_map.chapter(_before(question, number) + drift)
    return Located(question, place, met, before.end if before else 0, end)


def _before(question: Question, number: int) -> int:
    return number - 1 if question.before is None else question.before


def _chapter_of(place: Span, chapter_map: ChapterMap) -> int:
    """``#N`` of the chapter in which the place begins, 0 before the first."""
    chapter = chapter_at(place.start + 1, chapter_map)
    return chapter.ordinal if chapter else 0


def held(evidence: Span, spans: Sequence[Span]) -> bool:
    """Whether one of ``spans`` holds at least half of the evidence."""
    return any(2 * shared(evidence, span) >= len(evidence) for span in spans)


def shared(one: Span, other: Span) -> int:
    """How many code points two spans have in common."""
    return max(0, min(one.end, other.end) - max(one.start, other.start))
