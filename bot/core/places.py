"""The values around a position: who speaks, what is looked up, what was found, and the place that came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.core.chapters import Chapter, ChapterMap, chapter_at, chapter_name, place_name
from bot.core.statements import PlainNumber

QUOTE_REACH: Final = 25
"""Points of the body: quoted words further ahead than this read as not found."""


class Kind(StrEnum):
    """What a position was worked out from."""

    CHAPTER = "chapter"
    PAGE = "page"
    PERCENT = "percent"
    QUOTE = "quote"
    TITLE = "title"
    OFFSET = "offset"
    RELATIVE = "relative"
    FINISHED = "finished"
    NONE = "none"
    SAME = "same"
    MAP = "map"
    """Of an earlier place, when the book's chapter map was changed or its file replaced."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Who speaks: what a plain number means to them, where they are, and how far a look-up may see for them.

    ``current`` is their offset, None where they never gave one. Titles are known up to the offset ``reached``; quoted
    words are found up to the offset ``horizon``.
    """

    plain: PlainNumber
    current: int | None
    reached: int
    horizon: int


def standing(plain: PlainNumber, current: int | None, chapter_map: ChapterMap) -> Standing:
    """The standing of a member; who never gave a place counts as at the start."""
    here = max(current or 0, chapter_map.body_start)
    return Standing(plain, current, current or 0, here + chapter_map.body_length * QUOTE_REACH // 100)


def host_standing(chapter_map: ChapterMap) -> Standing:
    """The standing of the person at the command line, who can read the whole file anyway."""
    return Standing(PlainNumber.FINISHED, None, chapter_map.characters, chapter_map.characters)


@dataclass(frozen=True, slots=True)
class QuoteLookup:
    """Find ``words`` among the text before ``horizon``; answer with the offset at the end of each match, rounded
    down to a sentence's start (or the end of the last sentence wholly matched), and whether the match was exact."""

    words: str
    horizon: int


@dataclass(frozen=True, slots=True)
class PageLookup:
    """The start of every page whose label, case-folded, is ``label``."""

    label: str


@dataclass(frozen=True, slots=True)
class TitleLookup:
    """The ordinals of chapters whose title (`statements.folded_title`) is one of ``titles`` and revealed at or
    before ``reached``."""

    titles: tuple[str, ...]
    reached: int


Lookup = QuoteLookup | PageLookup | TitleLookup


@dataclass(frozen=True, slots=True)
class Found:
    """What a look-up answered: offsets (quotation, page) or chapter ordinals (title); all numbers.

    ``exact`` is false for a quotation that matched in part only.
    """

    offsets: tuple[int, ...] = ()
    chapters: tuple[int, ...] = ()
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be meant: ``chapter`` is its ordinal, ``percent`` of the body, rounded down.

    ``part`` is the number of the division, or "2.3" where they are nested.
    """

    offset: int
    chapter: int | None
    part: int | str | None
    printed: int | None
    percent: int


@dataclass(frozen=True, slots=True)
class Located:
    """One place. ``understood`` says it by numbers; ``certain`` is false where it should be confirmed."""

    offset: int
    chapter: int | None
    understood: str
    kind: Kind
    certain: bool
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """Several places, in order; ``offset`` is the smallest and holds until one is chosen."""

    candidates: tuple[Candidate, ...]
    understood: str
    kind: Kind

    def __post_init__(self) -> None:
        if len(self.candidates) < 2 or list(self.candidates) != sorted(self.candidates, key=lambda c: c.offset):
            raise ValueError("two or more candidates, in order")

    @property
    def offset(self) -> int:
        return self.candidates[0].offset


@dataclass(frozen=True, slots=True)
class NotLocated:
    """No place: a stable code, and one sentence that says what is wrong and what to do."""

    code: str
    message: str


Place = Located | Unclear | NotLocated


def candidate_label(candidate: Candidate, chapter_map: ChapterMap) -> str:
    """A candidate to choose by, which reveals nothing: "Part 1, chapter 12 (3 % of the book)"."""
    chapter = chapter_map.chapter(candidate.chapter) if candidate.chapter else None
    name = chapter_name(chapter, chapter_map) if chapter else place_name(candidate.offset, chapter_map)
    return f"{name[0].upper()}{name[1:]} ({candidate.percent} % of the book)"


def candidate_at(offset: int, chapter: Chapter | None, chapter_map: ChapterMap) -> Candidate:
    """The candidate at ``offset`` that is named by ``chapter``."""
    parts = chapter.parts if chapter else ()
    part = parts[0] if len(parts) == 1 else ".".join(map(str, parts)) or None
    printed = chapter.printed_number if chapter else None
    return Candidate(offset, chapter.ordinal if chapter else None, part, printed, chapter_map.percent(offset))


def described(candidate: Candidate, chapter_map: ChapterMap) -> str:
    """What was understood, by numbers: "finished chapter 12, 33%", "in chapter 12 (at its start), 31%"."""
    chapter = chapter_map.chapter(candidate.chapter) if candidate.chapter else None
    if chapter and candidate.offset == chapter.end:
        place = f"finished {chapter_name(chapter, chapter_map)}"
    elif chapter and candidate.offset == chapter.start:
        place = f"in {chapter_name(chapter, chapter_map)} (at its start)"
    else:
        place = place_name(candidate.offset, chapter_map)
    if chapter and candidate.offset >= chapter_map.body_end:
        place = f"{place}, the end of the book" if candidate.offset == chapter.end else "finished the book"
    return f"{place}, {candidate.percent}%"


def choice(
    candidates: Iterable[Candidate], chapter_map: ChapterMap, kind: Kind, certain: bool = True, note: str = ""
) -> Located | Unclear:
    """One place or several. At least one candidate; of those at the same offset the first is kept."""
    by_offset: dict[int, Candidate] = {}
    for candidate in candidates:
        by_offset.setdefault(candidate.offset, candidate)
    ordered = tuple(by_offset[offset] for offset in sorted(by_offset))
    understood = described(ordered[0], chapter_map) + note
    if len(ordered) > 1:
        return Unclear(ordered, f"{len(ordered)} places fit; until you choose, the first: {understood}", kind)
    return Located(ordered[0].offset, ordered[0].chapter, understood, kind, certain, ordered)


def at(offset: int, chapter_map: ChapterMap) -> Candidate:
    """The candidate at ``offset``, named by the chapter last read in."""
    return candidate_at(offset, chapter_at(offset, chapter_map), chapter_map)


def one(offset: int, chapter_map: ChapterMap, kind: Kind, certain: bool = True) -> Located | Unclear:
    """The one place at ``offset``."""
    return choice([at(offset, chapter_map)], chapter_map, kind, certain)


def past_end(chapter_map: ChapterMap) -> NotLocated:
    """A place beyond the last chapter, which the sentence names by number."""
    if not chapter_map.chapters:
        return NotLocated("past_end", "The book ends before that: say finished if you have read it all.")
    last = chapter_name(chapter_map.chapters[-1], chapter_map)
    return NotLocated(
        "past_end", f"The book ends before that: its last is {last}. Say finished if you have read it all."
    )


def no_chapter(number: int, chapter_map: ChapterMap) -> NotLocated:
    """A chapter number that nothing in the book answers to."""
    return NO_SUCH_CHAPTER if number < 1 else past_end(chapter_map)


NOT_UNDERSTOOD: Final = NotLocated(
    "not_understood",
    "That names no place, and no chapter you have reached: say a chapter (12, part 2 ch 3, in 12, finished 12), "
    "p. 143, 45%, the last seven or more words you read in quotation marks, finished, none, or back to 9.",
)
NO_SUCH_CHAPTER: Final = NotLocated(
    "no_such_chapter", "The book has no chapter 0: say none if you have not started, or the number of a chapter."
)
NO_CHAPTER_IN_PART: Final = NotLocated(
    "no_such_chapter",
    "That part has no such chapter: check it, or count from the start of the book, as in #12.",
)
NO_SUCH_PART: Final = NotLocated(
    "no_such_part", "The book has no such part: check the number, or say the chapter alone, or a percentage."
)
NO_PARTS: Final = NotLocated("no_such_part", "This book is not divided into parts: say the chapter alone.")
PART_ALONE: Final = NotLocated(
    "part_alone", "Say a chapter too, as in part 2 ch 1: editions divide a book into parts differently."
)
NO_CHAPTERS: Final = NotLocated(
    "no_chapters", "The chapters of this file were not found: say a percentage, the last words you read, or finished."
)
NO_PAGES: Final = NotLocated(
    "no_pages",
    "This file has no page numbers of a printed book: say a chapter, a percentage, or the last words you read.",
)
NO_SUCH_PAGE: Final = NotLocated(
    "no_such_page", "No page has that number: say a chapter, a percentage, or the last words you read."
)
NO_SUCH_PERCENT: Final = NotLocated("no_such_percent", "A percentage lies between 0 and 100.")
QUOTE_TOO_SHORT: Final = NotLocated(
    "quote_too_short", "Quote the last seven words you read, or more: fewer stand in too many places."
)
QUOTE_NOT_FOUND: Final = NotLocated(
    "quote_not_found",
    "Those words were not found near where you are: check them, or say a chapter first if you are much further on.",
)
NO_PLACE_YET: Final = NotLocated("no_place_yet", "You have not said where you are yet: say a chapter first, as in 12.")
NOT_BEHIND: Final = NotLocated("not_behind", "That is not behind where you are: to move on, say it without back to.")
