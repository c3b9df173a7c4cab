"""Nominating and voting for the next book. Only members do either; an admin, or the date, closes a round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Final

from bot.core.ballots import (
    LONGEST_TITLE,
    MOST_NOMINATIONS,
    MOST_OF_ONE_MEMBER,
    Ballot,
    BallotId,
    Nomination,
    nominated_title,
)
from bot.core.club import Member
from bot.core.club_rooms import books_read
from bot.core.clubhouse import Clubhouse
from bot.core.dates import date_said
from bot.core.errors import Refused
from bot.core.ports import BookRecord
from bot.core.rights import require_admin, require_member

_LAST_YEAR: Final = 9000
"""Past it a time zone's offset may overflow."""


@dataclass(frozen=True, slots=True)
class Nominated:
    """A nomination, and whether it is ``new``: a title that stands there already is not nominated twice."""

    nomination: Nomination
    new: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A round as one member sees it: ``own`` is what they approved of, None until they have voted.

    ``closed_now`` says that its date has come and this very call closed it: that is told to the club.
    """

    ballot: Ballot
    own: tuple[int, ...] | None
    closed_now: bool = False


async def ballot_due(house: Clubhouse) -> Ballot | None:
    """Close the round whose date has come; the closed round for the one call that did, which is told to the club."""
    ballot, now = await house.ballots.ballot(), house.clock()
    if ballot is None or not ballot.open or ballot.closes_at is None or now < ballot.closes_at:
        return None
    return await house.ballots.ballot() if await house.ballots.ballot_closed(ballot.id, now) else None


async def standing(house: Clubhouse, member: Member) -> Standing | None:
    """The latest round, closed first if its date has come; None where there never was one."""
    require_member(member)
    closed = await ballot_due(house)
    ballot = closed or await house.ballots.ballot()
    if ballot is None:
        return None
    return Standing(ballot, await house.ballots.vote_of(ballot.id, member.id), closed is not None)


async def nominate(house: Clubhouse, member: Member, said: str) -> Nominated:
    """Nominate a title, or a book of the club by its number; opens a round if none is open.

    Raises `Refused` with one sentence for a title that is none, the book that is being read, and too many.
    """
    require_member(member)
    await ballot_due(house)
    title, book = await _said(house, said)
    ballot = await house.ballots.ballot_opened(house.clock())
    for there in ballot.nominations:
        if (book is not None and there.book == book.id) or there.title.casefold() == title.casefold():
            return Nominated(there, new=False)
    if len(ballot.nominations) >= MOST_NOMINATIONS:
        raise Refused("ballot_full", f"There are {MOST_NOMINATIONS} nominations already: vote for some of them.")
    if sum(n.by == member.id for n in ballot.nominations) >= MOST_OF_ONE_MEMBER:
        raise Refused("nominated_enough", f"You have nominated {MOST_OF_ONE_MEMBER} books: let others name some.")
    made = await house.ballots.nominated(ballot.id, title, None if book is None else book.id, member.id, house.clock())
    if made is None:
        raise _closed()
    return Nominated(made, new=True)


async def vote(house: Clubhouse, member: Member, approved: Iterable[int], of: BallotId | None = None) -> Standing:
    """Put a member's vote in the place of any earlier one; no number at all approves of nothing.

    ``of`` is the round whose numbers they were shown, where they may have been shown an earlier one. Raises `Refused`
    with one sentence where no round is open, another than that is, or a number is of no nomination.
    """
    require_member(member)
    await ballot_due(house)
    ballot = await _open_ballot(house)
    if of is not None and ballot.id != of:
        raise _closed()
    chosen = sorted(set(approved))
    if any(ballot.nomination(n) is None for n in chosen):
        raise Refused("no_nomination", f"Vote with numbers from 1 to {len(ballot.nominations)}.")
    if not await house.ballots.voted(ballot.id, member.id, chosen, house.clock()):
        raise _closed()
    return Standing(await house.ballots.ballot() or ballot, tuple(chosen))


async def vote_until(house: Clubhouse, admin: Member, said: str, zone: tzinfo) -> datetime:
    """Say on which day the open round closes by itself: at the end of that day in the club's ``zone``."""
    require_admin(admin)
    ballot = await _open_ballot(house)
    now = house.clock()
    day = date_said(said, now.astimezone(zone).date())
    if day is None or day.year > _LAST_YEAR:
        raise Refused("bad_date", "Say the day as 2026-12-05, 5 December, or next Sunday.")
    closes_at = datetime.combine(day + timedelta(days=1), time.min, zone).astimezone(UTC)
    if closes_at <= now:
        raise Refused("date_past", "That day is over: say one to come, or close the vote now.")
    if not await house.ballots.ballot_until(ballot.id, closes_at):
        raise _closed()
    return closes_at


async def close_vote(house: Clubhouse, admin: Member) -> Ballot:
    """Close the open round now, and count."""
    require_admin(admin)
    ballot = await _open_ballot(house)
    if not await house.ballots.ballot_closed(ballot.id, house.clock()):
        raise _closed()
    return await house.ballots.ballot() or ballot


async def decide_tie(house: Clubhouse, admin: Member, n: int) -> Ballot:
    """Choose among those that are tied in the round that was closed last."""
    require_admin(admin)
    ballot = await house.ballots.ballot()
    if ballot is None or ballot.open or ballot.winner is not None:
        raise Refused("no_tie", "There is no tie to decide.")
    if n not in {nomination.n for nomination in ballot.tied}:
        numbers = ", ".join(str(nomination.n) for nomination in ballot.tied)
        raise Refused("not_tied", f"Choose one of those that are tied: {numbers}.")
    if not await house.ballots.ballot_decided(ballot.id, n):
        raise Refused("no_tie", "There is no tie to decide.")
    return await house.ballots.ballot() or ballot


async def _said(house: Clubhouse, said: str) -> tuple[str, BookRecord | None]:
    """The title that is meant, and the book if it is one of the club's that is announced: by number or by its title."""
    title = nominated_title(said)
    books = [b for b in await house.roster.books() if b.announced]
    book = next((b for b in books if title in {str(b.id), b.title} or title.casefold() == b.title.casefold()), None)
    if book is None:
        return title, None
    if book.id in {read.id for read in await books_read(house)}:
        raise Refused("reading_it", "That is a book the club reads now: nominate another.")
    return nominated_title(book.title[:LONGEST_TITLE]), book


async def _open_ballot(house: Clubhouse) -> Ballot:
    ballot = await house.ballots.ballot()
    if ballot is None or not ballot.open or not ballot.nominations:
        raise Refused("no_ballot", "Nothing is nominated yet: nominate a title first.")
    return ballot


def _closed() -> Refused:
    return Refused("ballot_closed", "The vote has just been closed.")
