"""An answer on its way: shown claim by claim, and only while its boundary holds."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Final

from bot.core.answer import Answer, Engine, Refusal
from bot.core.ask import Reply
from bot.core.boundary import Boundary
from bot.core.chapters import ChapterMap, place_name
from bot.core.chat_model import Usage
from bot.core.club import QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.errors import Refused, Unavailable
from bot.core.ledger import KeptClaim, QuestionRecord, Status, cited
from bot.core.outcomes import Delivered, Matter, NotAnswered, Posting, Showing, Why
from bot.core.replying import replying
from bot.core.roster import Posted
from bot.core.spending import entries_of
from bot.core.standing import Standing, stands

_ATTEMPTS: Final = 5
_GONE: Final = "unknown_book"
"""What is refused where a question's book is no more."""
NO_ENGINE: Final = "none"
"""What is kept as the engine of a question that nothing answered."""


async def deliver(house: Clubhouse, matter: Matter, posting: Posting) -> Delivered | NotAnswered:
    """Answer ``matter`` and show the answer, claim by claim where the posting grows.

    Before everything that is shown, and after the last, it is asked whether the boundary still holds. Where it fell, or
    somebody joined or left, what was shown is withdrawn and the answer is made again. Nothing is shown to a room that
    has not met a name in the question. When this is cancelled, or fails, nothing of it stands, and that is recorded.
    Raises `Unavailable` when everything changes too often.
    """
    course = _Course(house, matter, posting)
    running = asyncio.ensure_future(course.run())
    try:
        await asyncio.wait([running])
        return running.result()
    except asyncio.CancelledError:
        await course.broken_off(running)
        raise
    except BaseException:
        await course.given_up(Status.FAILED)
        raise


@dataclass
class _Course:
    """One delivery, and what of it stands: ``question`` is what is recorded of the attempt that is going on."""

    house: Clubhouse
    matter: Matter
    posting: Posting
    question: QuestionId | None = None
    began: datetime = field(init=False)
    spent: list[Usage] = field(default_factory=list)
    _map: ChapterMap | None = None
    _posted: set[Posted] = field(default_factory=set)
    _shown_of: Answer | Refusal | None = None

    def __post_init__(self) -> None:
        self.began = self.house.clock()

    async def run(self) -> Delivered | NotAnswered:
        """Attempt it until it ends."""
        for _ in range(_ATTEMPTS):
            if (ended := await self.attempted()) is not None:
                return ended
        raise Unavailable("The club's positions changed too often while this was answered: ask again.", code="busy")

    async def attempted(self) -> Delivered | NotAnswered | None:
        """How it ended; None where it is to be made again."""
        showing: Showing | None = None
        reply: Reply | None = None
        try:
            async with aclosing(replying(self.house.searching, self.matter.asked, self.spent.append)) as replies:
                async for reply in replies:
                    if self.matter.room is not None and reply.found.unmet_names:
                        return NotAnswered(Why.NAMES_UNMET)
                    if reply.choices:
                        return await self._offered(reply)
                    if not reply.complete and not self.posting.grows:
                        continue
                    if _begins_anew(self._shown_of, reply):
                        await self._taken_away()
                    standing = await self._standing(reply)
                    if not standing.holds or standing.asker is None:
                        return await self._withdrawn(standing)
                    showing = await self._shown(reply, standing)
        except Refused as refused:
            if refused.code != _GONE:
                raise
            return NotAnswered(Why.BOOK_GONE) if reply is None else None
        assert reply is not None
        standing = await self._standing(reply)
        if not standing.holds or showing is None:
            return await self._withdrawn(standing)
        status = Status.ANSWERED if isinstance(reply.outcome, Answer) else Status.REFUSED
        await self._ended(status)
        await self.posting.settled()
        return Delivered(showing.question, showing)

    async def _offered(self, reply: Reply) -> NotAnswered | None:
        """Who may be meant: the names are told to who asked alone, while they are met."""
        standing = await self._standing(reply)
        return NotAnswered(Why.SEVERAL_NAMES, names=reply.choices) if standing.holds else standing.refused

    async def broken_off(self, running: asyncio.Task[Delivered | NotAnswered]) -> None:
        """Take away at once what stands, while what was answering clears up: its spending is noted first."""
        running.cancel()
        try:
            await self.posting.withdraw()
        finally:
            await asyncio.gather(running, return_exceptions=True)
            await self.given_up(Status.STOPPED)

    async def given_up(self, status: Status) -> None:
        """Take away what stands, and record that it was stopped or failed, also where it cannot be taken away."""
        try:
            await self.posting.withdraw()
        finally:
            if self.question is not None:
                await self._ended(status)
            else:
                charged = await recorded_unanswered(self.house, self.matter, status, self.began, self._cost())
                await self._charged(charged)

    async def _ended(self, status: Status) -> None:
        """Record how the attempt ended, and what was spent since the one before it."""
        assert self.question is not None
        await self.house.ledger.ended(self.question, status, self._seconds(), self._cost())
        await self._charged(self.question)

    async def _charged(self, question: QuestionId | None) -> None:
        """Note in the books for which question it was; of one that is not kept, for none."""
        entries = entries_of(self.spent)
        self.spent.clear()
        if question is not None and entries:
            await self.house.spending.charged_to(question, entries)

    def _cost(self) -> Decimal:
        writing = self.house.searching.writing
        return sum(map(writing.price, self.spent), start=Decimal(0)) if writing is not None else Decimal(0)

    def _seconds(self) -> float:
        return max(0.0, (self.house.clock() - self.began).total_seconds())

    async def _withdrawn(self, standing: Standing) -> NotAnswered | None:
        await self._taken_away()
        self._map = None
        return standing.refused

    async def _taken_away(self) -> None:
        await self.posting.withdraw()
        if self.question is not None:
            await self._ended(Status.WITHDRAWN)
        self.question, self._shown_of = None, None
        self._posted.clear()

    async def _standing(self, reply: Reply) -> Standing:
        async with self.house.searching.doors.opened() as door:
            standing = await stands(door, self.house, self.matter, reply)
            if standing.holds and self._map is None:
                self._map = await door.chapter_map(self.matter.asked.book)
        return standing

    async def _shown(self, reply: Reply, standing: Standing) -> Showing:
        assert standing.asker is not None
        assert self._map is not None
        if self.question is None:
            self.question = await self.house.ledger.asked(self._record(reply))
        if isinstance(reply.outcome, Answer) and reply.outcome.engine is Engine.CLAUDE:
            await self._claimed(self.question, reply.outcome)
        self._shown_of = reply.outcome

        async def holds() -> bool:
            return (await self._standing(reply)).holds

        showing = Showing(
            question=self.question,
            asker=standing.asker,
            book=reply.found.book,
            chapter_map=self._map,
            outcome=reply.outcome,
            complete=reply.complete,
            holds=holds,
            pending=standing.pending,
            ahead=_named_further(standing.own, reply.outcome.boundary, self._map),
            why=self.matter.why,
            several=self.matter.several,
            failed=reply.failed is not None,
        )
        for posted in await self.posting.show(showing):
            if posted not in self._posted:
                await self.house.ledger.posted(self.question, posted)
                self._posted.add(posted)
        return showing

    async def _claimed(self, question: QuestionId, outcome: Answer) -> None:
        """Keep what a model wrote before it is shown: the claims that are new, and their citations."""
        before = self._shown_of if isinstance(self._shown_of, Answer) else None
        claims = outcome.claims[len(before.claims) if before else 0 :]
        known = {citation.n for citation in before.citations} if before else set()
        citations = [citation for citation in cited(outcome) if citation.n not in known]
        if claims:
            first = len(outcome.claims) - len(claims) + 1
            kept = [KeptClaim(n, c.text, c.citations) for n, c in enumerate(claims, start=first)]
            await self.house.ledger.claimed(question, kept, citations)

    def _record(self, reply: Reply) -> QuestionRecord:
        """What is kept from the first claim on; until it has ended it is one that failed.

        The citations of a model's answer are kept with its claims, as these come.
        """
        outcome, boundary = reply.whole or reply.outcome, reply.outcome.boundary
        quoted = isinstance(outcome, Answer) and outcome.engine is Engine.QUOTES
        return QuestionRecord(
            member=self.matter.member,
            book=boundary.book,
            room=self.matter.room,
            said=outcome.question,
            boundary=boundary.offset,
            audience=boundary.audience.members,
            status=Status.FAILED,
            engine=outcome.engine.value if isinstance(outcome, Answer) else NO_ENGINE,
            asked_at=self.began,
            follows=reply.found.followed[0].id if reply.found.followed else None,
            citations=cited(outcome) if quoted and isinstance(outcome, Answer) else (),
        )


async def recorded_unanswered(
    house: Clubhouse, matter: Matter, status: Status, began: datetime, cost: Decimal = Decimal(0)
) -> QuestionId | None:
    """Record a question that ended before it had a boundary; one whose book is gone is kept no more than the book.

    ``cost`` is in US dollars.
    """
    async with house.searching.doors.opened() as door:
        known, books = await door.member(matter.member), await door.books()
    if known is None or matter.asked.book not in {book.id for book in books}:
        return None
    seconds = max(0.0, (house.clock() - began).total_seconds())
    said = matter.asked.question
    record = QuestionRecord(
        matter.member, matter.asked.book, matter.room, said, 0, frozenset(), status, NO_ENGINE, began, seconds, cost
    )
    return await house.ledger.asked(record)


def _begins_anew(shown: Answer | Refusal | None, reply: Reply) -> bool:
    """Whether what is shown is no beginning of the reply: the model failed after its first claims."""
    if not isinstance(shown, Answer):
        return False
    return not isinstance(reply.outcome, Answer) or reply.outcome.engine is not shown.engine


def _named_further(own: int, boundary: Boundary, chapter_map: ChapterMap) -> bool:
    """Whether somebody at ``own`` is further on than the boundary as it is named: who moves in small steps within a
    chapter is not told where in it another member is.
    """
    here, there = place_name(own, chapter_map), place_name(boundary.offset, chapter_map)
    return own > boundary.offset and here != there
