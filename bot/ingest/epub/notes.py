"""Which stretches of the text are notes: typed so, or reached from a marker and standing at a block's start."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.ingest.epub.blocks import TextWalk
from bot.ingest.epub.marks import CLASSED_NOTE
from bot.ingest.epub.places import Places

_ONE_NOTE: Final = frozenset(("footnote",))
_MANY_NOTES: Final = frozenset(("footnotes", CLASSED_NOTE))
_ENDNOTE_TYPES: Final = frozenset(("endnote", "endnotes", "rearnote", "rearnotes", "note", "notes"))
_WHOLE_PAGE: Final = frozenset(("body",))


@dataclass(frozen=True, slots=True)
class Note:
    """The stretch ``[start, end)`` of a note in the text as walked.

    ``marker`` is the offset of the last marker in the same document that points at it; None seals the note.
    """

    start: int
    end: int
    file: int
    marker: int | None


def find_notes(walk: TextWalk, places: Places) -> tuple[list[Note], dict[int, int]]:
    """The notes that stand among a document's other text, in order and disjoint; and how many notes that are pointed
    at from other documents each document holds (a file of endnotes).
    """
    markers: dict[tuple[int, int], int] = {}
    remote: dict[int, set[int]] = {}
    spans: list[tuple[int, int, int]] = []
    starts = [block.start for block in walk.blocks]
    targets = _targets(walk, places, starts)
    for (file, start, end), (refs, proven) in targets.items():
        same = [at for ref_file, at in refs if ref_file == file]
        if len(same) < len(refs):
            remote.setdefault(file, set()).add(start)
        if same:
            markers[file, start] = max(same)
        if proven and same:
            spans.append((start, end, file))
    for typed in walk.typed:
        start, end = typed.anchor.start, typed.anchor.end
        if end <= start or typed.tag in _WHOLE_PAGE or walk.files[typed.file].types & _ENDNOTE_TYPES:
            continue
        if typed.types & (_ONE_NOTE | _MANY_NOTES | _ENDNOTE_TYPES):
            whole = walk.files[typed.file].anchor
            if start <= whole.start and end >= whole.end:
                continue  # the whole document: a section of its own
            spans.append((start, end, typed.file))
    sealed = [
        (t.anchor.start, t.anchor.end) for t in walk.typed if t.types & _ENDNOTE_TYPES and t.anchor.end > t.anchor.start
    ]
    return _disjoint(spans, markers, sealed), {file: len(found) for file, found in remote.items()}


def _targets(
    walk: TextWalk, places: Places, starts: list[int]
) -> dict[tuple[int, int, int], tuple[list[tuple[int, int]], bool]]:
    """Note extents ``(file, start, end)`` -> the markers ``(file, offset)`` that point there, and if they may move."""
    found: dict[tuple[int, int, int], tuple[list[tuple[int, int]], bool]] = {}
    for ref in walk.noterefs:
        place = places.find(ref.target)
        if place is None or not place[2]:
            continue
        file, offset, _ = place
        anchor = walk.ids.get((file, ref.target.fragment))
        index = bisect_right(starts, offset) - 1
        if index < 0 or walk.blocks[index].start != offset or walk.blocks[index].file != file:
            continue  # in mid-text: the place a note links back to
        block = walk.blocks[index]
        end = max(anchor.end if anchor is not None else 0, block.end)
        inside = walk.blocks[index : bisect_right(starts, end - 1)]
        proven = not any(b.level for b in inside) and offset > ref.at.start and end - offset < 20_000
        refs, before = found.setdefault((file, block.start, end), ([], True))
        refs.append((ref.file, ref.at.start))
        found[file, block.start, end] = (refs, before and proven)
    return found


def _disjoint(
    spans: list[tuple[int, int, int]], markers: dict[tuple[int, int], int], sealed: list[tuple[int, int]]
) -> list[Note]:
    """Sorted notes; a container is cut at the notes inside it that have markers of their own."""
    covered = _Cover([(start, end) for start, end, _ in spans])
    closed = _Cover(sealed)
    files = {start: file for start, _, file in spans}
    points = {at for start, end, _ in spans for at in (start, end)}
    points |= {at for _, at in markers if covered.holds(at, at + 1)}
    notes: list[Note] = []
    file = 0
    for start, end in pairwise(sorted(points)):
        file = files.get(start, file)
        if not covered.holds(start, end):
            continue
        marker = markers.get((file, start))
        if marker is None and notes and notes[-1].end == start and start not in files:
            marker = notes[-1].marker  # a note's further paragraphs
        notes.append(Note(start, end, file, None if closed.holds(start, end) else marker))
    return notes


class _Cover:
    """The union of stretches, asked by bisection."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def holds(self, start: int, end: int) -> bool:
        """Whether ``[start, end)`` lies wholly inside."""
        at = bisect_right(self._starts, start) - 1
        return at >= 0 and end <= self._ends[at]
