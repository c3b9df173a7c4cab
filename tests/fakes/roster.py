"""Members and positions kept in memory: fits the ``Roster`` port."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.core.club import BookId, ClubId, Member, MemberId, Person, Role, Room
from bot.core.errors import Refused
from bot.core.ports import BookRecord, PositionRecord
from bot.core.roster import Forgotten, Kept, Row
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
        self._tries: dict[tuple[MemberId, BookId], list[datetime]] = {}
        self._old_tries: dict[tuple[Person, BookId], list[datetime]] = {}
        self._barred: set[Person] = set()
        self.forgotten: dict[MemberId, Person] = {}

    async def member_known(self, person: Person, name: str | None = None) -> Member:
        called = person if name is None else name
        for member in self._members.values():
            if member.person == person:
                self._changed(member.id, name=called)
                return self._members[member.id]
        self._numbers += 1
        removed = person in self._barred
        member = Member(MemberId(self._numbers), called, joined=False, person=person, removed=removed)
        self._members[member.id] = member
        return member

    async def members(self) -> tuple[Member, ...]:
        return self.everyone()

    def everyone(self) -> tuple[Member, ...]:
        return tuple(sorted(self._members.values(), key=lambda m: (m.name, m.id)))

    def mark(self, member: MemberId, *, joined: bool) -> None:
        """Join or leave at once: between two steps of a search."""
        self._changed(member, joined=joined)

    def mark_seen(self, member: MemberId, now: datetime) -> None:
        """A sign of life between two steps of a check."""
        self._changed(member, seen_at=now)

    def _changed(self, member: MemberId, **changes: object) -> None:
        if member in self._members:  # as an update that finds no row
            self._members[member] = replace(self._members[member], **changes)  # type: ignore[arg-type]

    async def member(self, member: MemberId) -> Member | None:
        return self._members.get(member)

    async def join(self, member: MemberId, now: datetime | None = None) -> None:
        known = self._members[member]
        if known.joined or known.removed:
            return
        at = now or datetime.now(UTC)
        self._changed(member, joined=True, joined_at=at, seen_at=at, away=False, aside=False, asked_where=frozenset())

    async def leave(self, member: MemberId) -> None:
        self._changed(member, joined=False, joined_at=None, role=Role.MEMBER)

    async def removed(self, member: MemberId, now: datetime | None) -> None:
        if now is not None:
            await self.leave(member)
        else:
            self._barred.discard(self._members[member].person)
        self._changed(member, removed=now is not None)

    async def forget(self, member: MemberId, now: datetime | None = None) -> Forgotten:
        del now  # tries older than a day do not count, whoever made them
        kept = await self.kept(member)
        person = self._members.pop(member, None)
        if kept is None or person is None:
            return Forgotten({})
        self.forgotten[member] = person.person
        if person.removed:
            self._barred.add(person.person)
        for (tried, book), times in list(self._tries.items()):
            if tried == member:
                self._old_tries.setdefault((person.person, book), []).extend(times)
                del self._tries[tried, book]
        self._positions = [p for p in self._positions if p.member != member]
        return Forgotten({kind: len(rows) for kind, rows in kept.rows.items()}, stays_removed=person.removed)

    async def forgotten_expired(self, now: datetime) -> None:
        del now

    async def kept(self, member: MemberId) -> Kept | None:
        known = self._members.get(member)
        if known is None:
            return None
        titles = {book.id: book.title for book in await self.books()}
        person = {"name": known.name, "person": known.person, "role": known.role.value, "shown": known.shown}
        positions: tuple[Row, ...] = tuple(
            {"book": titles[p.book], "said": p.said, "understood": p.understood, "offset": p.offset, "kind": p.kind}
            for p in self._positions
            if p.member == member
        )
        tries = [book for (tried, book), times in self._tries.items() if tried == member for _ in times]
        return Kept(person, {"positions": positions, "quote_tries": tuple({"book": titles[b]} for b in tries)})

    async def seen(self, member: MemberId, now: datetime) -> bool:
        known = self._members[member]
        self._changed(member, seen_at=max(known.seen_at or now, now), away=False)
        return known.away

    async def away(self, member: MemberId, now: datetime, silent_since: datetime) -> bool:
        del now
        known = self._members[member]
        last = known.seen_at or known.joined_at
        if not known.joined or last is None or last > silent_since:
            return False
        self._changed(member, away=True)
        return True

    async def set_aside(self, member: MemberId, now: datetime | None) -> bool:
        placed = bool(self.books_read()) and not self._unplaced(member)
        if now is not None and (placed or not self.has_joined(member)):
            return False
        self._changed(member, aside=now is not None)
        return True

    async def shown(self, member: MemberId, shown: bool) -> None:
        self._changed(member, shown=shown)

    async def reminded(self, member: MemberId, reminded: bool) -> None:
        self._changed(member, reminded=reminded)

    async def reachable(self, member: MemberId, reachable: bool) -> None:
        self._changed(member, reachable=reachable)

    async def asked_where(self, member: MemberId, books: Collection[BookId], now: datetime) -> None:
        del now
        self._changed(member, asked_where=self._members[member].asked_where | frozenset(books))

    async def dm_book(self, member: MemberId, book: BookId | None) -> None:
        self._changed(member, dm_book=book)

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

    def books_read(self) -> set[BookId]:
        """The current book and those that rooms read of their own."""
        own = {self._shelf.current.get(self._club), *(room.book for room in self.rooms.values())}
        return {book for book in own if book is not None and book in self._shelf.kept}

    def _unplaced(self, member: MemberId) -> bool:
        return any(self.latest(member, book) is None for book in self.books_read())

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
        if position.map_version not in {None, self._shelf.of(position.book).record.map_version}:
            raise Refused("map_changed", "The book or its chapter map was changed just now: say it again.")
        self._positions.append(position)
        first = sum((p.member, p.book) == (position.member, position.book) for p in self._positions) == 1
        if position.member in self._members and (first or not self._unplaced(position.member)):
            self._changed(position.member, aside=False)

    async def positions(self, member: MemberId, book: BookId) -> tuple[PositionRecord, ...]:
        return tuple(p for p in reversed(self._positions) if (p.member, p.book) == (member, book))

    async def quote_tries(self, member: MemberId, book: BookId, now: datetime | None = None) -> int:
        at = now or datetime.now(UTC)
        own = self._tries.setdefault((member, book), [])
        own.append(at)
        old = self._old_tries.get((self._members[member].person, book), [])
        return sum(tried > at - timedelta(days=1) for tried in (*own, *old))

    def new_day(self) -> None:
        self._tries.clear()
        self._old_tries.clear()

    def latest(self, member: MemberId, book: BookId) -> int | None:
        return next((p.offset for p in reversed(self._positions) if (p.member, p.book) == (member, book)), None)

    def has_joined(self, member: MemberId) -> bool:
        return member in self._members and self._members[member].joined
