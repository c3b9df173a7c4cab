"""What a request to the Messages API has spent, and how its reply ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from bot.adapters.models.failures import Failure
from bot.adapters.models.json_object import JsonObject
from bot.adapters.models.messages import estimated, most_output
from bot.core.chat_model import Failed, ModelRequest, Usage

_LETTERS: Final = 12
"""Characters that a token of output may have, at most: what writes more does not keep to its bound."""


class EndedBadly(Exception):
    """A reply that ended as it should not."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.line)
        self.failure = failure


@dataclass
class Bill:
    """What a request has spent so far, over all its attempts."""

    model: str
    request: ModelRequest
    sent: bool = False
    stop: str | None = None
    _input: list[int] = field(default_factory=lambda: [0, 0, 0])
    _before: int = 0
    _output: int | None = None
    _letters: int = 0
    _began: bool = False

    def begin(self) -> None:
        """Another attempt; what the last one spent stays."""
        self._before += self._output_so_far()
        self.sent, self.stop, self._began = True, None, False
        self._output, self._letters = None, 0

    def seen(self, event: Any) -> str:
        """Book one event; the text that it brings."""
        if event.type == "message_start":
            self._began = True
            usage = getattr(event.message, "usage", None)
            for at, name in enumerate(("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")):
                self._input[at] += int(getattr(usage, name, None) or 0)
        elif event.type == "content_block_delta":
            text = getattr(event.delta, "text", None)
            self._take(text or getattr(event.delta, "thinking", None) or "")
            return text or ""
        elif event.type == "message_delta":
            self.stop = event.delta.stop_reason
            self._output = int(getattr(event.usage, "output_tokens", None) or 0)
        return ""

    def _take(self, text: str) -> None:
        self._letters += len(text)
        if self._letters > _LETTERS * most_output(self.request, self.model):
            raise EndedBadly(Failure(Failed.CUT_OFF, again=False, note="longer_than_asked"))

    def _output_so_far(self) -> int:
        return self._output if self._output is not None else estimated("a" * self._letters)

    def usage(self) -> Usage:
        """What the server told, and where it was stopped before it could, what was read of it. A request that was given
        up before the server said anything is taken to have been read.
        """
        read, cached, written = self._input
        if self.sent and not self._began:
            read += estimated("".join((self.request.system, *self.request.stable, self.request.question)))
        return Usage(self.model, read, cached, written, self._before + self._output_so_far())


def require_whole(bill: Bill, reply: JsonObject) -> None:
    """Raises `EndedBadly` for a reply that is refused, cut off, empty, or no JSON object."""
    if bill.stop == "refusal":
        raise EndedBadly(Failure(Failed.REFUSED, again=False, note="refusal"))
    if bill.stop in {"max_tokens", "model_context_window_exceeded"}:
        raise EndedBadly(Failure(Failed.CUT_OFF, again=False, note=str(bill.stop)))
    if not reply.whole:
        note = "truncated" if reply.begun else "no_object"
        raise EndedBadly(Failure(Failed.BAD_REPLY, again=False, note=note, unknown_form=not reply.begun))
