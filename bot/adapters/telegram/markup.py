"""Plain words as Telegram's HTML that shows exactly those words, whoever wrote them: a book, a member or a model.

Telegram makes mentions, hashtags, commands and links of what looks like them, wherever it stands: a mention would call
somebody, and each counts as one of a message's 100 entities. An unseen character breaks them up.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from bot.adapters.chat.marked import STRONG, Marked, one_line

GUARD: Final = "\u200b"
"""Stands within what would become a mention, a hashtag, a command or a link."""
_CALLS: Final = re.compile(r"[@#$](?=\w)|(?<=\w)\.(?=[^\W\d_]{2})|(?<=:)/(?=/)")
_COMMANDS: Final = re.compile(r"/(?=\w)")


def guarded(text: str, *, own: bool) -> str:
    """``text`` in which nothing becomes a mention, a hashtag or a link; a command only where it is our ``own``."""
    kept = _CALLS.sub(lambda found: found[0] + GUARD, text)
    return kept if own else _COMMANDS.sub(lambda found: found[0] + GUARD, kept)


def shown(text: str | Marked, *, own: bool = True) -> str:
    """The words that Telegram shows of a line."""
    return guarded(one_line(text).replace(STRONG, ""), own=own)


def html(text: str | Marked, *, own: bool = True) -> str:
    """A line as HTML, with what is `Marked` bold; it shows `shown` of it."""
    stretches = one_line(text).split(STRONG)
    safe = [escape(guarded(stretch, own=own and not n % 2), quote=False) for n, stretch in enumerate(stretches)]
    return "".join(f"<b>{stretch}</b>" if n % 2 and stretch else stretch for n, stretch in enumerate(safe))
