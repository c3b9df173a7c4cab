"""Nominations and votes, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.types import ARRAY, Integer

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.core.ballots import Ballot, BallotId, Nomination
from bot.core.club import BookId, ClubId, MemberId

_COUNTED: Final = (
    "select v.member_id from dogear.vote v join dogear.member m on m.id = v.member_id and m.joined_at is not null "
    "where v.ballot_id = :ballot"
)
_BALLOT: Final = (
    "select b.id, b.opened_at, b.closes_at, b.closed_at, b.winner, (select count(*) from dogear.vote v "
    "join dogear.member m on m.id = v.member_id and m.joined_at is not null where v.ballot_id = b.id) as voters "
    "from dogear.ballot b order by b.id desc limit 1"
)
_NOMINATIONS: Final = (
    "select n, title, book_id, nominated_by, approvals from dogear.nomination where ballot_id = :ballot order by n"
)
_LOCKED: Final = text("select 1 from dogear.ballot where id = :ballot and closed_at is null for update")
_APPROVED: Final = text(
    "insert into dogear.approval (club_id, ballot_id, member_id, n) "
    "select :club, :ballot, :member, n from dogear.nomination where ballot_id = :ballot and n = any(:approved)"
).bindparams(bindparam("approved", type_=ARRAY(Integer)))
_TALLIED: Final = text(
    "update dogear.nomination o set approvals = (select count(*) from dogear.approval a "  # noqa: S608 - of constants alone
    f"where a.ballot_id = :ballot and a.n = o.n and a.member_id in ({_COUNTED})) where o.ballot_id = :ballot"
)
_CLOSED: Final = text(
    "update dogear.ballot set closed_at = :now, winner = (select min(n) from dogear.nomination where "
    "ballot_id = :ballot and approvals > 0 and approvals = (select max(approvals) from dogear.nomination "
    "where ballot_id = :ballot) having count(*) = 1) where id = :ballot"
)


class PostgresBallots:
    """`Ballots` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def _run(self, statement: str, **values: object) -> Sequence[Any]:
        return await self._club.run(statement, **values)

    async def book_finished(self, book: BookId, now: datetime) -> bool:
        """Note that the club has finished a book, for good; True for the one call that did."""
        rows = await self._run(
            "update dogear.book set finished_at = :now where id = :book and finished_at is null returning id",
            book=book,
            now=now,
        )
        return bool(rows)

    async def ballot(self) -> Ballot | None:
        """The latest round, open or closed."""
        with translated():
            async with self._club.begun() as connection:
                row = (await connection.execute(text(_BALLOT))).one_or_none()
                if row is None:
                    return None
                rows = (await connection.execute(text(_NOMINATIONS), {"ballot": row.id})).all()
        nominations = tuple(_nomination(r) for r in rows)
        return Ballot(
            BallotId(row.id), row.opened_at, nominations, row.voters, row.closes_at, row.closed_at, row.winner
        )

    async def ballot_opened(self, now: datetime) -> Ballot:
        """The round that is open, opened if there is none."""
        await self._run(
            "insert into dogear.ballot (club_id, opened_at) values (:club, :now) "
            "on conflict (club_id) where closed_at is null do nothing",
            now=now,
        )
        latest = await self.ballot()
        assert latest is not None
        return latest

    async def ballot_until(self, ballot: BallotId, closes_at: datetime | None) -> bool:
        """Say when an open round closes by itself; False where it is not open."""
        rows = await self._run(
            "update dogear.ballot set closes_at = :at where id = :ballot and closed_at is null returning id",
            ballot=ballot,
            at=closes_at,
        )
        return bool(rows)

    async def nominated(
        self, ballot: BallotId, title: str, book: BookId | None, by: MemberId, now: datetime
    ) -> Nomination | None:
        """One more nomination, numbered from 1; None where the round is not open."""
        with translated():
            async with self._club.begun() as connection:
                if not await _open(connection, ballot):
                    return None
                made = await connection.execute(
                    text(
                        "insert into dogear.nomination "
                        "(club_id, ballot_id, n, title, book_id, nominated_by, nominated_at) "
                        "select :club, :ballot, coalesce(max(n), 0) + 1, :title, :book, :by, :now "
                        "from dogear.nomination where ballot_id = :ballot returning n"
                    ),
                    {"club": self._club.club, "ballot": ballot, "title": title, "book": book, "by": by, "now": now},
                )
                return Nomination(int(made.scalar_one()), title, book, by)

    async def voted(self, ballot: BallotId, member: MemberId, approved: Iterable[int], now: datetime) -> bool:
        """Put a member's vote in the place of any earlier one; False where the round is not open."""
        values = {"club": self._club.club, "ballot": ballot, "member": member}
        with translated():
            async with self._club.begun() as connection:
                if not await _open(connection, ballot):
                    return False
                await connection.execute(
                    text(
                        "insert into dogear.vote (club_id, ballot_id, member_id, voted_at) "
                        "values (:club, :ballot, :member, :now) "
                        "on conflict (ballot_id, member_id) do update set voted_at = excluded.voted_at"
                    ),
                    {**values, "now": now},
                )
                await connection.execute(
                    text("delete from dogear.approval where ballot_id = :ballot and member_id = :member"),
                    {"ballot": ballot, "member": member},
                )
                await connection.execute(_APPROVED, {**values, "approved": sorted(set(approved))})
                return True

    async def vote_of(self, ballot: BallotId, member: MemberId) -> tuple[int, ...] | None:
        """What a member approved of, by number; None where they have not voted."""
        rows = await self._run(
            "select array_remove(array_agg(a.n order by a.n), null) as approved from dogear.vote v "
            "left join dogear.approval a using (ballot_id, member_id) "
            "where v.ballot_id = :ballot and v.member_id = :member group by v.member_id",
            ballot=ballot,
            member=member,
        )
        return tuple(rows[0].approved) if rows else None

    async def ballot_closed(self, ballot: BallotId, now: datetime) -> bool:
        """Close a round, count its approvals, and choose what has most of them, if one alone has."""
        with translated():
            async with self._club.begun() as connection:
                if not await _open(connection, ballot):
                    return False
                await connection.execute(_TALLIED, {"ballot": ballot})
                await connection.execute(_CLOSED, {"ballot": ballot, "now": now})
                return True

    async def ballot_decided(self, ballot: BallotId, winner: int) -> bool:
        """Choose, in a closed round without a winner; True for the one call that did."""
        rows = await self._run(
            "update dogear.ballot b set winner = :winner where id = :ballot and closed_at is not null "
            "and winner is null and exists (select from dogear.nomination where ballot_id = b.id and n = :winner) "
            "returning id",
            ballot=ballot,
            winner=winner,
        )
        return bool(rows)


async def _open(connection: AsyncConnection, ballot: BallotId) -> bool:
    """Whether the round is open, and stays so to the end of the transaction."""
    return (await connection.execute(_LOCKED, {"ballot": ballot})).one_or_none() is not None


def _nomination(row: Any) -> Nomination:
    return Nomination(
        n=row.n,
        title=row.title,
        book=None if row.book_id is None else BookId(row.book_id),
        by=None if row.nominated_by is None else MemberId(row.nominated_by),
        approvals=row.approvals,
    )
