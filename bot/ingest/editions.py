"""Where somebody is in another file of the same book: found by the words they read, and never further on.

Files are compared by the folded letters of their prose: headings and typography have no say. What the new file has
and the old one had not is not counted as read, nor is anything after it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from bot.core.book import BookText, SectionKind
from bot.core.chapters import Chapter, ChapterMap, chapter_at, chapter_map_of
from bot.core.folding import folded
from bot.core.offsets import Span
from bot.ingest.sentences import split_sentences

FEWEST_LETTERS: Final = 24
"""Folded letters, about five words: who has read fewer is at the start."""
PIECE: Final = 40
"""Folded letters, about eight words: the new text is looked for in the old one piece by piece."""
CORRECTED: Final = 120
"""Folded letters, about a sentence: so much at once may be other words and still count as read."""
_NEAR: Final = 4000
"""Letters past the last piece: there the next one is looked for first."""


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


@dataclass(frozen=True)
class Editions:
    """Two files of one book, the one that was read and the one that takes its place.

    A place hangs on what was read of the old file and on the new one up to that place, on nothing that comes later; but
    that they have nothing in common is said of the whole new file.
    """

    old: Prose
    new: Prose
    _known: dict[int, int] = field(default_factory=dict)

    def carried(self, offset: int) -> int:
        """Where in the new file somebody is who was at ``offset`` of the old one.

        By their last words read, as far as all before them in the new file is of what they read. Where the two have
        nothing of that in common (a translation): the start of the chapter of the same number, unless that comes later
        among the chapters than it did; else the start of the book.
        """
        if offset not in self._known:
            self._known[offset] = self._carried(offset)
        return self._known[offset]

    def _carried(self, offset: int) -> int:
        read = self.old.read(offset)
        if read < FEWEST_LETTERS:
            return 0
        if common := self._common(read):
            finished = offset >= self.old.chapter_map.body_end and len(self.new.letters) - common <= CORRECTED
            return self.new.chapter_map.body_end if finished else self.new.place(common)
        chapter = self._same_chapter(chapter_at(offset, self.old.chapter_map))
        if chapter is None:
            return 0
        anywhere = range(0, len(self.new.letters) - PIECE + 1, 10 * PIECE)
        return 0 if any(self._stands(at, 0, read) >= 0 for at in anywhere) else chapter.start

    def _common(self, read: int) -> int:
        """How many letters the new text has until it has more than a correction that is not, in the same order, of the
        ``read`` letters of the old one."""
        new = old = 0
        for at in range(0, len(self.new.letters) - PIECE + 1, PIECE):
            if (there := self._stands(at, old, read)) >= 0:
                new, old = at + PIECE, there + PIECE
            elif at + PIECE - new > CORRECTED:
                break
        while new and old < read and self.new.letters[new : new + 1] == self.old.letters[old]:
            new, old = new + 1, old + 1
        return new

    def _stands(self, at: int, after: int, read: int) -> int:
        """Where the new text's piece at ``at`` stands in the old letters from ``after`` to ``read``, or -1."""
        piece = self.new.letters[at : at + PIECE]
        near = self.old.letters.find(piece, after, min(read, after + _NEAR))
        return near if near >= 0 else self.old.letters.find(piece, after, read)

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
