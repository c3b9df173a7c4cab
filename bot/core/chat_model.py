"""The chat model, as the core needs it: one request, text as it streams, and what was spent.

A model is not trusted: what it writes is parsed and checked before anything of it is shown.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Protocol

from bot.core.errors import Unavailable

Schema = Mapping[str, Any]
"""A JSON schema; every object in it says ``additionalProperties: false``."""


class Purpose(StrEnum):
    """What a request is for. ``ANSWER``, ``MEMORY`` and ``JUDGE`` go to the model, the others to the small one.

    ``MEMORY`` and ``MEMORY_CHECK`` are of the job that reads a book chapter by chapter.
    """

    ANSWER = "answer"
    SUPPORT = "support"
    PARTS = "parts"
    JUDGE = "judge"
    MEMORY = "memory"
    MEMORY_CHECK = "memory_check"


@dataclass(frozen=True, slots=True)
class Usage:
    """What one request spent, in tokens: ``input`` without what was ``cached`` (read) or ``written_to_cache``."""

    model: str
    input: int
    cached: int
    written_to_cache: int
    output: int


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. ``system`` and ``stable`` are the prefix to be cached, in this order: a later request of the same
    reader repeats its blocks and adds to them. ``question`` comes after them and is never cached. ``schema`` is what
    the reply is to satisfy; ``most_output`` bounds it in tokens. Raises ``ValueError`` where a block is empty.
    """

    purpose: Purpose
    system: str
    stable: tuple[str, ...]
    question: str
    schema: Schema
    most_output: int

    def __post_init__(self) -> None:
        if not self.system or not self.question or not all(self.stable) or self.most_output < 1:
            raise ValueError("a request says what is to be done, asks something, and has no empty block")


class Failed(StrEnum):
    """Why there is no reply, or no more of it."""

    UNREACHABLE = "unreachable"
    OVERLOADED = "overloaded"
    RATE_LIMITED = "rate_limited"
    OUT_OF_TIME = "out_of_time"
    REFUSED = "refused"
    CUT_OFF = "cut_off"
    BAD_REPLY = "bad_reply"
    NOT_ALLOWED = "not_allowed"
    OVER_BUDGET = "over_budget"


_SENTENCE: Final = "The model cannot be used now ({}): the answer is made of quotes."


class ModelFailed(Unavailable):
    """The model wrote nothing, or not all of it. The message holds nothing of what was sent or written."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(_SENTENCE.format(failed.value), code=failed.value)
        self.failed = failed

    def __reduce__(self) -> tuple[type[ModelFailed], tuple[Failed]]:
        return type(self), (self.failed,)


Spent = Callable[[Usage], None]
"""Is told what a request spent, once, when that is known: also of one that failed or was stopped."""


class ChatModel(Protocol):
    """A server that speaks to a model."""

    def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        """The reply's text as it comes, in pieces. Closing the iterator (``aclose``) or cancelling who reads it cancels
        the request, and the spending with it. Raises `ModelFailed` at any point.
        """

    async def counted(self, request: ModelRequest) -> int | None:
        """How many tokens of input the request is, or None where it cannot be told."""
