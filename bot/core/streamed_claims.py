"""Claims out of a reply that is still being written: partial JSON, read again whenever an object may have ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from jiter import from_json

LONGEST_REPLY: Final = 40_000
"""Code points: what is longer is no reply to one question."""
MOST_ENDS: Final = 400
"""So many closing braces, of claims or in their words: the reply is read again at each."""


class NotClaims(ValueError):
    """What was written is no list of claims. The message holds nothing of it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One claim as the model wrote it, unchecked: a sentence, the number of a passage, and words out of it.

    ``about`` is whom it says that it tells of, and ``also`` who it says is the same; "" where it does not.
    """

    text: str
    passage: int
    quote: str
    about: str = ""
    also: str = ""

    @property
    def of(self) -> tuple[str, str]:
        """Whom it tells of, and who is the same."""
        return self.about, self.also


@dataclass
class ClaimStream:
    """Takes a reply in pieces and gives each claim as soon as its object has ended."""

    _written: str = ""
    _given: int = field(default=0)
    _ends: int = field(default=0)

    def fed(self, piece: str) -> list[Draft | None]:
        """The claims that ended in ``piece``, in order; None for one that is none. Raises `NotClaims`."""
        self._ends += piece.count("}")
        if len(self._written) + len(piece) > LONGEST_REPLY or self._ends > MOST_ENDS:
            raise NotClaims("too long")
        found: list[Draft | None] = []
        for part in piece.splitlines(keepends=True) or [""]:
            at = -1
            start = len(self._written)
            self._written += part
            while (at := part.find("}", at + 1)) >= 0:
                found += self._ended(self._written[: start + at + 1])
        return found

    def closed(self) -> None:
        """Say that nothing more comes. Raises `NotClaims` unless what came is whole."""
        if not isinstance(_claims(_parsed(self._written, partial=False)), list):
            raise NotClaims("no claims")

    def _ended(self, written: str) -> list[Draft | None]:
        claims = _claims(_parsed(written, partial=True))
        if claims is None:
            return []
        new: list[Draft | None] = []
        while self._given < len(claims) and _whole(claims[self._given], last=self._given == len(claims) - 1):
            new.append(_draft(claims[self._given]))
            self._given += 1
        return new


def _parsed(written: str, partial: bool) -> Any:
    try:
        return from_json(written.encode("utf-8", "replace"), partial_mode=partial, allow_inf_nan=False)
    except (ValueError, RecursionError):
        raise NotClaims("no JSON") from None


def _claims(value: Any) -> list[Any] | None:
    """The list of claims; None where it has not begun. Raises `NotClaims` for anything else."""
    claims = value.get("claims") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(claims, list | None):
        raise NotClaims("no claims")
    return claims


def _whole(value: Any, last: bool) -> bool:
    """Whether a claim has ended: an unfinished string is not in it yet, so that one of three keys is missing."""
    return not last or not isinstance(value, dict) or value.keys() >= {"text", "passage", "quote"}


def _draft(value: Any) -> Draft | None:
    if not isinstance(value, dict):
        return None
    text, passage, quote = value.get("text"), value.get("passage"), value.get("quote")
    if not isinstance(text, str) or not isinstance(quote, str):
        return None
    if not isinstance(passage, int) or isinstance(passage, bool):
        return None
    about, also = value.get("about", ""), value.get("also", "")
    if not isinstance(about, str) or not isinstance(also, str):
        return None
    return Draft(text, passage, quote, about.strip(), also.strip())
