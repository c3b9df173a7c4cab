"""What any keeper of ballots must do, the fake and the real one: subclassed with a `voting` fixture by each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.core.ballots import Ballot, Ballots
from bot.core.club import BookId, Member
from tests.fakes.library import LANTERN, Library

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)


@dataclass
class Voting:
    """One club's ballots, with its people and books."""

    ballots: Ballots
    library: Library[Any, Any, Any]

    async def nominated(self, *titles: str, by: Member | None = None) -> Ballot:
        """The open round with these titles nominated."""
        member = by or await self.library.member("ana")
        ballot = await self.ballots.ballot_opened(NOW)
        for title in titles:
            assert await self.ballots.nominated(ballot.id, title, None, member.id, NOW)
        latest = await self.ballots.ballot()
        assert latest is not None
        return latest

    async def vote(self, ballot: Ballot, name: str, *approved: int) -> bool:
        member = await self.library.member(name)
        return await self.ballots.voted(ballot.id, member.id, approved, NOW)

    async def closed(self, ballot: Ballot) -> Ballot:
        assert await self.ballots.ballot_closed(ballot.id, NOW)
        latest = await self.ballots.ballot()
        assert latest is not None
        assert latest.id == ballot.id
        assert latest.closed_at == NOW
        return latest


class BallotsSuite:
    """Every test starts without any round."""

    async def test_no_round_is_open_until_one_is_opened_and_then_one_alone(self, voting: Voting) -> None:
        assert await voting.ballots.ballot() is None
        first = await voting.ballots.ballot_opened(NOW)
        again = await voting.ballots.ballot_opened(NOW + timedelta(days=1))
        assert first == again
        assert (first.open, first.opened_at, first.nominations, first.voters) == (True, NOW, (), 0)

    async def test_nominations_are_numbered_in_their_order_and_keep_who_and_what(self, voting: Voting) -> None:
        book = await voting.library.add(LANTERN)
        ana, eve = await voting.library.member("ana"), await voting.library.member("eve")
        ballot = await voting.ballots.ballot_opened(NOW)
        await voting.ballots.nominated(ballot.id, "The Lantern", book, ana.id, NOW)
        await voting.ballots.nominated(ballot.id, "Ninety|| \\o/ {x}", None, eve.id, NOW)
        latest = await voting.ballots.ballot()
        assert latest is not None
        assert [(n.n, n.title, n.book, n.by, n.approvals) for n in latest.nominations] == [
            (1, "The Lantern", book, ana.id, None),
            (2, "Ninety|| \\o/ {x}", None, eve.id, None),
        ]

    async def test_a_vote_takes_the_place_of_the_members_earlier_one(self, voting: Voting) -> None:
        ballot = await voting.nominated("A", "B", "C")
        ana = await voting.library.member("ana")
        assert await voting.ballots.vote_of(ballot.id, ana.id) is None
        for approved in ((1, 2), (3, 2, 3), ()):
            assert await voting.vote(ballot, "ana", *approved)
            assert await voting.ballots.vote_of(ballot.id, ana.id) == tuple(sorted(set(approved)))
        latest = await voting.ballots.ballot()
        assert latest is not None
        assert latest.voters == 1

    async def test_a_number_that_nothing_has_is_not_approved(self, voting: Voting) -> None:
        ballot = await voting.nominated("A")
        ana = await voting.library.member("ana")
        await voting.vote(ballot, "ana", 1, 2, 99)
        assert await voting.ballots.vote_of(ballot.id, ana.id) == (1,)

    async def test_the_most_approvals_win(self, voting: Voting) -> None:
        ballot = await voting.nominated("A", "B", "C")
        await voting.vote(ballot, "ana", 1, 2)
        await voting.vote(ballot, "eve", 2, 3)
        await voting.vote(ballot, "bob", 2)
        closed = await voting.closed(ballot)
        assert [n.approvals for n in closed.nominations] == [1, 3, 1]
        assert closed.chosen is not None
        assert closed.chosen.title == "B"
        assert closed.voters == 3

    async def test_a_tie_has_no_winner_until_one_is_chosen_once(self, voting: Voting) -> None:
        ballot = await voting.nominated("A", "B", "C")
        await voting.vote(ballot, "ana", 1, 3)
        closed = await voting.closed(ballot)
        assert closed.chosen is None
        assert [n.title for n in closed.tied] == ["A", "C"]
        assert not await voting.ballots.ballot_decided(ballot.id, 9)
        assert [await voting.ballots.ballot_decided(ballot.id, n) for n in (3, 1)] == [True, False]
        latest = await voting.ballots.ballot()
        assert latest is not None
        assert latest.winner == 3

    async def test_without_a_vote_nothing_wins(self, voting: Voting) -> None:
        closed = await voting.closed(await voting.nominated("A"))
        assert closed.chosen is None
        assert [n.title for n in closed.tied] == ["A"]

    async def test_a_round_is_closed_once_and_takes_nothing_more(self, voting: Voting) -> None:
        ballot = await voting.nominated("A")
        await voting.vote(ballot, "ana", 1)
        await voting.closed(ballot)
        ana = await voting.library.member("ana")
        assert not await voting.ballots.ballot_closed(ballot.id, NOW)
        assert not await voting.vote(ballot, "eve", 1)
        assert await voting.ballots.nominated(ballot.id, "B", None, ana.id, NOW) is None
        assert not await voting.ballots.ballot_until(ballot.id, NOW)
        assert await voting.ballots.vote_of(ballot.id, ana.id) == (1,)

    async def test_the_next_round_begins_empty(self, voting: Voting) -> None:
        first = await voting.nominated("A")
        await voting.closed(first)
        second = await voting.nominated("B")
        assert second.id != first.id
        assert [(n.n, n.title) for n in second.nominations] == [(1, "B")]

    async def test_when_a_round_closes_by_itself_can_be_said_and_unsaid(self, voting: Voting) -> None:
        ballot = await voting.ballots.ballot_opened(NOW)
        for closes_at in (NOW + timedelta(days=7), None):
            assert await voting.ballots.ballot_until(ballot.id, closes_at)
            latest = await voting.ballots.ballot()
            assert latest is not None
            assert latest.closes_at == closes_at

    async def test_who_left_does_not_count_and_who_is_forgotten_leaves_no_name(self, voting: Voting) -> None:
        eve = await voting.library.member("eve")
        ballot = await voting.nominated("A", "B", by=eve)
        await voting.vote(ballot, "ana", 1)
        await voting.vote(ballot, "eve", 2)
        await voting.vote(ballot, "bob", 2)
        bob = await voting.library.member("bob")
        await voting.library.roster.leave(bob.id)
        await voting.library.roster.forget(eve.id)
        closed = await voting.closed(ballot)
        assert [n.approvals for n in closed.nominations] == [1, 0]
        assert [n.by for n in closed.nominations] == [None, None]
        assert await voting.ballots.vote_of(ballot.id, eve.id) is None

    async def test_a_book_is_finished_once_and_for_good(self, voting: Voting) -> None:
        book = await voting.library.add(LANTERN)
        assert [b.finished for b in await voting.library.roster.books()] == [False]
        assert [await voting.ballots.book_finished(book, NOW) for _ in range(2)] == [True, False]
        assert [b.finished for b in await voting.library.roster.books()] == [True]
        assert not await voting.ballots.book_finished(BookId(999), NOW)

    async def test_a_book_that_is_removed_stays_a_title(self, voting: Voting) -> None:
        book: BookId = await voting.library.add(LANTERN)
        ana = await voting.library.member("ana")
        ballot = await voting.ballots.ballot_opened(NOW)
        await voting.ballots.nominated(ballot.id, "The Lantern", book, ana.id, NOW)
        await voting.library.shelf.remove_book(book)
        latest = await voting.ballots.ballot()
        assert latest is not None
        assert [(n.title, n.book) for n in latest.nominations] == [("The Lantern", None)]
