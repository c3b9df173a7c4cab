"""Holding evidence is the proof: what is held was admitted under a boundary."""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.boundary import Boundary
from bot.core.errors import SpoilerLeak
from bot.core.offsets import Span


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """One sentence of a passage as it came through the door: its span (code points), its text, its ``revealed_at``."""

    span: Span
    text: str
    revealed_at: int
    paragraph_start: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage, or the read part of the one that straddles the boundary.

    ``chapter`` is ``#N`` of the chapter it stands in, or None outside chapters. ``text`` equals the canonical text at
    ``span``; ``sentences`` are its sentences in order.
    """

    ordinal: int
    chapter: int | None
    span: Span
    revealed_at: int
    text: str
    sentences: tuple[ReadSentence, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage admitted under a boundary.

    Raises `SpoilerLeak` if the passage, or a sentence of it, reaches past the boundary.
    """

    boundary: Boundary
    passage: Passage
    found_by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        reach = max((self.passage.revealed_at, *(s.revealed_at for s in self.passage.sentences)))
        if not self.boundary.admits(reach):
            raise SpoilerLeak(
                f"book {self.boundary.book}: passage {self.passage.ordinal} is revealed at {reach}, "
                f"the boundary is {self.boundary.offset}"
            )
