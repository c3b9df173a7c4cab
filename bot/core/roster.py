"""The members of one club: what keeps them, and what is kept of each."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.core.club import BookId, Member, MemberId, Person, Role
from bot.core.ports import BookRecord, PositionRecord

Value = str | int | bool | list[str] | None
"""A value as it is exported: a time is in ISO 8601."""

Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that a club keeps of one person: themselves, and rows by kind ("positions", "questions", ...).

    It holds no text of a book, and no boundary or audience of a room, which would tell where others are.
    """

    person: Row
    rows: Mapping[str, tuple[Row, ...]]


@dataclass(frozen=True, slots=True)
class Posted:
    """Where an answer stands on its platform."""

    place: str
    message: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was deleted of a person: how many rows by kind, and the messages that are to be taken down.

    ``stays_removed`` says that one thing is left, under a code that tells no name: an admin removed them.
    """

    counts: Mapping[str, int]
    postings: tuple[Posted, ...] = ()
    stays_removed: bool = False


class Roster(Protocol):
    """The members of one club, their positions, and its books. Positions are only ever appended."""

    async def member_known(self, person: Person, name: str | None = None) -> Member:
        """This person, made (not joined) if new; ``name`` (by default the person) is what they are called now."""

    async def member(self, member: MemberId) -> Member | None: ...

    async def members(self) -> tuple[Member, ...]: ...

    async def join(self, member: MemberId, now: datetime | None = None) -> None:
        """Make a person a member, from ``now`` on. Who is one stays one; who was removed becomes none."""

    async def leave(self, member: MemberId) -> None: ...

    async def removed(self, member: MemberId, now: datetime | None) -> None:
        """End a membership until an admin readmits them, or (None) readmit them: they may join again."""

    async def forget(self, member: MemberId, now: datetime | None = None) -> Forgotten:
        """Delete a person with everything of theirs. Their tries of the day before ``now`` count on, under a code."""

    async def forgotten_expired(self, now: datetime) -> None:
        """Drop the tries of forgotten people that are older than a day, with the codes they stood under."""

    async def kept(self, member: MemberId) -> Kept | None: ...

    async def role_given(self, member: MemberId, role: Role) -> None: ...

    async def seen(self, member: MemberId, now: datetime) -> bool:
        """Note a sign of life. It ends being away; the value says whether they were."""

    async def away(self, member: MemberId, now: datetime, silent_since: datetime) -> bool:
        """Make a member away who gave no sign after ``silent_since``; the value says whether they are."""

    async def set_aside(self, member: MemberId, now: datetime | None) -> bool:
        """Set a member aside, or (None) end that; says whether it was done.

        Not where they have a place in every book that is read now: the current one, and those that rooms read.
        """

    async def shown(self, member: MemberId, shown: bool) -> None: ...

    async def reminded(self, member: MemberId, reminded: bool) -> None: ...

    async def reachable(self, member: MemberId, reachable: bool) -> None: ...

    async def asked_where(self, member: MemberId, books: Collection[BookId], now: datetime) -> None:
        """Note that a member was asked for a first place in these books too."""

    async def dm_book(self, member: MemberId, book: BookId | None) -> None: ...

    async def plain_number_means(self, member: MemberId, habit: str) -> None: ...

    async def current_book(self) -> BookRecord | None: ...

    async def switch_book(self, book: BookId) -> None: ...

    async def books(self) -> tuple[BookRecord, ...]: ...

    async def position_appended(self, position: PositionRecord) -> None:
        """Write one more position; earlier ones stay.

        A first place in a book ends being set aside, and so does one where they have a place in every book read now.
        """

    async def positions(self, member: MemberId, book: BookId) -> tuple[PositionRecord, ...]:
        """A member's positions in one book, newest first."""

    async def quote_tries(self, member: MemberId, book: BookId, now: datetime | None = None) -> int:
        """Count one more try to find quoted words, at ``now``, and say how many there were in the day before, this one
        included. Where ``now`` is None the database dates it.
        """
