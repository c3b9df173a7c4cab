"""A club's first hour and its last page: the welcome of a room, and finishing a book."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.core.audience import See, Spectators, cannot_tell, everyone_in
from bot.core.club import BookId, Member
from bot.core.club_rooms import book_read
from bot.core.club_settings import settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.library import book_announced
from bot.core.ports import BookRecord
from bot.core.progress import Understood
from bot.core.rights import require_admin
from bot.core.rooms import is_quiet
from bot.core.search import Asked, boundary_of


class Step(StrEnum):
    """What a person can do next; a platform gives each a button."""

    JOIN = "join"
    SET_PLACE = "set_place"
    WHAT_IS_KEPT = "what_is_kept"
    ADD_BOOK = "add_book"
    TALK_ROOM = "talk_room"
    NOMINATE = "nominate"
    VOTE = "vote"


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a room is greeted with: ``steps`` for everyone, ``next`` for the one who asked, alone.

    ``covered`` says that people who see the room and never joined are shown covered answers.
    """

    book: BookRecord | None
    covered: bool
    steps: tuple[Step, ...] = (Step.JOIN, Step.SET_PLACE, Step.WHAT_IS_KEPT)
    next: Step | None = None


@dataclass(frozen=True, slots=True)
class ClubFinished:
    """A club has finished a book, told once: ``everyone`` who counts has read it, or an admin said so.

    Every member's own place still decides what they are shown.
    """

    book: BookRecord
    everyone: bool
    steps: tuple[Step, ...]


async def welcome(house: Clubhouse, asker: Member) -> Welcome:
    """The greeting of a room, by whoever brought Dogear there or asks for it; an admin is told to add the book."""
    book = await house.roster.current_book()
    async with house.searching.doors.opened() as door:
        policy = Spectators(settings_of(await door.settings()).spectators)
    adds = asker.admin and book is None
    return Welcome(book, policy is Spectators.COVERED, next=Step.ADD_BOOK if adds else None)


def has_finished(book: BookRecord, said: Understood) -> bool:
    """Whether a member has come to the end of the book's body with what they just said.

    Their boundary is there now, and with it everything is open that was sealed around the story.
    """
    before = 0 if said.before is None else said.before
    return before < book.body_end <= said.place.offset


async def room_finished(house: Clubhouse, book: BookRecord, room: str, see: See = cannot_tell) -> ClubFinished | None:
    """Ask, after a member finished, left or went away, whether everyone who counts in a room has now finished.

    The club has then finished the book: the one call that finds it first is given what to tell the room. In a room
    that is paused or muted nothing is told, and nothing noted.
    """
    reads = await book_read(house, room)
    if reads is None or reads.id != book.id or is_quiet(await house.rooms.room(room), house.clock()):
        return None
    async with house.searching.doors.opened() as door:
        boundary = await boundary_of(door, Asked(book.id, "", everyone_in(room, see, book.id)))
    if not boundary.audience.members or boundary.offset < book.body_end:
        return None
    return await _finished(house, book, everyone=True)


async def finished_without(house: Clubhouse, room: str, see: See = cannot_tell) -> ClubFinished | None:
    """`room_finished` of the book that a room reads, after somebody left, was removed or went away."""
    book = await book_read(house, room)
    return None if book is None or book.finished else await room_finished(house, book, room, see)


async def club_finished(house: Clubhouse, admin: Member, book: BookRecord) -> ClubFinished | None:
    """An admin says that the club is done with a book; None where it was already. Nobody's place changes."""
    require_admin(admin)
    return await _finished(house, book, everyone=False)


async def _finished(house: Clubhouse, book: BookRecord, *, everyone: bool) -> ClubFinished | None:
    if not await house.ballots.book_finished(book.id, house.clock()):
        return None
    ballot = await house.ballots.ballot()
    voting = ballot is not None and ballot.open and bool(ballot.nominations)
    steps = (Step.TALK_ROOM, Step.NOMINATE, *([Step.VOTE] if voting else []))
    return ClubFinished(book, everyone, steps)


async def next_book_started(house: Clubhouse, admin: Member, book: BookId) -> BookRecord:
    """Make a book of the club its current one, which announces it. Earlier ones stay, and are asked by name.

    Raises `Refused` for who is no admin, and for a book that is none of the club's or not theirs to announce.
    """
    announced = await book_announced(house, admin, book)
    await house.roster.switch_book(book)
    return announced
