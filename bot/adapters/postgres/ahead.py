"""Looking ahead, as the database allows it: one function that uses a choice up, one that shows what it may."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import ARRAY, Integer, Text

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.core.ahead import AheadDoor, LookAhead, RunId, Step, UnreadPassage, UnreadPassages, UnreadSentence
from bot.core.club import ClubId, MemberId, QuestionId
from bot.core.offsets import Span

_LOOKED: Final = text(
    "select * from dogear.looked_ahead_v1(:run, :member, :question, :terms, "
    "cast(cast(:vectors as text[]) as halfvec[]))"
).bindparams(bindparam("terms", type_=ARRAY(Integer)), bindparam("vectors", type_=ARRAY(Text)))
_READ: Final = text(
    'select passage, chapter, start, "end", paragraph_start, lead, text '
    "from dogear.read_ahead_v1(:run, :member, :question, :ordinals)"
).bindparams(bindparam("ordinals", type_=ARRAY(Integer)))


@dataclass(frozen=True, slots=True)
class PostgresAheadDoor:
    """`AheadDoor` over one connection in one transaction."""

    connection: AsyncConnection
    look: LookAhead

    async def _rows(self, statement: TextClause, **values: object) -> Sequence[Any]:
        named = {"run": self.look.run, "member": self.look.member, "question": self.look.question, **values}
        with translated():
            return (await self.connection.execute(statement, named)).all()

    async def looked_ahead(self, terms: Sequence[int], vectors: Sequence[NDArray[np.float32]]) -> UnreadPassages:
        """Use the run up, and tell how the unread passages fit."""
        written = [HalfVector(vector).to_text() for vector in vectors]
        (row,) = await self._rows(_LOOKED, terms=list(terms), vectors=written)
        count = len(row.ordinals or ())
        return UnreadPassages(
            ordinals=np.array(row.ordinals or (), dtype=np.int32),
            lengths=np.array(row.lengths or (), dtype=np.int32),
            similarities=np.array(row.similarities or (), dtype=np.float64),
            counts=np.array(row.counts or (), dtype=np.float64).reshape(count, len(terms)),
        )

    async def read_ahead(self, ordinals: Sequence[int]) -> tuple[UnreadPassage, ...]:
        """The unread sentences of these passages."""
        rows = await self._rows(_READ, ordinals=sorted(set(ordinals)))
        return tuple(_passage(ordinal, list(group)) for ordinal, group in groupby(rows, key=itemgetter(0)))


def _passage(ordinal: int, rows: Sequence[Any]) -> UnreadPassage:
    sentences = tuple(
        UnreadSentence(Span(start, end), said, paragraph_start) for _, _, start, end, paragraph_start, _, said in rows
    )
    return UnreadPassage(
        ordinal=ordinal,
        chapter=rows[0].chapter,
        span=Span(sentences[0].span.start, sentences[-1].span.end),
        text=rows[0].text + "".join([part for row in rows[1:] for part in row[-2:]]),
        sentences=sentences,
    )


class PostgresAhead:
    """`Ahead` over the answering role's engine, in one club."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def chosen(self, question: QuestionId, member: MemberId, step: Step, at: datetime) -> RunId | None:
        """Keep that a member chose this; None where they had before, or the question is gone."""
        rows = await self._club.run(
            "insert into dogear.look_ahead (club_id, question_id, member_id, step, chosen_at) "
            "select :club, q.id, :member, :step, :at from dogear.question q where q.id = :question for key share "
            "on conflict do nothing returning id",
            question=question,
            member=member,
            step=step.value,
            at=at,
        )
        return RunId(rows[0].id) if rows else None

    async def given_up(self, run: RunId, at: datetime) -> None:
        """Note that nothing came of it."""
        await self._club.run("update dogear.look_ahead set given_up_at = :at where id = :run", run=run, at=at)

    @asynccontextmanager
    async def opened(self, look: LookAhead) -> AsyncIterator[AheadDoor]:
        """A transaction that looks ahead once; it is committed unless something is raised in it."""
        with translated():
            async with self._club.begun() as connection:
                yield PostgresAheadDoor(connection, look)
