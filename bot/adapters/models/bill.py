"""What a request to the Messages API has spent, and how its reply ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from bot.adapters.models.failures import Failure
from bot.adapters.models.json_object import JsonObject
from bot.adapters.models.messages import estimated, most_output
from bot.core.chat_model import Failed, ModelRequest, Usage

_READ: Final = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
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
    _input_before: list[int] = field(default_factory=lambda: [0, 0, 0])
    _input: list[int] = field(default_factory=lambda: [0, 0, 0])
    _before: int = 0
    _output: int | None = None
    _letters: int = 0

    def begin(self) -> None:
        """Another attempt; what the last one spent stays."""
        self._before += self._output_so_far()
        self._input_before = self._input_so_far()
        self.sent, self.stop = True, None
        self._input, self._output, self._letters = [0, 0, 0], None, 0

    def seen(self, event: Any) -> str:
        """Book one event; the text that it brings."""
        if event.type == "message_start":
            self._read(getattr(event.message, "usage", None))
        elif event.type == "content_block_delta":
            text = getattr(event.delta, "text", None)
            self._take(text or getattr(event.delta, "thinking", None) or "")
            return text or ""
        elif event.type == "message_delta":
            self.stop = getattr(event.delta, "stop_reason", None)
            usage = getattr(event, "usage", None)
            self._read(usage)
            self._output = int(getattr(usage, "output_tokens", None) or 0) or None
        return ""

    def _read(self, usage: object) -> None:
        """What was read, of a server that says so at the beginning, at the end, or both times: what is more."""
        said = [int(getattr(usage, name, None) or 0) for name in _READ]
        if sum(said) > sum(self._input):
            self._input = said

    def _take(self, text: str) -> None:
        self._letters += len(text)
        if self._letters > _LETTERS * most_output(self.request, self.model):
            raise EndedBadly(Failure(Failed.CUT_OFF, again=False, note="longer_than_asked"))

    def _output_so_far(self) -> int:
        return self._output if self._output is not None else estimated("a" * self._letters)

    def _input_so_far(self) -> list[int]:
        """What was read, by kind; of an attempt of which the server never said it, all that was sent."""
        last = list(self._input)
        if self.sent and not any(last):
            last[0] = estimated("".join((self.request.system, *self.request.stable, self.request.question)))
        return [before + now for before, now in zip(self._input_before, last, strict=True)]

    def usage(self) -> Usage:
        """What the server told; where it did not, or was stopped before it could, an estimate."""
        read, cached, written = self._input_so_far()
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
