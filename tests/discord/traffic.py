"""What all captured traffic must keep: no words of the book in clear where a room can see, and none unread anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.discord.wire import BOOK, NAMES, TITLES, plain
from tests.peers.discord.rest import Request
from tests.peers.discord.state import Shown

_RUN = 4
"""So many words of the book in a row are text of the book."""
_CARRIES = re.compile(r"/(channels|webhooks|interactions)/.*")
UNREAD = (NAMES[4], TITLES[4])
"""Of the last chapter, which nobody in these tests reads."""


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}


_BOOK = _runs(_words(BOOK)) - _runs(_words("who is everard pell"))


def uncovered(content: str) -> str:
    """What of a message is seen without uncovering: bars pair as Discord pairs them, but in code nothing is covered."""
    pieces = re.split(r"(```.*?```|`[^`]*`)", content, flags=re.DOTALL)
    return " ".join(p if p.startswith("`") else re.sub(r"\|\|.+?\|\|", " ", p, flags=re.DOTALL) for p in pieces)


def holds_book(text: str) -> bool:
    """Whether words of the book stand in it: a run of them, or a name."""
    seen = plain(text)
    return bool(_runs(_words(seen)) & _BOOK) or any(name in seen for name in NAMES)


def strings(value: Any) -> Iterator[str]:
    """Every string anywhere within JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def unguarded(shown: Iterable[Shown], requests: Iterable[Request] = ()) -> list[str]:
    """What is wrong with what was sent; empty where all is well."""
    wrong = []
    for state in shown:
        body = {k: v for k, v in state.body.items() if k not in ("author", "interaction_metadata")}
        content = body.pop("content")
        everything = [content, *strings(body), *(name for name, _ in state.files)]
        if any(unread in plain(text) for text in everything for unread in UNREAD):
            wrong.append(f"unread: {content[:200]}")
        if state.private:
            continue
        if holds_book(uncovered(content)) or any(holds_book(text) for text in strings(body)):
            wrong.append(f"in clear: {content[:200]}")
        if body.get("embeds") or any(f for f, _ in state.files if holds_book(f)):
            wrong.append("embeds or files' names in a room")
    for request in requests:
        if not _CARRIES.fullmatch(request.path) and holds_book(json.dumps(request.body)):
            wrong.append(f"{request.method} {request.path}")
        wrong += [
            f"mentions allowed: {request.method} {request.path}"
            for sent in _messages(request.body)
            if sent.get("content") and (sent.get("allowed_mentions") or {}).get("parse") != []
        ]
    return wrong


def _messages(body: Any) -> list[dict[str, Any]]:
    if not isinstance(body, dict):
        return []
    return [body, body["data"]] if isinstance(body.get("data"), dict) else [body]
