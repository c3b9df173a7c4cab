"""Lines in plain words, of which some may be bold, before any platform's markup: safe to show, measured and cut.

Lengths are counted in UTF-16 code units, in which clients of Discord and of Telegram count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

STRONG: Final = "\ufdd0"
"""Opens and closes bold words in `Marked` lines. A noncharacter: everywhere else it is taken out."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that show nothing."""
_UNSEEN: Final = frozenset("\u034f\u17b4\u17b5")
_JOINERS: Final = frozenset("\u200c\u200d")
_SENTENCE_END: Final = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|[。！？]+[」』”’）]*")


@dataclass(frozen=True, slots=True)
class Marked:
    """A line of our own in which `STRONG` stands around bold words alone: only `bold` and `line_of` make one.

    Raises ``ValueError`` where a mark has no partner: it would find one in another line, past the beginning of a cover.
    """

    text: str

    def __post_init__(self) -> None:
        if self.text.count(STRONG) % 2:
            raise ValueError("bold words have a beginning and an end")


def plain(text: str | Marked) -> str:
    """``text`` as one line that shows all it holds: white space single, nothing that is unseen, turns the line around
    or steers. Joiners stay where they join letters or emoji outside ASCII.
    """
    return one_line(text).replace(STRONG, "")


def one_line(text: str | Marked) -> str:
    """`plain`, with the marks of what is `Marked`."""
    strong = STRONG if isinstance(text, Marked) else ""
    text = text.text if isinstance(text, Marked) else text
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    for at, character in enumerate(text):
        category = unicodedata.category(character)
        if character == STRONG:
            kept.append(strong)
        elif category == "Cc" or character in _BLANK:
            kept.append(" ")
        elif category == "Cs":
            kept.append("\ufffd")
        elif character in _JOINERS:
            kept.append(character if _joins(text, at) else "")
        elif category != "Cf" and character not in _UNSEEN and not _is_noncharacter(character):
            kept.append(character)
    return " ".join("".join(kept).split())


def _joins(text: str, at: int) -> bool:
    beside = text[at - 1 : at] + text[at + 1 : at + 2]
    return len(beside) == 2 and all(c > "\x7f" and unicodedata.category(c)[0] in "LMS" for c in beside)


def _is_noncharacter(character: str) -> bool:
    return "\ufdd0" <= character <= "\ufdef" or ord(character) & 0xFFFE == 0xFFFE


def bold(text: str) -> Marked:
    """``text`` in bold."""
    shown = plain(text)
    return Marked(f"{STRONG}{shown}{STRONG}" if shown else "")


def line_of(template: str, **values: str | Marked) -> Marked:
    """``template``, a line of the catalogue, with its values; those from `bold` are bold in it."""
    shown = {name: value.text if isinstance(value, Marked) else plain(value) for name, value in values.items()}
    return Marked(plain(template).format_map(shown))


def units(text: str) -> int:
    """The length of ``text`` in UTF-16 code units, never less than its code points."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def shortened(text: str, most: int) -> str:
    """`plain` of ``text`` in at most ``most`` UTF-16 code units, for labels and choices, which know no markup."""
    shown = plain(text)
    if units(shown) <= most:
        return shown
    cut = len(shown)
    while cut and units(shown[:cut]) > most - 1:
        cut -= 1
    return shown[: _whole(shown, cut)].rstrip() + "…"


def _whole(text: str, cut: int) -> int:
    """The last place up to ``cut`` that parts no character from its marks; ``cut`` where there is none."""
    at = cut
    while 0 < at < len(text) and (unicodedata.category(text[at])[0] == "M" or "\u200d" in text[at - 1 : at + 1]):
        at -= 1
    return at or cut


def _best_cut(text: str, cut: int) -> int:
    """The best place up to ``cut`` to cut ``text`` at."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, cut)]
    if ends and ends[-1] >= cut // 4:
        return ends[-1]
    space = text.rfind(" ", 0, cut + 1)
    return space if space >= max(1, cut // 4) else _whole(text, cut)


def parted(text: str, most: int, length: Callable[[str], int]) -> list[str]:
    """``text`` in stretches whose ``length`` is at most ``most``: cut between sentences, else between words, else
    between characters. Nothing but white space is lost.
    """
    rest, stretches = plain(text), []
    while rest:
        cut = _longest(rest, most, length)
        if cut < len(rest):
            cut = _best_cut(rest, cut)
        stretches.append(rest[:cut].strip(" "))
        rest = rest[cut:].strip(" ")
    return stretches


def _longest(text: str, most: int, length: Callable[[str], int]) -> int:
    """The largest number of characters, at least one, that fits."""
    low, high = 1, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if length(text[:middle]) <= most else (low, middle - 1)
    return low
