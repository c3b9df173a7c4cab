"""What is covered on a screen: a neutral block in its place, and its lines, in pages, once a key shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from bot.adapters import wording
from bot.adapters.terminal.replies import Holds, Reply
from bot.core.errors import DogearError

COVER: Final = "▒"
_EDGE: Final = 12
"""Columns of cover on either side: every block looks the same, whatever and however much it covers."""


def block() -> str:
    """What stands where something is covered."""
    return f"{COVER * _EDGE} {wording.line('covered')} {COVER * _EDGE}"


def printed(replies: Iterable[Reply], columns: int) -> StyleAndTextTuples:
    """Replies as the screen keeps them, ``columns`` wide: each stretch of covered lines is one block."""
    parts: StyleAndTextTuples = []
    for reply in replies:
        before = False
        for shown in reply.plain:
            if not shown.covered:
                style = "italic" if reply.only else ""
                parts += [(style, line + "\n") for line in wrapped(shown.text, max(columns, 10))]
            elif not before:
                parts.append(("ansibrightblack", block() + "\n"))
            before = shown.covered
    return parts


def wrapped(text: str, columns: int) -> list[str]:
    """``text`` in lines of at most ``columns`` columns, broken between words where it can be."""
    lines, line, width = [], "", 0
    for word in _pieces(text, columns):
        size = get_cwidth(word)
        if line and width + size > columns:
            lines.append(line.rstrip())
            line, width = "", 0
            word = word.lstrip()  # noqa: PLW2901
            size = get_cwidth(word)
        line, width = line + word, width + size
    return [*lines, line.rstrip()]


def _pieces(text: str, columns: int) -> Iterable[str]:
    """Words with the space before each; very wide ones (in writing without spaces all are) character by character."""
    for number, word in enumerate(text.split(" ")):
        piece = word if number == 0 else " " + word
        if get_cwidth(piece) > min(columns, 40):
            yield from piece
        else:
            yield piece


@dataclass
class Covers:
    """The last covered lines, and which page of them is shown; page 0 is none.

    ``holds`` is asked before a page is shown; ``note`` is what stands where lines were that may not be shown any more.
    """

    lines: Sequence[str] = ()
    holds: Holds | None = None
    page: int = 0
    note: str = ""
    _changes: int = 0

    def keep(self, replies: Iterable[Reply]) -> None:
        """Take what the last answer among ``replies`` covers, which may be nothing, in place of what was before."""
        for reply in replies:
            if reply.answers:
                self.drop()
                self.lines = [shown.text for shown in reply.lines if shown.covered]
                self.holds = reply.holds

    async def check(self) -> None:
        """Drop what may not be shown any more, without a word."""
        changes = self._changes
        if self.lines and await self._refused() is not None and changes == self._changes:
            self.drop()

    async def turn(self, columns: int, rows: int) -> None:
        """Show the next page, or cover all of it again after the last; what may not be shown any more is dropped."""
        changes = self._changes
        refused = await self._refused() if self.lines else None
        if changes != self._changes:
            return  # meanwhile a line was entered, or another answer came: nothing is shown unasked
        if refused is not None:
            self.drop()
            self.page, self.note = 1, refused
        elif self.note:
            self.cover()
        else:
            self.page = (self.page + 1) % (len(self._pages(columns, rows)) + 1)

    async def _refused(self) -> str | None:
        """The sentence that is shown in place of the lines, or None where they may be shown."""
        try:
            held = self.holds is not None and await self.holds()
        except DogearError as error:
            return wording.sentence(error)
        return None if held else wording.line("no_longer_holds")

    def cover(self) -> None:
        """Cover everything again."""
        self.page, self.note = 0, ""
        self._changes += 1

    def drop(self) -> None:
        """Forget the lines: there is nothing to show."""
        self.cover()
        self.lines, self.holds = (), None

    def shown(self, columns: int, rows: int) -> str:
        """The page that is shown, with a line below it that says how to go on; empty while all is covered."""
        if not self.page:
            return ""
        pages = self._pages(columns, rows)
        page = min(self.page, len(pages))
        last = page == len(pages)
        below = wording.line("shown") if last else wording.line("shown_page", page=page, pages=len(pages))
        return "\n".join([*pages[page - 1], below])

    def _pages(self, columns: int, rows: int) -> list[list[str]]:
        lines = [part for line in self.lines for part in wrapped(line, max(columns, 10))]
        size = max(rows, 3)
        pages = [lines[at : at + size] for at in range(0, len(lines), size)]
        return pages or [wrapped(self.note or wording.line("nothing_covered"), max(columns, 10))]
