"""Asking: in a room, privately, again for one member alone, and again for a room; and stopping.

Every platform parses, calls one of these, and renders what its `Posts` are shown; the outcomes say what else is told
to who asked. What ends without an answer is told to them alone: the room sees nothing of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from bot.core.asked_in import (
    PRIVATELY,
    Asking,
    Moment,
    Place,
    asker_at,
    book_named,
    books_meant,
    known_to,
    linked_turns,
    matter_in,
    matter_of,
    place_for,
)
from bot.core.audience import See, cannot_tell
from bot.core.club import Member, Person, QuestionId, private_to
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.delivery import deliver, recorded_unanswered
from bot.core.following import Following
from bot.core.ledger import KeptQuestion, Press, Status
from bot.core.limits import limited
from bot.core.outcomes import Delivered, Matter, NotAnswered, Posting, Why
from bot.core.ports import BookRecord
from bot.core.search import Asked, question_of
from bot.core.stopping import PATIENCE
from bot.core.turns import NotTaken

Outcome = Delivered | NotAnswered


class Posts(Protocol):
    """Where what is answered appears. A posting that is never shown anything leaves no trace."""

    def in_room(self) -> Posting: ...

    def to_asker(self) -> Posting: ...

    async def waiting(self, place: int) -> None:
        """Tell who asked, and nobody else, their place in the queue, from 1."""


@dataclass
class MemberTurn:
    """One turn of a member, and what it came to. ``begun`` says that something is being delivered.

    What is over a limit is recorded as a question that failed, so that it can be asked again, unless ``kept``: then it
    is one already.
    """

    house: Clubhouse
    moment: Moment
    posts: Posts
    outcomes: list[Outcome] = field(default_factory=list)
    begun: bool = False
    kept: bool = False

    @property
    def member(self) -> Member:
        return self.moment.member

    async def deliver(self, matter: Matter, posting: Posting) -> Outcome:
        self.begun = True
        return await deliver(self.house, matter, posting)

    async def taken(self, matter: Matter, work: Callable[[], Awaitable[None]]) -> tuple[Outcome, ...]:
        """Do ``work`` in turn, within the limits; ``matter`` is recorded where it is stopped before it begins."""
        began, waits = self.house.clock(), self.house.turns.waits(self.member.id)
        if waits and (over := await self._over_limit(self.moment.settings)) is not None:
            return (await self._turned_away(over, matter, began),)

        async def in_turn() -> None:
            settings = await self._settings() if waits else self.moment.settings
            if (over := await self._over_limit(settings)) is not None:
                self.outcomes.append(await self._turned_away(over, matter, began))
            else:
                await work()

        ended = await self.house.turns.taken(self.member.id, in_turn, self.posts.waiting, self.member.person)
        if ended is NotTaken.FULL:
            return (NotAnswered(Why.QUEUE_FULL),)
        if ended is NotTaken.STOPPED:
            if not self.begun:
                await recorded_unanswered(self.house, matter, Status.STOPPED, began)
            return (*self.outcomes, NotAnswered(Why.STOPPED))
        return tuple(self.outcomes)

    async def _turned_away(self, over: NotAnswered, matter: Matter, began: datetime) -> NotAnswered:
        if not self.kept:
            await recorded_unanswered(self.house, matter, Status.FAILED, began)
        return over

    async def _settings(self) -> ClubSettings:
        async with self.house.searching.doors.opened() as door:
            return settings_of(await door.settings())

    async def _over_limit(self, settings: ClubSettings) -> NotAnswered | None:
        others = max(0, self.house.turns.running - 1)
        over = await limited(self.house.ledger, settings, self.member.id, self.house.clock(), others)
        return None if over is None else NotAnswered(Why.LIMITED, limited=over)


async def ask_in_room(
    house: Clubhouse, room: str, asking: Asking, posts: Posts, see: See = cannot_tell
) -> tuple[Outcome, ...]:
    """Answer in a room (its key), under the boundary of everyone there; one outcome for each book that is meant.

    A question that names what the room has not met is answered to who asked alone, and so is what is new since their
    last visit: the room sees as much as if nothing had been asked. Raises `Refused` for a question that is empty or too
    long, `Unavailable`.
    """
    return await _asked(house, asking, Place(room, see), posts)


async def ask_privately(house: Clubhouse, asking: Asking, posts: Posts) -> tuple[Outcome, ...]:
    """Answer one member alone, under their own boundary; one outcome for each book that is meant.

    Raises `Refused` for a question that is empty or too long, `Unavailable`.
    """
    return await _asked(house, asking, PRIVATELY, posts)


async def _asked(house: Clubhouse, asking: Asking, place: Place, posts: Posts) -> tuple[Outcome, ...]:
    moment = await asker_at(house, asking.person, place)
    if isinstance(moment, NotAnswered):
        return (moment,)
    books = books_meant(moment, asking.book, place.room is None)
    if isinstance(books, NotAnswered):
        return (books,)
    turn = MemberTurn(house, moment, posts)

    async def work() -> None:
        for book in books:
            turn.outcomes.append(await _about(turn, asking, place, book, len(books) > 1))

    said = question_of(asking.said)
    return await turn.taken(matter_in(place_for(said, place), books[0].id, said, moment.member.id), work)


async def _about(turn: MemberTurn, asking: Asking, place: Place, book: BookRecord, several: bool) -> Outcome:
    """One book's outcome. Where it was replaced meanwhile and none was named, the one that is read now is asked."""
    outcome = await _in_place(turn, asking, place, book, several)
    if outcome != NotAnswered(Why.BOOK_GONE) or asking.book is not None:
        return outcome
    moment = await asker_at(turn.house, asking.person, place)
    if isinstance(moment, NotAnswered):
        return moment
    books = books_meant(moment, None, place.room is None)
    return outcome if isinstance(books, NotAnswered) else await _in_place(turn, asking, place, books[0], several)


async def _in_place(turn: MemberTurn, asking: Asking, place: Place, book: BookRecord, several: bool) -> Outcome:
    place = place_for(question_of(asking.said), place)
    matter = replace(await matter_of(turn.house, asking, turn.member, place, book), several=several)
    if place.room is None:
        return await turn.deliver(matter, turn.posts.to_asker())
    outcome = await turn.deliver(matter, turn.posts.in_room())
    if outcome != NotAnswered(Why.NAMES_UNMET):
        return outcome
    alone = await matter_of(turn.house, asking, turn.member, PRIVATELY, book)
    return await turn.deliver(replace(alone, why=Why.NAMES_UNMET, several=several), turn.posts.to_asker())


async def answer_me_privately(
    house: Clubhouse, question: QuestionId, person: Person, posts: Posts
) -> tuple[Outcome, ...]:
    """Ask a room's question again, for one member alone, whoever asked it first; once for each member.

    For who is behind the boundary under which somebody else asked it there is no such question: it may tell too.
    """
    moment = await asker_at(house, person, PRIVATELY)
    if isinstance(moment, NotAnswered):
        return (moment,)
    kept, member = await house.ledger.question(question), moment.member
    if kept is None or kept.record.room is None or not _stands(kept):
        return (NotAnswered(Why.NO_SUCH_QUESTION),)
    under = 0 if kept.record.member == member.id else kept.record.boundary
    async with house.searching.doors.opened() as door:
        here = (await door.positions_latest(kept.record.book, [member.id])).get(member.id, 0)
    if here < under:
        return (NotAnswered(Why.NO_SUCH_QUESTION),)
    earlier = await linked_turns(house, kept.record.follows)
    following = Following(earlier, of=kept.record.follows, rooms=True) if earlier else None
    asked = Asked(kept.record.book, kept.record.said, private_to(member.id), following=following)
    matter = Matter(asked, member.id, asked_under=under)
    return await pressed_once(MemberTurn(house, moment, posts), kept, Press.PRIVATE, matter)


async def share_with_room(
    house: Clubhouse, question: QuestionId, person: Person, place: Place, posts: Posts
) -> tuple[Outcome, ...]:
    """Ask one's own private question again, for everyone in a room: what one was told oneself is never copied there.

    The room sees nothing of a question that names what it has not met, nor of a book that is not announced. Done once;
    what came to nothing may be tried again.
    """
    moment = await asker_at(house, person, place)
    if isinstance(moment, NotAnswered):
        return (moment,)
    kept, member = await house.ledger.question(question), moment.member
    if kept is None or kept.record.member != member.id or kept.record.room is not None or not _stands(kept):
        return (NotAnswered(Why.NO_SUCH_QUESTION),)
    if place_for(kept.record.said, place) != place:  # it is its member's alone
        return (NotAnswered(Why.NO_SUCH_QUESTION),)
    if kept.record.book not in {book.id for book in known_to(None, moment.books)}:
        return (NotAnswered(Why.NO_SUCH_BOOK),)
    matter = matter_in(place, kept.record.book, kept.record.said, member.id)
    return await pressed_once(MemberTurn(house, moment, posts), kept, Press.SHARE, matter)


async def pressed_once(
    turn: MemberTurn, kept: KeptQuestion, press: Press, matter: Matter, alone: Matter | None = None
) -> tuple[Outcome, ...]:
    """Deliver ``matter`` because a member pressed under ``kept``: once, and again only where nothing came of it.

    Where a room has not met a name in it, it sees nothing, and ``alone`` is delivered to who asked instead.
    """
    ledger = turn.house.ledger
    turn.kept = True
    if not await ledger.pressed(kept.id, turn.member.id, press, turn.house.clock()):
        return (NotAnswered(Why.AGAIN),)
    posting = turn.posts.to_asker() if matter.room is None else turn.posts.in_room()

    async def work() -> None:
        outcome = await turn.deliver(matter, posting)
        if alone is not None and outcome == NotAnswered(Why.NAMES_UNMET):
            outcome = await turn.deliver(replace(alone, why=Why.NAMES_UNMET), turn.posts.to_asker())
        turn.outcomes.append(outcome)

    try:
        return await turn.taken(matter, work)
    finally:
        if not any(isinstance(outcome, Delivered) for outcome in turn.outcomes):
            await ledger.press_taken_back(kept.id, turn.member.id, press)


def _stands(kept: KeptQuestion) -> bool:
    return kept.record.status in {Status.ANSWERED, Status.REFUSED}


async def stop(house: Clubhouse, person: Person, already: int = 0) -> int:
    """Stop the running and the waiting questions of a person, in whichever process they are answered; how many there
    were, as far as is known, with those that were stopped ``already``. Each is recorded as stopped.
    """
    here = already + house.turns.stop_of(person)  # at once: what is looked up waits for a connection
    mine = [m.id for m in await house.roster.members() if m.person == person]
    if not mine:
        return here
    here += house.turns.stop(*mine)
    return here + await house.elsewhere.stopped(mine, 0 if here else PATIENCE)


async def read_privately(house: Clubhouse, person: Person, named: str) -> BookRecord | NotAnswered:
    """Make a book the one that a member's private questions are about, by number or title."""
    moment = await asker_at(house, person, PRIVATELY)
    if isinstance(moment, NotAnswered):
        return moment
    book = book_named(known_to(moment.member, moment.books), named)
    if book is None:
        return NotAnswered(Why.NO_SUCH_BOOK)
    await house.roster.dm_book(moment.member.id, book.id)
    return book


def when_free(outcome: NotAnswered, now: datetime) -> int | None:
    """In how many minutes, rounded up, it can be tried again: after a limit, or in a muted room; None where no time is
    known.
    """
    if outcome.until is not None:
        wait = (outcome.until - now).total_seconds()
    elif outcome.limited is not None and outcome.limited.wait is not None:
        wait = outcome.limited.wait.total_seconds()
    else:
        return None
    return max(1, -int(-wait // 60))
