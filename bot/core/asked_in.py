"""What a question is about and who asks it: the books that are meant, and the earlier questions it may follow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.core.audience import See, cannot_tell, for_room
from bot.core.club import BookId, Member, MemberId, Person, QuestionId, Room, private_to
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.following import FOLLOWS_WITHIN, LINKED, Following, Turn, followed, is_follow_up
from bot.core.ledger import KeptQuestion, QuestionRecord
from bot.core.outcomes import Matter, NotAnswered, Why
from bot.core.ports import BookRecord
from bot.core.search import Asked, boundary_of, question_of
from bot.core.standing import turned_away
from bot.core.visits import place_at_last_visit
from bot.core.wanted import RECAP, Recap, Scope, wanted, wanted_by

ALL: Final = "all"
"""Names the club's finished books together with the one that is read now."""

_TURNS: Final = 10
"""How many earlier questions of a place are looked at."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a person asks, as their platform parsed it.

    ``book`` names one by number or title, or is `ALL`, or None for the one that is read there. ``follows`` says that
    the question follows the one before it; ``reply_to`` is the question to whose answer it replies.
    """

    person: Person
    said: str
    book: str | None = None
    follows: bool = False
    reply_to: QuestionId | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is asked: a room by its key and what says who sees it, or (None) privately."""

    room: str | None = None
    see: See = cannot_tell


PRIVATELY: Final = Place()


@dataclass(frozen=True, slots=True)
class Moment:
    """Who asks, and what one transaction says of the place where they do: the room (None privately), the club's books,
    the ``current`` one among them, and its settings.
    """

    member: Member
    room: Room | None
    books: tuple[BookRecord, ...]
    current: BookRecord | None
    settings: ClubSettings


async def asker_at(house: Clubhouse, person: Person, place: Place) -> Moment | NotAnswered:
    """Who asks, if they have joined and anything is answered there now."""
    async with house.searching.doors.opened() as door:
        known = await door.member_of_person(person)
        if known is None:
            return NotAnswered(Why.MEMBERS_ONLY)
        refused, member = await turned_away(door, house, known.id, place.room)
        if refused is not None or member is None:
            return refused or NotAnswered(Why.MEMBERS_ONLY)
        room = None if place.room is None else await door.room(place.room)
        books, current = await door.books(), await door.current_book()
        return Moment(member, room, books, current, settings_of(await door.settings()))


def books_meant(moment: Moment, named: str | None, private: bool) -> tuple[BookRecord, ...] | NotAnswered:
    """The books a question is about: those named; else the room's, or the member's own choice in private messages;
    else the club's current one.
    """
    current, member = moment.current, moment.member
    books = known_to(member if private else None, moment.books)
    if named is not None and named.strip().casefold() == ALL:
        now = [] if current is None else [current]
        meant = [*(b for b in books if b.finished and b.id not in {n.id for n in now}), *now]
        return tuple(meant) or NotAnswered(Why.NO_BOOK)
    if named is not None:
        found = book_named(books, named)
        return NotAnswered(Why.NO_SUCH_BOOK) if found is None else (found,)
    if private:
        own = next((b for b in books if b.id == member.dm_book), current)
    else:
        rooms = None if moment.room is None else moment.room.book
        own = current if rooms is None else next((b for b in moment.books if b.id == rooms), None)
    return NotAnswered(Why.NO_BOOK) if own is None else (own,)


def known_to(member: Member | None, books: tuple[BookRecord, ...]) -> tuple[BookRecord, ...]:
    """The books that may be spoken of: those that are announced, and to one member alone what they brought."""
    return tuple(b for b in books if b.announced or (member is not None and b.added_by == member.id))


def book_named(books: tuple[BookRecord, ...], named: str) -> BookRecord | None:
    """The book of a club with this number or title."""
    name = named.strip().strip("“”\"'").casefold()
    by_number = next((b for b in books if str(b.id) == name.lstrip("#")), None)
    return by_number or next((b for b in books if b.title.casefold() == name), None)


async def matter_of(house: Clubhouse, asking: Asking, member: Member, place: Place, book: BookRecord) -> Matter:
    """What is asked about one book as it is delivered there. Raises `Refused` for what is empty or too long, and for a
    recap or a card of nothing.
    """
    said = question_of(asking.said)
    want = wanted(said)
    if want is None:
        following = await _following(house, asking, said, member, (place, book))
        return matter_in(place, book.id, said, member.id, following)
    matter = matter_in(place, book.id, said, member.id)
    if want != Recap(Scope.VISIT) or place.room is not None:
        return matter
    since = await place_at_last_visit(house, member.id, book.id)
    return replace(matter, asked=replace(matter.asked, since=since), why=Why.OWN_VISIT)


def place_for(said: str, place: Place) -> Place:
    """Where ``said`` (as `question_of` gives it) is answered: what is new since a member's last visit is told to them
    alone, wherever they ask.
    """
    return PRIVATELY if wanted_by(said) == Recap(Scope.VISIT) else place


def matter_in(place: Place, book: BookId, said: str, asker: MemberId, following: Following | None = None) -> Matter:
    """A question for one member alone, or for everyone in a room, under its fixed limit where that is in this book."""
    if place.room is None:
        return Matter(Asked(book, said, private_to(asker), following=following), asker)
    asked = replace(for_room(place.room, book, place.see, asker, said), following=following)
    return Matter(asked, asker, place.room)


async def _following(
    house: Clubhouse, asking: Asking, said: str, member: Member, about: tuple[Place, BookRecord]
) -> Following | None:
    """The earlier questions that ``said`` may follow; None where it follows none, whatever was asked."""
    place, book = about
    if not asking.follows and asking.reply_to is None and not is_follow_up(said):
        return None
    since = house.clock() - FOLLOWS_WITHIN
    turns = await house.ledger.turns(book.id, place.room, member.id, since, _TURNS)
    if asking.reply_to is not None:
        turns = (*await linked_turns(house, asking.reply_to), *turns)
    turns = tuple(turn for turn in turns if not turn.said.casefold().startswith(RECAP))
    return Following(turns, asking.follows, asking.reply_to)


async def linked_turns(house: Clubhouse, question: QuestionId | None) -> tuple[Turn, ...]:
    """A question and those that it followed, however old."""
    found: list[Turn] = []
    while question is not None and len(found) < LINKED:
        kept = await house.ledger.question(question)
        if kept is None:
            break
        found.append(turn_of(kept))
        question = kept.record.follows
    return tuple(found)


async def turns_covered(house: Clubhouse, record: QuestionRecord) -> tuple[Turn, ...]:
    """The earlier questions that a member's private one was read with, as far as their place covers them now."""
    turns = await linked_turns(house, record.follows)
    if not turns:
        return ()
    following = Following(turns, of=record.follows, rooms=True)
    async with house.searching.doors.opened() as door:
        boundary = await boundary_of(door, Asked(record.book, record.said, private_to(record.member)))
    return followed(record.said, following, boundary)


def turn_of(kept: KeptQuestion) -> Turn:
    """A kept question as an earlier one that may be followed."""
    r = kept.record
    return Turn(kept.id, r.member, r.book, r.room, r.said, r.boundary, r.asked_at, r.follows)
