"""Where a member is: a statement and the numbers of a book give an offset, rounded down. Pure, and blind to text.

A position is the first code point not read. Where a place hangs on words of the book (a quotation, a page label, a
title) or on its paragraphs, `lookup_for` names the look-up; its answer is offsets and numbers only (`Found`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from bot.core.chapters import (
    Chapter,
    ChapterMap,
    Meant,
    chapter_at,
    chapter_map_of,
    chapter_name,
    finished_chapter,
    hides_a_chapter,
    numbered,
    place_name,
    under,
)
from bot.core.places import (
    NO_CHAPTER_IN_PART,
    NO_CHAPTERS,
    NO_PAGES,
    NO_PARTS,
    NO_PLACE_YET,
    NO_SUCH_PAGE,
    NO_SUCH_PART,
    NO_SUCH_PERCENT,
    NOT_BEHIND,
    NOT_UNDERSTOOD,
    PART_ALONE,
    QUOTE_NOT_FOUND,
    QUOTE_TOO_SHORT,
    Candidate,
    Found,
    Kind,
    Located,
    Lookup,
    NotLocated,
    PageLookup,
    Place,
    QuoteLookup,
    Standing,
    TitleLookup,
    Unclear,
    at,
    candidate_at,
    candidate_label,
    choice,
    host_standing,
    no_chapter,
    one,
    past_end,
    standing,
)
from bot.core.statements import (
    BackTo,
    ChapterSaid,
    ChaptersOn,
    Forward,
    NotStarted,
    NotUnderstood,
    OffsetSaid,
    PageSaid,
    PartSaid,
    PercentSaid,
    PlainNumber,
    QuoteSaid,
    Same,
    Statement,
    TitleSaid,
    Whole,
    is_plain,
    parse,
)

__all__ = [
    "Candidate", "Chapter", "ChapterMap", "Found", "Kind", "Located", "Lookup", "NotLocated", "PageLookup",
    "Place", "PlainNumber", "QuoteLookup", "Standing", "Statement", "TitleLookup", "Unclear",
    "candidate_label", "chapter_at", "chapter_map_of", "chapter_name", "finished_chapter", "host_standing", "is_plain",
    "locate", "lookup_for", "parse", "place_name", "standing",
]  # fmt: skip

PERCENT_MARGIN: Final = 3
"""Points by which an app's percentage may run ahead of ours (INGEST 4.2: +3.3 at worst over 24 novels)."""
LONG_CHAPTER: Final = 10
"""Points of the body: inside a chapter longer than this a percentage counts as it is, else from its start."""


def lookup_for(statement: Statement, chapter_map: ChapterMap, who: Standing) -> Lookup | None:
    """The look-up whose answer `locate` needs, if any."""
    match statement.place if isinstance(statement, BackTo) else statement:
        case QuoteSaid() as quote if quote.long_enough:
            return QuoteLookup(quote.words, who.horizon)
        case PageSaid(label) if chapter_map.has_pages:
            return PageLookup(label)
        case TitleSaid(titles):
            return TitleLookup(titles, who.reached)
        case _:
            return None


def locate(statement: Statement, chapter_map: ChapterMap, found: Found, who: Standing) -> Place:
    """The place that ``statement`` means, rounded down. ``found`` answers `lookup_for`, and is empty where it is None.

    A function of numbers: of ``statement`` it uses numbers and kinds, never words.
    """
    if isinstance(statement, BackTo):
        return _behind(_forward(statement.place, chapter_map, found, who), chapter_map, who)
    return _forward(statement, chapter_map, found, who)


def _forward(said: Forward, chapter_map: ChapterMap, found: Found, who: Standing) -> Place:
    match said:
        case ChapterSaid():
            return _chapter(said, chapter_map, who)
        case PartSaid():
            return _part(said, chapter_map, who)
        case PageSaid() | PercentSaid() | QuoteSaid() | TitleSaid():
            return _looked_up(said, chapter_map, found, who)
        case NotUnderstood():
            return NOT_UNDERSTOOD
        case _:
            return _told(said, chapter_map, who)


def _looked_up(
    said: PageSaid | PercentSaid | QuoteSaid | TitleSaid, chapter_map: ChapterMap, found: Found, who: Standing
) -> Place:
    match said:
        case PageSaid():
            return _page(chapter_map, found)
        case PercentSaid(percent):
            return _percent(percent, chapter_map)
        case QuoteSaid():
            return _quote(said, chapter_map, found, who)
        case TitleSaid():
            return _title(said, chapter_map, found, who)


def _told(said: OffsetSaid | ChaptersOn | Same | Whole | NotStarted, chapter_map: ChapterMap, who: Standing) -> Place:
    match said:
        case OffsetSaid(offset):
            return past_end(chapter_map) if offset > chapter_map.characters else one(offset, chapter_map, Kind.OFFSET)
        case ChaptersOn(chapters):
            return _chapters_on(chapters, chapter_map, who)
        case Same():
            return NO_PLACE_YET if who.current is None else one(who.current, chapter_map, Kind.SAME)
        case Whole():
            return one(chapter_map.body_end, chapter_map, Kind.FINISHED)
        case NotStarted():
            return one(0, chapter_map, Kind.NONE)


def _chapter(said: ChapterSaid, chapter_map: ChapterMap, who: Standing) -> Place:
    if not said.exact and len(chapter_map.chapters) == 1 and chapter_map.chapters[0].printed_number is None:
        return NO_CHAPTERS
    if said.exact:
        chapter = chapter_map.chapter(said.number)
        if chapter is None:
            return no_chapter(said.number, chapter_map)
        offset = chapter.start if said.extent is PlainNumber.IN else chapter.end
        return choice([candidate_at(offset, chapter, chapter_map)], chapter_map, Kind.CHAPTER)
    divisions = under(said.parts, chapter_map.chapters) if said.parts else [chapter_map.chapters]
    if not divisions:
        return NO_SUCH_PART if chapter_map.has_parts else NO_PARTS
    meant = [m for chapters in divisions for m in numbered(said.number, chapters)]
    printed = [m for m in meant if m.printed] or meant
    if not printed:
        return no_chapter(said.number, chapter_map) if not said.parts else NO_CHAPTER_IN_PART
    finished = (said.extent or who.plain) is PlainNumber.FINISHED
    candidates = [
        candidate_at(offset, m.chapter, chapter_map) for m in printed for offset in _extents(m, finished, chapter_map)
    ]
    exact = printed[0].printed or all(c.printed_number is None for c in chapter_map.chapters)
    note = "" if exact else ", counted from the start" + (" of the part" if said.parts else "")
    return choice(candidates, chapter_map, Kind.CHAPTER, exact, note)


def _extents(meant: Meant, finished: bool, chapter_map: ChapterMap) -> tuple[int, ...]:
    """Where a reader of a chapter may be: at its start too where it may hold another whose heading was not found."""
    chapter = meant.chapter
    if not finished or not meant.whole:
        return (chapter.start,)
    hidden = meant.printed and hides_a_chapter(chapter, chapter_map.chapters)
    return (chapter.start, chapter.end) if hidden else (chapter.end,)


def _part(said: PartSaid, chapter_map: ChapterMap, who: Standing) -> Place:
    if not chapter_map.has_parts:  # the book calls its chapters so
        return _chapter(ChapterSaid(said.parts[-1], (), said.extent), chapter_map, who)
    return PART_ALONE if under(said.parts, chapter_map.chapters) else NO_SUCH_PART


def _page(chapter_map: ChapterMap, found: Found) -> Place:
    if not chapter_map.has_pages:
        return NO_PAGES
    if not found.offsets:
        return NO_SUCH_PAGE
    offsets = [min(offset, chapter_map.body_end) for offset in found.offsets]
    certain = offsets[0] < chapter_map.body_end  # a page after the story does not say that the story was read
    return choice((at(offset, chapter_map) for offset in offsets), chapter_map, Kind.PAGE, certain)


def _raw(percent: Fraction, chapter_map: ChapterMap) -> int:
    share = max(percent - PERCENT_MARGIN, Fraction(0)) / 100
    of_text = int(chapter_map.characters * share)
    return min(of_text, chapter_map.body_start + int(chapter_map.body_length * share), chapter_map.body_end)


def _holding(offset: int, chapter_map: ChapterMap) -> Chapter | None:
    return next((c for c in reversed(chapter_map.chapters) if c.start <= offset), None)


def _is_long(chapter: Chapter, chapter_map: ChapterMap) -> bool:
    long = (chapter.end - chapter.start) * 100 > chapter_map.body_length * LONG_CHAPTER
    return long or len(chapter_map.chapters) == 1


def floored(raw: int, chapter_map: ChapterMap) -> int:
    """A place that was worked out by measuring, as a place that holds: the start of its chapter, or inside a long one
    the place itself."""
    chapter = _holding(raw, chapter_map)
    if chapter is None:
        return min(raw, chapter_map.body_start)
    if chapter.end <= raw:
        return chapter.end
    return raw if _is_long(chapter, chapter_map) else chapter.start


def _percent(percent: Fraction, chapter_map: ChapterMap) -> Place:
    """The chapter's start, or inside a long one the place itself: the paragraphs of unread text have no say, and the
    door admits whole sentences only."""
    if not 0 <= percent <= 100:
        return NO_SUCH_PERCENT
    if percent == 100:
        return one(chapter_map.body_end, chapter_map, Kind.FINISHED, certain=False)
    offset = floored(_raw(percent, chapter_map), chapter_map)
    note = f", rounded down from {float(percent):g}% so that nothing unread is shown"
    return choice([at(offset, chapter_map)], chapter_map, Kind.PERCENT, note=note)


def _quote(said: QuoteSaid, chapter_map: ChapterMap, found: Found, who: Standing) -> Place:
    if not said.long_enough:
        return QUOTE_TOO_SHORT
    near = [min(offset, chapter_map.body_end) for offset in found.offsets if offset <= who.horizon]
    if not near:
        return QUOTE_NOT_FOUND
    return choice((at(offset, chapter_map) for offset in near), chapter_map, Kind.QUOTE, found.exact)


def _title(said: TitleSaid, chapter_map: ChapterMap, found: Found, who: Standing) -> Place:
    named = [c for o in found.chapters if (c := chapter_map.chapter(o)) and c.start < who.reached]
    if not named:
        return NOT_UNDERSTOOD
    finished = said.extent is PlainNumber.FINISHED
    candidates = (candidate_at(c.end if finished else c.start, c, chapter_map) for c in named)
    return choice(candidates, chapter_map, Kind.TITLE)


def _chapters_on(chapters: int, chapter_map: ChapterMap, who: Standing) -> Place:
    if who.current is None:
        return NO_PLACE_YET
    done = finished_chapter(who.current, chapter_map)
    target = (done.ordinal if done else 0) + chapters
    if target > len(chapter_map.chapters):
        return past_end(chapter_map)
    chapter = chapter_map.chapter(target)
    return one(chapter.end if chapter else 0, chapter_map, Kind.RELATIVE)


def _behind(place: Place, chapter_map: ChapterMap, who: Standing) -> Place:
    if isinstance(place, NotLocated) or who.current is None:
        return place
    behind = [c for c in place.candidates if c.offset <= who.current]
    if not behind:
        return NOT_BEHIND
    if len(behind) == len(place.candidates):
        return place
    return choice(behind, chapter_map, place.kind)
