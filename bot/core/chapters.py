"""The chapters of a book as numbers alone: which of them a number may mean, and how a place among them is named.

Numbering restarts, has gaps, and leaves chapters without a number. Nothing here knows a title or text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.core.book import Section, SectionKind


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: ``ordinal`` is ``#N``, ``parts`` the numbers of the divisions above it, outermost first.

    It covers ``[start, end)`` of the canonical text, in code points.
    """

    ordinal: int
    printed_number: int | None
    parts: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChapterMap:
    """What positions are worked out on. ``characters`` is the length of the canonical text in code points; the body
    begins at ``body_start`` and ends at ``body_end``; ``has_pages`` says whether the file has a page list,
    ``prints_numbers`` whether any chapter has a printed number. ``version`` goes up whenever the map is changed.

    Raises ``ValueError`` unless the chapters are numbered from 1, in order, apart and inside the text.
    """

    characters: int
    body_start: int
    body_end: int
    chapters: tuple[Chapter, ...]
    has_pages: bool = False
    version: int = 0
    prints_numbers: bool = field(init=False, repr=False, compare=False)
    _numbered_alike: frozenset[tuple[tuple[int, ...], int | None]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.body_start <= self.body_end <= self.characters:
            raise ValueError(f"no body: [{self.body_start}, {self.body_end}) of {self.characters}")
        if [c.ordinal for c in self.chapters] != list(range(1, len(self.chapters) + 1)):
            raise ValueError("chapters must be numbered from 1, in order")
        edges = [self.body_start, *(edge for c in self.chapters for edge in (c.start, c.end)), self.body_end]
        if any(later < earlier for earlier, later in pairwise(edges)):
            raise ValueError("chapters must lie apart, in order, inside the body")
        numbers = Counter((c.parts, c.printed_number) for c in self.chapters)
        alike = frozenset(number for number, count in numbers.items() if count > 1)
        object.__setattr__(self, "_numbered_alike", alike)
        object.__setattr__(self, "prints_numbers", any(c.printed_number is not None for c in self.chapters))

    @property
    def body_length(self) -> int:
        """Code points from the start of the body to its end."""
        return self.body_end - self.body_start

    def repeats(self, chapter: Chapter) -> bool:
        """Whether another chapter has the same parts and printed number."""
        return (chapter.parts, chapter.printed_number) in self._numbered_alike

    @property
    def has_parts(self) -> bool:
        """Whether any chapter stands in a part."""
        return any(c.parts for c in self.chapters)

    def percent(self, offset: int) -> int:
        """How much of the body lies before ``offset``, in percent, rounded down."""
        read = min(max(offset - self.body_start, 0), self.body_length)
        return 100 * read // self.body_length if self.body_length else 0

    def chapter(self, ordinal: int) -> Chapter | None:
        """Chapter ``#ordinal``, or None."""
        return self.chapters[ordinal - 1] if 1 <= ordinal <= len(self.chapters) else None


def chapter_map_of(sections: Sequence[Section], characters: int, has_pages: bool) -> ChapterMap:
    """The numbers of ``sections``, which partition a text of ``characters`` code points."""
    body = [s.span for s in sections if s.kind is SectionKind.BODY]
    chapters = tuple(
        Chapter(s.chapter, s.printed_number, tuple(part.number for part in s.parts), s.span.start, s.span.end)
        for s in sections
        if s.chapter is not None
    )
    start, end = (min(s.start for s in body), max(s.end for s in body)) if body else (0, 0)
    return ChapterMap(characters, start, end, chapters, has_pages)


def chapter_at(offset: int, chapter_map: ChapterMap) -> Chapter | None:
    """The chapter a reader at ``offset`` has last read in: the last that starts before it, or None."""
    before = bisect_left(chapter_map.chapters, offset, key=lambda c: c.start)
    return chapter_map.chapters[before - 1] if before else None


def finished_chapter(offset: int, chapter_map: ChapterMap) -> Chapter | None:
    """The last chapter that ends at or before ``offset``, or None."""
    ended = bisect_right(chapter_map.chapters, offset, key=lambda c: c.end)
    return chapter_map.chapters[ended - 1] if ended else None


def chapter_name(chapter: Chapter, chapter_map: ChapterMap) -> str:
    """The chapter by its numbers: "part 2, chapter 3", "chapter 12", or "chapter #5" where it prints none.

    Two chapters of a book never share a name: where part and printed number repeat, the ordinal is added.
    """
    if chapter.printed_number is None:
        return f"chapter #{chapter.ordinal}" if chapter_map.prints_numbers else f"chapter {chapter.ordinal}"
    part = f"part {'.'.join(map(str, chapter.parts))}, " if chapter.parts else ""
    return f"{part}chapter {chapter.printed_number}" + (
        f" (#{chapter.ordinal})" if chapter_map.repeats(chapter) else ""
    )


def place_name(offset: int, chapter_map: ChapterMap) -> str:
    """Where a reader at ``offset`` is, no more exactly than by chapter.

    "nothing yet", "the end of chapter 6", "chapter 7, in progress" or "the end of the book".
    """
    chapter = chapter_at(offset, chapter_map)
    if chapter_map.body_length and offset >= chapter_map.body_end:
        return "the end of the book"
    if chapter is None:
        return "nothing yet"
    name = chapter_name(chapter, chapter_map)
    return f"the end of {name}" if chapter.end <= offset else f"{name}, in progress"


@dataclass(frozen=True, slots=True)
class Meant:
    """A chapter that a number may mean.

    ``whole`` is false where the number covers only a beginning of it (its own heading was never found, so it stands
    inside the chapter before). ``printed`` is false where the number is not the one the book prints.
    """

    chapter: Chapter
    whole: bool = True
    printed: bool = True


def numbered(number: int, chapters: Sequence[Chapter]) -> list[Meant]:
    """Every chapter of ``chapters`` (in order) that ``number`` may mean.

    Those that print it; where none does, the ``number``-th, and, where the printed numbers skip it, the chapter before
    the gap, in which it then must stand.
    """
    if printed := [Meant(c) for c in chapters if c.printed_number == number]:
        return printed
    counted = [Meant(chapters[number - 1], printed=False)] if 1 <= number <= len(chapters) else []
    return [*_before_gaps(number, chapters), *counted]


def _before_gaps(number: int, chapters: Sequence[Chapter]) -> Iterator[Meant]:
    printed = [(i, c, c.printed_number) for i, c in enumerate(chapters) if c.printed_number is not None]
    for (i, before, low), (j, after, high) in pairwise(printed):
        unnumbered_fill_it = j - i >= high - low
        if before.parts == after.parts and low < number < high and not unnumbered_fill_it:
            yield Meant(before, whole=j == i + 1 and high == number + 1, printed=False)


def hides_a_chapter(chapter: Chapter, chapters: Sequence[Chapter]) -> bool:
    """Whether the next printed number skips one that no unnumbered chapter stands for: its heading was not found, and
    it stands inside ``chapter``.
    """
    if chapter.printed_number is None or chapter.ordinal >= len(chapters):
        return False
    following = chapters[chapter.ordinal]
    skipped = (following.printed_number or 0) > chapter.printed_number + 1
    return skipped and following.parts == chapter.parts


def under(parts: Sequence[int], chapters: Sequence[Chapter]) -> list[list[Chapter]]:
    """The chapters under ``parts``, a list for each division it may mean.

    The numbers of ``parts`` must stand in a chapter's path in that order, at any levels: in a novel of volumes and
    books, "book 2" is the second book of every volume, and the second volume.
    """
    divisions: dict[tuple[int, ...], list[Chapter]] = {}
    for chapter in chapters:
        for depth in range(len(chapter.parts)):
            path = chapter.parts[: depth + 1]
            if path[-1] == parts[-1] and _in_order(parts, path):
                divisions.setdefault(path, []).append(chapter)
    return list(divisions.values())


def _in_order(wanted: Sequence[int], path: Sequence[int]) -> bool:
    levels = iter(path)
    return all(number in levels for number in wanted)
