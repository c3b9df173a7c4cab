"""What is sent, before any platform's markup: lines, buttons and files as plain values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.adapters.chat.marked import Marked, shortened
from bot.adapters.chat.presses import Press

LABEL: Final = 80
"""UTF-16 code units of a button's label."""
ALT: Final = 1_024
_FILE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,60}\.[a-z0-9]{1,8}", re.ASCII)


class Look(StrEnum):
    """How a line looks: as it is, small, a small heading, set off as a quotation, or of fixed width."""

    PLAIN = "plain"
    SMALL = "small"
    HEADING = "heading"
    QUOTED = "quoted"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Part:
    """One line in plain words, of which some may be bold. It stays whole where a message can hold it.

    Neighbours that are ``covered`` share a cover, unless the later one is ``apart``. What is covered is plain: marks at
    the start of a line within a cover are not the same on all clients.
    """

    text: str | Marked
    covered: bool = False
    look: Look = Look.PLAIN
    apart: bool = False

    def __post_init__(self) -> None:
        if self.covered and self.look is not Look.PLAIN:
            raise ValueError("a covered line has no look of its own")


class Weight(StrEnum):
    """How much a button asks to be pressed."""

    MAIN = "primary"
    PLAIN = "secondary"
    GOOD = "success"
    GRAVE = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button by its meaning. ``label`` is shortened to what fits; it holds no text of a book. One that ``begins`` a
    group stands in a row of its own or begins one, where rows are not all of a length.
    """

    press: Press
    label: str
    weight: Weight = Weight.PLAIN
    begins: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", shortened(self.label, LABEL))
        if not self.label:
            raise ValueError("a button has a label")


@dataclass(frozen=True, slots=True)
class Menu:
    """One of several: each ``choice`` is a label, which holds no text of a book, and a short word, which is added to
    the value of ``press`` when it is chosen. A platform without menus shows `buttons`.
    """

    press: Press
    prompt: str
    choices: tuple[tuple[str, str], ...]

    @property
    def buttons(self) -> tuple[Button, ...]:
        """A button for each choice."""
        return tuple(Button(self.press.chosen(value), label) for label, value in self.choices)


@dataclass(frozen=True, slots=True)
class File:
    """A file to attach: its name is lower-case ASCII, and ``alt`` says what it shows without text of a book."""

    name: str
    data: bytes
    alt: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "alt", shortened(self.alt, ALT))
        if _FILE.fullmatch(self.name) is None:
            raise ValueError("the name of a file is lower-case ASCII with one dot")


@dataclass(frozen=True, slots=True)
class Content:
    """What is said at once, in one message or in several: buttons and the menu hang on the last, files on the first.

    Where ``again`` is a line of the catalogue with a ``{number}``, each message from the second on begins with it.
    """

    parts: tuple[Part, ...]
    buttons: tuple[Button, ...] = ()
    files: tuple[File, ...] = ()
    again: str | None = None
    menu: Menu | None = None

    def first_again(self, number: int) -> Part:
        """The neutral first line of the message of this number, from 2."""
        assert self.again is not None
        return Part(self.again.format(number=number), look=Look.SMALL)
