"""What was asked, as the answering role keeps it: words of members, and of books numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import ARRAY, BigInteger, Integer

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.forgetting import ASKED_BEFORE
from bot.adapters.postgres.question_rows import question_record, turn_of_row
from bot.adapters.postgres.said_of_answers import SaidOfAnswers
from bot.core.club import BookId, ClubId, MemberId, QuestionId
from bot.core.following import Turn
from bot.core.ledger import Cited, KeptClaim, KeptQuestion, Press, QuestionRecord, Report, Status, unknown_book
from bot.core.offsets import Span
from bot.core.roster import Posted

_IDS: Final = bindparam("ids", type_=ARRAY(BigInteger))
_QUESTIONS: Final = (
    'select q.id, q.member_id, q.book_id, q.room_key, q.said, q."boundary", q.audience, q.status, q.engine, '
    "q.asked_at, q.seconds, q.cost, q.follows from dogear.question q"
)
_AT: Final = ("q.room_key = :room", "q.room_key is null")
"""Asked in a room, or privately: what an index answers, as ``is not distinct from`` is not."""
_ASKED: Final = text(
    "with b as (select id from dogear.book where id = :book for key share), "
    "m as (select id from dogear.member where id = :member for key share) "
    "insert into dogear.question (club_id, member_id, room_id, room_key, book_id, said, "
    '"boundary", audience, status, engine, follows, seconds, cost, asked_at) '
    "select :club, m.id, (select r.id from dogear.room r where r.key = :room), :room, b.id, :said, :boundary, "
    ":audience, :status, :engine, (select q.id from dogear.question q where q.id = :follows for key share), "
    ":seconds, :cost, :asked_at from b, m returning id"
).bindparams(bindparam("audience", type_=ARRAY(BigInteger)))
_CITED: Final = text(
    'insert into dogear.citation (club_id, question_id, n, passage, start, "end", chapter) '
    "select :club, :question, c.* from unnest(:ns, :passages, :starts, :ends, :chapters) c"
).bindparams(*(bindparam(name, type_=ARRAY(Integer)) for name in ("ns", "passages", "starts", "ends", "chapters")))
_HELD: Final = text("select id from dogear.question where id = :id for key share")
_CLAIMED: Final = text(
    "insert into dogear.claim (club_id, question_id, n, text, citations) "
    "values (:club, :question, :n, :text, :citations)"
).bindparams(bindparam("citations", type_=ARRAY(Integer)))
_CITATIONS: Final = text(
    'select question_id, n, passage, start, "end", chapter from dogear.citation where question_id = any(:ids) '
    "order by question_id, n"
).bindparams(_IDS)
_COUNTED: Final = (
    "q.status in ('answered', 'refused', 'stopped') and (cast(:member as bigint) is null or q.member_id = :member)"
)
_TIMES: Final = f"select q.asked_at from dogear.question q where {_COUNTED} union all {ASKED_BEFORE}"  # noqa: S608
_NTHS: Final = text(
    f"select (select a.asked_at from ({_TIMES.replace(':member', 'w.member')}) a "  # noqa: S608 - of constants alone
    "where a.asked_at > :since order by a.asked_at desc offset w.n - 1 limit 1) as at "
    "from unnest(:ns, :members) with ordinality as w (n, member, place) order by w.place"
).bindparams(bindparam("ns", type_=ARRAY(BigInteger)), bindparam("members", type_=ARRAY(BigInteger)))
_REPORTS: Final = (
    'select q.id, q.book_id, q.room_key, q."boundary", count(*) as members, min(s.said_at) as said_at, '
    "bool_and(s.seen_at is not null) as seen from dogear.spoiled s join dogear.question q on q.id = s.question_id "
    "group by q.id order by max(s.said_at) desc, q.id desc"
)


class PostgresLedger(SaidOfAnswers):
    """`Ledger` over the answering role's engine, in one club."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def asked(self, record: QuestionRecord) -> QuestionId:
        """Write a question down, with its citations. Raises `Refused` where its book or its member is gone."""
        values = {
            "club": self._club.club,
            "member": record.member,
            "room": record.room,
            "book": record.book,
            "said": record.said,
            "boundary": record.boundary,
            "audience": sorted(record.audience),
            "status": record.status.value,
            "engine": record.engine,
            "follows": record.follows,
            "seconds": record.seconds,
            "cost": record.cost,
            "asked_at": record.asked_at,
        }
        with translated():
            async with self._club.begun() as connection:
                question: int | None = (await connection.execute(_ASKED, values)).scalar_one_or_none()
                if question is None:
                    raise unknown_book()
                await self._cite(connection, question, record.citations)
        return QuestionId(question)

    async def claimed(self, question: QuestionId, claims: Sequence[KeptClaim], citations: Sequence[Cited]) -> None:
        """Keep more claims of a model's answer, and the citations that are new with them."""
        with translated():
            async with self._club.begun() as connection:
                if (await connection.execute(_HELD, {"id": question})).scalar_one_or_none() is None:
                    return
                await self._cite(connection, question, citations)
                for claim in claims:
                    values = {"n": claim.n, "text": claim.text, "citations": list(claim.citations)}
                    await connection.execute(_CLAIMED, {"club": self._club.club, "question": question, **values})

    async def _cite(self, connection: AsyncConnection, question: int, cited: Sequence[Cited]) -> None:
        if cited:
            rows = zip(*((c.n, c.passage, c.span.start, c.span.end, c.chapter) for c in cited), strict=True)
            columns = dict(zip(("ns", "passages", "starts", "ends", "chapters"), map(list, rows), strict=True))
            await connection.execute(_CITED, {"club": self._club.club, "question": question, **columns})

    async def ended(self, question: QuestionId, status: Status, seconds: float, cost: Decimal = Decimal(0)) -> None:
        """Say how a question ended, how long it took, and what it cost."""
        await self._club.run(
            "update dogear.question set status = :status, seconds = :seconds, cost = :cost where id = :id",
            id=question,
            status=status.value,
            seconds=seconds,
            cost=cost,
        )

    async def question(self, question: QuestionId) -> KeptQuestion | None:
        """One question with its citations."""
        found = await self._kept(await self._club.run(f"{_QUESTIONS} where q.id = :id", id=question))
        return found[0] if found else None

    async def last_answered(self, member: MemberId | None, room: str | None) -> KeptQuestion | None:
        """The last question that got an answer or the refusal, in a room or privately."""
        rows = await self._club.run(
            f"{_QUESTIONS} where {_AT[room is None]} "
            "and (cast(:member as bigint) is null or q.member_id = :member) "
            "and (cast(:room as text) is not null or cast(:member as bigint) is not null) "
            "and q.status in ('answered', 'refused') order by q.asked_at desc, q.id desc limit 1",
            member=member,
            room=room,
        )
        found = await self._kept(rows)
        return found[0] if found else None

    async def questions(self, since: datetime, most: int, member: MemberId | None = None) -> tuple[KeptQuestion, ...]:
        """What was asked from ``since`` on, the newest first."""
        rows = await self._club.run(
            f"{_QUESTIONS} where q.asked_at >= :since and (cast(:member as bigint) is null or q.member_id = :member) "
            "order by q.asked_at desc, q.id desc limit :most",
            since=since,
            most=most,
            member=member,
        )
        return await self._kept(rows)

    async def _kept(self, rows: Sequence[Any]) -> tuple[KeptQuestion, ...]:
        cited = await self._cited([row.id for row in rows])
        return tuple(KeptQuestion(QuestionId(row.id), question_record(row, cited.get(row.id, ()))) for row in rows)

    async def _cited(self, questions: Sequence[int]) -> dict[int, tuple[Cited, ...]]:
        found: dict[int, tuple[Cited, ...]] = {}
        if questions:
            for row in await self._club.run(_CITATIONS, ids=list(questions)):
                one = Cited(row.n, row.passage, Span(row.start, row.end), row.chapter)
                found[row.question_id] = (*found.get(row.question_id, ()), one)
        return found

    async def nths_latest(
        self, wanted: Sequence[tuple[int, MemberId | None]], since: datetime
    ) -> tuple[datetime | None, ...]:
        """When the ``n``-th latest questions that count were asked, after ``since``."""
        rows = await self._club.run(
            _NTHS, ns=[n for n, _ in wanted], members=[member for _, member in wanted], since=since
        )
        return tuple(row.at for row in rows)

    async def turns(
        self, book: BookId, room: str | None, member: MemberId, since: datetime, most: int
    ) -> tuple[Turn, ...]:
        """The latest answered questions about a book in a room, or privately by ``member``."""
        rows = await self._club.run(
            f"{_QUESTIONS} where q.book_id = :book and {_AT[room is None]} "
            "and (cast(:room as text) is not null or q.member_id = :member) and q.status = 'answered' "
            "and q.asked_at >= :since order by q.asked_at desc, q.id desc limit :most",
            book=book,
            room=room,
            member=member,
            since=since,
            most=most,
        )
        return tuple(turn_of_row(row) for row in rows)

    async def posted(self, question: QuestionId, posted: Posted) -> None:
        """Note where an answer stands."""
        await self._club.run(
            "insert into dogear.posting (club_id, question_id, place, message) "
            "select :club, q.id, :place, :message from dogear.question q "
            "where q.id = :question for key share on conflict do nothing",
            question=question,
            place=posted.place,
            message=posted.message,
        )

    async def postings(self, question: QuestionId) -> tuple[Posted, ...]:
        """Where an answer stands and is not hidden."""
        rows = await self._club.run(
            "select place, message from dogear.posting where question_id = :question and hidden_at is null order by id",
            question=question,
        )
        return tuple(Posted(row.place, row.message) for row in rows)

    async def hidden(self, question: QuestionId, posted: Posted, at: datetime) -> None:
        """Note that an answer is hidden in one place."""
        await self._club.run(
            "update dogear.posting set hidden_at = :at where question_id = :question and place = :place "
            "and message = :message and hidden_at is null",
            question=question,
            place=posted.place,
            message=posted.message,
            at=at,
        )

    async def question_at(self, posted: Posted) -> QuestionId | None:
        """The question whose answer stands there."""
        rows = await self._club.run(
            "select question_id from dogear.posting where place = :place and message = :message "
            "order by id desc limit 1",
            place=posted.place,
            message=posted.message,
        )
        return QuestionId(rows[0].question_id) if rows else None

    async def pressed(self, question: QuestionId, member: MemberId, press: Press, at: datetime) -> bool:
        """Note that a member pressed; false where they had before."""
        rows = await self._club.run(
            "insert into dogear.press (club_id, question_id, member_id, what, pressed_at) "
            "select :club, q.id, :member, :what, :at from dogear.question q "
            "where q.id = :question for key share on conflict do nothing returning question_id",
            question=question,
            member=member,
            what=press.value,
            at=at,
        )
        return bool(rows)

    async def press_taken_back(self, question: QuestionId, member: MemberId, press: Press) -> None:
        """Forget that a member pressed."""
        await self._club.run(
            "delete from dogear.press where question_id = :question and member_id = :member and what = :what",
            question=question,
            member=member,
            what=press.value,
        )

    async def spoiled(self, question: QuestionId, member: MemberId, at: datetime) -> bool:
        """Note that an answer spoiled the book for a member; false where they had said so before."""
        rows = await self._club.run(
            "insert into dogear.spoiled (club_id, question_id, member_id, said_at) "
            "select :club, q.id, :member, :at from dogear.question q "
            "where q.id = :question for key share on conflict do nothing returning id",
            question=question,
            member=member,
            at=at,
        )
        return bool(rows)

    async def reports(self) -> tuple[Report, ...]:
        """Every answer that spoiled, the newest report first."""
        rows = await self._club.run(_REPORTS)
        cited = await self._cited([row.id for row in rows])
        return tuple(
            Report(
                question=QuestionId(row.id),
                book=BookId(row.book_id),
                room=row.room_key,
                boundary=row.boundary,
                citations=cited.get(row.id, ()),
                members=row.members,
                said_at=row.said_at,
                seen=row.seen,
            )
            for row in rows
        )

    async def report_seen(self, question: QuestionId, at: datetime) -> None:
        """Note that an admin has looked at the reports of a question."""
        await self._club.run(
            "update dogear.spoiled set seen_at = :at where question_id = :question and seen_at is null",
            question=question,
            at=at,
        )
