"""Rooms and settings, as the answering role keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.adapters.postgres.club_connections import ClubConnections
from bot.adapters.postgres.records import ROOMS, room_of
from bot.core.club import BookId, ClubId, MemberId, Room, RoomId
from bot.core.errors import Refused


class PostgresRooms:
    """`Rooms` over the answering role's engine: row-level security shows it one club's rooms alone."""

    def __init__(self, engine: AsyncEngine, club: ClubId) -> None:
        self._club = ClubConnections(engine, club)

    async def rooms(self) -> tuple[Room, ...]:
        """The club's rooms, the first made first."""
        return tuple(room_of(row) for row in await self._club.run(f"{ROOMS} order by id"))

    async def room(self, key: str) -> Room | None:
        """The room of this key, if it is one of the club's."""
        rows = await self._club.run(f"{ROOMS} where key = :key", key=key)
        return room_of(rows[0]) if rows else None

    async def room_added(self, key: str, name: str) -> Room:
        """A room of the club; raises `Refused` where it belongs to another, of which nothing is said."""
        await self._club.run(
            "insert into dogear.room (club_id, key, name) values (:club, :key, :name) on conflict do nothing",
            key=key,
            name=name,
        )
        await self._club.run("update dogear.room set name = :name where key = :key", key=key, name=name)
        room = await self.room(key)
        if room is None:
            raise Refused("room_taken", "That room belongs to another club: choose a room that has none yet.")
        return room

    async def room_removed(self, room: RoomId) -> None:
        """Take a room away; nothing else of the club goes with it."""
        await self._club.run("delete from dogear.room where id = :room", room=room)

    async def room_reads(self, room: RoomId, book: BookId | None) -> None:
        """Give a room a book of its own, or the club's current one."""
        await self._club.run("update dogear.room set book_id = :book where id = :room", room=room, book=book)
        await self._club.run(
            "update dogear.room r set limit_offset = null, limit_book = null where r.id = :room and r.limit_book is "
            "distinct from coalesce(r.book_id, (select c.current_book from dogear.club c where c.id = r.club_id))",
            room=room,
        )

    async def room_limited(self, room: RoomId, offset: int | None) -> None:
        """Give a room a fixed limit in the book that it reads, or lift it."""
        await self._club.run(
            "update dogear.room r set limit_offset = :offset, "
            "limit_book = coalesce(r.book_id, (select c.current_book from dogear.club c where c.id = r.club_id)) "
            "where r.id = :room",
            room=room,
            offset=offset,
        )

    async def room_paused(self, room: RoomId, at: datetime | None) -> None:
        """Pause a room, or let it go on."""
        await self._club.run("update dogear.room set paused_at = :at where id = :room", room=room, at=at)

    async def room_muted(self, room: RoomId, until: datetime | None) -> None:
        """Mute a room until a moment, or let it go on."""
        await self._club.run("update dogear.room set muted_until = :until where id = :room", room=room, until=until)

    async def settings(self) -> Mapping[str, str]:
        """What the club has set, by name."""
        return {row.name: row.value for row in await self._club.run("select name, value from dogear.setting")}

    async def setting_changed(self, name: str, value: str, by: MemberId, now: datetime) -> None:
        """Set a setting to what was read as ``value``."""
        await self._club.run(
            "insert into dogear.setting (club_id, name, value, changed_by, changed_at) "
            "values (:club, :name, :value, :by, :now) on conflict (club_id, name) do update "
            "set value = excluded.value, changed_by = excluded.changed_by, changed_at = excluded.changed_at",
            name=name,
            value=value,
            by=by,
            now=now,
        )
