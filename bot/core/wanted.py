"""What is wanted by what a member says: most things are questions, `/recap` and `/who` are asked like one.

They go the way of every question: under a boundary, kept, limited, shared, withdrawn. What was said tells them apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.core.errors import Refused
from bot.core.names import PARTICLES

RECAP: Final = "/recap"
WHO: Final = "/who"


class Scope(StrEnum):
    """Of what a recap is: all that was read, what was read since the last visit, the last chapter."""

    READ = "what I have read"
    VISIT = "since my last visit"
    CHAPTER = "last chapter"


@dataclass(frozen=True, slots=True)
class Recap:
    """The most telling sentences of what was read, in story order."""

    scope: Scope = Scope.READ

    @property
    def said(self) -> str:
        """What is said to want it."""
        return RECAP if self.scope is Scope.READ else f"{RECAP} {self.scope}"


@dataclass(frozen=True, slots=True)
class Who:
    """The card of somebody, as far as was read."""

    name: str

    @property
    def said(self) -> str:
        """What is said to want it."""
        return f"{WHO} {self.name}"


_SCOPES: Final = {
    "": Scope.READ, "what i have read": Scope.READ, "what i've read": Scope.READ, "so far": Scope.READ,
    "all": Scope.READ, "everything": Scope.READ,
    "since my last visit": Scope.VISIT, "my last visit": Scope.VISIT, "last visit": Scope.VISIT,
    "visit": Scope.VISIT, "since": Scope.VISIT, "since last time": Scope.VISIT,
    "last chapter": Scope.CHAPTER, "the last chapter": Scope.CHAPTER, "chapter": Scope.CHAPTER,
}  # fmt: skip
_MARKS: Final = " \"'“”‘’„«»?!.,;:"


_ASKS_WHO: Final = re.compile(
    r"(?:who(?:['’]s|\s+(?:is|was|are|were))|wer\s+(?:ist|war|sind|waren)|qui\s+(?:est|était)|qui[eé]n\s+(?:es|era))\s+",
    re.I,
)
_JOIN: Final = PARTICLES | {"der", "den", "zu", "of", "the"}
"""Small words within a name."""


def somebody_asked(question: str) -> Who | None:
    """Whose card answers ``question``: it asks who somebody is, by nothing but their name ("Who is Mr. Fogg?").

    None for any other question. Every word of a name begins with a capital, but for those that join names.
    """
    asks = _ASKS_WHO.match(question)
    if asks is None:
        return None
    name = question[asks.end() :].strip(_MARKS)
    words = name.split()
    named = [word for word in words if word not in _JOIN]
    return Who(name) if named and words[0] in named and all(word[0].isupper() for word in named) else None


def wanted_by(said: str) -> Recap | Who | None:
    """What ``said`` was understood to want; None for a question, whatever it begins with."""
    try:
        return wanted(said)
    except Refused:
        return None


def wanted(said: str) -> Recap | Who | None:
    """What ``said`` (single spaces) wants; None for a question.

    Raises `Refused` with one sentence for a recap of something else, or a card of nobody.
    """
    command, _, rest = said.partition(" ")
    match command.casefold():
        case "/recap":
            scope = _SCOPES.get(rest.strip(_MARKS).replace("’", "'").casefold())
            if scope is None:
                raise Refused("recap_how", f"Say {RECAP}, {RECAP} {Scope.CHAPTER} or {RECAP} {Scope.VISIT}.")
            return Recap(scope)
        case "/who":
            name = rest.strip(_MARKS)
            if not name:
                raise Refused("who_how", f"Say who: {WHO} NAME.")
            return Who(name)
    return None
