"""Rooms and settings kept in memory, beside the roster's: fits the ``Rooms`` port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from bot.core.club import BookId, ClubId, MemberId, Room, RoomId
from bot.core.errors import Refused
from tests.fakes.roster import FakeRoster


class FakeRooms:
    """The rooms that the roster's `FakeDoor` sees. ``keys`` holds whose each key is, over all clubs that share it."""

    def __init__(self, roster: FakeRoster, club: ClubId, keys: dict[str, ClubId] | None = None) -> None:
        self._roster = roster
        self._club = club
        self._keys = {} if keys is None else keys
        self.changed: dict[str, tuple[MemberId, datetime]] = {}
        """By whom and when each setting was changed."""

    def _change(self, room: RoomId, **changes: object) -> None:
        for key, known in self._roster.rooms.items():
            if known.id == room:
                self._roster.rooms[key] = replace(known, **changes)  # type: ignore[arg-type]

    async def rooms(self) -> tuple[Room, ...]:
        seen = [self._roster.room_seen(key) for key in self._roster.rooms]
        return tuple(sorted((room for room in seen if room is not None), key=lambda room: room.id))

    async def room(self, key: str) -> Room | None:
        return self._roster.room_seen(key)

    async def room_added(self, key: str, name: str) -> Room:
        if self._keys.setdefault(key, self._club) != self._club:
            raise Refused("room_taken", "That room belongs to another club: choose a room that has none yet.")
        known = self._roster.rooms.get(key)
        number = RoomId(max((room.id for room in self._roster.rooms.values()), default=0) + 1)
        self._roster.rooms[key] = Room(number, key, name) if known is None else replace(known, name=name)
        return self._roster.rooms[key]

    async def room_removed(self, room: RoomId) -> None:
        for key in [key for key, known in self._roster.rooms.items() if known.id == room]:
            del self._roster.rooms[key]
            self._roster.limit_books.pop(key, None)
            self._keys.pop(key, None)

    async def room_reads(self, room: RoomId, book: BookId | None) -> None:
        self._change(room, book=book)
        self._roster.drop_limits()

    async def room_limited(self, room: RoomId, offset: int | None) -> None:
        self._change(room, limit=offset)
        for key, known in self._roster.rooms.items():
            if known.id == room:
                self._roster.limit_books[key] = self._roster.book_read(known)

    async def room_paused(self, room: RoomId, at: datetime | None) -> None:
        self._change(room, paused=at is not None)

    async def room_muted(self, room: RoomId, until: datetime | None) -> None:
        self._change(room, muted_until=until)

    async def settings(self) -> Mapping[str, str]:
        return dict(self._roster.settings)

    async def setting_changed(self, name: str, value: str, by: MemberId, now: datetime) -> None:
        self._roster.settings[name] = value
        self.changed[name] = by, now
