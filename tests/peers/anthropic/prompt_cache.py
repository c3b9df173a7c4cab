"""Which part of a prompt was there before: the longest prefix that ends at a block that an earlier request marked."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tests.peers.anthropic.replies import Json
from tests.peers.anthropic.rules import blocks_of

LEAST: Final = 512
"""Tokens of the shortest prefix that is kept."""
LOOKS_BACK: Final = 20
"""Blocks before a breakpoint at which an earlier prefix is looked for."""
_SECONDS: Final = {"5m": 300.0, "1h": 3600.0}


def tokens(said: object) -> int:
    """About how many tokens this is: four characters each."""
    return max(1, len(said if isinstance(said, str) else json.dumps(said, sort_keys=True)) // 4)


@dataclass
class PromptCache:
    """Prefixes by their hash, with when they are dropped."""

    clock: Callable[[], float] = time.monotonic
    kept: dict[str, float] = field(default_factory=dict)

    def usage(self, body: Json) -> Json:
        """The input tokens of a request by kind; what it marks is kept from now on."""
        digest, total = hashlib.sha256(str(body["model"]).encode()), 0
        prefixes: list[tuple[str, int, str | None]] = []
        for block in blocks_of(body):
            plain = {name: said for name, said in block.items() if name != "cache_control"}
            digest.update(json.dumps(plain, sort_keys=True).encode())
            total += tokens(plain.get("text", plain))
            mark = block.get("cache_control")
            prefixes.append((digest.hexdigest(), total, mark.get("ttl", "5m") if mark else None))
        read = written = 0
        for place, (_, _, mark) in enumerate(prefixes):
            if mark is not None:
                seen = prefixes[max(0, place - LOOKS_BACK) : place + 1]
                read = max([read, *(n for name, n, _ in seen if self.kept.get(name, 0.0) > self.clock())])
        for name, count, mark in prefixes:
            if mark is not None and count >= LEAST:
                written = max(written, count - read)
                self.kept[name] = self.clock() + _SECONDS[mark]
        return {
            "input_tokens": total - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }
