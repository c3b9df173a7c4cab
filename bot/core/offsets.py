"""Places in the canonical text.

Every offset counts Unicode code points of the canonical text (NFC, ``\\n`` line ends); every span is half-open.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The half-open stretch ``[start, end)`` of the canonical text, in code points.

    Raises ``ValueError`` when it is negative or runs backwards.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"no span: [{self.start}, {self.end})")

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, offset: int) -> bool:
        return self.start <= offset < self.end

    def covers(self, other: Span) -> bool:
        """Whether ``other`` lies wholly inside."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one code point."""
        return self.start < other.end and other.start < self.end

    def of(self, text: str) -> str:
        """The stretch of ``text`` that this span names."""
        return text[self.start : self.end]
