"""The ways in which a person may say a chapter's title."""

from __future__ import annotations

import re
from typing import Final

from bot.core.statements import folded_title

_BREAK: Final = re.compile(r"\s*(?:[:.—–\n]|\s-\s)\s*")


def spoken_titles(title: str) -> tuple[str, ...]:
    """``title`` folded, and what stands after its first break: "Chapter 9: The Bell" is also "the bell"."""
    pieces = _BREAK.split(title.strip(), maxsplit=1)
    return tuple(dict.fromkeys(said for said in map(folded_title, (title, *pieces[1:])) if said))
