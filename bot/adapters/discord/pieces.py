"""Messages before they are sent: content, buttons, choices and files as plain values, within Discord's limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.adapters.chat import parts
from bot.adapters.chat.marked import Marked, plain, shortened, units
from bot.adapters.chat.parts import Button, Content, File, Look, Part
from bot.adapters.chat.presses import Press
from bot.adapters.discord.escape import covered, escaped, fixed, parted

CONTENT: Final = 2_000
"""UTF-16 code units of a message's content; Discord counts code points, which are never more."""
CHOICE: Final = 100
CHOICES: Final = 25
PLACEHOLDER: Final = 150
_IN_A_ROW: Final = 5
_ROWS: Final = 5
_FENCE: Final = "```"
_BEFORE: Final = {Look.PLAIN: "", Look.SMALL: "-# ", Look.HEADING: "### ", Look.QUOTED: "> "}
_AROUND: Final = 16
"""UTF-16 code units that stand around a line at most: its look, its cover or fence, and line ends."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of a menu or of autocomplete: ``label`` is shown (shortened), ``value`` comes back as it is."""

    label: str
    value: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", shortened(self.label, CHOICE) or "…")
        if not 0 < units(self.value) <= CHOICE:
            raise ValueError(f"the value of a choice has 1 to {CHOICE} characters")


@dataclass(frozen=True, slots=True)
class Menu:
    """A choice of one among at most 25; the press says of what."""

    press: Press
    placeholder: str
    choices: tuple[Choice, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "placeholder", shortened(self.placeholder, PLACEHOLDER))
        values = {choice.value for choice in self.choices}
        if not 0 < len(values) == len(self.choices) <= CHOICES:
            raise ValueError(f"a menu has 1 to {CHOICES} choices, of different values")

    @classmethod
    def of(cls, menu: parts.Menu) -> Menu:
        """A menu as Discord shows it. Raises ``ValueError`` where it has no choice or too many."""
        return cls(menu.press, menu.prompt, tuple(Choice(label, value) for label, value in menu.choices))


@dataclass(frozen=True, slots=True)
class Piece:
    """One message: Discord markdown of at most `CONTENT` UTF-16 code units, and what hangs on it.

    It is sent with no mention allowed and with link previews suppressed, whatever it says.
    """

    content: str
    buttons: tuple[Button, ...] = ()
    menu: Menu | None = None
    files: tuple[File, ...] = ()

    def __post_init__(self) -> None:
        if not self.content.strip() or units(self.content) > CONTENT:
            raise ValueError(f"a message has 1 to {CONTENT} characters, this one {units(self.content)}")
        if len(self.rows) + (self.menu is not None) > _ROWS:
            raise ValueError("a message has at most five rows of buttons and menus")
        ids = [button.press.custom_id for button in self.buttons]
        if self.menu is not None:
            ids.append(self.menu.press.custom_id)
        if len(set(ids)) != len(ids):
            raise ValueError("two buttons of a message mean the same")

    @property
    def rows(self) -> tuple[tuple[Button, ...], ...]:
        """The buttons as they stand, at most five in a row, under the menu."""
        starts = range(0, len(self.buttons), _IN_A_ROW)
        return tuple(self.buttons[at : at + _IN_A_ROW] for at in starts)


def markdown_of(part: Part) -> str:
    """A line without its cover."""
    if part.look is Look.FIXED:
        return fixed(plain(part.text) if isinstance(part.text, Marked) else part.text)
    return f"{_BEFORE[part.look]}{escaped(part.text)}"


def contents(parts: Iterable[Part], again: Callable[[int], Part] | None = None) -> tuple[str, ...]:
    """The lines as the contents of one message or of several, in order; covers and quotations end with each message.

    ``again`` makes the first line of the second message and of all after it, which is neutral: it is given their
    number, from 2. A line that no message can hold is split between its sentences, each stretch with marks of its own.
    """
    written = [part for part in parts if plain(part.text)]
    spare = CONTENT if again is None else CONTENT - units(markdown_of(again(10**6))) - 1
    messages: list[list[_Written]] = [[]]
    for part, markdown in (stretch for whole in written for stretch in _stretches(whole, spare - _AROUND)):
        used = sum(units(text) + _AROUND for _, text in messages[-1])
        fits = used + units(markdown) + _AROUND <= CONTENT
        if not fits and units(_content([*messages[-1], (part, markdown)])) > CONTENT:
            first = None if again is None else again(len(messages) + 1)
            messages.append([] if first is None else [(first, markdown_of(first))])
        messages[-1].append((part, markdown))
    return tuple(_content(message) for message in messages if message)


_Written = tuple[Part, str]
"""A line and its markdown."""


def _stretches(part: Part, most: int) -> list[_Written]:
    markdown = markdown_of(part)
    if units(markdown) <= most:
        return [(part, markdown)]
    if part.look is Look.FIXED:
        made = [Part(shortened(plain(part.text), most // 2), look=Look.FIXED)]
    else:
        texts = parted(plain(part.text), most)
        made = [Part(text, part.covered, part.look, part.apart and n == 0) for n, text in enumerate(texts)]
    return [(stretch, markdown_of(stretch)) for stretch in made]


def _content(parts: Sequence[_Written]) -> str:
    blocks: list[str] = []
    group, number = [], 0
    for part, _ in parts:
        number += part.apart
        group.append((part.covered, part.look is Look.FIXED, number if part.covered else 0))
    for (hidden, of_fixed_width, _), members in groupby(zip(group, parts, strict=True), key=lambda pair: pair[0]):
        lines = "\n".join(markdown for _, (_, markdown) in members)
        if of_fixed_width:
            blocks.append(f"{_FENCE}\n{lines}\n{_FENCE}")
        else:
            blocks.append(covered(lines) if hidden else lines)
    return "\n".join(blocks)


def pieces(
    parts: Iterable[Part],
    buttons: Sequence[Button] = (),
    *,
    menu: Menu | None = None,
    files: Sequence[File] = (),
    again: Callable[[int], Part] | None = None,
) -> tuple[Piece, ...]:
    """Messages of these lines: files hang on the first, buttons and the menu on the last."""
    made = contents(parts, again)
    last = len(made) - 1
    return tuple(
        Piece(
            content,
            tuple(buttons) if n == last else (),
            menu if n == last else None,
            tuple(files) if n == 0 else (),
        )
        for n, content in enumerate(made)
    )


def pieces_of(content: Content) -> tuple[Piece, ...]:
    """What is said at once, as messages."""
    again = None if content.again is None else content.first_again
    menu = None if content.menu is None else Menu.of(content.menu)
    return pieces(content.parts, content.buttons, menu=menu, files=content.files, again=again)


def choices(offered: Iterable[tuple[str, str]]) -> tuple[Choice, ...]:
    """(label, value) pairs as the choices of a menu or of autocomplete: the first 25 whose values fit, each once."""
    found: dict[str, Choice] = {}
    for label, value in offered:
        if value not in found and 0 < units(value) <= CHOICE and len(found) < CHOICES:
            found[value] = Choice(label, value)
    return tuple(found.values())
