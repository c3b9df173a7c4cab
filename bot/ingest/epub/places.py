"""Where the entries of the book's tables lead in its text."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from dataclasses import dataclass

from bot.ingest.epub.blocks import TextWalk
from bot.ingest.epub.package import Target
from bot.ingest.epub.toc import Navigation, TocEntry
from bot.ingest.headings import parse_heading

_SPLIT_PIECE = re.compile(r"[_-]?split[_-]?\d+(?=\.[^./]+$)|(?<=\D)\d+(?=\.[^./]+$)", re.I)


@dataclass(frozen=True, slots=True)
class PlacedEntry:
    """An entry and where it leads: ``offset`` into the text as walked, ``file`` its document.

    ``parents`` are the indices (in the list of placed entries) of the entries it is nested under, outermost first.
    """

    title: str
    depth: int
    file: int
    offset: int
    anchored: bool
    parents: tuple[int, ...] = ()


class Places:
    """Finds the offset of a link's target in the walked text.

    Files are matched exactly, then after NFC and case folding, then by a unique base name; ids exactly, then without
    regard to case, then the file's start.
    """

    def __init__(self, walk: TextWalk) -> None:
        self.walk = walk
        self._files: dict[str, int] = {}
        bases: dict[str, list[int]] = {}
        for number, file in enumerate(walk.files):
            self._files.setdefault(_folded(file.path), number)
            bases.setdefault(_folded(posixpath.basename(file.path)), []).append(number)
        self._bases = {base: numbers[0] for base, numbers in bases.items() if len(numbers) == 1}
        self._ids = {(file, name.casefold()): (file, name) for file, name in reversed(walk.ids)}
        self._stems = [_SPLIT_PIECE.sub("", file.path) for file in walk.files]

    def file(self, path: str) -> int | None:
        """The index of a document, or None."""
        folded = _folded(path)
        found = self._files.get(folded)
        return found if found is not None else self._bases.get(posixpath.basename(folded))

    def find(self, target: Target) -> tuple[int, int, bool] | None:
        """(file, offset, whether an id was found) of a target, or None where the file is not in the book."""
        number = self.file(target.path)
        if number is None:
            return None
        key = self._key(number, target.fragment)
        anchor = self.walk.ids[key] if key else self.walk.files[number].anchor
        return number, anchor.start, key is not None

    def _key(self, file: int, name: str) -> tuple[int, str] | None:
        if not name:
            return None
        return (file, name) if (file, name) in self.walk.ids else self._ids.get((file, name.casefold()))

    def first_pieces(self, file: int, fragment: str) -> list[int]:
        """The documents split off before ``file`` that repeat the same id, nearest first (Calibre repeats them)."""
        pieces = []
        while file > 0 and self._stems[file - 1] == self._stems[file] and self._key(file - 1, fragment):
            file -= 1
            pieces.append(file)
        return pieces


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def place_entries(entries: tuple[TocEntry, ...], places: Places) -> list[PlacedEntry]:
    """Entries in the order of the text (the spine wins over the table), each knowing those it is nested under.

    A label without a link stands where the first entry below it does. Entries that lead nowhere are left out.
    """
    found: list[tuple[int, TocEntry, tuple[int, int, bool]]] = []
    targets = {place[0] for e in entries if e.target and (place := places.find(e.target)) and not place[2]}
    named_in: dict[str, set[int]] = {}
    for entry in entries:
        if entry.target and (number := places.file(entry.target.path)) is not None and entry.target.fragment:
            named_in.setdefault(entry.target.fragment, set()).add(number)
    for index, entry in enumerate(entries):
        linked = entry if entry.target else _first_below(entries, index)
        place = places.find(linked.target) if linked is not None and linked.target is not None else None
        if place is not None and linked is not None and linked.target is not None:
            place = _first_piece(place, linked.target.fragment, places, targets, named_in)
            found.append((index, entry, place))
    order = sorted(range(len(found)), key=lambda i: (found[i][2][1], found[i][2][0], found[i][1].depth, found[i][0]))
    position = {found[i][0]: at for at, i in enumerate(order)}
    chains: dict[int, tuple[int, ...]] = {}
    stack: list[tuple[int, int]] = []
    for index, entry, _ in found:
        while stack and stack[-1][1] >= entry.depth:
            stack.pop()
        chains[index] = tuple(position[above] for above, _ in stack)
        stack.append((index, entry.depth))
    placed = []
    for i in order:
        index, entry, (file, offset, anchored) = found[i]
        placed.append(PlacedEntry(entry.title, entry.depth, file, offset, anchored, chains[index]))
    return placed


def _first_below(entries: tuple[TocEntry, ...], index: int) -> TocEntry | None:
    for entry in entries[index + 1 :]:
        if entry.depth <= entries[index].depth:
            return None
        if entry.target is not None:
            return entry
    return None


def _first_piece(
    place: tuple[int, int, bool],
    fragment: str,
    places: Places,
    whole_files: set[int],
    named_in: dict[str, set[int]],
) -> tuple[int, int, bool]:
    """Where a repeated id stands first, going back over pieces that no other entry names."""
    file, offset, anchored = place
    if not anchored:
        return place
    for piece in places.first_pieces(file, fragment):
        if piece in named_in.get(fragment, ()):
            break
        found = places.find(Target(places.walk.files[piece].path, fragment))
        if found is None:
            break
        file, offset, anchored = found
        if piece in whole_files:
            break
    return file, offset, anchored


def numbered(entries: tuple[TocEntry, ...] | list[PlacedEntry]) -> int:
    """How many entries are numbered chapters by their titles."""
    headings = (parse_heading(entry.title) for entry in entries)
    return sum(1 for h in headings if h is not None and h.number is not None and not h.is_part)


def choose_toc(navigation: Navigation, places: Places) -> list[PlacedEntry]:
    """The EPUB 3 table, unless the NCX names clearly more numbered chapters or the first leads nowhere."""
    nav = place_entries(navigation.nav, places)
    ncx = place_entries(navigation.ncx, places)
    if not nav:
        return ncx
    more = numbered(ncx)
    if more >= 3 and more > 1.5 * numbered(nav):
        return ncx
    return ncx if len(ncx) >= 3 and len({e.offset for e in nav}) < 3 and len(ncx) > 2 * len(nav) else nav
