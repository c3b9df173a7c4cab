"""Questions that follow another: when one does, and which earlier question its words may be read with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.boundary import Boundary
from bot.core.club import BookId, MemberId, QuestionId
from bot.core.names import NAME_WORD

FOLLOWS_WITHIN: Final = timedelta(minutes=30)
"""How old an earlier question may be that another follows without saying so."""

LINKED: Final = 3
"""At most so many earlier questions are read with one: the last, and those that it followed itself."""

_OPENS: Final = re.compile(
    r"(?:and|but|so|then|also|or|because)\b|(?:what|how) about\b|(?:why|how) so\b|(?:what|who) else\b"
    r"|(?:any|tell me) more\b",
    re.I,
)
_POINTS: Final = re.compile(
    r"\b(?:he|she|they|him|them|those|these|himself|herself|themselves|the (?:former|latter|other|others|same))\b"
    r"|\b(?:do|did|does|done|doing|was|is|about|of|after|before|like|by) (?:that|this)\b|\b(?:that|there)\s*[?.!]*$",
    re.I,
)
_POINTS_WHEN_SHORT: Final = re.compile(r"\b(?:it|its|itself|his|hers?|theirs?)\b", re.I)
_SHORT: Final = 8
"""Words: in a longer question "it" and "her" often point to something in the question itself."""
_BARE: Final = frozenset(("who", "what", "when", "where", "why", "how", "which", "whose", "really", "more"))
_NO_NAME: Final = frozenset(("i", "i'm", "i’m", "i've", "i’ve", "i'd", "i’d", "i'll", "i’ll"))


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question. ``room`` is the key of the room in which it was asked, or None for ``member`` alone;
    ``boundary`` is the offset (code points of ``book``) under which it was answered; ``follows`` what it followed.
    """

    id: QuestionId
    member: MemberId
    book: BookId
    room: str | None
    said: str
    boundary: int
    asked_at: datetime
    follows: QuestionId | None = None


@dataclass(frozen=True, slots=True)
class Following:
    """The earlier questions that may be followed, the newest first.

    ``said`` is true where the member says that theirs is one that follows; ``of`` is the question that they replied
    to: then no other is followed. ``rooms`` lets a private question follow one of a room (it was asked there).
    """

    turns: tuple[Turn, ...]
    said: bool = False
    of: QuestionId | None = None
    rooms: bool = False


def is_follow_up(question: str) -> bool:
    """Whether a question in English leans on one before it: it opens with a conjunction ("and why ..."), is a bare
    question word, or points back ("he", "that") and names nobody itself.
    """
    words = [word[0] for word in NAME_WORD.finditer(question)]
    if not words:
        return False
    if _OPENS.match(question.lstrip("\"'“‘ ")):
        return True
    if all(word.casefold() in _BARE for word in words):
        return True
    named = any(word[0].isupper() and word.casefold() not in _NO_NAME for word in words[1:])
    if named:
        return False
    short = len(words) <= _SHORT and _POINTS_WHEN_SHORT.search(question) is not None
    return short or _POINTS.search(question) is not None


def followed(question: str, following: Following | None, boundary: Boundary) -> tuple[Turn, ...]:
    """The earlier questions to read ``question`` with under ``boundary``, the newest first; often none.

    One that the boundary does not cover is as if it had never been asked: of another book or room, asked further on, or
    privately by anyone but the one member who will see the reply.
    """
    if following is None:
        return ()
    covered = [turn for turn in following.turns if _covers(boundary, turn, following.rooms)]
    if following.of is not None:
        first = next((turn for turn in covered if turn.id == following.of), None)
    elif following.said or is_follow_up(question):
        first = next(iter(covered), None)
    else:
        first = None
    return _linked(first, covered)


def _covers(boundary: Boundary, turn: Turn, rooms: bool) -> bool:
    audience = boundary.audience
    if turn.book != boundary.book or not boundary.admits(turn.boundary):
        return False
    if not audience.private:
        return turn.room == audience.room
    return audience.members == {turn.member} if turn.room is None else rooms


def _linked(first: Turn | None, covered: Sequence[Turn]) -> tuple[Turn, ...]:
    known = {turn.id: turn for turn in covered}
    found: list[Turn] = []
    while first is not None and first not in found and len(found) < LINKED:
        found.append(first)
        first = known.get(first.follows) if first.follows is not None else None
    return tuple(found)
