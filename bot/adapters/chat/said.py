"""What is said to one person: lines in plain words, what they may press or take with them, and further messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.adapters.chat.parts import Button, Content, File, Menu, Part


@dataclass(frozen=True, slots=True)
class Said:
    """Lines in plain words for one person, what they may press or take with them, and what is sent ``after``."""

    lines: tuple[str, ...]
    buttons: tuple[Button, ...] = ()
    files: tuple[File, ...] = ()
    after: tuple[Content, ...] = ()
    menu: Menu | None = None

    @property
    def contents(self) -> tuple[Content, ...]:
        first = Content(tuple(Part(one) for one in self.lines), self.buttons, self.files, menu=self.menu)
        return (first, *self.after)


def said(*lines: str, buttons: Sequence[Button] = (), files: Sequence[File] = (), menu: Menu | None = None) -> Said:
    return Said(lines, tuple(buttons), tuple(files), menu=menu)
