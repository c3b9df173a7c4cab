"""Members and positions kept in memory: fits the ``Roster`` port."""

from __future__ import annotations

from dataclasses import replace

from bot.core.club import BookId, ClubId, Member, MemberId, Person, Role, Room
from bot.core.ports import BookRecord, PositionRecord
from tests.fakes.shelf import FakeShelf


class FakeRoster:
    """Positions are only appended; ``new_day`` forgets the tries with quoted words."""

    def __init__(self, shelf: FakeShelf, club: ClubId) -> None:
        self._shelf = shelf
        self._club = club
        self._members: dict[MemberId, Member] = {}
        self.settings: dict[str, str] = {}
        self.rooms: dict[str, Room] = {}
        self.limit_books: dict[str, BookId | None] = {}
        self._numbers = 0
        self._positions: list[PositionRecord] = []
        self._tries: dict[tuple[MemberId, BookId], int] = {}

    async def member_known(self, person: Person, name: str | None = None) -> Member:
        called = person if name is None else name
        for member in self._members.values():
            if member.person == person:
                self._changed(member.id, name=called)
                return self._members[member.id]
        self._numbers += 1
        member = Member(MemberId(self._numbers), called, joined=False, person=person)
        self._members[member.id] = member
        return member

    async def members(self) -> tuple[Member, ...]:
        return self.everyone()

    def everyone(self) -> tuple[Member, ...]:
        return tuple(sorted(self._members.values(), key=lambda m: (m.name, m.id)))

    def mark(self, member: MemberId, *, joined: bool) -> None:
        """Join or leave at once: between two steps of a search."""
        self._changed(member, joined=joined)

    def _changed(self, member: MemberId, **changes: object) -> None:
        self._members[member] = replace(self._members[member], **changes)  # type: ignore[arg-type]

    async def join(self, member: MemberId) -> None:
        self._changed(member, joined=True)

    async def leave(self, member: MemberId) -> None:
        self._changed(member, joined=False)

    async def forget(self, member: MemberId) -> None:
        self._members.pop(member, None)
        self._positions = [p for p in self._positions if p.member != member]
        self._tries = {key: count for key, count in self._tries.items() if key[0] != member}

    async def role_given(self, member: MemberId, role: Role) -> None:
        self._changed(member, role=role)

    async def plain_number_means(self, member: MemberId, habit: str) -> None:
        self._changed(member, plain_number=habit)

    async def current_book(self) -> BookRecord | None:
        current = self._shelf.current.get(self._club)
        return None if current is None else await self._shelf.book(current)

    async def switch_book(self, book: BookId) -> None:
        if book in {record.id for record in await self.books()}:
            self._shelf.current[self._club] = book

        self.drop_limits()

    def book_read(self, room: Room) -> BookId | None:
        """The book that a room reads: its own while the shelf has it, else the club's current one."""
        return room.book if room.book in self._shelf.kept else self._shelf.current.get(self._club)

    def room_seen(self, key: str) -> Room | None:
        """A room as its ports show it: without a book that was removed, or a limit in another book."""
        room = self.rooms.get(key)
        if room is None:
            return None
        reads = self.book_read(room)
        limit = room.limit if self.limit_books.get(key, reads) == reads else None
        return replace(room, book=room.book if room.book in self._shelf.kept else None, limit=limit)

    def drop_limits(self) -> None:
        """Forget limits in books that are not read any more."""
        for key, room in self.rooms.items():
            self.rooms[key] = self.room_seen(key) or room

    async def books(self) -> tuple[BookRecord, ...]:
        return await self._shelf.books(self._club)

    async def position_appended(self, position: PositionRecord) -> None:
        self.append(position)

    def append(self, position: PositionRecord) -> None:
        if not 0 <= position.offset <= self._shelf.of(position.book).record.body_end:
            raise ValueError("a position cannot lie past the end of the body")
        self._positions.append(position)

    async def positions(self, member: MemberId, book: BookId) -> tuple[PositionRecord, ...]:
        return tuple(p for p in reversed(self._positions) if (p.member, p.book) == (member, book))

    async def quote_tries(self, member: MemberId, book: BookId) -> int:
        self._tries[member, book] = self._tries.get((member, book), 0) + 1
        return self._tries[member, book]

    def new_day(self) -> None:
        self._tries.clear()

    def latest(self, member: MemberId, book: BookId) -> int | None:
        return next((p.offset for p in reversed(self._positions) if (p.member, p.book) == (member, book)), None)

    def has_joined(self, member: MemberId) -> bool:
        return member in self._members and self._members[member].joined
