"""What the Messages API refuses, as far as Dogear could meet it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tests.peers.anthropic.replies import Json

KNOWN: Final = frozenset(
    (
        *("model", "messages", "max_tokens", "system", "metadata", "stop_sequences", "stream", "temperature", "top_p"),
        *("top_k", "thinking", "tools", "tool_choice", "output_config", "cache_control", "service_tier", "container"),
        *("context_management", "inference_geo", "mcp_servers", "speed", "diagnostics"),
    )
)
BREAKPOINTS: Final = 4
_UNSUPPORTED: Final = ("minimum", "maximum", "minLength", "maxLength", "multipleOf", "maxItems")


class Refused(Exception):
    """What is wrong with a request."""


def checked(body: Json) -> None:
    """Raises `Refused` where the real API would answer 400."""
    for name in body:
        if name not in KNOWN:
            raise Refused(f"{name}: Extra inputs are not permitted")
    for name in ("model", "messages", "max_tokens"):
        if not body.get(name):
            raise Refused(f"{name}: Field required")
    if body["messages"][0]["role"] != "user":
        raise Refused('messages: first message must use the "user" role')
    blocks = list(blocks_of(body))
    for block in blocks:
        if block.get("type") == "text" and not block.get("text"):
            raise Refused("text content blocks must be non-empty")
    points = sum(bool(block.get("cache_control")) for block in blocks)
    if points > BREAKPOINTS:
        raise Refused(f"A maximum of {BREAKPOINTS} blocks with cache_control may be provided. Found {points}.")
    _output(body)


def blocks_of(body: Json) -> Iterator[Json]:
    """Every block of the prompt, in the order in which the cache sees it."""
    yield from body.get("tools") or ()
    yield from _blocks(body.get("system") or [])
    for message in body["messages"]:
        yield from _blocks(message["content"])


def _blocks(content: str | Sequence[Json]) -> Sequence[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _output(body: Json) -> None:
    form = (body.get("output_config") or {}).get("format")
    if not form:
        return
    if form.get("type") != "json_schema":
        raise Refused("output_config.format.type: must be json_schema")
    _schema(form["schema"])
    if body["messages"][-1]["role"] == "assistant":
        raise Refused("prefill is not supported with output_config.format")


def _schema(schema: Any) -> None:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            raise Refused("For 'object' type, 'additionalProperties' must be explicitly set to false")
        for name in _UNSUPPORTED:
            if name in schema and not isinstance(schema[name], dict):
                raise Refused(f"output_config.format.schema: property '{name}' is not supported")
        for part in schema.values():
            _schema(part)
    elif isinstance(schema, list):
        for part in schema:
            _schema(part)
