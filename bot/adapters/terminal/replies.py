"""What the terminal club shows: lines in clear, and lines that a chat would cover."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """One line of a reply. ``covered`` is what a chat platform would show behind a spoiler tag."""

    text: str
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """Lines for the room, or for one member alone (``only`` is their name)."""

    lines: tuple[Shown, ...]
    only: str | None = None

    @property
    def plain(self) -> list[Shown]:
        """The lines with a first one that says who sees them, where that is one member."""
        first = () if self.only is None else (Shown(f"(only {self.only} sees this)"),)
        return [*first, *self.lines]


def clear(*lines: str, only: str | None = None) -> Reply:
    """A reply in clear."""
    return Reply(tuple(Shown(line) for line in lines), only)


def covered(first: str, hidden: Iterable[str], *after: str) -> Reply:
    """A reply to the room: a neutral first line, what is covered, and what stands below it in clear."""
    return Reply((Shown(first), *(Shown(line, covered=True) for line in hidden), *(Shown(line) for line in after)))


def barred(shown: Shown) -> str:
    """A line as a pipe prints it: what is covered stands between double bars, and has none inside."""
    if not shown.covered:
        return shown.text
    return "||" + shown.text.replace("|", "¦") + "||"
