"""What the terminal club shows: lines in clear, and lines that a chat would cover."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.adapters import wording

Holds = Callable[[], Awaitable[bool]]
"""Whether what is covered may be shown to whoever is at the keyboard now; asked before every time it is."""

_BREAKS: Final = frozenset("\u2028\u2029")


@dataclass(frozen=True, slots=True)
class Shown:
    """One line of a reply. ``covered`` is what a chat platform would show behind a spoiler tag.

    ``text`` holds no line break and no control character, whatever stood in a title or a question.
    """

    text: str
    covered: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", one_line(self.text))


@dataclass(frozen=True, slots=True)
class Reply:
    """Lines for the room, or for one member alone (``only`` is their name).

    ``answers`` says that a question was answered with it; ``holds`` whether what it covers may still be shown.
    What is ``posted`` is for the room, wherever it was that somebody said what brought it about.
    """

    lines: tuple[Shown, ...]
    only: str | None = None
    answers: bool = False
    holds: Holds | None = None
    posted: bool = False

    @property
    def plain(self) -> list[Shown]:
        """The lines with a first one that says who sees them, where that is one member."""
        first = () if self.only is None else (Shown(wording.line("only", name=self.only)),)
        return [*first, *self.lines]


def one_line(text: str) -> str:
    """``text`` with every control character and line break as a space: nothing in it can steer a terminal."""
    return "".join(" " if c in _BREAKS or unicodedata.category(c) in {"Cc", "Cs"} else c for c in text)


def clear(*lines: str, only: str | None = None) -> Reply:
    """A reply in clear."""
    return Reply(tuple(Shown(line) for line in lines), only)


def posted(*lines: str) -> Reply:
    """A reply in clear that is for the room, even where what brought it about was said privately."""
    return replace(clear(*lines), posted=True)


def covered(first: str, hidden: Iterable[str], *after: str) -> Reply:
    """A reply to the room: a neutral first line, what is covered, and what stands below it in clear."""
    return Reply((Shown(first), *(Shown(line, covered=True) for line in hidden), *(Shown(line) for line in after)))


def numbered(labels: Iterable[str]) -> list[str]:
    """A line for each choice, with its number."""
    return [wording.line("choice", number=n, label=label) for n, label in enumerate(labels, start=1)]


def barred(shown: Shown) -> str:
    """A line as a pipe prints it: what is covered stands between double bars, and no other double bar is in it."""
    if shown.covered:
        return "||" + shown.text.replace("|", "¦") + "||"
    return shown.text.replace("||", "¦¦")
