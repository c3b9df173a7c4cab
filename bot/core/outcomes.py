"""What a question comes to: what is shown of an answer, and why there is none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from bot.core.answer import Answer, Refusal
from bot.core.chapters import ChapterMap
from bot.core.club import Member, MemberId, QuestionId
from bot.core.limits import Limited
from bot.core.ports import BookRecord
from bot.core.roster import Posted
from bot.core.search import Asked


class Why(StrEnum):
    """Why a question got no answer, or none where it was asked."""

    MEMBERS_ONLY = "members_only"
    NO_BOOK = "no_book"
    NO_SUCH_BOOK = "no_such_book"
    BOOK_GONE = "book_gone"
    NO_SUCH_QUESTION = "no_such_question"
    PAUSED = "paused"
    MUTED = "muted"
    LIMITED = "limited"
    QUEUE_FULL = "queue_full"
    STOPPED = "stopped"
    AGAIN = "again"
    NAMES_UNMET = "names_unmet"
    OWN_VISIT = "own_visit"
    SEVERAL_NAMES = "several_names"
    UNMOVED = "unmoved"


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A question that got no answer; it is told to who asked, and to nobody else.

    ``until`` is when a muted room answers again; ``limited`` the limit that was reached; ``names`` are of whom a name
    may be, all of them met.
    """

    why: Why
    until: datetime | None = None
    limited: Limited | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Showing:
    """What is shown of an answer: as far as it is there, until it is ``complete``.

    ``pending`` counts members of the room without a place; ``ahead`` says that who asked has read further than the
    room, as its place is named, by chapters (they may be answered privately); ``why`` that it is answered privately
    alone, wherever it was asked, and for what reason. ``several`` says that it is one of several books'; ``failed``
    that the model that was to write it did not. ``holds`` asks whether it may be shown at that moment.
    """

    question: QuestionId
    asker: Member
    book: BookRecord
    chapter_map: ChapterMap
    outcome: Answer | Refusal
    complete: bool
    holds: Callable[[], Awaitable[bool]] = field(compare=False, repr=False)
    pending: int = 0
    ahead: bool = False
    why: Why | None = None
    several: bool = False
    failed: bool = False


class Posting(Protocol):
    """One answer on one platform: a message, or several. ``grows`` says whether what is shown is edited as more comes;
    else it is shown once, whole.
    """

    @property
    def grows(self) -> bool: ...

    async def show(self, showing: Showing) -> tuple[Posted, ...]:
        """Show this in place of what was shown before; returns every message in which it stands."""

    async def settled(self) -> None:
        """What is shown whole is recorded, and where it stands: it stays, whatever becomes of this process."""

    async def withdraw(self) -> None:
        """Take away all that was shown, if anything was; something else may be shown after it."""


@dataclass(frozen=True, slots=True)
class Matter:
    """One question about one book, for whoever ``asked`` says; ``room`` is the key of the room, or None.

    ``asked_under`` is the offset of the boundary under which somebody else asked it: it is not repeated to who is
    behind that.
    """

    asked: Asked
    member: MemberId
    room: str | None = None
    why: Why | None = None
    several: bool = False
    asked_under: int = 0


@dataclass(frozen=True, slots=True)
class Delivered:
    """An answer, or the fixed refusal, that was shown whole and held when it was."""

    question: QuestionId
    showing: Showing
