"""What was asked, kept in memory: fits the ``Ledger`` port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from bot.core.club import BookId, MemberId, Person, QuestionId
from bot.core.following import Turn
from bot.core.ledger import (
    Cited,
    KeptClaim,
    KeptQuestion,
    Press,
    QuestionRecord,
    Report,
    Status,
    Verdicts,
    unknown_book,
)
from bot.core.roster import Posted
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf

_COUNTED = {Status.ANSWERED, Status.REFUSED, Status.STOPPED}


class FakeLedger:
    """Questions by number; those of a book or a member that is gone are gone."""

    def __init__(self, shelf: FakeShelf, roster: FakeRoster) -> None:
        self._shelf = shelf
        self._roster = roster
        self._questions: dict[QuestionId, QuestionRecord] = {}
        self._before: list[tuple[Person, datetime]] = []
        self._postings: list[tuple[QuestionId, Posted, datetime | None]] = []
        self._presses: set[tuple[QuestionId, MemberId, Press]] = set()
        self._spoiled: dict[tuple[QuestionId, MemberId], tuple[datetime, bool]] = {}
        self._verdicts: dict[tuple[QuestionId, MemberId], bool] = {}
        self._numbers = 0
        self.claims: dict[QuestionId, list[KeptClaim]] = {}

    def _there(self) -> dict[QuestionId, QuestionRecord]:
        members = {member.id for member in self._roster.everyone()}
        self._before += [
            (self._roster.forgotten[record.member], record.asked_at)
            for record in self._questions.values()
            if record.book in self._shelf.kept and record.member not in members and record.status in _COUNTED
        ]
        self._questions = {
            number: record
            for number, record in self._questions.items()
            if record.book in self._shelf.kept and record.member in members
        }
        return {
            number: record if record.follows in self._questions else replace(record, follows=None)
            for number, record in self._questions.items()
        }

    async def asked(self, record: QuestionRecord) -> QuestionId:
        if record.book not in self._shelf.kept or record.member not in {m.id for m in self._roster.everyone()}:
            raise unknown_book()
        self._numbers += 1
        self._questions[QuestionId(self._numbers)] = record
        return QuestionId(self._numbers)

    async def claimed(self, question: QuestionId, claims: Sequence[KeptClaim], citations: Sequence[Cited]) -> None:
        if question in self._there():
            self.claims.setdefault(question, []).extend(claims)
            record = self._questions[question]
            self._questions[question] = replace(record, citations=(*record.citations, *citations))

    async def ended(self, question: QuestionId, status: Status, seconds: float, cost: Decimal = Decimal(0)) -> None:
        if question in self._there():
            self._questions[question] = replace(self._questions[question], status=status, seconds=seconds, cost=cost)

    async def question(self, question: QuestionId) -> KeptQuestion | None:
        record = self._there().get(question)
        return None if record is None else KeptQuestion(question, record)

    def _newest(self) -> Iterator[KeptQuestion]:
        for number, record in sorted(self._there().items(), key=lambda kept: (kept[1].asked_at, kept[0]), reverse=True):
            yield KeptQuestion(number, record)

    async def last_answered(self, member: MemberId | None, room: str | None) -> KeptQuestion | None:
        for number, record in sorted(self._there().items(), reverse=True):
            mine = member is None or record.member == member
            if record.room == room and mine and (room or member) and record.status in {Status.ANSWERED, Status.REFUSED}:
                return KeptQuestion(number, record)
        return None

    async def questions(self, since: datetime, most: int, member: MemberId | None = None) -> tuple[KeptQuestion, ...]:
        found = [k for k in self._newest() if k.record.asked_at >= since and member in {None, k.record.member}]
        return tuple(found[:most])

    def _counted(self, member: MemberId | None) -> list[datetime]:
        there = [
            k.record.asked_at
            for k in self._newest()
            if k.record.status in _COUNTED and member in {None, k.record.member}
        ]
        persons = {m.person for m in self._roster.everyone() if m.id == member}
        before = [at for person, at in self._before if member is None or person in persons]
        return sorted([*there, *before], reverse=True)

    async def nths_latest(
        self, wanted: Sequence[tuple[int, MemberId | None]], since: datetime
    ) -> tuple[datetime | None, ...]:
        found = []
        for n, member in wanted:
            times = [at for at in self._counted(member) if at > since]
            found.append(times[n - 1] if len(times) >= n else None)
        return tuple(found)

    async def turns(
        self, book: BookId, room: str | None, member: MemberId, since: datetime, most: int
    ) -> tuple[Turn, ...]:
        found = []
        for kept in self._newest():
            r = kept.record
            mine = room is not None or r.member == member
            if (r.book, r.room, r.status) == (book, room, Status.ANSWERED) and mine and r.asked_at >= since:
                found.append(Turn(kept.id, r.member, r.book, r.room, r.said, r.boundary, r.asked_at, r.follows))
        return tuple(found[:most])

    def _stands(self) -> list[tuple[QuestionId, Posted, datetime | None]]:
        there = self._there()
        return [row for row in self._postings if row[0] in there]

    async def posted(self, question: QuestionId, posted: Posted) -> None:
        if question in self._there() and not any(row[:2] == (question, posted) for row in self._postings):
            self._postings.append((question, posted, None))

    async def postings(self, question: QuestionId) -> tuple[Posted, ...]:
        return tuple(posted for of, posted, hidden_at in self._stands() if of == question and hidden_at is None)

    async def hidden(self, question: QuestionId, posted: Posted, at: datetime) -> None:
        self._postings = [
            (of, where, at if (of, where) == (question, posted) and hidden_at is None else hidden_at)
            for of, where, hidden_at in self._postings
        ]

    async def question_at(self, posted: Posted) -> QuestionId | None:
        return next((of for of, where, _ in reversed(self._stands()) if where == posted), None)

    async def pressed(self, question: QuestionId, member: MemberId, press: Press, at: datetime) -> bool:
        del at
        if question not in self._there() or (question, member, press) in self._presses:
            return False
        self._presses.add((question, member, press))
        return True

    async def press_taken_back(self, question: QuestionId, member: MemberId, press: Press) -> None:
        self._presses.discard((question, member, press))

    async def spoiled(self, question: QuestionId, member: MemberId, at: datetime) -> bool:
        if question not in self._there() or (question, member) in self._spoiled:
            return False
        self._spoiled[question, member] = (at, False)
        return True

    async def judged(self, question: QuestionId, member: MemberId, useful: bool, at: datetime) -> bool:
        del at
        if question not in self._there() or self._verdicts.get((question, member)) is useful:
            return False
        self._verdicts[question, member] = useful
        return True

    async def verdicts(self) -> tuple[Verdicts, ...]:
        there = self._there()
        members = {member.id for member in self._roster.everyone()}
        found = []
        for engine in sorted({record.engine for record in there.values()}):
            of = [
                (question, useful)
                for (question, member), useful in self._verdicts.items()
                if question in there and there[question].engine == engine and member in members
            ]
            useful = sum(said for _, said in of)
            if of:
                found.append(Verdicts(engine, len({question for question, _ in of}), useful, len(of) - useful))
        return tuple(found)

    async def reports(self) -> tuple[Report, ...]:
        found: list[tuple[datetime, Report]] = []
        for number, record in self._there().items():
            said = [row for (of, _), row in self._spoiled.items() if of == number]
            if said:
                times = [at for at, _ in said]
                seen = all(seen for _, seen in said)
                report = Report(
                    number, record.book, record.room, record.boundary, record.citations, len(said), min(times), seen
                )
                found.append((max(times), report))
        return tuple(report for _, report in sorted(found, key=lambda row: (row[0], row[1].question), reverse=True))

    async def report_seen(self, question: QuestionId, at: datetime) -> None:
        del at
        self._spoiled = {key: (said_at, seen or key[0] == question) for key, (said_at, seen) in self._spoiled.items()}
