"""What members chose to look ahead at, kept in memory: fits the ``Ahead`` port, and checks what the real one checks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from bot.core.ahead import (
    PASSAGES,
    AheadDoor,
    LookAhead,
    RunId,
    Step,
    UnreadPassage,
    UnreadPassages,
    UnreadSentence,
    no_look_ahead,
)
from bot.core.club import BookId, MemberId, QuestionId
from bot.core.ledger import Status
from bot.core.offsets import Span
from tests.fakes.ledger import FakeLedger
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf


@dataclass
class Chosen:
    """One choice, and what became of it."""

    question: QuestionId
    member: MemberId
    step: Step
    at: datetime
    used: bool = False
    shown: bool = False
    given_up: bool = False
    lapsed: bool = False


@dataclass
class FakeAhead:
    """Choices by number, from 1; ``minutes_pass`` lets all of them lapse that were made."""

    shelf: FakeShelf
    roster: FakeRoster
    ledger: FakeLedger
    runs: list[Chosen] = field(default_factory=list)

    async def chosen(self, question: QuestionId, member: MemberId, step: Step, at: datetime) -> RunId | None:
        before = [r for r in self.runs if (r.question, r.member, r.step) == (question, member, step)]
        if await self.ledger.question(question) is None or any(not run.given_up for run in before):
            return None
        self.runs.append(Chosen(question, member, step, at))
        return RunId(len(self.runs))

    async def given_up(self, run: RunId, at: datetime) -> None:
        del at
        self.runs[run - 1].given_up = True

    async def minutes_pass(self) -> None:
        for run in self.runs:
            run.lapsed = True

    @asynccontextmanager
    async def opened(self, look: LookAhead) -> AsyncIterator[AheadDoor]:
        run = self.runs[look.run - 1] if 0 < look.run <= len(self.runs) else None
        before = None if run is None else (run.used, run.shown)
        try:
            yield FakeAheadDoor(self, look, run)
        except BaseException:
            if run is not None and before is not None:  # rolled back
                run.used, run.shown = before
            raise

    async def book_of(self, look: LookAhead, run: Chosen | None) -> tuple[BookId, int]:
        """The book of the question, and where its member is; `no_look_ahead` where the choice does not hold."""
        kept = await self.ledger.question(look.question)
        if run is None or kept is None or (run.question, run.member) != (look.question, look.member):
            raise no_look_ahead()
        record = kept.record
        own = record.member == look.member and record.room is None
        if not own or record.status not in {Status.ANSWERED, Status.REFUSED}:
            raise no_look_ahead()
        if run.given_up or run.lapsed or not self.roster.has_joined(look.member):
            raise no_look_ahead()
        first = [r for r in self.runs if (r.question, r.member, r.step) == (run.question, run.member, Step.WHETHER)]
        if run.step is Step.ANSWER and not any(r.used and not r.given_up for r in first):
            raise no_look_ahead()
        return record.book, self.roster.latest(look.member, record.book) or 0


@dataclass
class FakeAheadDoor:
    """One transaction with one run."""

    ahead: FakeAhead
    look: LookAhead
    run: Chosen | None
    mine: bool = False

    async def looked_ahead(self, terms: Sequence[int], vectors: Sequence[NDArray[np.float32]]) -> UnreadPassages:
        book, read_to = await self.ahead.book_of(self.look, self.run)
        if self.run is None or self.run.used:
            raise no_look_ahead()
        self.run.used = self.mine = True
        kept = self.ahead.shelf.of(book)
        unread = [p for p in kept.indexed.passages if p.body and p.cut.revealed_at > read_to]
        near = {
            p.cut.ordinal: max(
                (float(np.float32(piece.vector.astype(np.float16) @ vector)) for piece in kept.vectors[p.cut.ordinal]),
                default=np.nan,
            )
            for p in unread
            for vector in vectors
            if p.cut.ordinal in kept.vectors
        }
        counts = [[float(p.terms.get(term, 0)) for term in terms] for p in unread]
        return UnreadPassages(
            ordinals=np.array([p.cut.ordinal for p in unread], dtype=np.int32),
            lengths=np.array([p.length for p in unread], dtype=np.int32),
            similarities=np.array([near.get(p.cut.ordinal, np.nan) for p in unread], dtype=np.float64),
            counts=np.array(counts, dtype=np.float64).reshape(len(unread), len(terms)),
        )

    async def read_ahead(self, ordinals: Sequence[int]) -> tuple[UnreadPassage, ...]:
        book, read_to = await self.ahead.book_of(self.look, self.run)
        run = self.run
        if run is None or run.step is not Step.ANSWER or run.shown or not (run.used and self.mine):
            raise no_look_ahead()
        run.shown = True
        wanted = set(sorted(set(ordinals))[:PASSAGES])
        body = {p.cut.ordinal for p in self.ahead.shelf.passages(book) if p.body}
        rows = [
            s
            for s in self.ahead.shelf.sentences(book)
            if s.passage in wanted & body and s.sentence.revealed_at > read_to
        ]
        made = []
        for ordinal, group in groupby(rows, key=lambda s: s.passage):
            own = list(group)
            said = tuple(UnreadSentence(s.sentence.span, s.text, s.paragraph_start) for s in own)
            made.append(
                UnreadPassage(
                    ordinal=ordinal,
                    chapter=own[0].chapter,
                    span=Span(said[0].span.start, said[-1].span.end),
                    text=own[0].text + "".join(s.lead + s.text for s in own[1:]),
                    sentences=said,
                )
            )
        return tuple(made)
