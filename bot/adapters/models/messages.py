"""A request as the Messages API takes it, in full or as a server takes it that knows less."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from bot.core.chat_model import ModelRequest, Purpose

_MARKED: Final = (0, 1, 20)
"""Blocks of the prefix that are marked for the cache, from its last: the last one, the one before it (the last may be
begun only, and not the same when more was read), and one as far back as the API looks from a mark. A fourth mark, the
most that there may be, is the system prompt's.
"""
_THINKS: Final = re.compile(r"claude-[a-z]+-5(-\d)?$")
"""Models that think unless told how little, and take an effort."""
_EFFORT: Final = {Purpose.ANSWER: "medium", Purpose.MEMORY: "medium"}
THINKING: Final = 4_000
"""Tokens of room for thinking, which the API counts as output."""
_SHORT: Final = re.compile(r"[\x00-\x7f]")
_AS_JSON: Final = (
    "\n\nReply with one JSON object that satisfies this JSON schema, and with nothing before or after it:\n{schema}"
)

Params = dict[str, Any]


def estimated(text: str) -> int:
    """About how many tokens a text is: 2.5 of ASCII's characters each (a million are 2.5 million characters, says
    https://platform.claude.com/docs/en/models/haiku-5-5/overview), of others 1.3 tokens each, rounded up.
    """
    short = len(_SHORT.findall(text))
    return math.ceil(short / 2.5 + (len(text) - short) * 1.3)


def most_input(request: ModelRequest) -> int:
    """A bound on the tokens of a request's input: a third more than estimated, and what the API adds itself."""
    said = "".join((request.system, *request.stable, request.question, json.dumps(dict(request.schema))))
    return math.ceil(estimated(said) * 4 / 3) + 500


def most_output(request: ModelRequest, model: str) -> int:
    """The most tokens of output that are asked for."""
    return request.most_output + (THINKING if _THINKS.match(model) else 0)


def params(request: ModelRequest, model: str, *, plain: bool, cache_hour: bool = False) -> Params:
    """The body of a request; ``plain`` without structured output, effort and cache marks, with the schema in words;
    ``cache_hour`` keeps its prefix in the cache for an hour instead of five minutes.
    """
    mark = {"type": "ephemeral"} | ({"ttl": "1h"} if cache_hour else {})
    system = request.system + (_AS_JSON.format(schema=json.dumps(dict(request.schema))) if plain else "")
    made: Params = {
        "model": model,
        "max_tokens": most_output(request, model),
        "system": system if plain else [_block(system, mark)],
        "messages": [{"role": "user", "content": _content(request, None if plain else mark)}],
    }
    if not plain:
        made["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
        if _THINKS.match(model):
            made["output_config"]["effort"] = _EFFORT.get(request.purpose, "low")
    return made


def counting(request: ModelRequest, model: str) -> Params:
    """The body by which a request's input is counted."""
    made = params(request, model, plain=False)
    del made["max_tokens"]
    return made


def _content(request: ModelRequest, mark: Params | None) -> list[Params]:
    last = len(request.stable) - 1
    marked = {last - back for back in _MARKED}
    blocks = [_block(text, mark if n in marked else None) for n, text in enumerate(request.stable)]
    return [*blocks, _block(request.question)]


def _block(text: str, mark: Params | None = None) -> Params:
    return {"type": "text", "text": text} | ({} if mark is None else {"cache_control": mark})
