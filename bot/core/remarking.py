"""What an admin may say of the chapter map, and what follows of it for the places of members. Pure.

Marking never shows anybody more than before, and so never raises a place:

- a place past a section that becomes story goes back to that section's start: nobody said that they had read it;
- a place past the new end of the story goes back to it, and nobody finishes a book by a change of its map: who had not
  finished goes back to the start of the last sentence of the story, until they say that they have finished;
- every other place stays. Who had finished before more story was added has read up to the old end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.core.book import Section, SectionKind
from bot.core.errors import Refused
from bot.core.offsets import Span

BODY = SectionKind.BODY


@dataclass(frozen=True, slots=True)
class AsRead:
    """What the file's reader took a section for, whatever has been marked since.

    ``marker`` (footnotes only) is the offset of the last marker in the body that points here, or None where none is
    proven.
    """

    kind: SectionKind
    begins_chapter: bool
    marker: int | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A section as it counts now."""

    kind: SectionKind
    begins_chapter: bool
    as_read: AsRead

    @property
    def story(self) -> bool:
        return self.kind is BODY


@dataclass(frozen=True, slots=True)
class Story:
    """Sections ``first`` to ``last`` (both in, counted from 1) are story."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class NotStory:
    """Sections ``first`` to ``last`` (both in, counted from 1) are no story."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class StoryStarts:
    """The story starts with this section: it is story, and what stands before it is not."""

    section: int


@dataclass(frozen=True, slots=True)
class StoryEnds:
    """The story ends with this section: it is story, and what stands after it is not."""

    section: int


Mark = Story | NotStory | StoryStarts | StoryEnds


def remarked(sections: Sequence[Marked], mark: Mark) -> tuple[Marked, ...]:
    """The sections, in text order, as they count after ``mark``.

    A section that is marked as story begins a chapter of its own, unless its file's reader knew it as story that does
    not. What is no story any more is what it was read as, else front matter before the story and back matter after its
    beginning. Between a new start or end and the story, sections of unknown kind are story too; introductions, notes
    and the like stay as they are. Raises `Refused` where there is no such section, or no story would be left.
    """
    marked = list(sections)
    match mark:
        case Story(first, last):
            for at in _range(first, last, len(marked)):
                marked[at] = _as_story(marked, at)
        case NotStory(first, last):
            for at in _range(first, last, len(marked)):
                marked[at] = _as_no_story(marked, at)
        case StoryStarts(section):
            (start,) = _range(section, section, len(marked))
            for at in range(start):
                marked[at] = _as_no_story(marked, at)
            _joined(marked, start, next((i for i in range(start, len(marked)) if marked[i].story), start))
        case StoryEnds(section):
            (end,) = _range(section, section, len(marked))
            _joined(marked, max((i for i in range(end + 1) if marked[i].story), default=end), end)
            for at in range(end + 1, len(marked)):
                marked[at] = _as_no_story(marked, at)
    if not any(section.story for section in marked):
        raise Refused("no_story", "A book has to have some story: mark other sections as story first.")
    return tuple(marked)


def _range(first: int, last: int, count: int) -> range:
    if not 1 <= first <= last <= count:
        raise Refused("no_such_section", f"The book has sections 1 to {count}: say one, or a range such as 2..4.")
    return range(first - 1, last)


def _joined(marked: list[Marked], first: int, last: int) -> None:
    """Make story of both ends, and of what is of unknown kind between them."""
    for at in range(first, last + 1):
        if at in {first, last} or marked[at].kind is SectionKind.UNKNOWN:
            marked[at] = _as_story(marked, at)


def _as_story(marked: Sequence[Marked], at: int) -> Marked:
    section = marked[at]
    if section.story:
        return section
    begun = any(before.story and before.begins_chapter for before in marked[:at])
    continues = begun and section.as_read.kind is BODY and not section.as_read.begins_chapter
    return replace(section, kind=BODY, begins_chapter=not continues)


def _as_no_story(marked: Sequence[Marked], at: int) -> Marked:
    section = marked[at]
    if not section.story:
        return section
    kind = section.as_read.kind
    if kind is BODY:
        kind = SectionKind.BACK if any(before.story for before in marked[:at]) else SectionKind.FRONT
    return replace(section, kind=kind, begins_chapter=False)


@dataclass(frozen=True, slots=True)
class Remarking:
    """How places follow from one map of a text to another map of the same text.

    ``added`` are the spans that become story; ``last_sentence`` is where the last sentence of the new story starts.
    Offsets count code points of the one text.
    """

    added: tuple[Span, ...]
    old_end: int
    new_end: int
    last_sentence: int

    def place(self, offset: int) -> int:
        """Where a member at ``offset`` is on the new map: never further on."""
        place = min([offset, *(span.start for span in self.added if span.start < offset)])
        if place < self.new_end:
            return place
        return self.new_end if offset >= self.old_end else min(place, self.last_sentence)


def remarking(old: Sequence[Section], new: Sequence[Section], last_sentence: int) -> Remarking:
    """``old`` and ``new`` are the sections of one text in order, with the same spans."""
    added = tuple(
        after.span for before, after in zip(old, new, strict=True) if after.kind is BODY and before.kind is not BODY
    )
    return Remarking(added, _end(old), _end(new), last_sentence)


def _end(sections: Sequence[Section]) -> int:
    return max((s.span.end for s in sections if s.kind is BODY), default=0)
