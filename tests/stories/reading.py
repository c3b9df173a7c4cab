"""What of the book stands in a text, and how far somebody has read by what they said themselves: apart from the
program, and never too little.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from tests.stories.book import BOOK, CHAPTERS, NAMES, TITLES

RUN: Final = 4
"""So many words of the book in a row are text of the book."""
SETTLED: Final = 5.0
"""Seconds after which nothing is on its way any more that was checked before somebody went back, or joined."""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _placed(text: str) -> Iterator[tuple[str, int]]:
    """The words of a text, each with the offset of its end."""
    return ((found[0].casefold(), found.end()) for found in re.finditer(r"\w+", text))


def strings(value: Any) -> Iterator[str]:
    """Every string anywhere within JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)


def runs(text: str, length: int = RUN) -> set[tuple[str, ...]]:
    said = words(text)
    return {tuple(said[at : at + length]) for at in range(len(said) - length + 1)}


def _first_met() -> dict[tuple[str, ...], int]:
    """Every run of words of the book, and all its names and titles, with the offset at which it has first been read."""
    met: dict[tuple[str, ...], int] = {}
    placed = list(_placed(BOOK))
    own = {word for name in NAMES for word in words(name)}
    whole = [tuple(words(name)) for name in (*NAMES, *TITLES)]
    for length in sorted({1, RUN, *map(len, whole)}):
        for at in range(len(placed) - length + 1):
            run = tuple(word for word, _ in placed[at : at + length])
            if length == RUN or run in whole or (length == 1 and run[0] in own):
                met.setdefault(run, placed[at + length - 1][1])
    return met


MET: Final = _first_met()
_LENGTHS: Final = sorted({len(run) for run in MET})
ENDS: Final = (0, *(BOOK.index(f"Chapter {n}:") for n in range(2, CHAPTERS + 1)), len(BOOK))
"""The offset at which each chapter, by its number, has been read."""


def found_in(text: str) -> dict[tuple[str, ...], int]:
    """What of the book stands in a text, each with the offset at which it has first been read."""
    said = words(text)
    tried = (tuple(said[at : at + n]) for n in _LENGTHS for at in range(len(said) - n + 1))
    return {run: MET[run] for run in tried if run in MET}


def beyond(text: str, offset: int, but: Collection[tuple[str, ...]] = ()) -> list[str]:
    """What stands in a text that has not been read at an offset."""
    return [" ".join(run) for run, met in found_in(text).items() if met > offset and run not in but]


def meant(statement: str) -> int:
    """The furthest offset that a statement of a place can mean."""
    said = statement.strip().casefold()
    if said in {"none", "0"}:
        return 0
    if (percent := re.fullmatch(r"(\d+)\s*%", said)) is not None:
        return len(BOOK) * int(percent[1]) // 100
    number = re.fullmatch(r"(?P<within>in )?(?:finished |back to |ch(?:apter|\.)? )*#?(?P<n>\d+)", said)
    if number is None or int(number["n"]) > CHAPTERS:
        return len(BOOK)
    n = int(number["n"])
    return ENDS[n] if number["within"] is None else ENDS[n - 1] + len(f"Chapter {n}: {TITLES[n - 1]}")


def chosen(value: str) -> int:
    """The furthest offset that a place can mean which was chosen from those offered."""
    offset, chapter, *_ = map(int, value.split("-"))
    return max(offset, ENDS[chapter] if 0 < chapter <= CHAPTERS else 0)


@dataclass
class Reach:
    """What somebody said in one club, in order: when it counts, and the furthest offset that was meant."""

    times: list[float] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)

    def said(self, at: float, offset: int) -> None:
        self.times.append(max([at, *self.times[-1:]]))
        self.offsets.append(offset)

    def undone(self, at: float) -> None:
        """They took back what they said: what counts is something that they said before."""
        self.said(at, max([0, *self.offsets]))

    def reach(self, at: float) -> int:
        """The furthest that counts at a time, or has until a moment before."""
        last = bisect_right(self.times, at)
        since = bisect_right(self.times, at - SETTLED)
        return max([0, *self.offsets[max(0, since - 1) : last]])
