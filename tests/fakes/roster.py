"""Members and positions kept in memory: fits the ``Roster`` port."""

from __future__ import annotations

from dataclasses import replace

from bot.core.club import BookId, ClubId, Member, MemberId
from bot.core.ports import BookRecord, PositionRecord
from tests.fakes.shelf import FakeShelf


class FakeRoster:
    """Positions are only appended; ``new_day`` forgets the tries with quoted words."""

    def __init__(self, shelf: FakeShelf) -> None:
        self._shelf = shelf
        self._members: dict[MemberId, tuple[ClubId, Member]] = {}
        self._numbers = 0
        self._positions: list[PositionRecord] = []
        self._tries: dict[tuple[MemberId, BookId], int] = {}

    async def club_named(self, name: str) -> ClubId:
        return await self._shelf.club_named(name)

    async def member_named(self, club: ClubId, name: str) -> Member:
        for its_club, member in self._members.values():
            if (its_club, member.name) == (club, name):
                return member
        self._numbers += 1
        member = Member(MemberId(self._numbers), name, joined=False)
        self._members[member.id] = (club, member)
        return member

    async def members(self, club: ClubId) -> tuple[Member, ...]:
        return tuple(sorted((m for its, m in self._members.values() if its == club), key=lambda m: m.name))

    def mark(self, member: MemberId, *, joined: bool) -> None:
        """Join or leave at once: between two steps of a search."""
        self._changed(member, joined=joined)

    def _changed(self, member: MemberId, **changes: object) -> None:
        club, known = self._members[member]
        self._members[member] = (club, replace(known, **changes))  # type: ignore[arg-type]

    async def join(self, member: MemberId) -> None:
        self._changed(member, joined=True)

    async def leave(self, member: MemberId) -> None:
        self._changed(member, joined=False)

    async def forget(self, member: MemberId) -> None:
        self._members.pop(member, None)
        self._positions = [p for p in self._positions if p.member != member]
        self._tries = {key: count for key, count in self._tries.items() if key[0] != member}

    async def plain_number_means(self, member: MemberId, habit: str) -> None:
        self._changed(member, plain_number=habit)

    async def current_book(self, club: ClubId) -> BookRecord | None:
        current = self._shelf.current.get(club)
        return None if current is None else await self._shelf.book(current)

    async def switch_book(self, club: ClubId, book: BookId) -> None:
        if book in {record.id for record in await self.books(club)}:
            self._shelf.current[club] = book

    async def books(self, club: ClubId) -> tuple[BookRecord, ...]:
        return await self._shelf.books(club)

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
        return member in self._members and self._members[member][1].joined
