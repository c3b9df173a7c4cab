"""Answers on their way to be shown, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.answer import Answer, Citation, Claim, Engine, Refusal
from bot.core.boundary import Boundary, boundary_for
from bot.core.chapters import Chapter, ChapterMap
from bot.core.club import Audience, BookId, ClubId, Member, MemberId, QuestionId, private_to
from bot.core.evidence import Evidence, Passage, ReadSentence
from bot.core.offsets import Span
from bot.core.outcomes import Showing, Why
from bot.core.ports import BookRecord

ANA, BEN = MemberId(1), MemberId(2)
EVERYBODY = Audience(frozenset({ANA, BEN}), "discord:10/20")
MAP = ChapterMap(140_000, 0, 140_000, tuple(Chapter(n, n, (), 10_000 * n - 10_000, 10_000 * n) for n in range(1, 15)))
AT = 60_000
"""The end of chapter 6."""


def boundary(audience: Audience = EVERYBODY, offset: int = AT) -> Boundary:
    return boundary_for(BookId(3), audience, dict.fromkeys(audience.members, offset))


def cited(under: Boundary, quotes: Sequence[str]) -> tuple[Citation, ...]:
    """Each quote in a passage of its own, a chapter further on each time, as far as chapter 6."""
    made = []
    for n, quote in enumerate(quotes, start=1):
        span = Span(min(n, 6) * 10_000 - 9_000, min(n, 6) * 10_000 - 9_000 + len(quote))
        passage = Passage(n, min(n, 6), span, span.start, quote, (ReadSentence(span, quote, span.start),))
        made.append(Citation(n, span, quote, Evidence(under, passage)))
    return tuple(made)


def answer(under: Boundary, question: str, quotes: Sequence[str]) -> Answer:
    citations = cited(under, quotes)
    return Answer(under, question, Engine.QUOTES, tuple(Claim(c.quote, (c.n,)) for c in citations), citations)


async def _holds() -> bool:
    return True


def showing(
    outcome: Answer | Refusal,
    *,
    name: str = "ana",
    asker: MemberId = ANA,
    chapter_map: ChapterMap = MAP,
    title: str = "The Sign of the Four",
    complete: bool = True,
    pending: int = 0,
    ahead: bool = False,
    why: Why | None = None,
    several: bool = False,
) -> Showing:
    book = BookRecord(BookId(3), ClubId(5), title, "en", "ready", 140_000, 0, 140_000, 14, None)
    member = Member(asker, name, True, person="discord:111222333444555666")
    return Showing(
        QuestionId(77), member, book, chapter_map, outcome, complete, _holds, pending=pending, ahead=ahead, why=why,
        several=several,
    )  # fmt: skip


def in_room(question: str, quotes: Sequence[str], **more: object) -> Showing:
    under = boundary()
    made = answer(under, question, quotes) if quotes else Refusal(under, question)
    return showing(made, **more)  # type: ignore[arg-type]


def privately(question: str, quotes: Sequence[str], **more: object) -> Showing:
    under = boundary(private_to(ANA))
    made = answer(under, question, quotes) if quotes else Refusal(under, question)
    return showing(made, **more)  # type: ignore[arg-type]
