"""Nominations and votes kept in memory: fits the ``Ballots`` port."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.core.ballots import Ballot, BallotId, Nomination
from bot.core.club import BookId, MemberId
from tests.fakes.roster import FakeRoster
from tests.fakes.shelf import FakeShelf


@dataclass
class Round:
    """One round with its votes."""

    ballot: Ballot
    votes: dict[MemberId, tuple[int, ...]] = field(default_factory=dict)


class FakeBallots:
    """Rounds in the order in which they were opened; the roster says who is a member, the shelf which books are."""

    def __init__(self, roster: FakeRoster, shelf: FakeShelf) -> None:
        self._roster = roster
        self._shelf = shelf
        self._rounds: list[Round] = []

    def _seen(self, round_: Round) -> Ballot:
        known = {m.id for m in self._roster.everyone()}
        nominations = tuple(
            replace(n, by=n.by if n.by in known else None, book=n.book if n.book in self._shelf.kept else None)
            for n in round_.ballot.nominations
        )
        return replace(round_.ballot, nominations=nominations, voters=len(self._counted(round_)))

    def _counted(self, round_: Round) -> list[tuple[int, ...]]:
        return [approved for member, approved in round_.votes.items() if self._roster.has_joined(member)]

    def _open(self, ballot: BallotId) -> Round | None:
        return next((r for r in self._rounds if r.ballot.id == ballot and r.ballot.open), None)

    async def book_finished(self, book: BookId, now: datetime) -> bool:
        del now
        kept = self._shelf.kept.get(book)
        if kept is None or kept.record.finished:
            return False
        kept.record = replace(kept.record, finished=True)
        return True

    async def ballot(self) -> Ballot | None:
        return self._seen(self._rounds[-1]) if self._rounds else None

    async def ballot_opened(self, now: datetime) -> Ballot:
        if not self._rounds or not self._rounds[-1].ballot.open:
            self._rounds.append(Round(Ballot(BallotId(len(self._rounds) + 1), now)))
        return self._seen(self._rounds[-1])

    async def ballot_until(self, ballot: BallotId, closes_at: datetime | None) -> bool:
        found = self._open(ballot)
        if found:
            found.ballot = replace(found.ballot, closes_at=closes_at)
        return found is not None

    async def nominated(
        self, ballot: BallotId, title: str, book: BookId | None, by: MemberId, now: datetime
    ) -> Nomination | None:
        del now
        found = self._open(ballot)
        if found is None:
            return None
        made = Nomination(len(found.ballot.nominations) + 1, title, book, by)
        found.ballot = replace(found.ballot, nominations=(*found.ballot.nominations, made))
        return made

    async def voted(self, ballot: BallotId, member: MemberId, approved: Iterable[int], now: datetime) -> bool:
        del now
        found = self._open(ballot)
        if found:
            there = {n.n for n in found.ballot.nominations}
            found.votes[member] = tuple(sorted(set(approved) & there))
        return found is not None

    async def vote_of(self, ballot: BallotId, member: MemberId) -> tuple[int, ...] | None:
        found = next((r for r in self._rounds if r.ballot.id == ballot), None)
        known = {m.id for m in self._roster.everyone()}
        return found.votes.get(member) if found and member in known else None

    async def ballot_closed(self, ballot: BallotId, now: datetime) -> bool:
        found = self._open(ballot)
        if found is None:
            return False
        counted = self._counted(found)
        tallied = tuple(
            replace(n, approvals=sum(n.n in approved for approved in counted)) for n in found.ballot.nominations
        )
        closed = replace(found.ballot, nominations=tallied, closed_at=now)
        alone = closed.tied[0] if len(closed.tied) == 1 and closed.tied[0].approvals else None
        found.ballot = replace(closed, winner=alone.n if alone else None)
        return True

    async def ballot_decided(self, ballot: BallotId, winner: int) -> bool:
        found = next((r for r in self._rounds if r.ballot.id == ballot and not r.ballot.open), None)
        if found is None or found.ballot.winner is not None or found.ballot.nomination(winner) is None:
            return False
        found.ballot = replace(found.ballot, winner=winner)
        return True
