"""Asking again what ended without an answer, or was refused before its reader had read on: as a new question."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from bot.core.asked_in import (
    PRIVATELY,
    Asking,
    Moment,
    Place,
    asker_at,
    known_to,
    linked_turns,
    matter_in,
    matter_of,
    place_for,
)
from bot.core.club import Member, Person, QuestionId
from bot.core.clubhouse import Clubhouse
from bot.core.conversation import MemberTurn, Outcome, Posts, pressed_once
from bot.core.following import Following
from bot.core.ledger import KeptQuestion, Press, Status
from bot.core.outcomes import Matter, NotAnswered, Why
from bot.core.ports import BookRecord
from bot.core.search import boundary_of, question_of
from bot.core.wanted import wanted_by

UNANSWERED: Final = frozenset((Status.STOPPED, Status.FAILED))
"""How a question ends that may be asked again as it is."""
MAY_BE_RETRIED: Final = UNANSWERED | {Status.REFUSED}
"""A refusal may be, once more has been read."""

LATELY: Final = timedelta(days=1)
_LATEST: Final = 20


async def retry(
    house: Clubhouse, question: QuestionId, person: Person, here: Place, posts: Posts
) -> tuple[Outcome, ...]:
    """Ask a member's own question again where they asked it: what was stopped, failed or was over a limit, or was
    refused under a boundary that has moved on since. What was asked in a room is asked again ``here`` alone.

    It is a question of its own, and counts as one. Done once; what comes to nothing again may be tried again. Raises
    `Unavailable`.
    """
    own = await _own(house, question, person, here)
    if isinstance(own, NotAnswered):
        return (own,)
    moment, kept, place = own
    member = moment.member
    books = known_to(member if place.room is None else None, moment.books)
    book = next((one for one in books if one.id == kept.record.book), None)
    if book is None:
        return (NotAnswered(Why.NO_SUCH_BOOK),)
    matter = await _matter(house, kept, member, (place, book))
    if kept.record.status is Status.REFUSED and not await _moved(house, kept, matter):
        return (NotAnswered(Why.UNMOVED),)
    alone = None if place.room is None else matter_in(PRIVATELY, book.id, kept.record.said, member.id)
    return await pressed_once(MemberTurn(house, moment, posts), kept, Press.RETRY, matter, alone)


async def _own(
    house: Clubhouse, question: QuestionId, person: Person, here: Place
) -> tuple[Moment, KeptQuestion, Place] | NotAnswered:
    """A member's own question that may be asked again, and where."""
    known = await asker_at(house, person, PRIVATELY)
    if isinstance(known, NotAnswered):
        return known
    kept = await house.ledger.question(question)
    if kept is None or kept.record.member != known.member.id or kept.record.status not in MAY_BE_RETRIED:
        return NotAnswered(Why.NO_SUCH_QUESTION)
    place = place_for(kept.record.said, PRIVATELY if kept.record.room is None else here)
    if kept.record.room != place.room:
        return NotAnswered(Why.NO_SUCH_QUESTION)
    moment = known if place.room is None else await asker_at(house, person, place)
    return moment if isinstance(moment, NotAnswered) else (moment, kept, place)


async def _matter(house: Clubhouse, kept: KeptQuestion, member: Member, about: tuple[Place, BookRecord]) -> Matter:
    """The question as it was asked, with what it followed; where that was not settled yet, with what it follows now."""
    place, book = about
    record = kept.record
    if wanted_by(record.said) is not None or (record.follows is None and record.status in UNANSWERED):
        return await matter_of(house, Asking(member.person, record.said), member, place, book)
    earlier = await linked_turns(house, record.follows)
    following = Following(earlier, of=record.follows) if earlier else None
    return matter_in(place, book.id, record.said, member.id, following)


async def _moved(house: Clubhouse, kept: KeptQuestion, matter: Matter) -> bool:
    async with house.searching.doors.opened() as door:
        return (await boundary_of(door, matter.asked)).offset > kept.record.boundary


async def to_retry(
    house: Clubhouse, person: Person, room: str | None, said: str | None = None, since: datetime | None = None
) -> QuestionId | None:
    """The last question of a person in a room (its key), or privately, that `retry` may ask again: with these words,
    and from ``since`` on, where they are given. None for who is no member.
    """
    member = next((m for m in await house.roster.members() if m.person == person and m.joined), None)
    if member is None:
        return None
    asked = None if said is None else question_of(said)
    room = room if asked is None or room is None else place_for(asked, Place(room)).room
    from_on = house.clock() - LATELY if since is None else since
    for kept in await house.ledger.questions(from_on, _LATEST, member.id):
        record = kept.record
        ended = record.status in (MAY_BE_RETRIED if said is None else UNANSWERED)
        if record.room == room and ended and asked in {None, record.said}:
            return kept.id
    return None
