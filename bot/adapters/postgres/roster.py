"""Members and positions of one club, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.connect import translated
from bot.adapters.postgres.forgetting import CODE_OF, forgotten, kept
from bot.adapters.postgres.records import BOOKS, COUNTS_AGAIN, MEMBERS, PENDING, book_record, member_of
from bot.core.club import BookId, ClubId, Member, MemberId, Person, Role
from bot.core.ports import BookRecord, PositionRecord
from bot.core.roster import Forgotten, Kept

_KNOWN: Final = (
    "insert into dogear.member (club_id, person, name, removed_at) select :club, :person, :name, "  # noqa: S608
    f"(select max(f.removed_at) from dogear.forgotten f where {CODE_OF.format(person=':person')}) "
    "on conflict (club_id, person) do update set name = excluded.name"
)
_READMITTED: Final = (
    "with readmitted as (update dogear.member set removed_at = null where id = :id returning person) "  # noqa: S608
    f"delete from dogear.forgotten f using readmitted m where {CODE_OF.format(person='m.person')} "
    "and f.removed_at is not null"
)
_TRIED: Final = text(
    "insert into dogear.quote_try (member_id, book_id, created_at) "
    "values (:member, :book, coalesce(cast(:now as timestamptz), now()))"
)
_TRIES: Final = (
    "select (select count(*) from dogear.quote_try where member_id = :member and book_id = :book "  # noqa: S608
    "and created_at > coalesce(cast(:now as timestamptz), now()) - interval '1 day') "
    "+ (select count(*) from dogear.forgotten_try t "
    "join dogear.forgotten f on f.id = t.forgotten_id join dogear.member m on m.id = :member "
    f"where {CODE_OF.format(person='m.person')} and t.kind = 'quote' and t.book_id = :book "
    "and t.tried_at > coalesce(cast(:now as timestamptz), now()) - interval '1 day')"
)
_EXPIRED: Final = "delete from dogear.forgotten_try where tried_at < cast(:now as timestamptz) - interval '1 day'"
_TRIED_NO_MORE: Final = (
    "delete from dogear.forgotten f where f.removed_at is null "
    "and not exists (select from dogear.forgotten_try t where t.forgotten_id = f.id)"
)


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
                _KNOWN,
                person=person,
                name=called,
            )
            rows = await self._run(f"{MEMBERS} where person = :person", person=person)
        return member_of(rows[0])

    async def members(self) -> tuple[Member, ...]:
        """Everyone known in the club, by name."""
        return tuple(member_of(row) for row in await self._run(f"{MEMBERS} order by name, id"))

    async def member(self, member: MemberId) -> Member | None:
        """The person of this number, if the club knows one."""
        rows = await self._run(f"{MEMBERS} where id = :id", id=member)
        return member_of(rows[0]) if rows else None

    async def join(self, member: MemberId, now: datetime | None = None) -> None:
        """Make a person a member. Who is one already stays one; who was removed becomes none."""
        await self._run(
            "update dogear.member set joined_at = coalesce(:now, now()), seen_at = coalesce(:now, now()), "
            "away_at = null, aside_at = null, asked_where_at = null, asked_where_of = '{}' "
            "where id = :id and joined_at is null and removed_at is null",
            id=member,
            now=now,
        )

    async def leave(self, member: MemberId) -> None:
        """End a membership."""
        await self._run("update dogear.member set joined_at = null, role = 'member' where id = :id", id=member)

    async def removed(self, member: MemberId, now: datetime | None) -> None:
        """End a membership until somebody readmits the member, or readmit them."""
        if now is not None:
            await self._run(
                "update dogear.member set joined_at = null, role = 'member', removed_at = :now where id = :id",
                id=member,
                now=now,
            )
            return
        await self._run(
            _READMITTED,
            id=member,
        )

    async def forget(self, member: MemberId, now: datetime | None = None) -> Forgotten:
        """Delete a person with everything of theirs. Their tries of the last day count on, under a code."""
        with translated():
            async with self._club.begun() as connection:
                return await forgotten(connection, member, now)

    async def forgotten_expired(self, now: datetime) -> None:
        """Drop the tries of forgotten people that are older than a day, with the codes they stood under."""
        with translated():
            async with self._club.begun() as connection:
                await connection.execute(text(_EXPIRED), {"now": now})
                await connection.execute(text(_TRIED_NO_MORE))

    async def kept(self, member: MemberId) -> Kept | None:
        """Everything that the club keeps of one person."""
        with translated():
            async with self._club.begun() as connection:
                return await kept(connection, member)

    async def seen(self, member: MemberId, now: datetime) -> bool:
        """Note a sign of life; says whether it ends being away."""
        rows = await self._run(
            "with before as (select id, away_at from dogear.member where id = :id for update) "
            "update dogear.member m set seen_at = greatest(m.seen_at, :now), away_at = null "
            "from before where m.id = before.id returning before.away_at is not null as was_away",
            id=member,
            now=now,
        )
        return bool(rows and rows[0].was_away)

    async def away(self, member: MemberId, now: datetime, silent_since: datetime) -> bool:
        """Make a member away who gave no sign after ``silent_since``."""
        rows = await self._run(
            "update dogear.member set away_at = :now where id = :id and joined_at is not null "
            "and coalesce(seen_at, joined_at) <= :since returning id",
            id=member,
            now=now,
            since=silent_since,
        )
        return bool(rows)

    async def set_aside(self, member: MemberId, now: datetime | None) -> bool:
        """Set a member aside, or end that; not one who has a place in every book that is read now."""
        pending = f"and joined_at is not null and {PENDING}"
        rows = await self._run(
            f"update dogear.member m set aside_at = :now where id = :id {'' if now is None else pending} returning id",  # noqa: S608
            id=member,
            now=now,
        )
        return bool(rows)

    async def shown(self, member: MemberId, shown: bool) -> None:
        """Whether the club may see the member's place."""
        await self._run("update dogear.member set shown = :shown where id = :id", id=member, shown=shown)

    async def reminded(self, member: MemberId, reminded: bool) -> None:
        """Whether the member asked for reminders."""
        await self._run("update dogear.member set reminded = :on where id = :id", id=member, on=reminded)

    async def reachable(self, member: MemberId, reachable: bool) -> None:
        """Whether a private message reaches the member."""
        await self._run("update dogear.member set reachable = :on where id = :id", id=member, on=reachable)

    async def asked_where(self, member: MemberId, books: Collection[BookId], now: datetime) -> None:
        """The member was asked for a first place in these books; those that are gone are dropped."""
        await self._run(
            "update dogear.member set asked_where_at = :now, asked_where_of = array(select b.id from dogear.book b "
            "where b.id = any(asked_where_of || cast(:books as bigint[])) order by 1) where id = :id",
            id=member,
            books=list(books),
            now=now,
        )

    async def dm_book(self, member: MemberId, book: BookId | None) -> None:
        """The book that the member asks about privately; None is the club's current one."""
        await self._run("update dogear.member set dm_book = :book where id = :id", id=member, book=book)

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
        """Write one more position; earlier ones stay. A first one in a book ends being set aside."""
        values = {
            "member": position.member,
            "book": position.book,
            "offset": position.offset,
            "kind": position.kind,
            "said": position.said,
            "understood": position.understood,
            "at": position.at,
            "map": position.map_version,
        }
        with translated():
            async with self._club.begun() as connection:
                await connection.execute(
                    text(
                        'insert into dogear.position (member_id, book_id, "offset", kind, said, understood, '
                        "created_at, map_version) "
                        "values (:member, :book, :offset, :kind, :said, :understood, coalesce(:at, now()), :map)"
                    ),
                    values,
                )
                await connection.execute(text(COUNTS_AGAIN), {"member": position.member, "book": position.book})

    async def positions(self, member: MemberId, book: BookId) -> tuple[PositionRecord, ...]:
        """A member's positions in one book, newest first."""
        rows = await self._run(
            'select "offset", kind, said, understood, created_at from dogear.position '
            "where member_id = :member and book_id = :book order by id desc",
            member=member,
            book=book,
        )
        return tuple(
            PositionRecord(member, book, r.offset, r.kind, r.said, r.understood, at=r.created_at) for r in rows
        )

    async def quote_tries(self, member: MemberId, book: BookId, now: datetime | None = None) -> int:
        """Count one more try to find quoted words, and say how many there were in the last day, this one included.

        Tries of one member are counted one after another: none of those made at once is overlooked.
        """
        with translated():
            async with self._club.begun() as connection:
                await connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": member})
                values = {"member": member, "book": book, "now": now}
                await connection.execute(_TRIED, values)  # sees what was written before the lock was given
                counted = await connection.execute(text(_TRIES), values)
                return int(counted.scalar_one())
