"""Signs of life, and those who give none: one silent person must not stop a club for ever."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.club import BookId, Member, MemberId
from bot.core.club_rooms import books_read
from bot.core.club_settings import ClubSettings, settings_of
from bot.core.clubhouse import Clubhouse
from bot.core.notices import NowAway, Tell, WhereAreYou
from bot.core.ports import BookRecord

NOTED_EVERY: Final = timedelta(hours=1)
"""A sign of life is written down when the last one is older than this: what is decided by it takes days."""
ASKED_AFTER: Final = timedelta(days=1)
"""How long after joining a member is asked where they are, who has not said so."""


@dataclass(frozen=True, slots=True)
class AwayStep:
    """One member, and what they are told. Only once `NowAway` is delivered do they count as away.

    ``silent_since`` is their last sign of life. ``books`` are those in which they are asked where they are.
    """

    member: Member
    notice: NowAway | WhereAreYou
    silent_since: datetime
    books: tuple[BookId, ...] = ()


@dataclass(frozen=True, slots=True)
class AwayDone:
    """How many members are away from now on, how many were asked where they are, and how many could not be told."""

    away: int = 0
    asked: int = 0
    unreachable: int = 0


def away_check(
    members: Iterable[Member],
    placed: Mapping[BookId, Collection[MemberId]],
    read: Sequence[BookRecord],
    settings: ClubSettings,
    now: datetime,
) -> tuple[AwayStep, ...]:
    """Who is to be told that they are away, and who is to be asked where they are, once in each book. Pure.

    ``read`` are the books that are read now, and ``placed`` has of each those who have said a place in it. Members who
    are away, count nowhere since they are set aside, or are not to be reached get no step: the last go on counting.
    """
    steps = []
    for member in members:
        joined = member.joined_at
        if not member.joined or joined is None or member.away or not member.reachable:
            continue
        without = [book for book in read if member.id not in placed[book.id]]
        last = max(joined, member.seen_at or joined)
        unasked = [] if member.aside else [book for book in without if book.id not in member.asked_where]
        if member.aside and len(without) == len(read):
            continue
        if now - last >= timedelta(days=settings.away_after_days):
            steps.append(AwayStep(member, NowAway(settings.away_after_days), last))
        elif unasked and now - joined >= ASKED_AFTER:
            titles = tuple(book.title for book in unasked)
            steps.append(AwayStep(member, WhereAreYou(titles), last, tuple(book.id for book in unasked)))
    return tuple(steps)


async def check_away(house: Clubhouse, tell: Tell) -> AwayDone:
    """Tell each silent member once, and let them count as away where that was delivered; nothing is said in a room.

    Who gives a sign meanwhile is not away. Who cannot be told goes on counting, and is not tried again until they
    write privately. What was kept for a day of forgotten people is dropped.
    """
    now = house.clock()
    await house.roster.forgotten_expired(now)
    read = await books_read(house)
    async with house.searching.doors.opened() as door:
        members = await door.members()
        settings = settings_of(await door.settings())
        placed = {book.id: (await door.positions_latest(book.id, [m.id for m in members])).keys() for book in read}
    away = asked = unreachable = 0
    for step in away_check(members, placed, read, settings, now):
        if not await tell.tell(step.member, step.notice):
            await house.roster.reachable(step.member.id, False)
            unreachable += 1
        elif isinstance(step.notice, WhereAreYou):
            await house.roster.asked_where(step.member.id, step.books, now)
            asked += 1
        else:
            away += await house.roster.away(step.member.id, now, step.silent_since)
    return AwayDone(away, asked, unreachable)


async def sign_of_life(house: Clubhouse, member: Member, *, private: bool = False) -> bool:
    """Note that a member said or pressed something, before it is acted on; whether they were away, and count again.

    They are then told `CountsAgain`, alone. What is said ``private`` shows that private messages reach them.
    """
    if not member.joined:
        return False
    if private and not member.reachable:
        await house.roster.reachable(member.id, True)
    now = house.clock()
    if not member.away and member.seen_at is not None and now - member.seen_at < NOTED_EVERY:
        return False
    return await house.roster.seen(member.id, now)
