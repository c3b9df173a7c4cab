"""Clubs, members and positions, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.records import BOOKS, MEMBERS, book_record, member_of
from bot.core.club import BookId, ClubId, Member, MemberId, Person, Role
from bot.core.ports import HOST, BookRecord, PositionRecord


class PostgresDirectory:
    """`Directory` over the answering role's engine."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def _run(self, statement: str, **values: object) -> Sequence[Any]:
        with translated():
            async with self._engine.begin() as connection:
                result = await connection.execute(text(statement), values)
                return result.all() if result.returns_rows else ()

    async def club_named(self, name: str, server: str = HOST) -> ClubId:
        """The club of this name on a platform's server (or chat), made if new."""
        ((club,),) = await self._run("select dogear.club_named_v1(:name, :server)", name=name, server=server)
        return ClubId(club)

    async def club_of_room(self, key: str) -> ClubId | None:
        """The club that a room belongs to."""
        ((club,),) = await self._run("select dogear.club_of_room_v1(:key)", key=key)
        return None if club is None else ClubId(club)

    async def clubs_of_person(self, person: Person) -> tuple[ClubId, ...]:
        """The clubs that this person has joined."""
        rows = await self._run("select * from dogear.clubs_of_person_v1(:person) as club", person=person)
        return tuple(ClubId(row.club) for row in rows)

    async def clubs(self) -> tuple[ClubId, ...]:
        """Every club there is."""
        return tuple(ClubId(row.club) for row in await self._run("select * from dogear.clubs_v1() as club"))


class PostgresRoster:
    """`Roster` over the answering role's engine. Positions are only ever appended."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def _run(self, statement: str, **values: object) -> Sequence[Any]:
        return await self._club.run(statement, **values)

    async def member_known(self, person: Person, name: str | None = None) -> Member:
        """This person, made (not joined) if new; ``name`` (by default the person) is what they are called now."""
        called = person if name is None else name
        rows = await self._run(f"{MEMBERS} where person = :person and name = :name", person=person, name=called)
        if not rows:
            await self._run(
                "insert into dogear.member (club_id, person, name) values (:club, :person, :name) "
                "on conflict (club_id, person) do update set name = excluded.name",
                person=person,
                name=called,
            )
            rows = await self._run(f"{MEMBERS} where person = :person", person=person)
        return member_of(rows[0])

    async def members(self) -> tuple[Member, ...]:
        """Everyone known in the club, by name."""
        return tuple(member_of(row) for row in await self._run(f"{MEMBERS} order by name, id"))

    async def join(self, member: MemberId) -> None:
        """Make a person a member. Who is one already stays one."""
        await self._run("update dogear.member set joined_at = coalesce(joined_at, now()) where id = :id", id=member)

    async def leave(self, member: MemberId) -> None:
        """End a membership."""
        await self._run("update dogear.member set joined_at = null where id = :id", id=member)

    async def forget(self, member: MemberId) -> None:
        """Delete a person with every place they said."""
        await self._run("delete from dogear.member where id = :id", id=member)

    async def role_given(self, member: MemberId, role: Role) -> None:
        """Make a person an admin of the club, or an admin a member."""
        await self._run("update dogear.member set role = :role where id = :id", id=member, role=role.value)

    async def plain_number_means(self, member: MemberId, habit: str) -> None:
        """Remember what the member means by a plain number: "finished" or "in"."""
        await self._run("update dogear.member set plain_number = :habit where id = :id", id=member, habit=habit)

    async def current_book(self) -> BookRecord | None:
        """The book the club reads now."""
        rows = await self._run(BOOKS + " where id = (select current_book from dogear.club where id = :club)")  # noqa: S608
        return book_record(rows[0]) if rows else None

    async def switch_book(self, book: BookId) -> None:
        """Make a book of the club its current one."""
        await self._run(
            "update dogear.club set current_book = :book where id = :club "
            "and exists (select from dogear.book b where b.id = :book and b.club_id = :club)",
            book=book,
        )
        await self._run(  # a limit goes with its book
            "update dogear.room r set limit_offset = null, limit_book = null where r.limit_book is distinct from "
            "coalesce(r.book_id, (select c.current_book from dogear.club c where c.id = r.club_id))"
        )

    async def books(self) -> tuple[BookRecord, ...]:
        """The club's books, oldest first."""
        rows = await self._run(f"{BOOKS} order by id")
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
            async with self._club.begun() as connection:
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
