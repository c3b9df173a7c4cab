"""What a loopback model says: whole replies, faults before they begin, and faults in their midst."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Json = dict[str, Any]


class Breaks(StrEnum):
    """How a stream ends before its end."""

    OVERLOADED = "overloaded_error"
    RATE_LIMITED = "rate_limit_error"
    FAULT = "api_error"
    CLOSED = "closed"
    SILENT = "silent"
    NONSENSE = "nonsense"


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply. ``first`` and ``gap`` are seconds before the first piece and after each; ``chunk`` is characters a
    piece. After ``whole`` pieces (None: all of them) the stream ``breaks``, or waits for ``go_on`` and goes on. A
    ``status`` other than 200 is an error.
    """

    blocks: tuple[Json, ...] = ()
    stop: str = "end_turn"
    status: int = 200
    error: str = "api_error"
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    first: float = 0.0
    gap: float = 0.0
    chunk: int = 8
    whole: int | None = None
    breaks: Breaks | None = None
    go_on: asyncio.Event | None = None
    usage: Mapping[str, int] = field(default_factory=dict)


def text(said: str, **more: Any) -> Reply:
    """A reply of this text."""
    return Reply(({"type": "text", "text": said},), **more)


def value(said: object, **more: Any) -> Reply:
    """A reply of this value, as JSON."""
    return text(json.dumps(said, ensure_ascii=False), **more)


def claims(*said: tuple[str, int, str], **more: Any) -> Reply:
    """An answer: each claim is a sentence, the number of a passage, and words quoted from it."""
    return value({"claims": [{"text": t, "passage": n, "quote": q} for t, n, q in said]}, **more)


def verdicts(*supported: bool, **more: Any) -> Reply:
    """A support check of claims 1, 2, ..."""
    return value({"verdicts": [{"claim": n, "supported": s} for n, s in enumerate(supported, start=1)]}, **more)


def thinking(thought: str, said: str, **more: Any) -> Reply:
    """A reply that is thought about first."""
    return Reply(
        ({"type": "thinking", "thinking": thought, "signature": "sig"}, {"type": "text", "text": said}), **more
    )


def refusal(**more: Any) -> Reply:
    """The model declines."""
    return Reply((), stop="refusal", **more)


def failed(status: int, error: str, message: str = "", **headers: str) -> Reply:
    """The request is answered with an error; of a header's name ``_`` is written ``-``."""
    named = {name.replace("_", "-"): said for name, said in headers.items()}
    return Reply(status=status, error=error, message=message or error, headers=named)


def overloaded(**headers: str) -> Reply:
    return failed(529, "overloaded_error", "Overloaded", **headers)


def rate_limited(after: float | None = None) -> Reply:
    """Too many requests; ``after`` is what ``retry-after`` says, in seconds."""
    return failed(429, "rate_limit_error", **({} if after is None else {"retry_after": f"{after:g}"}))
