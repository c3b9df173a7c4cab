"""A model that says what a test has it say: fits the ``ChatModel`` port."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from bot.core.chat_model import ModelFailed, ModelRequest, Purpose, Spent, Usage

Says = Callable[[ModelRequest], str]


def claims_reply(*claims: tuple[str, int, str]) -> str:
    """A reply of claims: a sentence, the number of a passage, a quote."""
    return json.dumps({"claims": [{"text": t, "passage": n, "quote": q} for t, n, q in claims]})


def notes_reply(*claims: tuple[str, int, str, str, str]) -> str:
    """A reply of notes: a sentence, the number of a passage, a quote, whom it is about, and who is the same."""
    keys = ("text", "passage", "quote", "about", "also")
    return json.dumps({"claims": [dict(zip(keys, claim, strict=True)) for claim in claims]})


def believable(request: ModelRequest) -> str:
    """Verdicts of a reader that sees through tests: supported where the passage has the longer words of the
    sentence, in their order.
    """
    found = []
    for item in request.question.split("</claim>"):
        if "<sentence>" in item:
            number = int(item.split('number="')[1].split('"')[0])
            sentence = item.split("<sentence>")[1].split("</sentence>")[0]
            there = iter(_long_words(item.split("<passage>")[1]))
            found.append({"claim": number, "supported": all(word in there for word in _long_words(sentence))})
    return json.dumps({"verdicts": found})


def _long_words(text: str) -> list[str]:
    bare = (word.strip(".,;:!?“”’").casefold() for word in text.split())
    return [word for word in bare if len(word) > 2 and word not in {"the", "and"}]


def agreeing(request: ModelRequest) -> str:
    """Yes to everything."""
    count = request.question.count("<sentence>")
    return json.dumps({"verdicts": [{"claim": n, "supported": True} for n in range(1, count + 1)]})


@dataclass
class FakeModel:
    """Says ``says`` to questions and ``supports`` to readings, so many code points at once; then raises ``fails``, if
    anything. ``requests`` are all that it was asked; ``ended`` counts those that were closed before they had ended.
    Of each request that is ``counting`` it says that it is so many ``tokens``.
    """

    says: Says
    supports: Says = believable
    parts: Says = lambda _: json.dumps({"parts": []})
    piece: int = 40
    fails: ModelFailed | None = None
    hangs: bool = False
    tokens: int | None = None
    requests: list[ModelRequest] = field(default_factory=list)
    counting: list[ModelRequest] = field(default_factory=list)
    ended: int = 0

    async def written(self, request: ModelRequest, spent: Spent) -> AsyncGenerator[str, None]:
        self.requests.append(request)
        readers = {Purpose.SUPPORT: self.supports, Purpose.MEMORY_CHECK: self.supports, Purpose.PARTS: self.parts}
        saying = readers.get(request.purpose, self.says)
        reply = saying(request)
        try:
            for at in range(0, len(reply), self.piece):
                yield reply[at : at + self.piece]
            if request.purpose in {Purpose.ANSWER, Purpose.MEMORY}:
                if self.hangs:
                    await asyncio.Event().wait()
                if self.fails is not None:
                    raise self.fails
        except (GeneratorExit, asyncio.CancelledError):
            self.ended += 1
            raise
        finally:
            spent(Usage("fake", len(request.question), 0, 0, len(reply)))

    async def counted(self, request: ModelRequest) -> int | None:
        self.counting.append(request)
        return self.tokens

    def asked(self, purpose: Purpose) -> list[ModelRequest]:
        """The requests for one purpose."""
        return [request for request in self.requests if request.purpose is purpose]
