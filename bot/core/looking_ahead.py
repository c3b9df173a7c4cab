"""The two presses of looking ahead: whether the book answers a private question further on, and what it says there.

What comes of either is for that member alone, once, and is kept nowhere: that they looked is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.core.ahead import PASSAGES, LookAhead, Step, UnreadPassage, UnreadPassages, chosen
from bot.core.asked_in import PRIVATELY, Moment, asker_at, turns_covered
from bot.core.chapters import ChapterMap
from bot.core.club import MemberId, Person, QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.ledger import KeptQuestion, Status
from bot.core.offsets import Span
from bot.core.outcomes import NotAnswered, Why
from bot.core.ports import BookRecord
from bot.core.question_vectors import leaning, question_vector
from bot.core.quotes import closest_drawn
from bot.core.retrieve import Query, ReadPart, query_for, rank
from bot.core.search import Searching
from bot.core.terms import question_terms, term_id
from bot.core.turns import NotTaken
from bot.core.wanted import Recap, wanted_by

COVERED: Final = 0.5
"""A passage that holds this share of the question's own terms, by their idf, may answer it (docs/retrieval.md)."""
CLOSE: Final = 0.5
"""So may one that comes so close in meaning (inner product of unit vectors)."""


@dataclass(frozen=True, slots=True)
class ToldAhead:
    """Whether the book may answer a question further on; for ``member`` alone."""

    member: MemberId
    question: QuestionId
    said: str
    likely: bool


@dataclass(frozen=True, slots=True)
class QuoteAhead:
    """A verbatim stretch of the unread body: its span (code points), its text, and ``#N`` of its chapter.

    ``whole`` says that it ends where a sentence does.
    """

    n: int
    span: Span
    text: str
    chapter: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class ShownAhead:
    """What comes closest to a question further on; for ``member`` alone. No quotes: nothing there relates to it."""

    member: MemberId
    question: QuestionId
    said: str
    chapter_map: ChapterMap
    quotes: tuple[QuoteAhead, ...]


Foreseen = ToldAhead | ShownAhead

Show = Callable[[Foreseen], Awaitable[None]]
"""Shows it to its member alone. What it raises leaves the choice free to be made again."""


@dataclass(frozen=True, slots=True)
class _Looking:
    """What one press is about."""

    house: Clubhouse
    look: LookAhead
    kept: KeptQuestion
    book: BookRecord


async def look_ahead(
    house: Clubhouse, question: QuestionId, person: Person, step: Step, show: Show
) -> Foreseen | NotAnswered:
    """Tell a member alone whether the book may answer a private question of theirs further on; or show what it says.

    ``show`` is awaited with what comes of it, if they still are a member and the book is still there. Each step is done
    once for a question; the second follows the first. Nothing else that Dogear does is any different afterwards.
    Raises `Unavailable`, and `Refused` ("no_look_ahead") where the choice does not hold.
    """
    moment = await asker_at(house, person, PRIVATELY)
    if isinstance(moment, NotAnswered):
        return moment
    kept = await house.ledger.question(question)
    if kept is None or not _own(kept, moment.member.id):
        return NotAnswered(Why.NO_SUCH_QUESTION)
    book = _book_in(moment, kept)
    if book is None:
        return NotAnswered(Why.BOOK_GONE)
    look = await chosen(house.ahead, question, moment.member.id, step, house.clock())
    if look is None:
        return NotAnswered(Why.AGAIN)
    looking, done = _Looking(house, look, kept, book), False
    try:
        outcome = await house.turns.taken(look.member, lambda: _shown(looking, person, show), _untold)
        done = isinstance(outcome, Foreseen)
    finally:
        if not done:
            await house.ahead.given_up(look.run, house.clock())
    if isinstance(outcome, NotTaken):
        return NotAnswered(Why.QUEUE_FULL if outcome is NotTaken.FULL else Why.STOPPED)
    return outcome


async def _untold(place: int) -> None:
    """Nobody is told a place in the queue: it takes less time than telling it."""
    del place


def _own(kept: KeptQuestion, member: MemberId) -> bool:
    """Whether it is a question of the member's own that stands privately: a recap is none."""
    record = kept.record
    asks = not isinstance(wanted_by(record.said), Recap)
    ended = record.status in {Status.ANSWERED, Status.REFUSED}
    return asks and ended and record.member == member and record.room is None


def _book_in(moment: Moment, kept: KeptQuestion) -> BookRecord | None:
    return next((book for book in moment.books if book.id == kept.record.book), None)


async def _shown(looking: _Looking, person: Person, show: Show) -> Foreseen | NotAnswered:
    foreseen = await _foreseen(looking)
    moment = await asker_at(looking.house, person, PRIVATELY)
    if isinstance(moment, NotAnswered):
        return moment
    book = _book_in(moment, looking.kept)
    if book is None or not book.same_text(looking.book):
        return NotAnswered(Why.BOOK_GONE)
    await show(foreseen)
    return foreseen


async def _foreseen(looking: _Looking) -> Foreseen:
    house, look, record = looking.house, looking.look, looking.kept.record
    earlier = [turn.said for turn in await turns_covered(house, record)]
    query = query_for(record.said, looking.book.language, earlier=earlier)
    vectors = await asyncio.to_thread(_vectors, house.searching, looking.book, record.said, earlier)
    terms = list(query.terms)
    async with house.ahead.opened(look) as door:
        unread = await door.looked_ahead(terms, vectors)
        if look.step is Step.WHETHER:
            likely = may_answer(query, unread, looking.book.language)
            return ToldAhead(look.member, look.question, record.said, likely)
        candidates = rank(_part(unread), query, PASSAGES, house.searching.ranking)
        passages = {p.ordinal: p for p in await door.read_ahead([c.ordinal for c in candidates])}
    held = [candidate for candidate in candidates if candidate.ordinal in passages]
    texts = [passages[candidate.ordinal] for candidate in held]
    drawn = await asyncio.to_thread(closest_drawn, query, [p.sentences for p in texts], held, looking.book.language)
    async with house.searching.doors.opened() as door_of_numbers:
        chapter_map = await door_of_numbers.chapter_map(record.book)
    quotes = tuple(_quote(n, texts[one.row], one.span) for n, one in enumerate(drawn, start=1))
    return ShownAhead(look.member, look.question, record.said, chapter_map, quotes)


def _vectors(
    searching: Searching, book: BookRecord, said: str, earlier: Sequence[str]
) -> tuple[NDArray[np.float32], ...]:
    """The question's vector, where there is one of the book's own model."""
    made = question_vector(searching.embedder, said)
    if made is None or made[0] != book.embedder:
        return ()
    before = question_vector(searching.embedder, earlier[0]) if earlier else None
    return (made[1] if before is None else leaning(made[1], before[1]),)


def _part(unread: UnreadPassages) -> ReadPart:
    """The unread passages as they are ranked, by numbers."""
    bodies = np.ones(len(unread.ordinals), dtype=np.bool_)
    return ReadPart(
        unread.ordinals, bodies, unread.similarities, unread.counts, unread.lengths.astype(np.float64)
    )  # fmt: skip


def may_answer(query: Query, unread: UnreadPassages, language: str | None) -> bool:
    """Whether one of the unread passages holds enough of the question's own terms, or comes close enough in meaning.

    A guess, and told as one: of questions that are answered further on, and of those that are not, docs/retrieval.md
    says how often it is right.
    """
    if not len(unread.ordinals):
        return False
    if np.nanmax(unread.similarities, initial=-1.0) >= CLOSE:
        return True
    ids = list(query.terms)
    own = sorted({ids.index(term_id(term)) for term in question_terms(query.question, language)})
    held = unread.counts[:, own] > 0
    found = held.sum(axis=0)
    idf = np.log1p((len(held) - found + 0.5) / (found + 0.5))
    return bool(own) and float((held * idf).sum(axis=1).max()) >= COVERED * float(idf.sum())


def _quote(n: int, passage: UnreadPassage, span: Span) -> QuoteAhead:
    text = passage.text[span.start - passage.span.start : span.end - passage.span.start]
    whole = any(sentence.span.end == span.end for sentence in passage.sentences)
    return QuoteAhead(n, span, text, passage.chapter, whole)
