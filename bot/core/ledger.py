"""What was asked: each question with its boundary and its citations, where its answer stands, and what spoiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from bot.core.answer import Answer
from bot.core.club import BookId, MemberId, QuestionId
from bot.core.errors import Refused
from bot.core.following import Turn
from bot.core.offsets import Span
from bot.core.roster import Posted


class Status(StrEnum):
    """How a question ended. A ``WITHDRAWN`` answer was shown until its boundary fell, and was then made again."""

    ANSWERED = "answered"
    REFUSED = "refused"
    STOPPED = "stopped"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


class Press(StrEnum):
    """What may be pressed under an answer, and is done once for each member."""

    PRIVATE = "private"
    SHARE = "share"
    RETRY = "retry"


@dataclass(frozen=True, slots=True)
class Cited:
    """What citation ``n`` of an answer stands on: the passage's ordinal, the quote's span (code points of the book),
    and the chapter (``#N``, or None outside chapters). No text.
    """

    n: int
    passage: int
    span: Span
    chapter: int | None


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """Sentence ``n`` of an answer that a model wrote, with the numbers of its citations: kept for the host alone."""

    n: int
    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """One question about one book, for one audience: the words of who asked, and of the book numbers alone.

    ``room`` is the key of the room, or None for a private question; ``boundary`` an offset in code points; ``seconds``
    how long it took; ``cost`` is in US dollars; ``follows`` is the earlier question that it was read with. Raises
    ``ValueError`` for a negative boundary, or for times without a zone.
    """

    member: MemberId
    book: BookId
    room: str | None
    said: str
    boundary: int
    audience: frozenset[MemberId]
    status: Status
    engine: str
    asked_at: datetime
    seconds: float = 0.0
    cost: Decimal = Decimal(0)
    follows: QuestionId | None = None
    citations: tuple[Cited, ...] = ()

    def __post_init__(self) -> None:
        if self.boundary < 0 or self.asked_at.tzinfo is None:
            raise ValueError("a question has a boundary that is an offset, and a time with its zone")


@dataclass(frozen=True, slots=True)
class KeptQuestion:
    """A question as the ledger keeps it."""

    id: QuestionId
    record: QuestionRecord


@dataclass(frozen=True, slots=True)
class Report:
    """An answer that members say has spoiled the book for them, by numbers alone.

    ``members`` counts them; ``said_at`` is when the first of them said so; ``seen`` is whether an admin has looked.
    """

    question: QuestionId
    book: BookId
    room: str | None
    boundary: int
    citations: tuple[Cited, ...]
    members: int
    said_at: datetime
    seen: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a member says of an answer; ``new`` says that it is not what they had said before."""

    useful: bool
    new: bool


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How often the answers of one engine were called useful and not useful, each member counted once an answer.

    ``answers`` counts those that anything was said of.
    """

    engine: str
    answers: int
    useful: int
    not_useful: int


class Ledger(Protocol):
    """The questions of one club. Everything of a book goes with the book, everything of a member with the member."""

    async def asked(self, record: QuestionRecord) -> QuestionId:
        """Write a question down. Raises `unknown_book` where its book or its member is gone.

        Whatever else is noted of a question that is gone is noted nowhere.
        """

    async def claimed(self, question: QuestionId, claims: Sequence[KeptClaim], citations: Sequence[Cited]) -> None:
        """Keep more claims of a model's answer, and the citations that are new with them, before they are shown."""

    async def ended(self, question: QuestionId, status: Status, seconds: float, cost: Decimal = Decimal(0)) -> None: ...

    async def question(self, question: QuestionId) -> KeptQuestion | None: ...

    async def last_answered(self, member: MemberId | None, room: str | None) -> KeptQuestion | None:
        """The last question that got an answer or the refusal: in this room, by ``member`` or by anybody (None); or,
        where ``room`` is None, privately to ``member``.
        """

    async def questions(self, since: datetime, most: int, member: MemberId | None = None) -> tuple[KeptQuestion, ...]:
        """What was asked from ``since`` on (by one member), the newest first, at most so many: for who audits."""

    async def nths_latest(
        self, wanted: Sequence[tuple[int, MemberId | None]], since: datetime
    ) -> tuple[datetime | None, ...]:
        """For each ``n`` (from 1) with whose it is (None: anybody's), when the ``n``-th latest question that counts for
        limits was asked; None where there are fewer after ``since``. All of one moment.
        """

    async def turns(
        self, book: BookId, room: str | None, member: MemberId, since: datetime, most: int
    ) -> tuple[Turn, ...]:
        """The latest answered questions about a book: in a room, by anybody, or privately by ``member``."""

    async def posted(self, question: QuestionId, posted: Posted) -> None:
        """Note where an answer stands; a second time is no other."""

    async def postings(self, question: QuestionId) -> tuple[Posted, ...]:
        """Where an answer stands and is not hidden."""

    async def hidden(self, question: QuestionId, posted: Posted, at: datetime) -> None: ...

    async def question_at(self, posted: Posted) -> QuestionId | None:
        """The question whose answer stands there, hidden or not."""

    async def pressed(self, question: QuestionId, member: MemberId, press: Press, at: datetime) -> bool:
        """Note that a member pressed; false where they had before, and it was not taken back."""

    async def press_taken_back(self, question: QuestionId, member: MemberId, press: Press) -> None: ...

    async def spoiled(self, question: QuestionId, member: MemberId, at: datetime) -> bool:
        """Note that an answer spoiled the book for a member; false where they had said so before."""

    async def judged(self, question: QuestionId, member: MemberId, useful: bool, at: datetime) -> bool:
        """Keep what a member says of an answer, in place of what they said before; false where that is the same."""

    async def verdicts(self) -> tuple[Verdicts, ...]:
        """What members said of answers, by engine."""

    async def reports(self) -> tuple[Report, ...]:
        """Every answer that spoiled, the newest report first."""

    async def report_seen(self, question: QuestionId, at: datetime) -> None: ...


def unknown_book() -> Refused:
    """The book, or the member, that a question names is gone."""
    return Refused("unknown_book", "There is no such book any more: ask again.")


def cited(answer: Answer) -> tuple[Cited, ...]:
    """The citations of an answer, as numbers."""
    return tuple(Cited(c.n, c.evidence.passage.ordinal, c.span, c.chapter) for c in answer.citations)
