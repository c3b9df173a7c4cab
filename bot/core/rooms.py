"""The rooms and settings of one club: what keeps them, and what follows from a room alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from bot.core.club import BookId, MemberId, Room, RoomId


class Rooms(Protocol):
    """The rooms and settings of one club. What is not one of the club's is left as it is."""

    async def rooms(self) -> tuple[Room, ...]:
        """The club's rooms, the first made first."""

    async def room(self, key: str) -> Room | None:
        """The room of this key, if it is one of the club's."""

    async def room_added(self, key: str, name: str) -> Room:
        """A room of the club; one that is there already is called ``name`` from now on.

        Raises `Refused` where the room belongs to another club.
        """

    async def room_removed(self, room: RoomId) -> None: ...

    async def room_reads(self, room: RoomId, book: BookId | None) -> None:
        """Give a room a book of its own, or with None the club's current one. A limit in another book is gone."""

    async def room_limited(self, room: RoomId, offset: int | None) -> None:
        """Give a room a fixed limit in the book that it reads (code points), or lift it.

        The limit goes with the book: when the room reads another one, or the book is removed, it is gone.
        """

    async def room_paused(self, room: RoomId, at: datetime | None) -> None: ...

    async def room_muted(self, room: RoomId, until: datetime | None) -> None: ...

    async def settings(self) -> Mapping[str, str]:
        """What the club has set, by name; what it has not is not there."""

    async def setting_changed(self, name: str, value: str, by: MemberId, now: datetime) -> None:
        """Keep a value, the default too: that it changed, and when, is seen by whoever looks at the club next."""


def is_quiet(room: Room | None, now: datetime) -> bool:
    """Whether nothing may be said in a room now, posts and reminders included: it is paused or muted."""
    return room is not None and (room.paused or (room.muted_until is not None and now < room.muted_until))
