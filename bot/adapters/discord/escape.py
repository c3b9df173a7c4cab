"""Plain words as Discord markdown that shows exactly those words, whoever wrote them: a book, a member or a model.

Discord drops a backslash before every ASCII sign that is no letter, digit or space; a spoiler ends at the next two
bars, whatever stands before them, so no two may ever stand side by side within one. What a client or the server finds
in the raw content (mentions, links, invitations, which are found without a scheme and with a backslash for a slash) is
broken up inside its own pattern. Message content is counted in code points by the API and in UTF-16 code units by
clients and libraries; the larger of the two is counted here.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from bot.adapters.chat.marked import STRONG, Marked, one_line, plain, units
from bot.adapters.chat.marked import parted as cut_into

_ALWAYS: Final = frozenset("\\`*_~|<>@[]/")
_LINE_START: Final = frozenset("#-+(")
_GUARD: Final = "\u200b"
"""Stands between ``@`` and a word that would call everybody."""
_CALLS: Final = re.compile(r"(?=everyone|here)", re.IGNORECASE)
_LOOSE: Final = re.compile(r"[@<](?=\S)|(?<=\w)[.:](?=[\w/])|(?<=[:/])/", re.IGNORECASE)
"""Where mentions, hosts and addresses are broken up in a code block."""
_EMOJI_NAME: Final = re.compile(r":[^\s:]+:")
_NUMBERED: Final = re.compile(r"\d+(?=\.)")
_ESCAPE: Final = re.compile(r"\\([^A-Za-z0-9\s])")


def escaped(text: str | Marked) -> str:
    """``text`` as one line of markdown that shows `plain` of it, and in bold what is `Marked` so.

    Its start is taken for the start of a line, and it may stand in a spoiler (`covered`).
    """
    line = one_line(text)
    marked: list[str] = []
    at_start = True
    for at, character in enumerate(line):
        if character == STRONG:
            marked.append("**")
            continue
        before, after = line[at - 1 : at] if at else "", line[at + 1 : at + 2]
        if character == "@":
            marked.append("\\@" + (_GUARD if _CALLS.match(line[at + 1 :].lstrip(STRONG)) else ""))
        elif character in _ALWAYS or _would_start(character, at_start, before) or _would_mark(line, at, before, after):
            marked.append("\\" + character)
        else:
            marked.append(character)
        at_start = at_start and (character in _LINE_START or character in "*>~" or character.isdigit())
    return "".join(marked)


def _would_start(character: str, at_start: bool, before: str) -> bool:
    """Whether the sign would begin a heading, a list, small text or the address of a link."""
    return (at_start and (character in _LINE_START or character == ".")) or (character == "(" and before == "]")


def _would_mark(line: str, at: int, before: str, after: str) -> bool:
    """Whether the sign stands within the name of an emoji, of a host or of a scheme."""
    if line[at] == ":":
        return after in {"/", "\\"} or _EMOJI_NAME.match(line, at) is not None
    return line[at] == "." and before.isalnum() and (after.isalnum() or after in {"_", "-", STRONG})


def unescaped(markdown: str) -> str:
    """The words that a line made by `escaped` or `covered` shows."""
    bare = markdown[2:-2] if len(markdown) > 4 and markdown.startswith("||") and markdown.endswith("||") else markdown
    without = re.sub(r"(\\[^A-Za-z0-9\s])|\*\*", lambda found: found[1] or "", bare)
    return _ESCAPE.sub(r"\1", without).replace(_GUARD, "").strip(" ")


def covered(markdown: str) -> str:
    """A spoiler around escaped lines. Bars meet its end nowhere: a last bar is kept apart by a space."""
    return f"||{markdown} ||" if markdown.endswith("|") else f"||{markdown}||"


def fixed(text: str) -> str:
    """One line for a code block, where no escape works and spaces count: backticks and bars become letters that look
    like them, and what would call or link somebody is broken up.
    """
    kept = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)
    shown = " ".join(plain(word) for word in kept.split(" ")).rstrip()
    return _LOOSE.sub(lambda found: found[0] + _GUARD, shown.replace("`", "ˋ").replace("|", "¦"))


def parted(text: str, most: int) -> list[str]:
    """``text`` in stretches whose `escaped` form has at most ``most`` UTF-16 code units."""
    return cut_into(text, most, lambda stretch: units(escaped(stretch)))
