"""Clubs, members and positions, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.records import BOOKS, book_record
from bot.core.club import BookId, ClubId, Member, MemberId
from bot.core.ports import BookRecord, PositionRecord


class PostgresRoster:
    """`Roster` over the answering role's engine. Positions are only ever appended."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def _run(self, statement: str, **values: object) -> Sequence[Any]:
        with translated():
            async with self._engine.begin() as connection:
                result = await connection.execute(text(statement), values)
                return result.all() if result.returns_rows else ()

    async def club_named(self, name: str) -> ClubId:
        """The club of this name, made if new."""
        await self._run("insert into dogear.club (name) values (:name) on conflict do nothing", name=name)
        ((club,),) = await self._run("select id from dogear.club where name = :name", name=name)
        return ClubId(club)

    async def member_named(self, club: ClubId, name: str) -> Member:
        """The person of this name in the club, made (not joined) if new."""
        await self._run(
            "insert into dogear.member (club_id, name) values (:club, :name) on conflict do nothing",
            club=club,
            name=name,
        )
        (row,) = await self._run(
            "select id, name, joined_at, plain_number from dogear.member where club_id = :club and name = :name",
            club=club,
            name=name,
        )
        return _member(row)

    async def members(self, club: ClubId) -> tuple[Member, ...]:
        """Everyone known in the club, by name."""
        rows = await self._run(
            "select id, name, joined_at, plain_number from dogear.member where club_id = :club order by name", club=club
        )
        return tuple(_member(row) for row in rows)

    async def join(self, member: MemberId) -> None:
        """Make a person a member. Who is one already stays one."""
        await self._run("update dogear.member set joined_at = coalesce(joined_at, now()) where id = :id", id=member)

    async def leave(self, member: MemberId) -> None:
        """End a membership."""
        await self._run("update dogear.member set joined_at = null where id = :id", id=member)

    async def forget(self, member: MemberId) -> None:
        """Delete a person with every place they said."""
        await self._run("delete from dogear.member where id = :id", id=member)

    async def plain_number_means(self, member: MemberId, habit: str) -> None:
        """Remember what the member means by a plain number: "finished" or "in"."""
        await self._run("update dogear.member set plain_number = :habit where id = :id", id=member, habit=habit)

    async def current_book(self, club: ClubId) -> BookRecord | None:
        """The book the club reads now."""
        rows = await self._run(BOOKS + " where id = (select current_book from dogear.club where id = :club)", club=club)  # noqa: S608
        return book_record(rows[0]) if rows else None

    async def switch_book(self, club: ClubId, book: BookId) -> None:
        """Make a book of the club its current one."""
        await self._run(
            "update dogear.club set current_book = :book where id = :club "
            "and exists (select from dogear.book b where b.id = :book and b.club_id = :club)",
            club=club,
            book=book,
        )

    async def books(self, club: ClubId) -> tuple[BookRecord, ...]:
        """The club's books, oldest first."""
        rows = await self._run(f"{BOOKS} where club_id = :club order by id", club=club)
        return tuple(book_record(row) for row in rows)

    async def position_appended(self, position: PositionRecord) -> None:
        """Write one more position; earlier ones stay."""
        await self._run(
            'insert into dogear.position (member_id, book_id, "offset", kind, said, understood) '
            "values (:member, :book, :offset, :kind, :said, :understood)",
            member=position.member,
            book=position.book,
            offset=position.offset,
            kind=position.kind,
            said=position.said,
            understood=position.understood,
        )

    async def positions(self, member: MemberId, book: BookId) -> tuple[PositionRecord, ...]:
        """A member's positions in one book, newest first."""
        rows = await self._run(
            'select "offset", kind, said, understood from dogear.position '
            "where member_id = :member and book_id = :book order by id desc",
            member=member,
            book=book,
        )
        return tuple(PositionRecord(member, book, r.offset, r.kind, r.said, r.understood) for r in rows)

    async def quote_tries(self, member: MemberId, book: BookId) -> int:
        """Count one more try to find quoted words, and say how many there were in the last day, this one included.

        Tries of one member are counted one after another: none of those made at once is overlooked.
        """
        with translated():
            async with self._engine.begin() as connection:
                await connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": member})
                values = {"member": member, "book": book}
                await connection.execute(  # a statement after the lock sees what was written before it was given
                    text("insert into dogear.quote_try (member_id, book_id) values (:member, :book)"), values
                )
                counted = await connection.execute(
                    text(
                        "select count(*) from dogear.quote_try where member_id = :member and book_id = :book "
                        "and created_at > now() - interval '1 day'"
                    ),
                    values,
                )
                return int(counted.scalar_one())


def _member(row: Any) -> Member:
    return Member(MemberId(row.id), row.name, row.joined_at is not None, row.plain_number)
