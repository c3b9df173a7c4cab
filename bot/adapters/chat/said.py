"""What is said to one person: lines in plain words, what they may press or take with them, and further messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.adapters.chat.parts import Button, Content, File, Menu, Part
from bot.adapters.chat.scene import Scene
from bot.adapters.wording import people
from bot.core.notices import CountsAgain


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


def welcomed_back(scene: Scene, spoken: Said) -> Said:
    """What is said to somebody alone; before it, that they count again where they were away until now."""
    if not scene.back:
        return spoken
    return replace(spoken, lines=(people.notice(CountsAgain(), scene.language), *spoken.lines))
