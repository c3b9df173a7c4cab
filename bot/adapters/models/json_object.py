"""The one JSON object in a reply that streams, whatever a model writes around it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field


@dataclass
class JsonObject:
    """Takes pieces of a reply and hands on those of its first object. ``whole`` says that the object has ended, and
    is JSON; ``begun`` that it has begun.
    """

    begun: bool = False
    _depth: int = 0
    _in_string: bool = False
    _escaped: bool = False
    _kept: list[str] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return self.begun and self._depth == 0

    @property
    def whole(self) -> bool:
        if not self.ended:
            return False
        try:
            json.loads("".join(self._kept))
        except (ValueError, RecursionError):
            return False
        return True

    def taken(self, piece: str) -> str:
        """What of ``piece`` belongs to the object."""
        start = 0
        if not self.begun:
            start = piece.find("{")
            if start < 0:
                return ""
        for at in range(start, len(piece)):
            if self.ended:
                return self._kept_of(piece[start:at])
            self._seen(piece[at])
        return self._kept_of(piece[start:])

    def _kept_of(self, part: str) -> str:
        self._kept.append(part)
        return part

    def _seen(self, letter: str) -> None:
        self.begun = True
        if self._in_string:
            if self._escaped:
                self._escaped = False
            elif letter == "\\":
                self._escaped = True
            elif letter == '"':
                self._in_string = False
        elif letter == '"':
            self._in_string = True
        elif letter in "{[":
            self._depth += 1
        elif letter in "}]":
            self._depth -= 1
