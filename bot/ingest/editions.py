"""Where somebody is in another file of the same book: found by their last words read, and never further on.

Files are compared by the folded letters of their prose: headings and typography have no say. What the new file has
and the old one had not is not counted as read, nor is anything after it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final

from bot.core.book import BookText, SectionKind
from bot.core.chapters import Chapter, ChapterMap, chapter_at, chapter_map_of
from bot.core.folding import folded
from bot.core.offsets import Span
from bot.ingest.sentences import split_sentences

LAST_LETTERS: Final = 60
"""Folded letters, about twelve words: so many last letters read are looked for."""
FEWEST_LETTERS: Final = 24
"""Who has read fewer is at the start."""
FURTHER_BACK: Final = 3000
"""So many letters back the last words are looked for, where those at the very place were changed."""
_STEP: Final = 20
ANCHOR: Final = 40
ANCHOR_EVERY: Final = 200
"""Folded letters: stretches of the new text, so long and so far apart, are looked for in the old one."""
INSERTED: Final = 80
"""Folded letters: where the new text is longer by more than this between two anchors, it has something new."""


@dataclass(frozen=True)
class Prose:
    """The prose of a book's story as folded letters, and the places of its sentences.

    ``ends[i]`` is how many letters there are up to the end of ``sentences[i]``; ``sections[i]`` is its section's span.
    """

    text: str
    letters: str
    ends: tuple[int, ...]
    sentences: tuple[Span, ...]
    sections: tuple[Span, ...]
    chapter_map: ChapterMap

    def read(self, offset: int) -> int:
        """How many letters stand before ``offset``."""
        at = bisect_right(self.sentences, offset, key=lambda s: s.start) - 1
        if at < 0:
            return 0
        span, before = self.sentences[at], self.ends[at - 1] if at else 0
        return before + min(self.ends[at] - before, len(folded(self.text[span.start : min(offset, span.end)])))

    def place(self, letters: int) -> int:
        """The offset at which so many letters have surely been read: a sentence's start, or a section's end."""
        if letters >= len(self.letters):
            return self.chapter_map.body_end
        at = bisect_right(self.ends, letters)  # of which something is still unread
        if at == 0:
            return 0
        if self.sections[at] != self.sections[at - 1] and letters >= self.ends[at - 1]:
            return self.sections[at - 1].end
        return self.sentences[at].start


def prose_of(book: BookText, language: str) -> Prose:
    """The prose of ``book``'s story; headings are left out."""
    sentences, sections, letters = [], [], []
    for section in book.sections:
        if section.kind is not SectionKind.BODY:
            continue
        inside = section.heading_end < section.span.end
        for sentence in split_sentences(book.text, section, language):
            if (own := folded(sentence.span.of(book.text))) and (
                sentence.span.start >= section.heading_end or not inside
            ):
                sentences.append(sentence.span)
                sections.append(section.span)
                letters.append(own)
    return Prose(
        book.text,
        "".join(letters),
        tuple(accumulate(map(len, letters))),
        tuple(sentences),
        tuple(sections),
        chapter_map_of(book.sections, len(book.text), bool(book.pages)),
    )


@dataclass(frozen=True, slots=True)
class Matched:
    """The same stretch in both texts ends after so many letters of each."""

    new: int
    old: int


@dataclass(frozen=True)
class Editions:
    """Two files of one book, the one that was read and the one that takes its place."""

    old: Prose
    new: Prose
    _known: dict[int, int] = field(default_factory=dict)

    def carried(self, offset: int) -> int:
        """Where in the new file somebody is who was at ``offset`` of the old one.

        By their last words read, where these stand in one place only in both; else the start of the chapter of the same
        number, unless that comes later among the chapters than it did; else the start of the book.
        """
        if offset not in self._known:
            self._known[offset] = self._carried(offset)
        return self._known[offset]

    def _carried(self, offset: int) -> int:
        read = self.old.read(offset)
        if read < FEWEST_LETTERS:
            return 0
        if matched := self._by_words(read):
            return self.new.place(self._common(read, matched.new, matched))
        chapter = self._same_chapter(chapter_at(offset, self.old.chapter_map))
        if chapter is None:
            return 0
        before = self.new.read(chapter.start)
        common = self._common(read, before)
        return chapter.start if common == before else self.new.place(common)

    def _by_words(self, read: int) -> Matched | None:
        """Where the last letters read stand in both texts, or the last before them that stand in one place only."""
        for end in range(read, max(read - FURTHER_BACK, FEWEST_LETTERS - 1), -_STEP):
            words = self.old.letters[max(0, end - LAST_LETTERS) : end]
            at = self.new.letters.find(words)
            if at >= 0 and _once(words, self.new.letters, at) and _once(words, self.old.letters, end - len(words)):
                return Matched(at + len(words), end)
        return None

    @cached_property
    def _anchors(self) -> tuple[Matched, ...]:
        """Where stretches of the new text end in both texts, in order in both."""
        return tuple(self._found())

    def _found(self) -> Iterator[Matched]:
        last = 0
        for at in range(0, len(self.new.letters) - ANCHOR + 1, ANCHOR_EVERY):
            stretch = self.new.letters[at : at + ANCHOR]
            there = self.old.letters.find(stretch, last)
            if there >= 0 and _once(stretch, self.old.letters, there):
                last = there
                yield Matched(at + ANCHOR, there + ANCHOR)

    def _common(self, read: int, end: int, *matched: Matched) -> int:
        """How many of the first ``end`` letters of the new text are of the ``read`` letters of the old one, up to the
        first that are not: there the new text is longer, or goes on with what stands later in the old one.
        """
        new = old = 0
        for anchor in (*(a for a in self._anchors if a.new <= end), *matched):
            if anchor.old > read or (anchor.new - new) - (anchor.old - old) > INSERTED:
                return new
            new, old = anchor.new, anchor.old
        return end

    def _same_chapter(self, chapter: Chapter | None) -> Chapter | None:
        """The new file's chapter of the same number, if it is no further on among the chapters."""
        if chapter is None:
            return None
        old, new = self.old.chapter_map, self.new.chapter_map
        if chapter.printed_number is not None:
            same = [c for c in new.chapters if (c.parts, c.printed_number) == (chapter.parts, chapter.printed_number)]
        else:
            counted = new.chapter(chapter.ordinal) if len(old.chapters) == len(new.chapters) else None
            same = [counted] if counted else []
        return next((c for c in same if c.ordinal <= chapter.ordinal), None)


def _once(words: str, letters: str, at: int) -> bool:
    return letters.find(words, at + 1) < 0 and letters.find(words) == at
