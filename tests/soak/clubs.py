"""Clubs for the soak, written into the database: some from its beginning, and again and again a new one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.core.club import BookId, ClubId, MemberId, Role
from bot.core.club_settings import WEEKDAYS
from bot.core.ports import PositionRecord
from bot.ingest.draft import BookDraft
from bot.ingest.pipeline import index_book
from bot.ingest.sections import assemble
from bot.ingest.text import read_text
from tests.discord.wire import BOOK
from tests.load.stand import Room, Stand

READ: Final = 2
"""The last chapter that everybody has finished at first."""
AGO: Final = timedelta(days=40)
"""How long ago everybody joined."""
MOST: Final = {"member_questions_hour": "10000", "member_questions_day": "100000", "club_questions_hour": "100000",
               "club_questions_day": "1000000"}  # fmt: skip


@dataclass
class Club:
    """A club in one room; its first person is its admin. Of ``silent`` nothing was heard for long."""

    room: Room
    club: ClubId
    book: BookId
    members: dict[str, MemberId]
    silent: str
    made: float
    ends: dict[int, int]
    """Where each chapter ends, in code points."""
    people: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.room.key


def indexed_book(words: str = "") -> tuple[object, dict[int, int]]:
    """The book with more ``words`` at its end, and where its chapters end."""
    draft = read_text((BOOK + words).encode())
    assert isinstance(draft, BookDraft)
    indexed = index_book(assemble(draft))
    return indexed, {n: section.span.end for n, section in enumerate(indexed.book.sections, start=1)}


async def add_club(stand: Stand, number: int, made: float) -> Club:
    """One more club, whose weekly post is due at once, and of which one member is told that they are away."""
    room = await stand.room(number)
    app, now = stand.app, datetime.now(UTC)
    house = app.clubhouse(await app.directory.club_named("club", room.home))
    indexed, ends = indexed_book()
    stored, _ = await app.shelf.store_book(house.club, indexed, f"file {number}", f"Book {number}")  # type: ignore[arg-type]
    members: dict[str, MemberId] = {}
    for name, who in enumerate(room.people):
        member = await house.roster.member_known(f"{room.platform}:{who}", f"P{name}")
        await house.roster.join(member.id, now - AGO)
        place = PositionRecord(member.id, stored, ends[READ], "in", "chapter", "a chapter")
        await house.roster.position_appended(place)
        members[who] = member.id
        if who != room.people[-1]:
            await house.roster.seen(member.id, now)
    admin = members[room.people[0]]
    await house.roster.role_given(admin, Role.ADMIN)
    await house.rooms.room_added(room.key, "general")
    await house.roster.switch_book(stored)
    await house.books.book_announced(stored, now)
    due = now - timedelta(minutes=2)
    settings = {"weekly_day": WEEKDAYS[due.weekday()], "weekly_time": f"{due:%H:%M}", **MOST}
    for name_of, value in settings.items():
        await house.rooms.setting_changed(name_of, value, admin, now)
    stand.rooms.append(room)
    return Club(room, house.club, stored, members, room.people[-1], made, ends, room.people[:-1])
