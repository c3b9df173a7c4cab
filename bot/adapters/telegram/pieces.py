"""Messages before they are sent: HTML, buttons and files as plain values, within Telegram's limits."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final

from bot.adapters.chat.marked import STRONG, Marked, one_line, parted, plain, units
from bot.adapters.chat.parts import Button, Content, File, Look, Part
from bot.adapters.telegram.markup import guarded, html, shown

TEXT: Final = 4_096
"""UTF-16 code units of a message's text, its markup not counted."""
CAPTION: Final = 1_024
ENTITIES: Final = 50
"""Marked stretches of a message: of more than 100, which Telegram's own finds count towards, the rest has no marks and
would be seen in clear.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """One message: HTML that shows at most `TEXT` UTF-16 code units, or a file with a caption in plain words.

    It is sent without previews of links.
    """

    html: str
    buttons: tuple[Button, ...] = ()
    file: File | None = None

    def __post_init__(self) -> None:
        if not self.html.strip():
            raise ValueError("a message has a text")


@dataclass(frozen=True, slots=True)
class _Row:
    """One line that goes into a message as it is: ``text`` is what is seen of it, ``marks`` how much of it is bold."""

    part: Part
    text: str
    html: str
    marks: int


def pieces_of(content: Content) -> tuple[Piece, ...]:
    """What is said at once, as messages, in order: each has one cover at most over lines that stand together, and every
    cover ends with its message. Buttons, and a menu's choices as buttons, hang on the last message with words, and
    files follow.
    """
    messages: list[list[_Row]] = [[]]
    for row in _rows(content):
        if messages[-1] and not _fits([*messages[-1], row]):
            messages.append([] if content.again is None else [_row(content.first_again(len(messages) + 1))])
        messages[-1].append(row)
    written = [message for message in messages if message]
    last = len(written) - 1
    buttons = content.buttons if content.menu is None else (*content.menu.buttons, *content.buttons)
    made = [Piece(_html(rows), buttons if n == last else ()) for n, rows in enumerate(written)]
    return (*made, *(Piece(escape(file.alt, quote=False), file=file) for file in content.files))


def _rows(content: Content) -> Iterable[_Row]:
    spare = TEXT - (0 if content.again is None else units(shown(content.first_again(10**6).text)) + 1)
    for part in content.parts:
        if not plain(part.text):
            continue
        row = _row(part)
        if units(row.text) <= spare:
            yield row
        else:
            yield from (_row(stretch) for stretch in _stretches(part, spare))


def _stretches(part: Part, most: int) -> list[Part]:
    texts = parted(plain(part.text), most, lambda text: units(guarded(text, own=False)))
    return [Part(text, part.covered, part.look, part.apart and n == 0) for n, text in enumerate(texts)]


def _row(part: Part) -> _Row:
    if part.look is Look.FIXED:
        text = _fixed(plain(part.text) if isinstance(part.text, Marked) else part.text)
        return _Row(part, text, escape(text, quote=False), 0)
    own = not part.covered and part.look is not Look.QUOTED
    return _Row(part, shown(part.text, own=own), html(part.text, own=own), one_line(part.text).count(STRONG) // 2)


def _fixed(text: str) -> str:
    """One line of fixed width, where spaces count."""
    kept = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    return guarded(" ".join(plain(word) for word in kept.split(" ")).rstrip(), own=False)


def _group(row: _Row) -> tuple[bool, Look]:
    """Neighbours of one group share what is around them; small and head lines each have their own."""
    return row.part.covered, row.part.look


def _fits(rows: Sequence[_Row]) -> bool:
    length = sum(units(row.text) + 1 for row in rows) - 1
    around = len(list(groupby(rows, _group))) + sum(row.part.look in (Look.SMALL, Look.HEADING) for row in rows)
    return length <= TEXT and around + sum(row.marks for row in rows) <= ENTITIES


_AROUND: Final = {
    Look.PLAIN: ("", ""),
    Look.SMALL: ("<i>", "</i>"),
    Look.HEADING: ("<b>", "</b>"),
    Look.QUOTED: ("<blockquote expandable>", "</blockquote>"),
    Look.FIXED: ("<pre>", "</pre>"),
}


def _html(rows: Sequence[_Row]) -> str:
    blocks = []
    for (covered, look), members in groupby(rows, _group):
        lines = [row.html for row in members]
        before, after = ("<tg-spoiler>", "</tg-spoiler>") if covered else _AROUND[look]
        if look in (Look.SMALL, Look.HEADING):
            blocks.append("\n".join(f"{before}{line}{after}" for line in lines))
        else:
            blocks.append(before + "\n".join(lines) + after)
    return "\n".join(blocks)
